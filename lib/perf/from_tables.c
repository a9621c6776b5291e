/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Register words of our tables on the kernel's PMUs: the bits of the words are put where the PMU's own
 * format files want them. An event of which a bit finds no room would be another event, and is
 * refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "events/kernel_scale.h"
#include "perf/encoder.h"
#include "perf/from_tables.h"

struct filling {
	struct um_perf_encoder enc;
	struct um_perf_draft draft;
	const struct um_encoding *ev;
	const char *mods;
};

/* In the words of our tables; of the core, which is the kernel's, only @core. */
static bool encode(struct um_encodings *list, const struct um_event_pmus *pmus,
		   const struct um_json_lists *lists, const struct um_event *group, size_t num,
		   bool core)
{
	struct um_error ignored;
	bool is = um_events_encode(list, group, num, pmus, lists, &ignored) > 0;

	for (size_t i = 0; i < list->num && is; i++)
		is = core || !um_pmu_is_core(list->events[i].pmu);
	if (!is) {
		bool no_effect = list->no_effect;

		um_events_free(list);
		list->no_effect = no_effect;
	}
	return is;
}

bool um_perf_of_tables(struct um_encodings *list, const struct um_event_pmus *pmus,
		       const struct um_json_lists *lists, const struct um_event *group, size_t num,
		       bool core)
{
	return pmus && pmus->num && (encode(list, pmus, NULL, group, num, core) ||
				     (lists && encode(list, pmus, lists, group, num, core)));
}

/* "uncore_cbox", "uncore_cbox_3" */
static void kernel_name(const struct um_encoding *ev, char *buf, size_t size)
{
	if (ev->unit >= 0 && ev->pmu->units.max > 1)
		snprintf(buf, size, "%s_%d", ev->pmu->kernel, ev->unit);
	else if (ev->core_type)
		snprintf(buf, size, "%s", um_core_type_pmu(ev->core_type));
	else
		snprintf(buf, size, "%s", ev->pmu->kernel ? ev->pmu->kernel : "");
}

static int inexpressible(struct filling *f, const struct um_kernel_pmu *pmu)
{
	um_fail(f->enc.e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': perf cannot express "
		"it: the formats of '%s' have no room for all of it", f->ev->name, pmu->name);
	return -ENOTSUP;
}

/* What the kernel sets by itself, or by letters behind the slash. */
static uint64_t leave_to_kernel(struct filling *f, uint64_t word)
{
	const struct um_selector *sel = &f->ev->pmu->selector;
	uint64_t user, kernel;

	word &= ~(sel->enable | sel->fixed_bits | sel->occ_reset | sel->pmi);
	if (!um_pmu_rings(f->ev->pmu, &user, &kernel))
		return word;
	if (!(word & kernel) != !(word & user))
		f->mods = word & user ? "u" : "k";
	return word & ~(user | kernel);
}

static bool uses(const struct um_encoding *ev, unsigned slot)
{
	for (size_t i = 0; i < ev->pmu->num_extras; i++)
		if (ev->extras >> i & 1 && ev->pmu->extras[i].slot == slot)
			return true;
	return false;
}

/*
 * Defaults that the kernel has as well need no format, and what it sets whatever it is given has to be
 * wanted. False: it is not.
 */
static bool leave_defaults(const struct um_encoding *ev, uint64_t left[1 + UM_MAX_EXTRAS])
{
	for (size_t i = 0; i < ev->pmu->num_defaults; i++) {
		const struct um_default *d = &ev->pmu->defaults[i];
		bool selector = d->word == UM_WORD_SELECTOR;
		uint64_t want = (selector ? ev->word : ev->extra[d->extra]) & d->mask;

		if (d->kernel == UM_KERNEL_KEEPS || (!selector && !uses(ev, d->extra)))
			continue;
		if (want == d->value)
			left[selector ? 0 : 1 + d->extra] &= ~d->mask;
		else if (d->kernel == UM_KERNEL_FORCES)
			return false;
	}
	return true;
}

/* Bits of the row that Linux keeps from the register for this event. */
static uint64_t lost_bits(const struct um_encoding *ev, const struct um_extra *x)
{
	uint64_t umask = ev->word >> 8 & 0xff;
	const uint8_t *taken = x->kernel_umasks;

	while (taken && *taken && *taken != umask)
		taken++;
	return taken && !*taken ? x->mask : x->kernel_loses;
}

static bool is_lost(const struct um_encoding *ev)
{
	uint64_t lost[UM_MAX_EXTRAS] = { 0 }, taken[UM_MAX_EXTRAS] = { 0 };

	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];

		if (!(ev->extras >> i & 1))
			continue;
		lost[x->slot] |= ev->extra[x->slot] & lost_bits(ev, x);
		taken[x->slot] |= x->mask & ~lost_bits(ev, x);
	}
	for (size_t i = 0; i < UM_MAX_EXTRAS; i++)
		if (lost[i] & ~taken[i])
			return true;
	return false;
}

/*
 * Some of the kernel's files name other bits than its code looks at (occ_edge is config:14-51,
 * filter_cid of Haswell-EP config1:5). It takes the words as they are, so what is known to go to a
 * register as it stands is put there, whatever the file says. False: only the file tells.
 */
static bool place_as_known(const struct um_encoding *ev, const struct um_term *t,
			   const struct um_kernel_format *format, uint64_t word,
			   uint64_t config[UM_CONFIGS])
{
	if (t->word == UM_WORD_SELECTOR) {
		bool slip = __builtin_popcountll(format->mask) >
			    __builtin_popcountll(um_term_mask(t));

		config[0] |= slip ? word & um_term_mask(t) : 0;
		return slip;
	}
	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];

		if (!(ev->extras >> i & 1) || x->slot != t->extra || !x->config1)
			continue;
		config[1] |= (word & um_term_mask(t)) << (x->config1 - 1);
		return true;
	}
	return false;
}

static int fill_words(struct filling *f, struct um_kernel_pmu *pmu)
{
	uint64_t left[1 + UM_MAX_EXTRAS], any = 0, max;
	struct um_perf_unit *unit;
	int err = um_perf_add_unit(&f->enc, &f->draft, pmu, "", 0, (struct um_term_list){ NULL, 0 });

	if (err)
		return err;
	unit = &f->draft.ev.units[f->draft.ev.num_units - 1];
	left[0] = leave_to_kernel(f, f->ev->word);
	memcpy(left + 1, f->ev->extra, sizeof(f->ev->extra));
	for (size_t i = 0; i < pmu->num_formats; i++) {
		const char *name = pmu->formats[i].name;
		uint64_t *from, value;
		struct um_term t;
		bool placed;

		if (!um_term_find(f->ev->pmu, name, strlen(name), &t))
			continue;
		from = t.word == UM_WORD_SELECTOR ? left : left + 1 + t.extra;
		value = um_term_get(&t, *from);
		placed = place_as_known(f->ev, &t, &pmu->formats[i], *from, unit->attr.config);
		*from &= ~um_term_mask(&t);
		if (value && !placed && um_format_fill(&pmu->formats[i], value, unit->attr.config, &max))
			return inexpressible(f, pmu);
	}
	if (!leave_defaults(f->ev, left) || is_lost(f->ev))
		return inexpressible(f, pmu);
	for (size_t i = 0; i < 1 + UM_MAX_EXTRAS; i++)
		any |= left[i];
	return any ? inexpressible(f, pmu) : 0;
}

/* One count is the same in registers; the kernel's file may know no better (struct um_fixed). */
static int take_our_scale(struct filling *f, const struct um_fixed *fixed)
{
	char *unit = fixed->unit ? strdup(fixed->unit) : NULL;

	if (fixed->unit && !unit)
		return um_perf_no_memory(&f->enc);
	free(f->draft.ev.measure);
	f->draft.ev.measure = unit;
	f->draft.ev.scale = unit ? fixed->scale : 1;
	return 0;
}

/*
 * A counter that counts one thing: a ready-made event of the kernel where it has one, else the code
 * that stands for the only fixed counter of an uncore PMU (Linux arch/x86/events/intel/uncore.h,
 * UNCORE_FIXED_EVENT).
 */
static int fill_fixed(struct filling *f, struct um_kernel_pmu *pmu)
{
	const struct um_fixed *fixed = &f->ev->pmu->fixed[f->ev->fixed];
	bool only = f->ev->pmu->num_fixed == 1 && !um_pmu_is_core(f->ev->pmu);
	const struct um_kernel_alias *alias;
	const char *terms;
	int err;

	if (um_kernel_pmu_load(f->enc.scope->pmus, pmu))
		return um_perf_no_memory(&f->enc);
	alias = um_kernel_alias_of(pmu, fixed);
	if (!alias && !only && !f->ev->listed_terms)
		return inexpressible(f, pmu);
	terms = alias ? alias->name
		: f->ev->listed_terms && !only ? f->ev->listed_terms
		: um_kernel_alias(pmu, UM_WORD("clockticks")) ? "clockticks" : "event=0xff";
	err = um_perf_add_unit(&f->enc, &f->draft, pmu, terms, strlen(terms),
			       (struct um_term_list){ NULL, 0 });
	if (alias && !err)
		um_kernel_other_scale(alias, fixed, f->draft.ev.kernel_scale);
	return err ? err : take_our_scale(f, fixed);
}

static int fill_unit(void *user, struct um_kernel_pmu *pmu)
{
	struct filling *f = user;

	return f->ev->fixed >= 0 ? fill_fixed(f, pmu) : fill_words(f, pmu);
}

static int no_pmu(struct um_error *e, const struct um_encoding *ev, const char *name)
{
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': this kernel has no PMU '%s'",
		ev->name, *name ? name : ev->pmu->name);
	um_hint(e, "its driver is the module intel_uncore (on AMD amd_uncore)");
	return -ENOENT;
}

static int add(struct filling *f)
{
	char name[64];
	int num, err;

	kernel_name(f->ev, name, sizeof(name));
	num = *name ? um_kernel_pmus_match(f->enc.scope->pmus, name, strlen(name), fill_unit, f) : 0;
	if (num <= 0)
		return num ? num : no_pmu(f->enc.e, f->ev, name);
	if (um_event_lacks_msr(f->ev, f->enc.e))
		return -ENOTSUP;
	memcpy(f->draft.ev.remarks, f->ev->remarks, sizeof(f->draft.ev.remarks));
	f->draft.ev.num_remarks = f->ev->num_remarks;
	f->draft.ev.no_filter = f->ev->no_filter;
	err = um_perf_name_units(&f->enc, &f->draft);
	return err ? err : um_perf_finish(&f->enc, &f->draft, f->mods, strlen(f->mods), f->ev->name,
					  strlen(f->ev->name));
}

int um_perf_add_encodings(struct um_perf_events *to, const struct um_perf_scope *scope,
			  const struct um_encodings *list, struct um_error *e)
{
	struct um_perf_encoder enc = { .scope = scope, .list = to, .e = e };
	size_t before = to->num;

	for (size_t i = 0; i < list->num; i++) {
		struct filling f = { .draft.ev.scale = 1, .ev = &list->events[i], .mods = "" };
		int err;

		if (!i || f.ev->group != f.ev[-1].group)
			enc.group = to->num_groups++;
		f.enc = enc;
		f.enc.text = f.ev->name;
		err = add(&f);
		um_perf_draft_free(&f.draft);
		if (!err)
			continue;
		um_perf_events_cut(to, before);
		return err;
	}
	return (int)list->num;
}

static int count_one(void *user, struct um_kernel_pmu *pmu)
{
	(void)pmu;
	(void)user;
	return 0;
}

int um_perf_has_pmus(const struct um_perf_scope *scope, const struct um_encodings *list,
		     struct um_error *e)
{
	char name[64];

	for (size_t i = 0; i < list->num; i++) {
		kernel_name(&list->events[i], name, sizeof(name));
		if (!*name || um_kernel_pmus_match(scope->pmus, name, strlen(name), count_one,
						   NULL) <= 0)
			return no_pmu(e, &list->events[i], name);
	}
	return 0;
}

/* ---- either way ---- */

static int encode_group(struct um_perf_events *to, const struct um_perf_scope *scope,
			const struct um_event_pmus *pmus, const struct um_event *group, size_t num,
			struct um_error *e)
{
	struct um_encodings list = { 0 };
	struct um_error second;
	int err = -ENOENT;

	if (um_perf_of_tables(&list, pmus, scope->lists, group, num, false))
		err = um_perf_add_encodings(to, scope, &list, e);
	else if (list.no_effect) /* Linux would take the filter and leave it out without a word */
		err = um_events_encode(&list, group, num, pmus, scope->lists, e);
	um_events_free(&list);
	if (err == -ENOENT)
		err = um_perf_encode(to, scope, group, num, e);
	if (err < 0 && err != -ENOMEM && um_perf_of_tables(&list, pmus, NULL, group, num, true)) {
		err = um_perf_add_encodings(to, scope, &list, &second);
		*e = err < 0 ? second : *e;
		um_events_free(&list);
	}
	return err;
}

int um_perf_parse(struct um_perf_events *to, const struct um_perf_scope *scope,
		  const struct um_event_pmus *pmus, const char *text, struct um_error *e)
{
	struct um_written w;
	size_t before = to->num;
	int err = um_scan_events(&w, text, e);

	if (err)
		return err;
	for (size_t i = 0, num; i < w.num && err >= 0; i += num) {
		for (num = 1; i + num < w.num && w.events[i + num].group == w.events[i].group;)
			num++;
		err = encode_group(to, scope, pmus, &w.events[i], num, e);
	}
	um_written_free(&w);
	if (err >= 0)
		return (int)(to->num - before);
	um_perf_events_cut(to, before);
	return err;
}
