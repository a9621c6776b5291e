/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The config words of one unit: terms become bits as the PMU's format files say, and a name stands for the terms of its
 * row, be it of the kernel's files, of a list or of perf. Terms are or-ed together, as in perf.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "common/text.h"
#include "events/json_list.h"
#include "events/offer.h"
#include "encode/perf_encoder.h"

int um_perf_bad(struct um_perf_encoder *s, const char *what, const char *at, size_t len)
{
	return um_event_bad(s->e, s->text, what, at, len, "a name or PMU/term=value,.../");
}

bool um_perf_offer(struct um_perf_encoder *s, const char *text, size_t len)
{
	const struct um_lookup l = {
		.names = s->scope->names, .machine = true, .pmus_of = s->scope->uarch,
		.uarch = s->scope->uarch ? s->scope->uarch->name : NULL,
	};
	char names[UM_SENTENCE_LIST] = "";

	if (l.names)
		um_near_names(&l, text, len, names, sizeof(names));
	if (*names)
		um_hint(s->e, "did you mean %s?", names);
	return *names;
}

/* ---- one unit ---- */

enum { NAME_DEPTH = 4 }; /* limit for names that refer to themselves */

struct filling {
	struct um_perf_encoder *scan;
	struct um_perf_draft *draft;
	struct um_kernel_pmu *pmu;
	uint32_t *type;
	/* The config words. Filter bits that a name has set are marked as given: later terms may only repeat them. */
	struct um_words words;
	unsigned depth;
};

static int fill_text(struct filling *f, const char *text, size_t len);

static bool is(const struct um_event_term *t, const char *word)
{
	return strlen(word) == t->name_len && !memcmp(t->name, word, t->name_len);
}

/*
 * Terms that only affect recording in perf are accepted and ignored, so that strings for perf can be used
 * unchanged.
 */
static bool is_ignored(const struct um_event_term *t)
{
	static const char words[][16] = {
		"period", "freq", "branch_type", "time", "call-graph", "stack-size", "max-stack",
		"nr", "inherit", "no-inherit", "overwrite", "no-overwrite", "percore",
		"aux-output", "aux-sample-size", "metric-id",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (is(t, words[i]))
			return true;
	return false;
}

static int fill_format(struct filling *f, const struct um_event_term *t, const struct um_term *format)
{
	const struct um_perf_encoder *s = f->scan;
	uint64_t value = 1;
	int err = 0;

	if (t->value_len == 1 && *t->value == '?')
		return um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': the kernel's event needs a value for '%.*s'",
			       s->text, (int)t->name_len, t->name);
	if (t->value)
		err = um_event_number(s->e, s->text, t->value, t->value_len, "PMU/term=value,.../", &value);
	return err ? err : um_term_put(format, value, &f->words, s->text, s->e);
}

static int unknown_term(struct filling *f, const struct um_event_term *t)
{
	char names[UM_SENTENCE_LIST] = "";

	um_fail(f->scan->e, -EINVAL, UNCOREMSR_ERROR_USAGE,
		"event '%s': '%s' has no term or event '%.*s'", f->scan->text, f->pmu->name,
		(int)t->name_len, t->name);
	if (!t->value && um_perf_offer(f->scan, t->name, t->name_len))
		return -EINVAL;
	for (size_t i = 0; i < f->pmu->num_formats; i++)
		um_list_add(names, sizeof(names), "%s", f->pmu->formats[i].name);
	if (*names)
		um_hint(f->scan->e, "its terms are %s, and config, config1, config2", names);
	return -EINVAL;
}

/* ---- names ---- */

/* Add the terms of a row. Filters that they set are final: or-ing a second value would give a third. */
static int fill_row(struct filling *f, const char *terms)
{
	int err;

	f->depth++;
	err = fill_text(f, terms, strlen(terms));
	f->depth--;
	return err;
}

static void keep_filters(struct filling *f)
{
	memcpy(f->words.given + 1, f->words.at + 1, sizeof(f->words.at) - sizeof(f->words.at[0]));
}

static int fill_alias(struct filling *f, const struct um_kernel_alias *alias)
{
	struct um_perf_event *ev = &f->draft->ev;

	if (f->depth >= NAME_DEPTH)
		return um_perf_bad(f->scan, "the kernel's event refers to itself:",
				   alias->name, strlen(alias->name));
	f->draft->alias = alias;
	ev->scale = alias->scale;
	ev->snapshot = alias->snapshot;
	ev->per_package = alias->per_package;
	return um_perf_set_text(&ev->measure, alias->unit) ? -ENOMEM : fill_row(f, alias->terms);
}

const char *um_perf_terms_on(const struct um_json_event *ev, const struct um_kernel_pmu *pmu)
{
	return *ev->occ_terms && !um_kernel_format(pmu, UM_WORD("umask")) ? ev->occ_terms : ev->terms;
}

/* The entry of a list for the name on the PMU; NULL: none. */
static const struct um_json_event *entry_on(const struct filling *f, const struct um_event_term *t, uint8_t type)
{
	const struct um_json_lists *lists = f->scan->scope->lists;
	const struct um_json_event *ev = lists && type ? um_json_find_for(lists, t->name, t->name_len, type) : NULL;

	if (lists && !ev)
		ev = um_json_find(lists, t->name, t->name_len);
	if (!ev || ev->impossible[0] || (type && ev->core_type && ev->core_type != type))
		return NULL;
	if (um_kernel_pmu_is_core(f->pmu))
		return um_starts_with(ev->pmu, "cpu") ? ev : NULL;
	return !strcmp(ev->pmu, f->pmu->name) || !strcmp(ev->pmu, f->pmu->family_name) ? ev : NULL;
}

/* A name that the kernel's files do not have: perf's own for a core, or one of a list. */
static int fill_name(struct filling *f, const struct um_event_term *t)
{
	uint8_t type = um_core_type_of(f->pmu->name, strlen(f->pmu->name));
	const struct um_json_event *ev;
	struct um_meaning m;
	int err;

	if (f->depth >= NAME_DEPTH)
		return unknown_term(f, t);
	if (um_kernel_pmu_is_core(f->pmu) && um_perf_meaning(t->name, t->name_len, &m) &&
	    m.type != PERF_TYPE_SOFTWARE) {
		*f->type = m.type;
		f->words.at[0] |= m.config | (type ? (uint64_t)f->pmu->type << 32 : 0);
		return 0;
	}
	ev = entry_on(f, t, type);
	if (!ev)
		return unknown_term(f, t);
	err = fill_row(f, um_perf_terms_on(ev, f->pmu));
	keep_filters(f);
	return err;
}

static int fill_term(struct filling *f, struct um_event_term t)
{
	const struct um_term *format;
	const struct um_kernel_alias *alias;
	uint64_t word;
	size_t skip;

	if (!t.name_len)
		return um_perf_bad(f->scan, "an empty term in", f->scan->text, strlen(f->scan->text));
	if (t.value_len > 1 && *t.value == '\'' && t.value[t.value_len - 1] == '\'') {
		t.value++;
		t.value_len -= 2;
	}
	format = um_kernel_format(f->pmu, t.name, t.name_len);
	if (format)
		return fill_format(f, &t, format);
	if (is_ignored(&t))
		return 0;
	if (t.value)
		return unknown_term(f, &t);
	alias = um_kernel_alias(f->pmu, t.name, t.name_len);
	if (alias)
		return fill_alias(f, alias);
	skip = um_starts_with(t.name, "r0x") ? 3 : 1;
	if (*t.name != 'r' || !um_perf_hex(t.name + skip, t.name_len - skip, &word))
		return fill_name(f, &t);
	f->words.at[0] |= word;
	return 0;
}

static int fill_text(struct filling *f, const char *text, size_t len)
{
	const char *at = len ? text : NULL;
	struct um_event_term t;
	int err = 0;

	while (!err && um_next_term(&at, text + len, ',', &t))
		err = fill_term(f, t);
	return err;
}

/* ---- units ---- */

/* Each unit has its own files, but an event has one scale: refuse units that disagree. */
static int check_scale(const struct um_perf_encoder *s, const struct um_kernel_pmu *pmu,
		       const struct um_kernel_alias *before, const struct um_kernel_alias *now)
{
	const char *unit = now && now->unit ? now->unit : "", *other = before && before->unit ? before->unit : "";

	if (!before || !now || (!strcmp(unit, other) && fabs(now->scale - before->scale) <= 1e-6 * fabs(before->scale)))
		return 0;
	um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': the kernel's files say that one count is %.10g %s on %s, but %.10g %s on the units before it",
		s->text, now->scale, unit, pmu->name, before->scale, other);
	um_hint(s->e, "count each unit by its own name");
	return -ENOTSUP;
}

int um_perf_add_words(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_kernel_pmu *pmu,
		      uint32_t type, uint64_t config)
{
	struct um_perf_unit unit = { .pmu = pmu, .attr.type = type, .attr.config = { config } };

	if (ARRAY_APPEND(d->ev.units, d->ev.num_units, unit) || (pmu && um_kernel_pmu_load(s->scope->pmus, pmu)))
		return um_no_memory(s->e);
	d->ev.is_uncore |= pmu && pmu->cpus_are == UM_CPUS_MASK;
	return 0;
}

int um_perf_add_unit(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_kernel_pmu *pmu,
		     const char *text, size_t len, struct um_term_list more)
{
	struct filling f = { .scan = s, .draft = d, .pmu = pmu };
	const struct um_kernel_alias *before = d->alias;
	struct um_perf_attr *attr;
	int err = um_perf_add_words(s, d, pmu, pmu->type, 0);

	if (err)
		return err;
	d->alias = NULL;
	attr = &d->ev.units[d->ev.num_units - 1].attr;
	f.type = &attr->type;
	err = fill_text(&f, text, len);
	keep_filters(&f);
	for (size_t i = 0; i < more.num && !err; i++)
		err = fill_term(&f, more.at[i]);
	memcpy(attr->config, f.words.at, sizeof(attr->config));
	if (err == -ENOMEM)
		return um_no_memory(s->e);
	return err ? err : check_scale(s, pmu, before, d->alias);
}

int um_perf_add_flag(struct um_perf_encoder *s, struct um_perf_unit *unit, const char *name)
{
	struct filling f = { .scan = s, .pmu = unit->pmu };
	struct um_event_term t = { .name = name, .name_len = strlen(name), .end = name + strlen(name) };
	const struct um_term *format = um_kernel_format(unit->pmu, name, t.name_len);

	if (!format)
		return unknown_term(&f, &t);
	unit->attr.config[format->word] |= format->mask & -format->mask;
	return 0;
}

int um_perf_add_letters(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event_term *t)
{
	size_t len = strlen(d->letters), more = (size_t)(t->end - t->name);

	if (len + more >= sizeof(d->letters))
		return um_perf_bad(s, "unknown modifier", t->name, more);
	memcpy(d->letters + len, t->name, more);
	return 0;
}

int um_perf_split(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_term_list modifiers,
		  struct um_event_term *terms, size_t *num)
{
	int err = 0;

	/* A term says what is counted, letters how the kernel counts it. */
	for (size_t i = 0; i < modifiers.num && !err; i++) {
		const struct um_event_term *t = &modifiers.at[i];

		if (t->value || (t->name_len > 1 && um_term_synonym(t->name, t->name_len, 0)) ||
		    um_is_word(t->name, t->name_len, "i"))
			terms[(*num)++] = *t;
		else
			err = um_perf_add_letters(s, d, t);
	}
	return err;
}

int um_perf_set_text(char **to, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

int um_perf_name_pmu(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name)
{
	return um_perf_set_text(&d->ev.pmu, name) ? um_no_memory(s->e) : 0;
}

int um_perf_name_units(struct um_perf_encoder *s, struct um_perf_draft *d)
{
	const struct um_kernel_pmu *first = d->ev.units[0].pmu, *last = d->ev.units[d->ev.num_units - 1].pmu;
	char both[UM_SENTENCE];

	if (strcmp(first->family_name, last->family_name) == 0)
		return um_perf_name_pmu(s, d, d->ev.num_units > 1 ? first->family_name : first->name);
	snprintf(both, sizeof(both), "%s+%s", first->family_name, last->family_name);
	return um_perf_name_pmu(s, d, both);
}
