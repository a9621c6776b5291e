/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics of a session. What they cost while counting is what their events cost; the arithmetic is
 * done when a value is asked for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/metrics.h"
#include "session/session.h"

/* ---- adding: one group of events that are counted at the same time ---- */

/* The formula's inputs as events, in the order of the formula. */
static int scan_inputs(struct um_written *w, const struct um_formula *f, struct um_error *e)
{
	int err = 0;

	*w = (struct um_written){ calloc(f->num_inputs + 1, sizeof(*w->events)), 0 };
	if (!w->events)
		return um_no_memory(e);
	for (size_t i = 0; i < f->num_inputs && !err; i++) {
		char text[256];
		struct um_written one;

		snprintf(text, sizeof(text), "%.*s", (int)f->inputs[i].len, f->inputs[i].text);
		err = um_scan_events(&one, text, e);
		if (err)
			break;
		w->events[w->num] = one.events[0];
		w->events[w->num].group = 0;
		w->events[w->num++].braces = true;
		free(one.events);
	}
	return err;
}

/* The first route that has metrics, of those that may count; num_parts: none. */
static size_t part_for_metrics(const struct uncoremsr_session *s)
{
	size_t i = 0;

	while (i < s->num_parts && (!s->parts[i].route->join ||
				    (s->wanted != UNCOREMSR_ROUTE_AUTO &&
				     s->wanted != s->parts[i].route->id)))
		i++;
	return i;
}

/* From indexes of the route to those of the session. */
static size_t event_at(const struct uncoremsr_session *s, size_t part, size_t index)
{
	size_t i = 0;

	while (s->events[i].part != part || s->events[i].index != index)
		i++;
	return i;
}

static size_t num_of(const struct uncoremsr_session *s, size_t part)
{
	size_t n = 0;

	for (size_t i = 0; i < s->num_events; i++)
		n += s->events[i].part == part;
	return n;
}

static int add_inputs(struct uncoremsr_session *s, struct um_session_metric *m,
		      const struct um_written *w)
{
	size_t part = part_for_metrics(s), first = num_of(s, part);
	struct um_part *p = &s->parts[part];
	enum um_answer answer;
	int err = p->route->claim(p->state, w->events, w->num, true, &answer, &s->um->error);

	if (!err)
		err = p->route->join(p->state, m->events, &s->um->error);
	if (err > 0)
		err = um_session_append(s, part, first, (size_t)err,
					(struct um_reason){ UM_FOR_A_METRIC, UM_CLAIM_YES, part });
	for (size_t i = 0; i < w->num && !err; i++)
		m->events[i] = event_at(s, part, m->events[i]);
	return err;
}

struct adding {
	struct uncoremsr_session *s;
	int num;
};

static int add_one(void *user, const struct uncoremsr_metric *row)
{
	struct adding *a = user;
	struct uncoremsr_session *s = a->s;
	struct um_session_metric *m;
	struct um_written w;
	int err;

	for (size_t i = 0; i < s->num_metrics; i++)
		if (s->metrics[i].row == row)
			return 0;
	m = realloc(s->metrics, (s->num_metrics + 1) * sizeof(*m));
	if (!m)
		return um_session_out_of_memory(s);
	s->metrics = m;
	m += s->num_metrics;
	m->row = row;
	err = um_formula_compile(&m->formula, row->formula, &s->um->error);
	if (err)
		return err;
	err = scan_inputs(&w, &m->formula, &s->um->error);
	if (!err)
		err = add_inputs(s, m, &w);
	um_written_free(&w);
	s->num_metrics += !err;
	a->num += !err;
	return err;
}

int uncoremsr_session_add_metric(struct uncoremsr_session *s, const char *text)
{
	struct adding a = { s, 0 };
	int err = um_session_check_idle(s), num = 0;
	size_t before;

	if (err)
		return err;
	if (!text)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no metric");
	if (part_for_metrics(s) == s->num_parts) {
		um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"metrics are worked out from registers, not from what the kernel counts");
		um_hint(&s->um->error, "use --route=msr, or count the events of the metric");
		return -ENOTSUP;
	}
	if (!s->um->m.uarch)
		return um_session_unsupported(s);
	before = s->num_events;
	for (const char *at = text, *end; num >= 0; at = end + 1) {
		end = at + strcspn(at, ",");
		num = end == at ? um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
					  "metrics '%s': nothing where a name should be", text)
				: um_metrics_find(s->um->m.uarch->name, at, (size_t)(end - at),
						  add_one, &a, &s->um->error);
		if (!*end)
			break;
	}
	um_session_tell_routes(s, before);
	return num < 0 ? num : a.num;
}

/* ---- working out ---- */

/* NULL: no such metric or package, or nothing was counted yet. */
static const struct um_session_metric *metric_at(const struct uncoremsr_session *s, size_t place,
						 size_t metric)
{
	return s && place < s->choices.num_places && metric < s->num_metrics && s->metric_values
		       ? &s->metrics[metric] : NULL;
}

/* The counts of its events in @inputs, over the time of the first. 0 or -ENODATA. */
static int gather(const struct uncoremsr_session *s, size_t place,
		  const struct um_session_metric *m, bool total, struct um_metric_value *v,
		  double *inputs, double *ns)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r =
			um_session_place_reading(s, place, m->events[i], total);

		if (r->status != UNCOREMSR_OK) {
			v->status = r->status;
			um_sentence(v->detail, sizeof(v->detail), "%s: %s",
				    uncoremsr_session_event_text(s, m->events[i],
								 UNCOREMSR_COUNTED_NAME),
				    r->detail);
			return -ENODATA;
		}
		if (i == 0)
			*ns = (double)r->enabled_ns;
		/* The same time for all, even where one was enabled a moment later. */
		inputs[i] = (double)r->value;
		if ((double)r->enabled_ns != *ns)
			inputs[i] *= *ns / (double)r->enabled_ns;
	}
	return 0;
}

static void judge(const struct uncoremsr_metric *row, struct um_metric_value *v)
{
	v->status = UNCOREMSR_OK;
	*v->detail = '\0';
	if (v->value >= row->low && v->value <= row->high)
		return;
	v->status = UNCOREMSR_IMPLAUSIBLE;
	snprintf(v->detail, sizeof(v->detail),
		 "works out as %.4g %s, which is beyond what the machine can do (%.4g to %.4g)",
		 v->value, row->unit, row->low, row->high);
}

enum uncoremsr_status uncoremsr_session_metric_value(const struct uncoremsr_session *s, size_t package,
						     size_t metric, double *value,
						     const char **detail, enum uncoremsr_span span)
{
	const struct um_session_metric *m = metric_at(s, package, metric);
	bool total = span == UNCOREMSR_TOTAL;
	double inputs[UM_FORMULA_INPUTS], ns = 0;
	struct um_metric_value *v;

	if (detail)
		*detail = "";
	if (!m)
		return UNCOREMSR_NOT_COUNTED;
	v = &s->metric_values[2 * (package * s->num_metrics + metric) + total];
	if (gather(s, package, m, total, v, inputs, &ns) == 0) {
		if (um_formula_eval(&m->formula, inputs, ns / 1e9, &v->value) == 0) {
			judge(m->row, v);
		} else {
			v->status = UNCOREMSR_UNDEFINED;
			snprintf(v->detail, sizeof(v->detail),
				 "nothing happened that it could be a share of");
		}
	}
	if (value && v->status == UNCOREMSR_OK)
		*value = v->value;
	if (detail)
		*detail = v->detail;
	return v->status;
}

/* Of its events, the one of which the smallest share of the units is known. */
static const struct uncoremsr_reading *least_known(const struct uncoremsr_session *s, size_t place,
						   const struct um_session_metric *m, bool total)
{
	const struct uncoremsr_reading *least = NULL;

	for (size_t i = 0; m && i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r =
			um_session_place_reading(s, place, m->events[i], total);

		if (!least || r->known * least->of < least->known * r->of)
			least = r;
	}
	return least;
}

uint64_t uncoremsr_session_metric_ns(const struct uncoremsr_session *s, size_t package, size_t metric,
				     enum uncoremsr_reading_number which, enum uncoremsr_span span)
{
	const struct um_session_metric *m = metric_at(s, package, metric);
	bool total = span == UNCOREMSR_TOTAL;
	uint64_t ns = 0;

	if (which == UNCOREMSR_READING_UNITS || which == UNCOREMSR_READING_UNITS_KNOWN) {
		uncoremsr_reading_number(least_known(s, package, m, total), which, &ns);
		return ns;
	}
	for (size_t i = 0; m && i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r =
			um_session_place_reading(s, package, m->events[i], total);
		uint64_t of_event = 0;

		uncoremsr_reading_number(r, which, &of_event);
		if (i == 0 || (which == UNCOREMSR_READING_RUNNING_NS && of_event < ns))
			ns = of_event;
		if (r->status != UNCOREMSR_OK)
			break;
	}
	return ns;
}

const struct uncoremsr_metric *uncoremsr_session_metric(const struct uncoremsr_session *s,
							size_t metric)
{
	return s && metric < s->num_metrics ? s->metrics[metric].row : NULL;
}
