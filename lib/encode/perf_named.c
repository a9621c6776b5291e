/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encode events written as a name alone: perf's own ones, those of lists and catalogs, tracepoints, and ready-made events
 * of any kernel PMU. The name's row adds its terms on each PMU that has it.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "events/imc_lists.h"
#include "events/json_list.h"
#include "events/listed.h"
#include "events/spellings.h"
#include "encode/perf_encoder.h"

/* ---- perf's own ---- */

/*
 * Add one unit per core type on a hybrid processor, with the PMU's type in the upper half of the config word (Linux
 * PERF_HW_EVENT type extension); else one unit.
 */
static int core_units(struct um_perf_encoder *s, struct um_perf_draft *d, uint32_t type, uint64_t config)
{
	struct um_kernel_pmus *p = s->scope->pmus;
	bool hybrid = true;
	int err = 0;

	for (size_t i = 0; i < p->num && !err && hybrid; i++) {
		struct um_kernel_pmu *pmu = &p->pmus[i];

		if (!um_kernel_pmu_is_core(pmu))
			continue;
		hybrid = strcmp(pmu->name, "cpu");
		if (type == PERF_TYPE_RAW)
			err = um_perf_add_words(s, d, pmu, hybrid ? pmu->type : type, config);
		else
			err = um_perf_add_words(s, d, pmu, type, config | (hybrid ? (uint64_t)pmu->type << 32 : 0));
	}
	if (err || d->ev.num_units)
		return err ? err : um_perf_name_units(s, d);
	err = um_perf_add_words(s, d, NULL, type, config);
	return err ? err : um_perf_name_pmu(s, d, "cpu");
}

int um_perf_raw(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t word)
{
	return core_units(s, d, PERF_TYPE_RAW, word);
}

static int generic(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	struct um_meaning m;

	if (!um_perf_meaning(name, len, &m))
		return -ENOENT;
	if (m.type != PERF_TYPE_SOFTWARE)
		return core_units(s, d, m.type, m.config);
	d->ev.scale = m.scale;
	if (um_perf_set_text(&d->ev.measure, m.measure))
		return um_no_memory(s->e);
	return um_perf_add_words(s, d, NULL, m.type, m.config) ?: um_perf_name_pmu(s, d, "software");
}

int um_perf_typed(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t type, uint64_t config)
{
	static const char names[][12] = { "cpu", "software", "tracepoint", "cpu", "cpu" };
	struct um_kernel_pmus *p = s->scope->pmus;
	struct um_kernel_pmu *pmu = NULL;

	for (size_t i = 0; i < p->num && !pmu; i++)
		pmu = p->pmus[i].type == type ? &p->pmus[i] : NULL;
	if (!pmu && type >= ARRAY_SIZE(names))
		return -ENOENT;
	return um_perf_add_words(s, d, pmu, (uint32_t)type, config) ?:
	       um_perf_name_pmu(s, d, pmu ? pmu->name : names[type]);
}

/* ---- tracepoints ---- */

/* Where tracefs is mounted (Linux Documentation/trace/ftrace.rst). */
static const char trace_roots[][28] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

static int is_there(void *user, const char *name)
{
	(void)user, (void)name;
	return 1;
}

bool um_perf_lacks_tracefs(struct um_perf_encoder *s)
{
	struct um_access *a = s->scope->access;

	return a->ops->list(a, trace_roots[0], is_there, NULL) == 0;
}

/* "SYSTEM:EVENT", with the id from tracefs (Linux Documentation/trace/events.rst). */
static int tracepoint(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	const char *colon = memchr(name, ':', len);
	char path[400], line[32];
	uint64_t id;
	int err = -ENOENT;

	/* A name cannot contain a slash (it would be PMU/.../); a truncated path does not exist. */
	if (!colon || memchr(name, '=', len))
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(trace_roots); i++) {
		ssize_t got;

		snprintf(path, sizeof(path), "%s/events/%.*s/%.*s/id", trace_roots[i],
			 (int)(colon - name), name, (int)(len - (size_t)(colon - name) - 1),
			 colon + 1);
		got = um_access_line(s->scope->access, path, line, sizeof(line));
		if (got > 0 && um_perf_number(line, (size_t)got, &id))
			return um_perf_add_words(s, d, NULL, PERF_TYPE_TRACEPOINT, id) ?:
			       um_perf_name_pmu(s, d, "tracepoint");
		if (got == -EACCES || got == -EPERM)
			err = -EACCES;
	}
	if (err == -EACCES) {
		um_fail(s->e, -EACCES, UNCOREMSR_ERROR_ACCESS,
			"event '%s': the tracepoint's id cannot be read", s->text);
		um_hint(s->e, "tracefs (/sys/kernel/tracing) is root's: run as root, or let its "
			"group read it (mount -o remount,gid=..,mode=755)");
	}
	return err;
}

/* ---- the kernel's ---- */

/* A ready-made event by its name alone ("mem-loads"), on any PMU of the kernel that has it. */
static int alias(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	struct um_kernel_pmus *p = s->scope->pmus;
	const struct um_kernel_pmu *first = NULL;

	for (size_t i = 0; i < p->num && !memchr(name, ':', len); i++) {
		struct um_kernel_pmu *pmu = &p->pmus[i];
		int err = um_kernel_pmu_load(p, pmu);

		/* Only units of one family: an equal name elsewhere may mean something else. */
		if (!err && um_kernel_alias(pmu, name, len) &&
		    (!first || !strcmp(first->family_name, pmu->family_name))) {
			first = first ? first : pmu;
			err = um_perf_add_unit(s, d, pmu, name, len, (struct um_term_list){ NULL, 0 });
		}
		if (err)
			return err;
	}
	return first ? um_perf_name_pmu(s, d, first->family_name) : -ENOENT;
}

/* ---- lists ---- */

/* An event of a list: one unit for each kernel PMU that the list's unit stands for. */
struct listed {
	struct um_perf_encoder *scan;
	struct um_perf_draft *draft;
	const struct um_json_event *event;
	const char *terms;            /* replaces the entry's terms, with unit masks or-ed; NULL: use the entry's */
	int unit;                     /* -1: all */
	struct um_term_list more;     /* the user's terms */
};

static int add_listed_unit(void *user, struct um_kernel_pmu *pmu)
{
	struct listed *l = user;
	struct um_perf_encoder *s = l->scan;
	const char *terms;
	int err;

	if (um_kernel_pmu_load(s->scope->pmus, pmu))
		return -ENOMEM;
	if (l->unit >= 0 && l->unit != (pmu->is_unit ? atoi(pmu->name + pmu->family + 1) : 0))
		return 0;
	terms = l->terms ? l->terms : um_perf_terms_on(l->event, pmu);
	err = um_perf_add_unit(s, l->draft, pmu, terms, strlen(terms), l->more);
	/* Codes from the list are not the user's mistake, but added terms may be. The formats of the first Xeons E5 lack bit 21. */
	if (err == -EINVAL && !l->more.num)
		return um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "event '%s': perf cannot express it: the formats of '%s' have no room for %s",
			       s->text, pmu->name, terms);
	return err;
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
	int num = 0, more = 0;

	for (size_t i = 0; i < ARRAY_SIZE(types) && more >= 0; i++) {
		const char *pmu = um_core_type_pmu(types[i]);

		l->event = first->core_type ? um_json_find_for(scope->lists, name, len, types[i]) : first;
		more = l->event ? um_kernel_pmus_match(scope->pmus, pmu, strlen(pmu), add_listed_unit, l) : 0;
		num += more;
	}
	l->event = first;
	return more < 0 ? more : num;
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
	const char *pmu = um_starts_with(ev->pmu, "cpu") ? "cpu" : ev->pmu;
	struct um_perf_draft *d = l->draft;
	struct um_perf_encoder *s = l->scan;
	int num;

	if (ev->impossible[0])
		return um_fail(s->e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "event '%s': perf cannot express it: %s", s->text, ev->impossible);
	num = um_kernel_pmus_match(s->scope->pmus, pmu, strlen(pmu), add_listed_unit, l);
	if (!num && !strcmp(pmu, "cpu"))
		num = match_kinds(l, name, len);
	if (num < 0)
		return num;
	if (!d->ev.num_units)
		return not_here(l);
	d->ev.listed = l->terms ? NULL : ev;
	d->ev.unnamed = l->terms;
	d->ev.no_filter = ev->wants_filter && !is_filtered(&d->ev);
	if (*ev->description && !l->terms && um_perf_set_text(&d->ev.description, ev->description))
		return um_no_memory(s->e);
	return l->unit >= 0 ? um_perf_name_units(s, d) : um_perf_name_pmu(s, d, ev->pmu);
}

/* ---- as libpfm4 and likwid write it ---- */

/* The unit number that the PMU's name contains. */
static int named_unit(struct um_perf_encoder *s, const struct um_event_pmus *pmus,
		      const struct um_listed *w, int *unit)
{
	const struct um_pmu *pmu;
	int err = um_event_pmu(pmus, w->pmu, w->pmu_len, &pmu, unit, s->text, s->e);

	/* -ENOTSUP: registers do not reach the PMU, but the kernel may. */
	if (err && err != -ENOTSUP)
		return err;
	s->e->msg[0] = '\0';
	if (!strcmp(pmu->kernel, w->entry->pmu))
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
		const struct um_pmu *pmu = pmus->pmus[i];

		if (pmu->reach == UM_REACH_MSR || strcmp(pmu->kernel, w->entry->pmu) ||
		    !um_counter_word(pmu, t->name, t->name_len, &word))
			continue;
		*unit = word.unit;
		return true;
	}
	return false;
}

int um_perf_listed(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event *ev)
{
	struct listed l = { .scan = s, .draft = d, .unit = -1 };
	struct um_event_term more[UM_EVENT_TERMS];
	struct um_event_pmus pmus = { .uarch = "" };
	struct um_meaning m;
	struct um_listed w;
	size_t counter;
	int err = 0;

	if (s->scope->uarch)
		pmus = um_event_pmus_of(s->scope->uarch, NULL);
	um_listed_find(&w, &pmus, s->scope->lists, ev);
	if (!w.entry || um_perf_meaning(w.name, w.len, &m))
		return -ENOENT;
	if (w.pmu && w.pmu_len)
		err = named_unit(s, &pmus, &w, &l.unit);
	if (err)
		return err;
	counter = names_counter(&pmus, &w, &l.unit);
	l.event = w.entry;
	l.terms = *w.masks ? w.masks : NULL;
	l.more.at = more;
	w.modifiers = um_terms_from(w.modifiers.at, w.modifiers.num, counter);
	if (w.terms.num + w.modifiers.num > UM_EVENT_TERMS)
		return um_perf_bad(s, "too many modifiers:", w.name, w.len);
	for (; l.more.num < w.terms.num; l.more.num++)
		more[l.more.num] = w.terms.at[l.more.num];
	err = um_perf_split(s, d, w.modifiers, more, &l.more.num);
	return err ? err : add_listed(&l, w.name, w.len);
}

/* ---- catalogs of POWER's in-memory counters ---- */

struct here {
	struct um_perf_encoder *s;
	struct um_perf_draft *d;
	const char *terms;
};

static int add_here(void *user, struct um_kernel_pmu *pmu)
{
	const struct here *h = user;

	return um_perf_add_unit(h->s, h->d, pmu, h->terms, strlen(h->terms),
				(struct um_term_list){ NULL, 0 });
}

static int catalogued(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	const struct um_imc_name *n = s->scope->imc ? um_imc_find(s->scope->imc, name, len) : NULL;
	struct here here = { s, d, n ? n->event->name : NULL };
	const char *pmu = n ? n->catalog->units[n->event->unit].pmu : NULL;
	int num;

	if (!n)
		return -ENOENT;
	num = um_kernel_pmus_match(s->scope->pmus, pmu, strlen(pmu), add_here, &here);
	if (num)
		return num < 0 ? num : um_perf_name_units(s, d);
	return um_perf_absent_event(s, d, n);
}

/* ---- all sources ---- */

int um_perf_symbol(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len)
{
	static int (*const sources[])(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len) = {
		generic, tracepoint, alias, catalogued,
	};
	int err = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(sources) && err == -ENOENT && !s->e->msg[0]; i++)
		err = sources[i](s, d, name, len);
	return err;
}
