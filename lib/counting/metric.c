/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics of a session. What they cost while counting is what their events cost; the arithmetic is
 * done when a value is asked for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting/session.h"

/* ---- adding: one group of events that are counted at the same time ---- */

/* "{A,B,C}" from the formula's inputs. */
static void inputs_as_text(const struct um_formula *f, char *buf, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < f->num_inputs && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%c%.*s", i ? ',' : '{',
				       (int)f->inputs[i].len, f->inputs[i].text);
	if (at < size)
		snprintf(buf + at, size - at, "}");
}

static bool same_event(const struct um_encoding *a, const struct um_encoding *b)
{
	return a->pmu == b->pmu && a->unit == b->unit && a->fixed == b->fixed &&
	       a->word == b->word && a->extras == b->extras &&
	       !memcmp(a->extra, b->extra, sizeof(a->extra));
}

static size_t find_event(const struct um_msr_session *s, const struct um_encoding *ev)
{
	size_t i = 0;

	while (i < s->events.num && !same_event(&s->events.events[i], ev))
		i++;
	return i;
}

static bool in_any(const bool *groups, const struct um_encoding *ev)
{
	return groups[ev->group] && ev->fixed < 0;
}

/*
 * The groups that have one of the events already; would they and the rest of the events fit on the
 * general counters of each PMU together?
 */
static bool can_join(const struct um_msr_session *s, const struct um_encodings *want,
		     const struct uncoremsr_pmu *pmu, bool *groups)
{
	unsigned n = 0;

	for (size_t i = 0; i < want->num; i++) {
		size_t have = find_event(s, &want->events[i]);

		if (want->events[i].fixed >= 0)
			continue;
		if (have < s->events.num)
			groups[s->events.events[have].group] = true;
		else
			n += want->events[i].pmu == pmu;
	}
	for (size_t i = 0; i < s->events.num; i++)
		n += in_any(groups, &s->events.events[i]) && s->events.events[i].pmu == pmu;
	return n <= pmu->num_general;
}

/* All events of @groups and those of @want that are new become one group. */
static int join(struct um_msr_session *s, const struct um_encodings *want, const bool *groups,
		size_t *where)
{
	struct um_encodings *list = &s->events;
	struct um_encoding *more = realloc(list->events,
					(list->num + want->num) * sizeof(*list->events));
	unsigned group = list->num_groups++;

	if (!more)
		return um_session_no_memory(s);
	list->events = more;
	for (size_t i = 0; i < list->num; i++)
		if (in_any(groups, &list->events[i]))
			list->events[i].group = group;
	for (size_t i = 0; i < want->num; i++) {
		/* With groups of its own it shares the fixed clock only. */
		where[i] = find_event(s, &want->events[i]);
		if (where[i] < list->num && (list->events[where[i]].fixed >= 0 ||
					     list->events[where[i]].group == group))
			continue;
		where[i] = list->num;
		list->events[list->num] = want->events[i];
		list->events[list->num++].group = group;
	}
	return 0;
}

static int add_events(struct um_msr_session *s, const struct um_encodings *want, size_t *where)
{
	bool *groups = calloc(s->events.num_groups + 1, sizeof(*groups)), fits = true;
	int err;

	if (!groups)
		return um_session_no_memory(s);
	for (size_t i = 0; i < want->num && fits; i++)
		fits = can_join(s, want, want->events[i].pmu, groups);
	if (!fits)
		memset(groups, 0, s->events.num_groups * sizeof(*groups));
	err = join(s, want, groups, where);
	free(groups);
	return err;
}

static int compile(struct um_msr_session *s, struct um_session_metric *m)
{
	char text[UM_FORMULA_INPUTS * sizeof(((struct um_encoding *)0)->name)];
	struct um_encodings want = { 0 };
	int err = um_formula_compile(&m->formula, m->row->formula, &s->um->error);

	if (err)
		return err;
	inputs_as_text(&m->formula, text, sizeof(text));
	err = um_session_parse(s, &want, text);
	if (err > 0)
		err = add_events(s, &want, m->events);
	um_events_free(&want);
	return err;
}

struct adding {
	struct um_msr_session *s;
	int num;
};

static int add_one(void *user, const struct uncoremsr_metric *row)
{
	struct adding *a = user;
	struct um_msr_session *s = a->s;
	struct um_session_metric *m;
	int err;

	for (size_t i = 0; i < s->num_metrics; i++)
		if (s->metrics[i].row == row)
			return 0;
	m = realloc(s->metrics, (s->num_metrics + 1) * sizeof(*m));
	if (!m)
		return um_session_no_memory(s);
	s->metrics = m;
	m[s->num_metrics].row = row;
	err = compile(s, &m[s->num_metrics]);
	if (err)
		return err;
	s->num_metrics++;
	a->num++;
	return 0;
}

int um_msr_add_metric(struct um_msr_session *s, const char *text)
{
	struct adding a = { s, 0 };

	if (s->running)
		return um_session_runs(s);
	if (!s->um->m.uarch)
		return um_session_cannot_count(s);
	for (const char *at = text, *end;; at = end + 1) {
		int num;

		end = at + strcspn(at, ",");
		if (end == at)
			return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "metrics '%s': nothing where a name should be", text);
		num = um_metrics_find(s->um->m.uarch->name, at, (size_t)(end - at), add_one, &a,
				      &s->um->error);
		if (num < 0)
			return num;
		if (!*end)
			return a.num;
	}
}

/* ---- working out ---- */

static void unknown(struct uncoremsr_metric_value *v, const struct um_encoding *ev,
		    const struct uncoremsr_reading *r)
{
	v->status = r->status;
	snprintf(v->detail, sizeof(v->detail), "%s: %.*s", ev->name,
		 (int)(sizeof(v->detail) - sizeof(ev->name) - 3), r->detail);
}

/* The times of the first event, and the counts of all of them, in @inputs. 0 or -ENODATA. */
static int gather(const struct um_msr_session *s, size_t site,
		  const struct um_session_metric *m, bool total, struct uncoremsr_metric_value *v,
		  double *inputs)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r = um_site_reading(s, site, m->events[i], total);

		if (i == 0) {
			v->enabled_ns = r->enabled_ns;
			v->running_ns = r->running_ns;
			v->time_ns = r->time_ns;
		}
		if (r->running_ns < v->running_ns)
			v->running_ns = r->running_ns;
		if (r->status != UNCOREMSR_OK) {
			unknown(v, &s->events.events[m->events[i]], r);
			return -ENODATA;
		}
		/* The same time for all, even where one was enabled a moment later. */
		inputs[i] = (double)r->value;
		if (r->enabled_ns != v->enabled_ns)
			inputs[i] *= (double)v->enabled_ns / (double)r->enabled_ns;
	}
	return 0;
}

static void judge(const struct uncoremsr_metric *row, struct uncoremsr_metric_value *v)
{
	v->status = UNCOREMSR_OK;
	if (v->value >= row->low && v->value <= row->high)
		return;
	v->status = UNCOREMSR_IMPLAUSIBLE;
	snprintf(v->detail, sizeof(v->detail),
		 "works out as %.4g %s, which is beyond what the machine can do (%.4g to %.4g)",
		 v->value, row->unit, row->low, row->high);
}

static const struct uncoremsr_metric_value *work_out(const struct um_msr_session *s,
						     size_t package, size_t metric, bool total)
{
	const struct um_session_metric *m;
	struct uncoremsr_metric_value *v;
	double inputs[UM_FORMULA_INPUTS];

	if (package >= s->num_sites || metric >= s->num_metrics || !s->metric_values ||
	    !s->first_slot)
		return NULL;
	m = &s->metrics[metric];
	v = &s->metric_values[2 * (package * s->num_metrics + metric) + total];
	if (gather(s, package, m, total, v, inputs))
		return v;
	if (um_formula_eval(&m->formula, inputs, (double)v->enabled_ns / 1e9, &v->value) == 0) {
		judge(m->row, v);
		return v;
	}
	v->status = UNCOREMSR_UNDEFINED;
	snprintf(v->detail, sizeof(v->detail), "nothing happened that it could be a share of");
	return v;
}

const struct uncoremsr_metric_value *
um_msr_metric_value(const struct um_msr_session *s, size_t package, size_t metric)
{
	return work_out(s, package, metric, false);
}

const struct uncoremsr_metric_value *
um_msr_metric_total(const struct um_msr_session *s, size_t package, size_t metric)
{
	return work_out(s, package, metric, true);
}

/* ---- getters ---- */

size_t um_msr_num_metrics(const struct um_msr_session *s)
{
	return s->num_metrics;
}

const struct uncoremsr_metric *um_msr_metric(const struct um_msr_session *s,
							size_t metric)
{
	return metric < s->num_metrics ? s->metrics[metric].row : NULL;
}

enum uncoremsr_status uncoremsr_metric_value_status(const struct uncoremsr_metric_value *v)
{
	return v->status;
}

const char *uncoremsr_metric_value_detail(const struct uncoremsr_metric_value *v)
{
	return v->status == UNCOREMSR_OK ? "" : v->detail;
}

int uncoremsr_metric_value_get(const struct uncoremsr_metric_value *v, double *value)
{
	if (v->status != UNCOREMSR_OK)
		return -ENODATA;
	*value = v->value;
	return 0;
}

uint64_t uncoremsr_metric_value_enabled_ns(const struct uncoremsr_metric_value *v)
{
	return v->enabled_ns;
}

uint64_t uncoremsr_metric_value_running_ns(const struct uncoremsr_metric_value *v)
{
	return v->running_ns;
}

uint64_t uncoremsr_metric_value_time_ns(const struct uncoremsr_metric_value *v)
{
	return v->time_ns;
}
