/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Make the config words of one unit by the PMU's format files. A name from the kernel's files or a list is replaced by
 * its terms; one of perf's own names sets type and config. Values are or-ed, as in perf.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "common/text.h"
#include "names/json_list.h"
#include "names/names.h"
#include "names/index.h"
#include "encode/encoder.h"

bool um_perf_suggest(struct um_encoder *s, const char *text, size_t len)
{
	const struct um_lookup l = { .names = s->names, .machine = true, .uarch = s->names->uarch };
	char names[UM_MESSAGE_LIST_SIZE] = "";

	if (l.names->no_memory)
		um_near_names(&l, text, len, names, sizeof(names));
	if (*names)
		um_hint(s->e, "did you mean %s?", names);
	return *names;
}

/* ---- one unit ---- */

enum { NAME_DEPTH = 4 }; /* limit for nested names: a name may refer to itself */

/* The unit that is being encoded: the one added last. */
static struct um_perf_unit *unit_of(const struct um_draft *d)
{
	const struct um_perf_event *ev = &d->enc->draft.ev;

	return &ev->units[ev->num_units - 1];
}

/* Terms that only affect recording in perf are ignored, so that texts for perf can be used. */
static bool is_ignored(const struct um_event_term *t)
{
	static const char words[][16] = {
		"period", "freq", "branch_type", "time", "call-graph", "stack-size", "max-stack",
		"nr", "inherit", "no-inherit", "overwrite", "no-overwrite", "percore",
		"aux-output", "aux-sample-size", "metric-id",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == t->name_len && !memcmp(t->name, words[i], t->name_len))
			return true;
	return false;
}

static int unknown_term(struct um_encoder *s, const struct um_kernel_pmu *pmu, const struct um_event_term *t)
{
	char names[UM_MESSAGE_LIST_SIZE] = "";

	UM_REFUSE(s, -EINVAL, um_event_is_pattern(t->name, t->name_len)
		  ? "'%s' takes no pattern such as '%.*s' on the kernel's route" : "'%s' has no term or event '%.*s'",
		  pmu->name, (int)t->name_len, t->name);
	if (!t->value && um_perf_suggest(s, t->name, t->name_len))
		return -EINVAL;
	for (size_t i = 0; i < pmu->base.num_terms; i++)
		um_list_add(names, sizeof(names), "%s", pmu->base.terms[i].name);
	if (*names)
		um_hint(s->e, "the PMU's terms are %s, and config, config1, config2", names);
	return -EINVAL;
}

/* ---- names ---- */

/* Make the filters of a name final: or-ed with the user's value, a filter would have neither value. */
static void keep_filters(struct um_words *w)
{
	memcpy(w->given + 1, w->at + 1, sizeof(w->at) - sizeof(w->at[0]));
}

static int fill_alias(struct um_draft *d, const struct um_kernel_alias *alias)
{
	struct um_perf_draft *to = &d->enc->draft;
	int err;

	if (to->depth >= NAME_DEPTH)
		return um_encode_bad(d->enc, "the kernel's event refers to itself:", alias->name, strlen(alias->name));
	to->alias = alias;
	to->ev.scale = alias->scale;
	to->ev.snapshot = alias->snapshot;
	to->ev.measure = alias->base.pub.measure;
	to->depth++;
	err = um_put_text(d, alias->base.pub.terms);
	to->depth--;
	return err;
}

static const struct um_json_event *entry_on(const struct um_json_lists *lists, const struct um_kernel_pmu *pmu,
					    const struct um_event_term *t, uint8_t type)
{
	const struct um_json_event *ev = lists ? um_json_find(lists, t->name, t->name_len, type) : NULL;

	if (lists && !ev && type)
		ev = um_json_find(lists, t->name, t->name_len, 0);
	if (!ev || ev->base.pub.impossible || (type && ev->core_type && ev->core_type != type))
		return NULL;
	if (um_kernel_pmu_is_core(pmu))
		return um_starts_with(ev->pmu, "cpu") ? ev : NULL;
	return !strcmp(ev->pmu, pmu->name) || !strcmp(ev->pmu, pmu->family_name) ? ev : NULL;
}

/* Encode a name that the kernel's files do not have: one of perf's own names for core events, or one from a list. */
static int fill_name(struct um_draft *d, const struct um_event_term *t)
{
	struct um_perf_unit *to = unit_of(d);
	uint8_t type = um_core_type_of(to->pmu->name, strlen(to->pmu->name));
	const struct um_json_event *ev;
	struct um_perf_code m;
	int err;

	if (um_kernel_pmu_is_core(to->pmu) && um_perf_name_find(t->name, t->name_len, &m) &&
	    m.type != PERF_TYPE_SOFTWARE) {
		to->attr.type = m.type;
		d->words.at[0] |= m.config | (type ? (uint64_t)to->pmu->type << 32 : 0);
		return 0;
	}
	ev = entry_on(d->enc->lists, to->pmu, t, type);
	if (!ev)
		return unknown_term(d->enc, to->pmu, t);
	err = um_put_text(d, um_terms_on(ev, &to->pmu->base));
	keep_filters(&d->words);
	return err;
}

/* Encode a word that is no term: an event's name or a raw code. Options of the perf tool are ignored. */
static int fill_other(struct um_draft *d, const struct um_event_term *t)
{
	const struct um_kernel_pmu *pmu = unit_of(d)->pmu;
	const struct um_kernel_alias *alias;
	uint64_t word;
	size_t skip;

	if (!t->name_len)
		return um_encode_bad(d->enc, "an empty term in", d->enc->text, strlen(d->enc->text));
	if (is_ignored(t))
		return 0;
	if (t->value)
		return unknown_term(d->enc, pmu, t);
	alias = um_kernel_alias(pmu, t->name, t->name_len);
	if (alias)
		return fill_alias(d, alias);
	skip = um_starts_with(t->name, "r0x") ? 3 : 1;
	if (*t->name != 'r' || !um_perf_hex(t->name + skip, t->name_len - skip, &word))
		return fill_name(d, t);
	d->words.at[0] |= word;
	return 0;
}

/* ---- units ---- */

/* Compare with tolerance: the files have only as many digits as their author wrote ("3.814697266e-6"). */
bool um_same_scale(double scale, const char *unit, double other_scale, const char *other_unit)
{
	return !strcmp(unit ? unit : "", other_unit ? other_unit : "") &&
	       fabs(scale - other_scale) <= 1e-6 * fabs(other_scale);
}

/* Each unit has its own files, but an event has one scale: refuse units with different scales. */
static int check_scale(const struct um_encoder *s, const struct um_kernel_pmu *pmu,
		       const struct um_kernel_alias *before, const struct um_kernel_alias *now)
{
	const char *measure = now ? now->base.pub.measure : NULL, *old = before ? before->base.pub.measure : NULL;

	if (!before || !now || um_same_scale(now->scale, measure, before->scale, old))
		return 0;
	UM_REFUSE(s, -ENOTSUP, "the kernel's files say that one count is %.10g %s on %s, but %.10g %s on other "
		  "units", now->scale, measure ? measure : "", pmu->name, before->scale, old ? old : "");
	return um_advise(s->e, -ENOTSUP, "count each unit by its own name");
}

int um_perf_add_words(struct um_encoder *s, struct um_kernel_pmu *pmu, uint32_t type, uint64_t config,
		      const char *shown)
{
	struct um_perf_event *ev = &s->draft.ev;
	struct um_perf_unit unit = { .pmu = pmu, .attr.type = type, .attr.config = { config } };

	if (ARRAY_APPEND(ev->units, ev->num_units, unit) || (pmu && um_kernel_pmu_load(pmu)))
		return -ENOMEM;
	ev->is_uncore |= pmu && pmu->cpus_are == UM_CPUS_MASK;
	return shown ? um_perf_set_pmu(s, shown) : 0;
}

/* Is the modifier a term? A term says what is counted, letters how the kernel counts it. */
static bool is_term(const struct um_event_term *t)
{
	return t->value || (t->name_len > 1 && um_term_synonym(t->name, t->name_len, 0)) ||
	       um_is_word(t->name, t->name_len, "i");
}

int um_perf_add_unit(struct um_encoder *s, struct um_kernel_pmu *pmu, const char *text)
{
	struct um_perf_draft *d = &s->draft;
	struct um_draft unit = { .enc = s, .ev.pmu = &pmu->base, .other = fill_other };
	const struct um_kernel_alias *before = d->alias;
	int err = um_perf_add_words(s, pmu, pmu->type, 0, NULL);

	if (err)
		return err;
	d->alias = NULL;
	err = um_put_text(&unit, text);
	/* The terms of a list need bits that the kernel's formats lack (on the first Xeons E5, bit 21). */
	if (err == -EINVAL && d->listed && !d->filtered)
		return UM_REFUSE(s, -ENOTSUP, "perf cannot express this event: the formats of '%s' have no room for "
				 "%s", pmu->name, text);
	keep_filters(&unit.words);
	if (!err)
		err = um_put_terms(&unit, d->more);
	for (size_t i = 0; i < d->modifiers.num && !err; i++)
		if (is_term(&d->modifiers.at[i]))
			err = um_put_terms(&unit, (struct um_term_list){ &d->modifiers.at[i], 1 });
	memcpy(unit_of(&unit)->attr.config, unit.words.at, UM_CONFIGS * sizeof(uint64_t));
	return err ? err : check_scale(s, pmu, before, d->alias);
}

int um_perf_add_flag(struct um_encoder *s, struct um_perf_unit *unit, const char *name)
{
	struct um_event_term t = { .name = name, .name_len = strlen(name), .end = name + strlen(name) };
	const struct um_term *format = um_term_find(&unit->pmu->base, name, t.name_len);

	if (!format)
		return unknown_term(s, unit->pmu, &t);
	unit->attr.config[format->word] |= format->mask & -format->mask;
	return 0;
}

int um_perf_take_letters(struct um_encoder *s)
{
	struct um_perf_draft *d = &s->draft;
	int err = 0;

	for (size_t i = 0; i < d->modifiers.num && !err; i++) {
		const struct um_event_term *t = &d->modifiers.at[i];

		if (!is_term(t))
			err = um_encode_letters(s, t->name, t->name_len, &d->ev.mods);
	}
	return err;
}

static int add_unit(void *user, struct um_kernel_pmu *pmu)
{
	struct um_encoder *s = user;
	const struct um_perf_draft *d = &s->draft;

	if (um_kernel_pmu_load(pmu))
		return -ENOMEM;
	if (d->unit >= 0 && (uint64_t)d->unit != pmu->number)
		return 0;
	return um_perf_add_unit(s, pmu, d->terms ? d->terms : um_terms_on(d->listed, &pmu->base));
}

int um_perf_add_units(struct um_encoder *s, const char *pmu, size_t len)
{
	return um_kernel_pmus_match(&s->names->kernel, pmu, len, add_unit, s);
}

int um_perf_set_pmu(struct um_encoder *s, const char *name)
{
	s->draft.ev.pmu = strdup(name);
	return s->draft.ev.pmu ? 0 : -ENOMEM;
}
