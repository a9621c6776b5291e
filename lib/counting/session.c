/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Life of a session and the options that are set before it starts. */
#include "counting/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int um_session_no_memory(struct uncoremsr_session *s)
{
	return um_fail(&s->um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

int um_session_runs(struct uncoremsr_session *s)
{
	return um_fail(&s->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "the session is running");
}

/* One unit for each package of the machine, each reached through its lowest CPU. */
static int take_all_packages(struct uncoremsr_session *s)
{
	const struct um_topology *t = &s->um->topo;

	s->units = calloc(t->num_packages ? t->num_packages : 1, sizeof(*s->units));
	if (!s->units)
		return um_session_no_memory(s);
	s->num_units = t->num_packages;
	for (size_t i = 0; i < s->num_units; i++) {
		s->units[i].package = &t->packages[i];
		s->units[i].enable = -1;
		s->units[i].cpu = (unsigned)t->packages[i].cpu;
	}
	return 0;
}

int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **out)
{
	struct uncoremsr_session *s = calloc(1, sizeof(*s));
	int err;

	*out = NULL;
	if (!s)
		return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	s->um = um;
	s->pmu = uncoremsr_pmu(um, 0);
	s->guard.dir = -1;
	err = take_all_packages(s);
	if (err) {
		free(s);
		return err;
	}
	*out = s;
	return 0;
}

void uncoremsr_session_free(struct uncoremsr_session *s)
{
	if (!s)
		return;
	uncoremsr_session_stop(s);
	um_guard_close(&s->guard);
	for (size_t i = 0; i < s->num_units; i++) {
		s->um->access->ops->close_cpu(s->um->access, s->units[i].cpu);
		free(s->units[i].slots);
	}
	um_events_free(&s->events);
	free(s->units);
	free(s->ops);
	free(s->metrics);
	free(s->metric_values);
	free(s);
}

int um_session_cannot_count(struct uncoremsr_session *s)
{
	um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s", s->um->unsupported);
	um_hint(&s->um->error, "try a simulated machine: --machine=sim:westmere-2s");
	return -ENOTSUP;
}

/*
 * Some events count what a second register says, which all counters of a package share. Until that
 * is set and put back here too, counting them would give a number that means something else.
 */
static int refuse_qualified(struct uncoremsr_session *s, const struct um_event *ev)
{
	struct um_error *e = &s->um->error;

	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%s': needs MSR 0x%x too, which this library does not set", ev->name,
		ev->row->extra_msr);
	if (ev->row->extra_value)
		um_hint(e, "set it on one CPU of each package (wrmsr -p CPU 0x%x 0x%x), then count "
			"0x%x:0x%x", ev->row->extra_msr, ev->row->extra_value, ev->row->event,
			ev->row->umask);
	else
		um_hint(e, "set the filter on one CPU of each package (wrmsr -p CPU 0x%x VALUE), "
			"then count 0x%x:0x%x", ev->row->extra_msr, ev->row->event, ev->row->umask);
	return -ENOTSUP;
}

int uncoremsr_session_add(struct uncoremsr_session *s, const char *text)
{
	size_t before = s->events.num;
	unsigned groups_before = s->events.num_groups;
	int num;

	if (s->running)
		return um_session_runs(s);
	if (!s->pmu)
		return um_session_cannot_count(s);
	num = um_events_parse(&s->events, text, s->um->uarch, &s->um->error);
	for (size_t i = before; num > 0 && i < s->events.num; i++) {
		const struct um_event *ev = &s->events.events[i];

		if (!ev->row || !ev->row->extra_msr)
			continue;
		num = refuse_qualified(s, ev);
		s->events.num = before;
		s->events.num_groups = groups_before;
	}
	return num;
}

int uncoremsr_session_set_counter(struct uncoremsr_session *s, size_t event, unsigned counter)
{
	struct um_event *ev = event < s->events.num ? &s->events.events[event] : NULL;

	if (s->running)
		return um_session_runs(s);
	if (!ev)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no event %zu",
			       event);
	if (ev->fixed)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s is counted by its own fixed counter only", ev->name);
	if (counter >= s->pmu->num_general)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "counter %u does not exist: %s has general counters 0 to %u",
			       counter, s->um->uarch->name, s->pmu->num_general - 1);
	for (size_t i = 0; i < s->events.num; i++)
		if (i != event && s->events.events[i].counter == (int)counter)
			return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "counter %u was already asked for by %s", counter,
				       s->events.events[i].name);
	ev->counter = (int)counter;
	return 0;
}

void uncoremsr_session_set_force(struct uncoremsr_session *s, int force)
{
	s->force = force != 0;
}

void uncoremsr_session_set_multiplex(struct uncoremsr_session *s, int allow)
{
	s->no_multiplex = !allow;
}

static struct um_unit *unit_of_cpu(struct uncoremsr_session *s, unsigned cpu)
{
	for (size_t i = 0; i < s->num_units; i++)
		if (um_cpuset_has(&s->units[i].package->cpus, cpu))
			return &s->units[i];
	return NULL;
}

static int choose_cpu(struct uncoremsr_session *s, unsigned cpu)
{
	struct um_unit *u = unit_of_cpu(s, cpu);

	if (!u) {
		um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			"CPU %u does not exist, is offline, or is in no chosen package", cpu);
		um_hint(&s->um->error, "online CPUs are %s", s->um->topo.online_text);
		return -EINVAL;
	}
	if (u->cpu_was_asked_for) {
		um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			"CPUs %u and %u are both in package %d and reach the same counters", u->cpu,
			cpu, u->package->id);
		um_hint(&s->um->error, "name one CPU per package");
		return -EINVAL;
	}
	u->cpu = cpu;
	u->cpu_was_asked_for = true;
	return 0;
}

/* Keep the units that @keep approves of, in their order. */
static void keep_units(struct uncoremsr_session *s,
		       bool (*keep)(const struct um_unit *u, const struct um_cpuset *set),
		       const struct um_cpuset *set)
{
	size_t n = 0;

	for (size_t i = 0; i < s->num_units; i++)
		if (keep(&s->units[i], set))
			s->units[n++] = s->units[i];
	s->num_units = n;
}

static bool was_asked_for(const struct um_unit *u, const struct um_cpuset *set)
{
	(void)set;
	return u->cpu_was_asked_for;
}

static bool has_listed_id(const struct um_unit *u, const struct um_cpuset *set)
{
	return u->package->id >= 0 && um_cpuset_has(set, (unsigned)u->package->id);
}

static int parse_list(struct uncoremsr_session *s, struct um_cpuset *set, const char *list,
		      const char *what)
{
	const char *bad = list;
	int err;

	if (s->running)
		return um_session_runs(s);
	err = um_cpuset_parse(set, list, &bad);
	if (err == -ENOMEM)
		return um_session_no_memory(s);
	if (!err && set->num)
		return 0;
	um_cpuset_free(set);
	um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "'%s' is not a list of %s%s%s%s",
		list, what, *bad ? " (at '" : "", *bad ? bad : "", *bad ? "')" : "");
	um_hint(&s->um->error, "write for example 0,1 or 0-3");
	return -EINVAL;
}

int uncoremsr_session_set_cpus(struct uncoremsr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = parse_list(s, &set, list, "CPUs");

	if (err)
		return err;
	for (size_t i = 0; !err && i < set.num; i++)
		err = choose_cpu(s, set.cpus[i]);
	if (!err)
		keep_units(s, was_asked_for, NULL);
	um_cpuset_free(&set);
	return err;
}

static int check_package_exists(struct uncoremsr_session *s, unsigned id)
{
	for (size_t i = 0; i < s->num_units; i++)
		if (s->units[i].package->id == (int)id)
			return 0;
	um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "there is no package %u", id);
	um_hint(&s->um->error, "uncore-info shows the packages");
	return -EINVAL;
}

int uncoremsr_session_set_packages(struct uncoremsr_session *s, const char *list)
{
	struct um_cpuset set = { 0 };
	int err = parse_list(s, &set, list, "packages");

	if (err)
		return err;
	for (size_t i = 0; !err && i < set.num; i++)
		err = check_package_exists(s, set.cpus[i]);
	if (!err)
		keep_units(s, has_listed_id, &set);
	um_cpuset_free(&set);
	return err;
}

/* Bounds of the tables, unless the machine itself claims more (a simulated one may). */
static uint64_t max_rate(const struct uncoremsr_session *s, const struct um_event *ev)
{
	uint64_t rate = ev->pmu->max_clock_hz * ev->max_per_clock;

	return rate > s->um->access->max_rate ? rate : s->um->access->max_rate;
}

/* Longest gap in which a counter cannot wrap twice: 2^width over its highest rate. */
static uint64_t max_gap_ns(const struct um_event *ev, uint64_t rate)
{
	unsigned width = ev->fixed ? ev->pmu->fixed_width : ev->pmu->general_width;
	unsigned __int128 ns = ((unsigned __int128)1000000000u << width) / rate;

	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static int make_slots(struct uncoremsr_session *s)
{
	static const struct uncoremsr_reading not_read_yet = {
		.status = UNCOREMSR_NOT_COUNTED, .counter = UM_NO_COUNTER, .detail = "not read yet",
	};

	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];

		for (unsigned c = 0; c < UM_MAX_COUNTERS; c++)
			u->leases[c] = -1;
		free(u->slots);
		u->slots = calloc(s->events.num, sizeof(*u->slots));
		if (!u->slots)
			return um_session_no_memory(s);
		for (size_t k = 0; k < s->events.num; k++) {
			u->slots[k].event = s->events.events[k];
			u->slots[k].counter = UM_NO_COUNTER;
			u->slots[k].max_rate = max_rate(s, &s->events.events[k]);
			u->slots[k].max_gap_ns = max_gap_ns(&s->events.events[k],
							    u->slots[k].max_rate);
			u->slots[k].reading = not_read_yet;
			u->slots[k].total = not_read_yet;
		}
	}
	free(s->ops);
	s->ops = calloc(s->events.num + 1, sizeof(*s->ops));
	free(s->metric_values);
	s->metric_values = calloc(2 * s->num_metrics * s->num_units + 1, sizeof(*s->metric_values));
	return s->ops && s->metric_values ? 0 : um_session_no_memory(s);
}

void um_unit_fail(struct um_unit *u, int err)
{
	u->err = err;
	snprintf(u->error_text, sizeof(u->error_text), "%s%s%s", u->error.msg,
		 u->error.hint[0] ? "; " : "", u->error.hint);
}

/* 0 when a package counts; else the handle tells what the first package failed on. */
static int any_left(struct uncoremsr_session *s)
{
	for (size_t i = 0; i < s->num_units; i++)
		if (!s->units[i].err)
			return 0;
	if (!s->num_units)
		return um_fail(&s->um->error, -ENODATA, UNCOREMSR_ERROR_UNSUPPORTED,
			       "sysfs shows no package, so there is nothing to count on");
	s->um->error = s->units[0].error;
	return s->units[0].err;
}

typedef int unit_step(struct uncoremsr_session *s, struct um_unit *u, int set);

/* One step on every package that still counts; a package that fails is put back and left out. */
static void each_unit(struct uncoremsr_session *s, unit_step *step, int set)
{
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : step(s, u, set);

		if (!err)
			continue;
		um_unit_fail(u, err);
		um_unit_restore(s, u);
	}
}

static int open_unit(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	(void)set;
	u->err = 0;
	return um_reg_open(s->um, u->cpu, true, &u->error);
}

/* The first interval of a package begins when its counters were switched on. */
static int enable_first(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	int err = um_unit_enable(s, u, set);

	u->interval_ns = uncoremsr_now(s->um);
	for (size_t k = 0; k < s->events.num; k++)
		if (u->slots[k].active)
			u->interval_ns = u->slots[k].last_ns;
	return err;
}

/*
 * What dead sessions left behind goes back before we look for counters. All packages are programmed
 * before the first one is enabled, so that they start close together.
 */
static int take_counters(struct uncoremsr_session *s)
{
	int err = um_repair_all(s->um, &s->guard, NULL, NULL);

	if (err < 0)
		um_warn(s->um, "leftovers of dead sessions: %s", s->um->error.msg);
	err = um_place(s);
	if (!err)
		err = any_left(s);
	if (!err)
		each_unit(s, um_unit_program, 0);
	return err;
}

static int open_guard(struct uncoremsr_session *s, int *start)
{
	int err;

	um_guard_close(&s->guard);
	err = um_guard_open(&s->guard, s->um, true, &s->um->error);
	return err ? err : um_start_lock(&s->guard, start, &s->um->error);
}

int uncoremsr_session_start(struct uncoremsr_session *s)
{
	int start = -1, err;

	if (s->running)
		return um_session_runs(s);
	if (!s->pmu)
		return um_session_cannot_count(s);
	if (!s->events.num)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no events");
	err = make_slots(s);
	if (err)
		return err;
	for (size_t i = 0; i < s->num_units; i++)
		s->units[i].err = 0;
	each_unit(s, open_unit, 0);
	err = any_left(s);
	if (!err)
		err = open_guard(s, &start);
	if (!err)
		err = take_counters(s);
	um_unlock(start);
	if (err)
		return err;
	each_unit(s, enable_first, 0);
	s->active_set = 0;
	err = any_left(s);
	s->running = !err;
	return err;
}

static int rotate_unit(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	int next = (set + 1) % s->num_sets;
	int err = um_unit_disable(s, u, set);

	if (!err)
		err = um_unit_program(s, u, next);
	return err ? err : um_unit_enable(s, u, next);
}

int uncoremsr_session_rotate(struct uncoremsr_session *s)
{
	if (!s->running || s->num_sets < 2)
		return 0;
	each_unit(s, rotate_unit, s->active_set);
	s->active_set = (s->active_set + 1) % s->num_sets;
	return any_left(s);
}

int uncoremsr_session_stop(struct uncoremsr_session *s)
{
	int first = 0;

	if (!s->running)
		return 0;
	s->running = false;
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = um_unit_restore(s, u);

		if (err && !first) {
			first = err;
			s->um->error = u->error;
		}
	}
	return first;
}
