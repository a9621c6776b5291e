/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compute the value of a metric on a package, the machine, a set of CPUs, a core or a CPU when it is asked for. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "common/text.h"
#include "events/metrics.h"
#include "session/session.h"

/*
 * Index num_places means the whole machine. From FIRST_SET on, far above any package index, come the sets of
 * --cores; then two indexes (core, CPU) for each unit of the metric's first event.
 */
enum { FIRST_SET = INT_MAX };

static bool is_machine(const struct uncoremsr_session *s, size_t place)
{
	return place == s->choices.num_places;
}

static size_t first_unit(const struct uncoremsr_session *s)
{
	return FIRST_SET + s->cores.num;
}

/* Does the input have the same value on each CPU and core of a machine? */
static bool is_same_everywhere(enum um_input_kind kind)
{
	return kind == UM_INPUT_NUMBER || kind == UM_INPUT_THREADS || kind == UM_INPUT_SMT;
}

/* Value of an input that needs no counter, for a package or die; NAN if unknown. */
static double number_here(const struct uncoremsr_session *s, size_t place,
			  const struct um_metric_input *input)
{
	const struct uncoremsr_package *p = s->choices.places[place].package;
	size_t cores;

	switch (input->kind) {
	case UM_INPUT_NUMBER:
		return input->factor;
	case UM_INPUT_PACKAGES:
	case UM_INPUT_DIES:
		return 1;
	case UM_INPUT_CPUS:
		return (double)p->cpus.num;
	case UM_INPUT_CORES:
	case UM_INPUT_THREADS:
	case UM_INPUT_SMT:
		if (um_package_num_cores(p, &cores) || !cores)
			return NAN;
		return input->kind == UM_INPUT_CORES ? (double)cores
		     : input->kind == UM_INPUT_SMT ? p->cpus.num > cores
		     : (double)((p->cpus.num + cores - 1) / cores);
	default:
		return NAN;
	}
}

double um_metric_known_number(const struct uncoremsr_session *s, size_t place,
			      const struct um_metric_input *input)
{
	const struct um_place *places = s->choices.places;
	double sum = 0;

	if (place < s->choices.num_places)
		return number_here(s, place, input);
	if (is_same_everywhere(input->kind))
		return number_here(s, 0, input);
	if (!is_machine(s, place))
		return NAN;
	for (size_t i = 0; i < s->choices.num_places; i++)
		if (input->kind != UM_INPUT_PACKAGES || !i ||
		    places[i].package->id != places[i - 1].package->id)
			sum += number_here(s, i, input);
	return sum;
}

/* The first event of the formula; SIZE_MAX: it has none. */
static size_t first_event(const struct um_session_metric *m)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++)
		if (um_metric_has_event(m->inputs[i].kind) && m->inputs[i].needed)
			return m->inputs[i].event;
	return SIZE_MAX;
}

static bool has_place(const struct uncoremsr_session *s, const struct um_session_metric *m, size_t place)
{
	return place <= s->choices.num_places ||
	       (place >= FIRST_SET &&
		place < first_unit(s) + 2 * uncoremsr_session_num_units(s, first_event(m)));
}

/* NULL: no such metric or place, or not counted yet. */
static struct um_session_metric *metric_at(const struct uncoremsr_session *s, size_t place,
						 size_t metric)
{
	return s && metric < s->num_metrics && s->metric_values && has_place(s, &s->metrics[metric], place)
		       ? &s->metrics[metric] : NULL;
}

int uncoremsr_session_metric_on_cpus(const struct uncoremsr_session *s, size_t metric)
{
	const struct um_session_metric *m = s && metric < s->num_metrics ? &s->metrics[metric] : NULL;

	if (!m)
		return -EINVAL;
	if (*m->why)
		return -ENODATA;
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		const struct um_metric_input *input = &m->inputs[i];
		struct um_event_facts facts;

		if (!input->needed || input->kind == UM_INPUT_TIME)
			continue;
		if (!um_metric_has_event(input->kind) && !is_same_everywhere(input->kind))
			return 0;
		if (!um_metric_has_event(input->kind))
			continue;
		um_session_facts(s, input->event, &facts);
		if (facts.uncore)
			return 0;
	}
	return first_event(m) != SIZE_MAX;
}

size_t uncoremsr_session_metric_place(const struct uncoremsr_session *s, size_t metric,
				      enum uncoremsr_place place, size_t index)
{
	size_t units;

	if (uncoremsr_session_metric_on_cpus(s, metric) <= 0 || !s->metric_values)
		return SIZE_MAX;
	units = uncoremsr_session_num_units(s, first_event(&s->metrics[metric]));
	switch (place) {
	case UNCOREMSR_PLACE_EVERYWHERE:
		return s->choices.num_places;
	case UNCOREMSR_PLACE_CORES:
		return index < s->cores.num ? FIRST_SET + index : SIZE_MAX;
	case UNCOREMSR_PLACE_CORE:
		return index < units ? first_unit(s) + 2 * index : SIZE_MAX;
	case UNCOREMSR_PLACE_CPU:
		return index < units ? first_unit(s) + 2 * index + 1 : SIZE_MAX;
	}
	return SIZE_MAX;
}

/* The reading of an input's event; NULL: it has no event. */
static const struct uncoremsr_reading *input_reading(const struct uncoremsr_session *s, size_t place,
						     const struct um_session_metric *m, size_t i,
						     bool total)
{
	enum uncoremsr_span span = total ? UNCOREMSR_TOTAL : UNCOREMSR_INTERVAL;
	size_t event = m->inputs[i].event, unit;

	if (!um_metric_has_event(m->inputs[i].kind) || !m->inputs[i].needed)
		return NULL;
	if (place < s->choices.num_places)
		return um_session_place_reading(s, place, event, total);
	if (is_machine(s, place))
		return uncoremsr_session_sum(s, event, UNCOREMSR_PLACE_EVERYWHERE, 0, span);
	if (place < first_unit(s))
		return uncoremsr_session_sum(s, event, UNCOREMSR_PLACE_CORES, place - FIRST_SET, span);
	unit = place - first_unit(s);
	return um_session_core_sum(s, event, uncoremsr_session_unit(s, first_event(m), unit / 2), unit % 2, total);
}

/* @ns: one time for all inputs, even if an event was enabled a moment later. */
static double number_of(const struct um_metric_input *input, const struct uncoremsr_reading *r, double ns)
{
	double count = (double)r->value * input->factor;
	double units = r->of ? (double)r->known : 1; /* not a sum: one unit */

	if ((double)r->enabled_ns != ns)
		count *= ns / (double)r->enabled_ns;
	switch (input->kind) {
	case UM_INPUT_UNITS:
		return units;
	case UM_INPUT_TICKS:
		return count / units;
	case UM_INPUT_CLOCK:
		return ns / 1e9 * input->factor;
	case UM_INPUT_HZ:
		return count / units / ns * 1e9;
	default:
		return count;
	}
}

/* Fill in the values of all inputs; the time is that of the first event with a known reading. */
static void gather(const struct uncoremsr_session *s, size_t place, struct um_session_metric *m,
		   bool total)
{
	double ns = NAN, packages = 1;

	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r = input_reading(s, place, m, i, total);

		m->numbers[i] = um_metric_known_number(s, place, &m->inputs[i]);
		if (m->inputs[i].kind == UM_INPUT_PACKAGES)
			packages = m->numbers[i];
		if (!r || r->status != UNCOREMSR_OK)
			continue;
		if (isnan(ns))
			ns = (double)r->enabled_ns;
		m->numbers[i] = number_of(&m->inputs[i], r, ns);
	}
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		if (m->inputs[i].kind == UM_INPUT_TIME)
			m->numbers[i] = ns / 1e9 * m->inputs[i].factor;
		if (m->inputs[i].per_package)
			m->numbers[i] /= packages;
	}
}

/* Explain why an input has no value. The time has none if no event has a reading. */
static void explain(const struct uncoremsr_session *s, size_t place,
		    const struct um_session_metric *m, size_t input, bool total,
		    struct um_metric_value *v)
{
	size_t i = m->inputs[input].kind == UM_INPUT_TIME ? 0 : input;
	const struct uncoremsr_reading *r = NULL;

	while (i < m->formula.num_inputs && !(r = input_reading(s, place, m, i, total)))
		i++;
	if (!r) {
		v->status = UNCOREMSR_NOT_COUNTED;
		snprintf(v->detail, sizeof(v->detail), "none of its events was counted");
		return;
	}
	v->status = r->status;
	um_sentence(v->detail, sizeof(v->detail), "%s: %s",
		    uncoremsr_session_event_text(s, m->inputs[i].event, UNCOREMSR_COUNTED_NAME),
		    um_reading_detail(r));
}

/* Can the machine reach the sum of what its packages reach? Shares and values per clock or per second cannot. */
static bool adds_up(const struct um_metric *row)
{
	const char *unit = row->unit;

	return !strcmp(unit, "GB/s") || !strcmp(unit, "W");
}

int uncoremsr_session_metric_bounds(const struct uncoremsr_session *s, size_t package, size_t metric,
				    double *low, double *high)
{
	const struct um_session_metric *m = metric_at(s, package, metric);
	double l = 0, h = 0;

	if (!m)
		return -EINVAL;
	l = m->row->low;
	h = m->row->high;
	if (is_machine(s, package) && adds_up(m->row))
		h *= (double)s->choices.num_places;
	if (m->clock_bound > 0 && m->clock_bound * 1.05 < h)
		h = m->clock_bound * 1.05;
	if (low)
		*low = l;
	if (high)
		*high = h;
	return 0;
}

static void judge(const struct uncoremsr_session *s, size_t place, size_t metric, struct um_metric_value *v)
{
	const struct um_metric *row = s->metrics[metric].row;
	double low = 0, high = 0;

	uncoremsr_session_metric_bounds(s, place, metric, &low, &high);
	v->status = UNCOREMSR_OK;
	*v->detail = '\0';
	if (v->value >= low && v->value <= high)
		return;
	v->status = UNCOREMSR_IMPLAUSIBLE;
	if (isinf(high))
		snprintf(v->detail, sizeof(v->detail), "computed as %.4g %s, which is less than %.4g",
			 v->value, row->unit, low);
	else
		snprintf(v->detail, sizeof(v->detail),
			 "computed as %.4g %s, which is beyond what the machine can do (%.4g to %.4g)",
			 v->value, row->unit, low, high);
}

/* Does the metric mix events of the session's tasks with events of whole packages? No place has both. */
static bool mixes_tasks(const struct uncoremsr_session *s, const struct um_session_metric *m)
{
	bool tasks = false, others = false;

	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		struct um_event_facts facts;

		if (!um_metric_has_event(m->inputs[i].kind) || !m->inputs[i].needed)
			continue;
		um_session_facts(s, m->inputs[i].event, &facts);
		tasks |= facts.task;
		others |= !facts.task;
	}
	return tasks && others;
}

static enum uncoremsr_status no_value(struct um_metric_value *v, enum uncoremsr_status status, const char *why,
				      const char **detail)
{
	v->status = status;
	um_sentence(v->detail, sizeof(v->detail), "%s", why);
	if (detail)
		*detail = v->detail;
	return status;
}

enum uncoremsr_status uncoremsr_session_metric_value(const struct uncoremsr_session *s, size_t package,
						     size_t metric, double *value,
						     const char **detail, enum uncoremsr_span span)
{
	struct um_session_metric *m = metric_at(s, package, metric);
	bool total = span == UNCOREMSR_TOTAL;
	struct um_formula_result r;
	struct um_metric_value *v;
	size_t slot;

	if (detail)
		*detail = "";
	if (!m)
		return UNCOREMSR_NOT_COUNTED;
	slot = package < FIRST_SET ? package : s->choices.num_places + 1;
	v = &s->metric_values[2 * (slot * s->num_metrics + metric) + total];
	if (*m->why)
		return no_value(v, UNCOREMSR_NOT_COUNTED, m->why, detail);
	if (mixes_tasks(s, m))
		return no_value(v, UNCOREMSR_FAILED, "some of its events are counted for the tasks alone, others on whole "
				"packages", detail);
	gather(s, package, m, total);
	r = um_formula_eval(&m->formula, m->numbers);
	v->value = r.value * m->row->factor;
	if (r.state == UM_FORMULA_UNKNOWN) {
		explain(s, package, m, r.input, total, v);
	} else if (r.state == UM_FORMULA_UNDEFINED) {
		v->status = UNCOREMSR_UNDEFINED;
		snprintf(v->detail, sizeof(v->detail),
			 "the total is 0, so there is no share");
	} else {
		judge(s, package, metric, v);
	}
	if (value && v->status == UNCOREMSR_OK)
		*value = v->value;
	if (detail)
		*detail = v->detail;
	return v->status;
}

int uncoremsr_session_metric_input(const struct uncoremsr_session *s, size_t package, size_t metric,
				   size_t input, enum uncoremsr_span span, const char **name,
				   size_t *event, double *number)
{
	struct um_session_metric *m = metric_at(s, package, metric);
	enum um_input_kind kind;

	if (!m || input >= m->formula.num_inputs)
		return -EINVAL;
	if (name)
		*name = m->formula.inputs[input].text;
	kind = m->inputs[input].kind;
	if (event)
		*event = (kind == UM_INPUT_COUNT || kind == UM_INPUT_TICKS) && m->inputs[input].needed
				 ? m->inputs[input].event : SIZE_MAX;
	gather(s, package, m, span == UNCOREMSR_TOTAL);
	if (isnan(m->numbers[input]))
		return -ENODATA;
	if (number)
		*number = m->numbers[input];
	return 0;
}

/* The reading of the event with the smallest share of known units. */
static const struct uncoremsr_reading *least_known(const struct uncoremsr_session *s, size_t place,
						   const struct um_session_metric *m, bool total)
{
	const struct uncoremsr_reading *least = NULL;

	for (size_t i = 0; m && i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r = input_reading(s, place, m, i, total);

		if (!r)
			continue;
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
	bool first = true;

	if (which == UNCOREMSR_READING_UNITS || which == UNCOREMSR_READING_UNITS_KNOWN) {
		uncoremsr_reading_number(least_known(s, package, m, total), which, &ns);
		return ns;
	}
	for (size_t i = 0; m && i < m->formula.num_inputs; i++) {
		const struct uncoremsr_reading *r = input_reading(s, package, m, i, total);
		uint64_t of_event = 0;

		if (!r)
			continue;
		uncoremsr_reading_number(r, which, &of_event);
		if (first || (which == UNCOREMSR_READING_RUNNING_NS && of_event < ns))
			ns = of_event;
		first = false;
		if (r->status != UNCOREMSR_OK)
			break;
	}
	return ns;
}

const struct uncoremsr_event *uncoremsr_session_metric(const struct uncoremsr_session *s,
							size_t metric)
{
	return um_event_shown(s && metric < s->num_metrics ? &s->metrics[metric].row->base.pub : NULL);
}
