/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdio.h>

#include "common/text.h"
#include "metrics/metrics.h"
#include "session/session.h"

/* Does the input have the same value on each CPU and core of a machine? */
static bool is_same_everywhere(enum um_input_kind kind)
{
	return kind == UM_INPUT_NUMBER || kind == UM_INPUT_THREADS || kind == UM_INPUT_SMT;
}

/* Value of an input that needs no counter, for a package or die; NAN if unknown. */
static double number_here(const struct uncoremsr_session *s, size_t index, const struct um_metric_input *input)
{
	const struct uncoremsr_package *p = s->choices.places[index].package;
	size_t cores, cpus = um_package_cpus(p)->num;

	switch (input->meaning.kind) {
	case UM_INPUT_NUMBER:
		return input->meaning.factor;
	case UM_INPUT_PACKAGES:
	case UM_INPUT_DIES:
		return 1;
	case UM_INPUT_CPUS:
		return (double)cpus;
	case UM_INPUT_CORES:
	case UM_INPUT_THREADS:
	case UM_INPUT_SMT:
		if (um_package_num_cores(p, &cores) || !cores)
			return NAN;
		return input->meaning.kind == UM_INPUT_CORES ? (double)cores
		     : input->meaning.kind == UM_INPUT_SMT ? cpus > cores
		     : (double)((cpus + cores - 1) / cores);
	default:
		return NAN;
	}
}

double um_metric_known_number(const struct uncoremsr_session *s, enum uncoremsr_place place, size_t index,
			      const struct um_metric_input *input)
{
	const struct um_place *places = s->choices.places;
	double sum = 0;

	if (place == UNCOREMSR_PLACE_PACKAGE)
		return number_here(s, index, input);
	if (is_same_everywhere(input->meaning.kind))
		return number_here(s, 0, input);
	if (place != UNCOREMSR_PLACE_EVERYWHERE)
		return NAN;
	for (size_t i = 0; i < s->choices.num_places; i++)
		if (input->meaning.kind != UM_INPUT_PACKAGES || !i ||
		    places[i].package->id != places[i - 1].package->id)
			sum += number_here(s, i, input);
	return sum;
}

/* SIZE_MAX: the formula has no event. */
static size_t first_event(const struct um_session_metric *m)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++)
		if (um_metric_has_event(&m->inputs[i]))
			return m->inputs[i].event;
	return SIZE_MAX;
}

/* Returns 1 if the metric has values for single CPUs, 0 if only for packages, or -1 if it cannot be counted here. */
static int on_cpus(const struct uncoremsr_session *s, const struct um_session_metric *m)
{
	if (*m->why)
		return -1;
	for (const struct um_metric_input *input = m->inputs; input < m->inputs + m->formula.num_inputs; input++) {
		if (!input->needed || input->meaning.kind == UM_INPUT_TIME)
			continue;
		if (um_metric_has_event(input) ? uncoremsr_session_event(s, input->event)->uncore
					       : !is_same_everywhere(input->meaning.kind))
			return 0;
	}
	return first_event(m) != SIZE_MAX;
}

static bool has_place(const struct uncoremsr_session *s, const struct um_session_metric *m, enum uncoremsr_place place,
		      size_t index)
{
	switch (place) {
	case UNCOREMSR_PLACE_PACKAGE:
		return index < s->choices.num_places;
	case UNCOREMSR_PLACE_EVERYWHERE:
		return true;
	case UNCOREMSR_PLACE_CORES:
		return index < s->cores.num && on_cpus(s, m) > 0;
	case UNCOREMSR_PLACE_CORE:
	case UNCOREMSR_PLACE_CPU:
		return uncoremsr_session_unit(s, first_event(m), index) && on_cpus(s, m) > 0;
	case UNCOREMSR_PLACE_UNIT:
		break;
	}
	return false;
}

static void look_at_events(const struct um_metric_value *v)
{
	bool on_unit = v->place == UNCOREMSR_PLACE_CORE || v->place == UNCOREMSR_PLACE_CPU;
	const struct uncoremsr_unit *unit = on_unit ? uncoremsr_session_unit(v->s, first_event(v->m), v->index) : NULL;

	for (size_t i = 0; i < v->m->formula.num_inputs; i++) {
		struct um_metric_input *input = &v->m->inputs[i];

		input->reading = um_metric_has_event(input)
				 ? um_session_reading(v->s, input->event, v->place, v->index, unit, v->total) : NULL;
	}
}

/*
 * @ns is the counting time of all inputs: the count of an event that was enabled a moment later is scaled to that time.
 */
static double number_of(const struct um_metric_input *input, double ns)
{
	const struct um_reading *r = input->reading;
	double count = (double)r->value * input->meaning.factor;
	double units = um_reading_units_known(r);

	if ((double)r->enabled_ns != ns)
		count *= ns / (double)r->enabled_ns;
	switch (input->meaning.kind) {
	case UM_INPUT_UNITS:
		return units;
	case UM_INPUT_TICKS:
		return count / units;
	case UM_INPUT_CLOCK:
		return ns / 1e9 * input->meaning.factor;
	case UM_INPUT_HZ:
		return count / units / ns * 1e9;
	default:
		return count;
	}
}

/* The time is that of the first event with a known reading. */
static void gather(const struct um_metric_value *v)
{
	const struct um_session_metric *m = v->m;
	double ns = NAN, packages = 1;

	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		const struct um_reading *r = m->inputs[i].reading;

		m->numbers[i] = um_metric_known_number(v->s, v->place, v->index, &m->inputs[i]);
		if (m->inputs[i].meaning.kind == UM_INPUT_PACKAGES)
			packages = m->numbers[i];
		if (!r || r->status != UNCOREMSR_OK)
			continue;
		if (isnan(ns))
			ns = (double)r->enabled_ns;
		m->numbers[i] = number_of(&m->inputs[i], ns);
	}
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		if (m->inputs[i].meaning.kind == UM_INPUT_TIME)
			m->numbers[i] = ns / 1e9 * m->inputs[i].meaning.factor;
		if (m->inputs[i].meaning.per_package)
			m->numbers[i] /= packages;
	}
}

/*
 * Enabled time and time stamp are those of the first event. The running time is the shortest one of the events up to
 * the first event that is not OK. The units are those of the event with the smallest share of known units.
 */
static void add_times(struct um_metric_value *v)
{
	struct uncoremsr_metric_reading *shown = &v->shown;
	bool all_known = true, any = false;

	for (size_t i = 0; i < v->m->formula.num_inputs; i++) {
		const struct um_reading *r = v->m->inputs[i].reading;
		unsigned units, known;

		if (!r)
			continue;
		units = um_reading_units(r);
		known = um_reading_units_known(r);
		if (!any || (uint64_t)known * shown->units < (uint64_t)shown->units_known * units) {
			shown->units = units;
			shown->units_known = known;
		}
		if (!any) {
			shown->enabled_ns = r->enabled_ns;
			shown->time_ns = r->time_ns;
		}
		if (all_known && (!any || r->running_ns < shown->running_ns))
			shown->running_ns = r->running_ns;
		all_known &= r->status == UNCOREMSR_OK;
		any = true;
	}
}

static void set_unknown(struct um_metric_value *v, enum uncoremsr_status status, const char *name, const char *why)
{
	v->shown.status = status;
	um_message(v->detail, sizeof(v->detail), "%s%s%s", name, *name ? ": " : "", why);
}

/* The input "time" has no value if no event has a reading. */
static void explain(struct um_metric_value *v, size_t input)
{
	const struct um_session_metric *m = v->m;
	size_t i = m->inputs[input].meaning.kind == UM_INPUT_TIME ? 0 : input;

	while (i < m->formula.num_inputs && !m->inputs[i].reading)
		i++;
	if (i < m->formula.num_inputs)
		set_unknown(v, m->inputs[i].reading->status, uncoremsr_session_event(v->s, m->inputs[i].event)->name,
			    um_reading_detail(m->inputs[i].reading));
	else
		set_unknown(v, UNCOREMSR_NOT_COUNTED, "", "none of the metric's events was counted");
}

/*
 * Is the maximum of the machine the sum of the maxima of its packages? Yes for bandwidth and power, no for shares and
 * clocks.
 */
static bool adds_up(const struct um_metric *row)
{
	const char *unit = row->base.pub.measure;

	return !strcmp(unit, "GB/s") || !strcmp(unit, "W");
}

static void set_bounds(struct um_metric_value *v)
{
	const struct um_session_metric *m = v->m;

	v->shown.low = m->row->base.pub.low;
	v->shown.high = m->row->base.pub.high;
	if (v->place == UNCOREMSR_PLACE_EVERYWHERE && adds_up(m->row))
		v->shown.high *= (double)v->s->choices.num_places;
	if (m->clock_bound > 0 && m->clock_bound * 1.05 < v->shown.high)
		v->shown.high = m->clock_bound * 1.05;
}

static void judge(struct um_metric_value *v, double value, const char *unit)
{
	const double low = v->shown.low, high = v->shown.high;

	if (value >= low && value <= high) {
		v->shown.status = UNCOREMSR_OK;
		v->shown.value = value;
		return;
	}
	v->shown.status = UNCOREMSR_IMPLAUSIBLE;
	if (isinf(high))
		snprintf(v->detail, sizeof(v->detail), "computed as %.4g %s, which is less than %.4g", value, unit, low);
	else
		snprintf(v->detail, sizeof(v->detail),
			 "computed as %.4g %s, which is beyond what the machine can do (%.4g to %.4g)",
			 value, unit, low, high);
}

/*
 * Does the metric mix events of the session's tasks with events of whole packages? Such a metric has no value anywhere.
 */
static bool mixes_tasks(const struct uncoremsr_session *s, const struct um_session_metric *m)
{
	bool tasks = false, others = false;

	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		bool task;

		if (!um_metric_has_event(&m->inputs[i]))
			continue;
		task = uncoremsr_session_event(s, m->inputs[i].event)->task;
		tasks |= task;
		others |= !task;
	}
	return tasks && others;
}

static void evaluate(struct um_metric_value *v)
{
	struct um_session_metric *m = v->m;
	struct um_formula_result r;

	if (*m->why) {
		set_unknown(v, UNCOREMSR_NOT_COUNTED, "", m->why);
		return;
	}
	add_times(v);
	if (mixes_tasks(v->s, m)) {
		set_unknown(v, UNCOREMSR_FAILED, "", "some events of the metric are counted for the tasks alone, "
			    "others on whole packages");
		return;
	}
	r = um_formula_eval(&m->formula, m->numbers);
	if (r.state == UM_FORMULA_UNKNOWN)
		explain(v, r.input);
	else if (isnan(r.value))
		set_unknown(v, UNCOREMSR_UNDEFINED, "", "the total is 0, so there is no share");
	else if (!isfinite(r.value * m->row->factor))
		set_unknown(v, UNCOREMSR_UNDEFINED, "", "a number in the formula is too large");
	else
		judge(v, r.value * m->row->factor, m->row->base.pub.measure);
}

static void show_inputs(struct um_session_metric *m)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++)
		*m->inputs_shown[i] = (struct uncoremsr_metric_input){
			.size = sizeof(**m->inputs_shown), .name = m->formula.inputs[i].text, .value = m->numbers[i],
			.event = um_metric_has_event(&m->inputs[i]) && m->inputs[i].meaning.kind != UM_INPUT_UNITS
				 ? m->inputs[i].event : SIZE_MAX,
		};
}

const struct uncoremsr_metric_reading *uncoremsr_session_metric_reading(const struct uncoremsr_session *s, size_t metric,
									enum uncoremsr_place place, size_t index,
									enum uncoremsr_span span)
{
	static const struct uncoremsr_metric_input *const none[] = { NULL };
	struct um_session_metric *m;
	struct um_metric_value *v;
	bool total = span == UNCOREMSR_TOTAL;
	size_t slot;

	if (!s || metric >= s->num_metrics || !s->metric_values || !has_place(s, &s->metrics[metric], place, index))
		return NULL;
	m = &s->metrics[metric];
	slot = place == UNCOREMSR_PLACE_PACKAGE ? index
	       : s->choices.num_places + (place != UNCOREMSR_PLACE_EVERYWHERE);
	v = &s->metric_values[2 * (slot * s->num_metrics + metric) + total];
	*v = (struct um_metric_value){ .s = s, .m = m, .place = place, .index = index, .total = total };
	/* A metric that cannot be counted has no inputs. */
	v->shown = (struct uncoremsr_metric_reading){
		.size = sizeof(v->shown), .detail = v->detail, .value = NAN,
		.inputs = m->inputs_shown ? (const struct uncoremsr_metric_input *const *)m->inputs_shown : none,
	};
	look_at_events(v);
	gather(v);
	show_inputs(m);
	set_bounds(v);
	evaluate(v);
	v->shown.word = um_status_word(v->shown.status);
	return &v->shown;
}

const struct uncoremsr_event *uncoremsr_session_metric(const struct uncoremsr_session *s, size_t metric)
{
	struct um_session_metric *m = s && metric < s->num_metrics ? &s->metrics[metric] : NULL;

	if (!m)
		return NULL;
	m->shown = m->row->base.pub;
	m->shown.on_cpus = on_cpus(s, m);
	return &m->shown;
}
