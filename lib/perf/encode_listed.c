/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode events of lists, written as a name alone or in libpfm4's form. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "events/json_list.h"
#include "events/listed.h"
#include "events/spellings.h"
#include "perf/encoder.h"

/* Encodes a list's event: one unit for each kernel PMU that the list's unit stands for. */
struct listed {
	struct um_perf_encoder *scan;
	struct um_perf_draft *draft;
	const struct um_json_event *event;
	const char *terms;            /* replaces the entry's terms, with unit masks or-ed; NULL: use the entry's */
	int unit;                     /* -1: all */
	struct um_term_list more;     /* the user's terms */
};

/* Fail because the kernel's format files lack bits of the event, for example bit 21 (ExtSel) of the first Xeons E5. */
static int inexpressible(const struct listed *l, const struct um_kernel_pmu *pmu, const char *terms)
{
	um_fail(l->scan->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': perf cannot express it: the formats of '%s' have no room for %s",
		l->scan->text, pmu->name, terms);
	return -ENOTSUP;
}

enum { MOST_TERMS = 24 };

static int add_listed_unit(void *user, struct um_kernel_pmu *pmu)
{
	struct listed *l = user;
	const char *terms = l->terms ? l->terms : l->event->terms;
	int err;

	if (um_kernel_pmu_load(l->scan->scope->pmus, pmu))
		return -ENOMEM;
	if (l->unit >= 0 && l->unit != (pmu->is_unit ? atoi(pmu->name + pmu->family + 1) : 0))
		return 0;
	if (!l->terms && *l->event->occ_terms && !um_kernel_format(pmu, UM_WORD("umask")))
		terms = l->event->occ_terms;
	err = um_perf_add_unit(l->scan, l->draft, pmu, terms, strlen(terms), l->more);
	/* Codes from the list are not the user's mistake, but added terms may be. */
	return err == -EINVAL && !l->more.num ? inexpressible(l, pmu, terms) : err;
}

/*
 * Hybrid processors: the core's lists are each for one core type, and the same name can be in both with different
 * codes.
 */
static int match_kinds(struct listed *l, const char *name, size_t len)
{
	static const uint8_t types[] = { 0x40, 0x20 };
	const struct um_perf_scope *scope = l->scan->scope;
	const struct um_json_event *first = l->event;
	int num = 0;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		const char *pmu = um_core_type_pmu(types[i]);
		int more;

		l->event = first->core_type ? um_json_find_for(scope->lists, name, len, types[i]) : first;
		if (!l->event)
			continue;
		more = um_kernel_pmus_match(scope->pmus, pmu, strlen(pmu), add_listed_unit, l);
		if (more < 0)
			return more;
		num += more;
	}
	l->event = first;
	return num;
}

static int match_listed(struct listed *l, const char *name, size_t len)
{
	const char *pmu = um_starts_with(l->event->pmu, "cpu") ? "cpu" : l->event->pmu;
	int num = um_kernel_pmus_match(l->scan->scope->pmus, pmu, strlen(pmu), add_listed_unit, l);

	return num || strcmp(pmu, "cpu") ? num : match_kinds(l, name, len);
}

static int not_here(const struct listed *l)
{
	const struct um_json_event *ev = l->event;
	struct um_error *e = l->scan->e;
	char unit[16] = "";

	if (l->unit >= 0)
		snprintf(unit, sizeof(unit), "_%d", l->unit);
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the list has it, but this "
		"kernel has no PMU '%s%s'", l->scan->text, ev->pmu, unit);
	um_hint(e, "uncore-info shows the kernel's PMUs; a newer kernel, or its driver "
		"(module %s), may have it",
		um_starts_with(ev->pmu, "amd_") ? "amd_uncore" : "intel_uncore");
	return -ENOENT;
}

/* Does the event have a filter? Linux takes filters in config1 and config2. */
static bool is_filtered(const struct um_perf_event *ev)
{
	for (size_t i = 0; i < ev->num_units; i++)
		if (ev->units[i].attr.config[1] || ev->units[i].attr.config[2])
			return true;
	return false;
}

/* Add the event that @l describes to the draft. */
static int add_listed(struct listed *l, const char *name, size_t len)
{
	const struct um_json_event *ev = l->event;
	struct um_perf_draft *d = l->draft;
	struct um_perf_encoder *s = l->scan;
	int num;

	if (ev->impossible[0]) {
		um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"event '%s': perf cannot express it: %s", s->text, ev->impossible);
		return -ENOTSUP;
	}
	num = match_listed(l, name, len);
	if (num < 0)
		return num;
	if (!d->ev.num_units)
		return not_here(l);
	d->ev.listed = l->terms ? NULL : ev;
	d->ev.unnamed = l->terms;
	d->ev.no_filter = ev->wants_filter && !is_filtered(&d->ev);
	d->ev.description = *ev->description && !l->terms ? strdup(ev->description) : NULL;
	return l->unit >= 0 ? um_perf_name_units(s, d) : um_perf_name_pmu(s, d, ev->pmu);
}

int um_perf_listed(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len,
		   struct um_term_list more)
{
	struct listed l = { .scan = s, .draft = d, .unit = -1, .more = more };

	l.event = s->scope->lists ? um_json_find(s->scope->lists, name, len) : NULL;
	return l.event ? add_listed(&l, name, len) : -ENOENT;
}

/* ---- as libpfm4 and likwid write it ---- */

/* The unit number that the PMU's name contains. */
static int named_unit(struct um_perf_encoder *s, const struct um_event_pmus *pmus,
		      const struct um_listed *w, int *unit)
{
	const struct uncoremsr_pmu *pmu;
	int err = um_event_pmu(pmus, w->pmu, w->pmu_len, &pmu, unit, s->text, s->e);

	/* -ENOTSUP: registers do not reach the PMU, but the kernel may. */
	if (err && err != -ENOTSUP)
		return err;
	s->e->msg[0] = '\0';
	if (pmu->kernel && !strcmp(pmu->kernel, w->entry->pmu))
		return 0;
	return um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': the event list has it for "
		       "PMU %s", s->text, w->entry->pmu);
}

/*
 * likwid's form: a counter of a PMU that registers do not reach ("CAS_COUNT_RD:MBOX0C0"). The unit is used; the
 * kernel chooses the counter itself.
 */
static bool names_counter(const struct um_event_pmus *pmus, const struct um_listed *w, int *unit)
{
	const struct um_event_term *t = w->modifiers.at;
	struct um_counter_word word;

	if (w->pmu || !w->modifiers.num || t->value)
		return false;
	for (size_t i = 0; i < pmus->num; i++) {
		const struct uncoremsr_pmu *pmu = pmus->pmus[i];

		if (pmu->reach == UM_REACH_MSR || !pmu->kernel || strcmp(pmu->kernel, w->entry->pmu) ||
		    !um_counter_word(pmu, t->name, t->name_len, &word))
			continue;
		*unit = word.unit;
		return true;
	}
	return false;
}

int um_perf_qualified(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event *ev,
		      const char **rest)
{
	struct listed l = { .scan = s, .draft = d, .unit = -1 };
	struct um_event_term more[MOST_TERMS];
	struct um_event_pmus pmus = { .uarch = "" };
	struct um_listed w;
	bool counter, terms = false;
	int err = 0;

	if (s->scope->uarch)
		pmus = um_event_pmus_of(s->scope->uarch, NULL);
	um_listed_find(&w, &pmus, s->scope->lists, ev);
	counter = w.entry && names_counter(&pmus, &w, &l.unit);
	for (size_t i = 0; w.entry && i < w.modifiers.num; i++)
		terms |= um_perf_is_term(&w.modifiers.at[i]);
	if (!w.entry || (!w.pmu && !w.num_more && !counter && !terms))
		return -ENOENT;
	if (w.pmu && w.pmu_len)
		err = named_unit(s, &pmus, &w, &l.unit);
	if (err)
		return err;
	l.event = w.entry;
	l.terms = *w.masks ? w.masks : NULL;
	l.more.at = more;
	for (; l.more.num < w.terms.num && l.more.num < MOST_TERMS; l.more.num++)
		more[l.more.num] = w.terms.at[l.more.num];
	*rest = ev->parts[ev->num_parts - 1].end;
	w.modifiers = um_terms_from(w.modifiers.at, w.modifiers.num, counter);
	if (l.more.num + w.modifiers.num > MOST_TERMS)
		return um_perf_bad(s, "too many modifiers:", w.name, w.len);
	err = um_perf_split(s, d, w.modifiers, more, &l.more.num);
	return err ? err : add_listed(&l, w.name, w.len);
}
