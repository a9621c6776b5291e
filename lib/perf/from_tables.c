/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Register words of our tables on the kernel's PMUs: the bits of the words are put where the PMU's own
 * format files want them. An event of which a bit finds no room would be another event, and is
 * refused.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "perf/encoder.h"
#include "perf/from_tables.h"

struct filling {
	struct um_perf_encoder enc;
	struct um_perf_draft draft;
	const struct um_encoding *ev;
	const char *mods;
};

/* "uncore_cbox", "uncore_cbox_3" */
static void kernel_name(const struct um_encoding *ev, char *buf, size_t size)
{
	if (ev->unit >= 0 && ev->pmu->units.max > 1)
		snprintf(buf, size, "%s_%d", ev->pmu->kernel, ev->unit);
	else
		snprintf(buf, size, "%s", ev->pmu->kernel ? ev->pmu->kernel : "");
}

static int inexpressible(struct filling *f, const struct um_kernel_pmu *pmu)
{
	um_fail(f->enc.e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': perf cannot express "
		"it: the formats of '%s' have no room for all of it", f->ev->name, pmu->name);
	um_hint(f->enc.e, "count it through registers: --route=msr");
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

		if (!um_term_find(f->ev->pmu, name, strlen(name), &t))
			continue;
		from = t.word == UM_WORD_SELECTOR ? left : left + 1 + t.extra;
		value = um_term_get(&t, *from);
		*from &= ~um_term_mask(&t);
		if (value && um_format_fill(&pmu->formats[i], value, unit->attr.config, &max))
			return inexpressible(f, pmu);
	}
	for (size_t i = 0; i < 1 + UM_MAX_EXTRAS; i++)
		any |= left[i];
	return any ? inexpressible(f, pmu) : 0;
}

/*
 * A counter that counts one thing: a ready-made event of the kernel where it has one, else the code
 * that stands for the only fixed counter of an uncore PMU (Linux arch/x86/events/intel/uncore.h,
 * UNCORE_FIXED_EVENT).
 */
static int fill_fixed(struct filling *f, struct um_kernel_pmu *pmu)
{
	const struct um_fixed *fixed = &f->ev->pmu->fixed[f->ev->fixed];
	const char *const *alias = fixed->aliases;
	bool only = f->ev->pmu->num_fixed == 1 && !um_pmu_is_core(f->ev->pmu);
	const char *terms = fixed->event;

	if (um_kernel_pmu_load(f->enc.scope->pmus, pmu))
		return um_perf_no_memory(&f->enc);
	while (terms && !um_kernel_alias(pmu, terms, strlen(terms)))
		terms = alias && *alias ? *alias++ : NULL;
	if (!terms && !only)
		return inexpressible(f, pmu);
	if (!terms)
		terms = um_kernel_alias(pmu, "clockticks", 10) ? "clockticks" : "event=0xff";
	return um_perf_add_unit(&f->enc, &f->draft, pmu, terms, strlen(terms),
				(struct um_term_list){ NULL, 0 });
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
	um_hint(e, "its driver is the module intel_uncore (on AMD amd_uncore); through registers: "
		"--route=msr");
	return -ENOENT;
}

static int add(struct filling *f)
{
	const struct um_kernel_pmu *first;
	char name[64];
	int num, err;

	kernel_name(f->ev, name, sizeof(name));
	num = *name ? um_kernel_pmus_match(f->enc.scope->pmus, name, strlen(name), fill_unit, f) : 0;
	if (num <= 0)
		return num ? num : no_pmu(f->enc.e, f->ev, name);
	first = f->draft.ev.units[0].pmu;
	err = um_perf_name_pmu(&f->enc, &f->draft, first->name,
			       first->is_unit && f->draft.ev.num_units > 1 ? first->family
									  : strlen(first->name));
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
		snprintf(f.enc.text, sizeof(f.enc.text), "%s", f.ev->name);
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
