/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics of a session. The events of a metric are counted at the same time if possible. While counting, a metric
 * costs no more than its events; metric_value.c computes a value when it is asked for.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"
#include "names/catalogue.h"
#include "metrics/metrics.h"
#include "names/source.h"
#include "session/session.h"

/*
 * The number of caching agents (the number of cores in some published formulas) is the number of units that counted a
 * caching agent event.
 */
static void meaning_of(const struct uncoremsr_session *s, const struct um_session_metric *m, size_t i,
		       struct um_input_meaning *meaning)
{
	const struct um_formula *f = &m->formula;

	um_published_input(&f->inputs[i], m->row, s->um->names->lists, meaning);
	if (meaning->kind != UM_INPUT_SLICES && meaning->kind != UM_INPUT_CORES)
		return;
	for (size_t k = 0; k < f->num_inputs; k++) {
		struct um_input_meaning other;

		if (!um_starts_with(f->inputs[k].text, "UNC_CHA_") && !um_starts_with(f->inputs[k].text, "UNC_C_"))
			continue;
		um_published_input(&f->inputs[k], m->row, s->um->names->lists, &other);
		if (other.kind != UM_INPUT_COUNT)
			continue;
		other.kind = UM_INPUT_UNITS;
		other.per_package = meaning->per_package;
		*meaning = other;
		return;
	}
	if (meaning->kind == UM_INPUT_SLICES)
		meaning->kind = UM_INPUT_UNKNOWN;
}

static size_t event_at(const struct uncoremsr_session *s, size_t part, size_t index)
{
	size_t i = 0;

	while (s->events[i].part != part || s->events[i].index != index)
		i++;
	return i;
}

static void free_inputs(struct um_metric_input *inputs, size_t num)
{
	for (size_t i = 0; inputs && i < num; i++)
		um_written_free(&inputs[i].written);
	free(inputs);
}

/* The caller frees @one. */
static int scan_one(struct uncoremsr_session *s, const char *text, struct um_written *one)
{
	int err = um_scan_events(one, text, &s->um->error);

	if (!err)
		one->events->braces = true;
	return err;
}

static int scan_beside(struct uncoremsr_session *s, const struct um_event *share, const char *name,
		       struct um_written *one)
{
	char text[96];

	snprintf(text, sizeof(text), "%.*s/%s/", (int)share->pmu_len, share->pmu, name);
	return scan_one(s, text, one);
}

/* A topdown event is claimed together with the slots event, because the kernel does not count a topdown event alone. */
static int part_for(struct uncoremsr_session *s, const struct um_event *event, bool of_slots, size_t *part)
{
	struct um_event group[2];
	struct um_written slots;
	int err;

	if (!of_slots)
		return um_session_part_for(s, event, 1, part);
	err = scan_beside(s, event, "slots", &slots);
	if (err)
		return err;
	group[0] = slots.events[0];
	group[1] = *event;
	err = um_session_part_for(s, group, 2, part);
	um_written_free(&slots);
	return err;
}

/* Only the kernel counts topdown events, and s->um->error already says why it cannot count @event. */
static int no_share(struct uncoremsr_session *s, const char *field, const char *event)
{
	struct um_error *e = &s->um->error;
	char why[sizeof(e->msg)];

	memcpy(why, e->msg, sizeof(why));
	return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "'%.60s' is in MSR PERF_METRICS (0x329), which is not "
		       "among the registers that are read here; the kernel's route would count it as %s, but: %s",
		       field, event, why);
}

/*
 * Scan the event of each input that needs one, and find the first route that can count it. If @on is the index of a
 * route, do so only for events that this route counts now. All other inputs get the route num_parts, which means none.
 */
static int find_parts(struct uncoremsr_session *s, const struct um_session_metric *m, size_t on)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		m->inputs[i].at.part = s->num_parts;
		m->inputs[i].in_slots_group = false;
	}
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		struct um_metric_input *input = &m->inputs[i];
		int err;

		if (!um_metric_has_event(input) || (on < s->num_parts && s->events[input->event].part != on))
			continue;
		err = input->written.num ? 0 : scan_one(s, input->meaning.event, &input->written);
		if (err)
			return err;
		input->in_slots_group = input->meaning.of_slots;
		err = part_for(s, input->written.events, input->meaning.of_slots, &input->at.part);
		/* Our table names the event, so it is not the user's mistake if the event is missing here. */
		if (err && m->row->ours && s->um->error.class == UNCOREMSR_ERROR_USAGE)
			s->um->error.class = UNCOREMSR_ERROR_UNSUPPORTED;
		if (err && err != -ENOMEM && input->meaning.of_slots)
			return no_share(s, m->formula.inputs[i].text, input->meaning.event);
		if (err)
			return err;
	}
	return 0;
}

static bool is_on(const struct um_metric_input *input, size_t part)
{
	return input->at.part == part && !input->in_slots_group;
}

/* Add the events of @num inputs that route @part counts. Events that other metrics also need are counted once. */
static int join(struct uncoremsr_session *s, struct um_metric_input *inputs, size_t num_inputs, size_t part)
{
	struct um_part *p = &s->parts[part];
	struct um_event *events = calloc(num_inputs + 1, sizeof(*events));
	size_t *where = calloc(num_inputs + 1, sizeof(*where)), num = 0;
	const struct um_reason why = { UM_FOR_A_METRIC, UM_CLAIM_YES, part };
	enum um_answer answer;
	int err = events && where ? 0 : um_no_memory(&s->um->error);

	for (size_t i = 0; i < num_inputs && !err; i++)
		if (is_on(&inputs[i], part))
			events[num++] = inputs[i].written.events[0];
	if (num)
		err = p->route->claim(p->state, events, num, true, &answer, &s->um->error);
	if (num && !err)
		err = p->route->join(p->state, where, &s->um->error);
	if (err > 0)
		err = um_session_append(s, part, (size_t)err, why);
	for (size_t i = 0, k = 0; i < num_inputs && !err; i++)
		if (is_on(&inputs[i], part))
			inputs[i].at = (struct um_counted){ .part = part, .index = where[k++], .reason = why };
	free(events);
	free(where);
	return err;
}

static bool is_same_share(const struct um_event *a, const struct um_event *b)
{
	return a->num_terms && a->terms[0].name_len == b->terms[0].name_len &&
	       !memcmp(a->terms[0].name, b->terms[0].name, b->terms[0].name_len);
}

/* Scan the slots event, and the topdown events that can be counted with it on the route of the topdown event @share. */
static int scan_group(struct uncoremsr_session *s, const struct um_metric_input *share,
		      struct um_metric_input **group, size_t *num)
{
	const char *name = "slots";
	int err = 0;

	for (size_t i = 0; name && err != -ENOMEM; name = um_share_of_slots(i++)) {
		struct um_metric_input member = { .at.part = share->at.part };
		size_t ignored;

		err = scan_beside(s, share->written.events, name, &member.written);
		/* The kernel may lack this topdown event: go on without it. */
		if (!err && *num)
			err = part_for(s, member.written.events, true, &ignored);
		if (!err && ARRAY_APPEND(*group, *num, member))
			err = um_no_memory(&s->um->error);
		if (err)
			um_written_free(&member.written);
	}
	return err == -ENOMEM || !*num ? err : 0;
}

/*
 * Topdown events are counted in one group led by the slots event (intel_pmu_hw_config() in
 * arch/x86/events/intel/core.c). There is only one slots counter, so all topdown events that the kernel has go into one
 * group. Every metric gets its topdown events from that group.
 */
static int join_slots(struct uncoremsr_session *s, const struct um_session_metric *m)
{
	size_t num = m->formula.num_inputs, first = 0, members = 0;
	struct um_metric_input *group = NULL;
	int err;

	while (first < num && !m->inputs[first].in_slots_group)
		first++;
	if (first == num)
		return 0;
	err = scan_group(s, &m->inputs[first], &group, &members) ?:
	      join(s, group, members, m->inputs[first].at.part);
	for (size_t i = 0; i < num && !err; i++) {
		struct um_metric_input *input = &m->inputs[i];
		const struct um_event *own = input->written.events;

		if (input->at.part == s->num_parts)
			continue;
		input->in_slots_group |= um_is_slots(m->formula.inputs[i].text);
		for (size_t k = 0; k < members && input->in_slots_group; k++)
			if (!k ? !own->pmu : own->pmu && is_same_share(own, group[k].written.events))
				input->at = group[k].at;
	}
	free_inputs(group, members);
	return err;
}

/*
 * Add the events of a metric (@on as for find_parts()): first the group of the slots event; then, on each route, all
 * other events as one group or, if they do not fit, one by one.
 */
static int count_inputs(struct uncoremsr_session *s, const struct um_session_metric *m, size_t on)
{
	size_t num = m->formula.num_inputs;
	int err = find_parts(s, m, on) ?: join_slots(s, m);

	for (size_t part = 0; part < s->num_parts && !err; part++)
		if (join(s, m->inputs, num, part))
			for (size_t i = 0; i < num && !err; i++)
				err = join(s, &m->inputs[i], 1, part);
	return err;
}

/* 1: a route can count the event; 0: no route can; or -ENOMEM. */
static int can_count(struct uncoremsr_session *s, const char *text)
{
	struct um_written w;
	size_t part;
	int err = scan_one(s, text, &w) ?: part_for(s, w.events, false, &part);

	um_written_free(&w);
	return err == -ENOMEM ? err : !err;
}

/*
 * A formula that uses the number of packages is written for the whole machine: only there are per_package inputs
 * divided by the number of packages. Any other formula is written for one package. If it is computed for the whole
 * machine, an input of one unit per package is the mean over these units.
 */
static void settle_packages(struct um_session_metric *m)
{
	bool packages = false;

	for (size_t i = 0; i < m->formula.num_inputs; i++)
		packages |= m->inputs[i].meaning.kind == UM_INPUT_PACKAGES;
	for (size_t i = 0; i < m->formula.num_inputs; i++) {
		m->inputs[i].meaning.per_package &= packages;
		if (m->inputs[i].meaning.kind == UM_INPUT_ONE_UNIT)
			m->inputs[i].meaning.kind = packages ? UM_INPUT_COUNT : UM_INPUT_TICKS;
	}
}

/* If no input of a formula has an event, the time would be unknown. The input "time" then needs a clock event. */
static void settle_time(struct um_session_metric *m)
{
	for (size_t i = 0; i < m->formula.num_inputs; i++)
		if (um_metric_has_event(&m->inputs[i]))
			return;
	for (size_t i = 0; i < m->formula.num_inputs; i++)
		if (m->inputs[i].meaning.kind == UM_INPUT_TIME)
			m->inputs[i].meaning.kind = UM_INPUT_CLOCK;
}

static int resolve(struct uncoremsr_session *s, struct um_session_metric *m)
{
	size_t num = m->formula.num_inputs;
	bool *needed = calloc(num + 1, sizeof(*needed));

	if (!needed)
		return um_no_memory(&s->um->error);
	for (size_t i = 0; i < num; i++) {
		struct um_metric_input *input = &m->inputs[i];

		meaning_of(s, m, i, &input->meaning);
		if (input->meaning.kind == UM_INPUT_HAS_EVENT) {
			int can = can_count(s, input->meaning.event);

			if (can < 0) {
				free(needed);
				return can;
			}
			input->meaning.kind = UM_INPUT_NUMBER;
			input->meaning.factor = can;
		}
		m->numbers[i] = s->choices.num_places ? um_metric_known_number(s, UNCOREMSR_PLACE_PACKAGE, 0, input) : NAN;
	}
	settle_packages(m);
	um_formula_needs(&m->formula, m->numbers, needed);
	for (size_t i = 0; i < num; i++)
		m->inputs[i].needed = needed[i];
	free(needed);
	settle_time(m);
	for (size_t i = 0; i < num; i++)
		if (m->inputs[i].meaning.kind == UM_INPUT_UNKNOWN && m->inputs[i].needed)
			return um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
				       "the value of '%.60s' is not known here",
				       m->formula.inputs[i].text);
	return 0;
}

/*
 * The highest clock of a CPU in GHz, with boost, from the kernel; 0: unknown. Only the drivers named below include
 * boost: others leave it out or report it elsewhere (Linux drivers/cpufreq/acpi-cpufreq.c).
 */
static double clock_of(struct um_access *a, unsigned cpu)
{
	static const char drivers[][16] = { "intel_pstate", "intel_cpufreq", "amd-pstate" };
	char path[96], line[32];
	bool trusted = false;
	unsigned khz;

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpufreq/scaling_driver", cpu);
	if (um_access_line(a, path, line, sizeof(line)) <= 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		trusted |= um_starts_with(line, drivers[i]);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
	return trusted && um_access_number(a, path, UINT_MAX, &khz) ? khz / 1e6 : 0;
}

static double highest_clock(struct uncoremsr_session *s)
{
	double highest = 0;

	for (size_t i = 0; i < s->choices.num_places; i++) {
		const struct um_cpuset *cpus = um_package_cpus(s->choices.places[i].package);

		for (size_t k = 0; k < cpus->num; k++) {
			double clock = clock_of(s->um->m.access, cpus->cpus[k]);

			highest = clock > highest ? clock : highest;
		}
	}
	return highest;
}

static int fill_in(struct uncoremsr_session *s, struct um_session_metric *m)
{
	int err = um_formula_compile(&m->formula, m->row->base.pub.formula, &s->um->error);
	size_t num = m->formula.num_inputs;

	if (err)
		return err;
	m->clock_bound = m->row->trait == UM_METRIC_CORE_CLOCK ? highest_clock(s) : 0;
	m->inputs = calloc(num + 1, sizeof(*m->inputs));
	m->numbers = calloc(num + 1, sizeof(*m->numbers));
	m->inputs_shown = array_of_structs(num, sizeof(**m->inputs_shown));
	if (!m->inputs || !m->numbers || !m->inputs_shown)
		return um_no_memory(&s->um->error);
	err = resolve(s, m) ?: count_inputs(s, m, s->num_parts);
	for (struct um_metric_input *input = m->inputs; input < m->inputs + num && !err; input++)
		if (input->at.part < s->num_parts)
			input->event = event_at(s, input->at.part, input->at.index);
	return err;
}

int um_session_move_metrics(struct uncoremsr_session *s, size_t part, struct um_counted *to)
{
	int err = 0;

	for (const struct um_session_metric *m = s->metrics; m < s->metrics + s->num_metrics && !err; m++) {
		err = count_inputs(s, m, part);
		for (size_t i = 0; i < m->formula.num_inputs && !err; i++)
			if (m->inputs[i].at.part < s->num_parts)
				to[m->inputs[i].event] = m->inputs[i].at;
	}
	return err;
}

static void free_metric(struct um_session_metric *m)
{
	free_inputs(m->inputs, m->formula.num_inputs);
	um_formula_free(&m->formula);
	free(m->numbers);
	free(m->inputs_shown);
}

void um_session_free_metrics(struct uncoremsr_session *s)
{
	for (size_t i = 0; i < s->num_metrics; i++)
		free_metric(&s->metrics[i]);
	free(s->metrics);
	free(s->metric_values);
}

struct adding {
	struct uncoremsr_session *s;
	bool several;              /* several names were given, so it is no error if one metric cannot be counted */
	bool pattern;              /* the name being added is a pattern, whose metrics may be left out */
	int num;                   /* number of metrics that can be counted, including those that existed already */
	int added;
	int err;                   /* error of the first metric that cannot be counted; @error has the message */
	struct um_error error;
	/* Metrics of the pattern that were left out: the first one with the reason, and the names of the others. */
	char left_out[UM_MESSAGE_SIZE], others[UM_MESSAGE_LIST_SIZE];
};

static int keep_error(struct adding *a, int err)
{
	if (!a->err) {
		a->err = err;
		um_fail_as(&a->error, &a->s->um->error);
	}
	return 0;
}

static struct um_session_metric *append(struct uncoremsr_session *s, const struct um_metric *row)
{
	return ARRAY_APPEND(s->metrics, s->num_metrics, (struct um_session_metric){ .row = row })
	       ? NULL : &s->metrics[s->num_metrics - 1];
}

/* The metric that was added last cannot be counted: remove its events, all from index @events on. */
static int give_up(struct adding *a, size_t events, int err)
{
	struct um_session_metric *m = &a->s->metrics[a->s->num_metrics - 1];
	const struct um_metric *row = m->row;
	struct um_error *e = &a->s->um->error;
	char what[sizeof(e->msg)], why[sizeof(e->msg)];

	um_session_cut(a->s, events);
	memcpy(what, e->msg, sizeof(what));
	um_message(e->msg, sizeof(e->msg), "metric '%s': %s", row->base.pub.name, what);
	free_metric(m);
	*m = (struct um_session_metric){ .row = row };
	if (!a->several || a->pattern || err == -ENOMEM)
		a->s->num_metrics--;
	if ((!a->several && !a->pattern) || err == -ENOMEM)
		return err;
	/* The metric is left out without an error, so the reason contains the advice. */
	um_message(why, sizeof(why), "%s%s%s", what, *e->hint ? "; " : "", e->hint);
	if (!a->pattern)
		um_message(m->why, sizeof(m->why), "%s", why);
	else if (!*a->left_out)
		um_message(a->left_out, sizeof(a->left_out), "metric '%s': %s", row->base.pub.name, why);
	else
		um_list_add(a->others, sizeof(a->others), "%s", row->base.pub.name);
	return keep_error(a, err);
}

static int add_one(void *user, const struct um_metric *row)
{
	struct adding *a = user;
	struct uncoremsr_session *s = a->s;
	size_t events = s->num_events;
	int err;

	for (size_t i = 0; i < s->num_metrics; i++)
		if (s->metrics[i].row == row) {
			a->num += !*s->metrics[i].why;
			return 0;
		}
	if (!append(s, row))
		return um_no_memory(&s->um->error);
	err = row->trait == UM_METRIC_BETWEEN_PACKAGES && s->um->m.topo.num_packages < 2
		      ? um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
				"this machine has only one package")
		      : fill_in(s, &s->metrics[s->num_metrics - 1]);
	if (err)
		return give_up(a, events, err);
	a->num++;
	a->added++;
	return 0;
}

/* Add a metric that only other processors have, without events, so that its name is shown with the reason. */
static int keep_elsewhere(struct adding *a, const char *name, size_t len, int err)
{
	const struct um_metric *row = um_metric_elsewhere(a->s->um->names, name, len);
	struct um_session_metric *m;

	if (!row || !a->several)
		return err;
	m = append(a->s, row);
	if (!m)
		return um_no_memory(&a->s->um->error);
	if (!um_machine_unsupported(&a->s->um->m, m->why, sizeof(m->why)))
		snprintf(m->why, sizeof(m->why), "there are no events for the metric on this processor");
	return keep_error(a, err);
}

static int add_named(struct adding *a, const char *name, size_t len)
{
	struct uncoremsr_session *s = a->s;
	const struct um_lookup l = {
		.names = s->um->names, .uarch = s->um->m.uarch, .metrics = UM_METRICS_ONLY,
	};
	int num = a->num, before = a->err, err;

	a->pattern = um_metrics_several(name, len);
	*a->left_out = *a->others = '\0';
	err = um_metrics_find(&l, &s->um->m, name, len, add_one, a, &s->um->error);
	if (err == -ENOTSUP && !a->pattern)
		err = keep_elsewhere(a, name, len, err);
	if (err < 0 || !*a->left_out)
		return err < 0 ? err : 0;
	if (a->num > num || a->several)
		um_message(s->left_out, sizeof(s->left_out), "left out of '%.*s': %s%s%s", (int)len, name, a->left_out,
			    *a->others ? "; also " : "", a->others);
	if (a->num == num && !before)
		um_fail(&a->error, a->err, UNCOREMSR_ERROR_UNSUPPORTED,
			"none of the metrics '%.*s' can be counted here: %s", (int)len, name, a->left_out);
	return 0;
}

int uncoremsr_session_add_metric(struct uncoremsr_session *s, const char *text)
{
	struct adding a = { .s = s };
	int err = um_session_check_idle(s);
	struct um_event_term t;
	struct um_error before;
	size_t metrics, events;

	if (err)
		return err;
	if (!text)
		return UM_USAGE(&s->um->error, "no metric");
	before = s->um->error;
	metrics = s->num_metrics;
	events = s->num_events;
	for (const char *at = text, *end = text + strlen(text); !err && um_next_term(&at, end, ',', &t);) {
		a.several |= at != NULL;
		err = t.end == t.name ? UM_USAGE(&s->um->error, "metrics '%s': a name is missing", text)
				      : add_named(&a, t.name, (size_t)(t.end - t.name));
	}
	if (!err && !a.num && a.err) {
		um_fail_as(&s->um->error, &a.error);
		err = a.err;
	}
	if (err) {
		while (s->num_metrics > metrics)
			free_metric(&s->metrics[--s->num_metrics]);
		um_session_cut(s, events);
		return err;
	}
	um_fail_as(&s->um->error, &before);
	um_session_tell_routes(s, events);
	return a.added;
}
