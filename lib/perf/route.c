/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "perf/route.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "names/scanner.h"
#include "perf/count.h"
#include "encode/perf_event.h"
#include "perf/region.h"

enum { UNIT_NAME = 32 };

struct state {
	const struct um_route_env *env;
	struct um_perf_count count;
	/*
	 * One unit for each instance, made at the start; @of[i] is the index of the instance of @units[i]. The units of
	 * an event are contiguous: first the @shown units, then those whose CPU is still offline.
	 */
	struct um_front *units;
	size_t *of;
	size_t *shown;
	struct um_perf_events claimed; /* the events of the last claim */
};

static int open_state(void **state, const struct um_route_env *env, struct um_error *e)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return um_no_memory(e);
	s->env = env;
	*state = s;
	return 0;
}

static void free_units(struct state *s)
{
	free(s->units);
	free(s->of);
	free(s->shown);
}

static void free_state(void *state)
{
	struct state *s = state;

	um_perf_events_free(&s->claimed);
	um_perf_count_free(&s->count);
	free_units(s);
	free(s);
}

/* ---- claims ---- */

static bool is_of_tasks(const struct state *s, const struct um_perf_event *ev)
{
	return um_perf_is_of_tasks(&s->env->choices->target, ev);
}

/* Either all events of a group are counted for tasks, or none of them. */
static int check_groups(struct state *s, struct um_error *e)
{
	const struct um_perf_event *ev = s->claimed.events;

	for (size_t i = 1; i < s->claimed.num; i++) {
		if (ev[i].group != ev[i - 1].group || is_of_tasks(s, &ev[i]) == is_of_tasks(s, &ev[i - 1]))
			continue;
		um_event_fail(e, -EINVAL, ev[i].name, "its group has events of a task and events of whole packages");
		return um_advise(e, -EINVAL, "put the events of the task and those of whole packages into separate "
			"groups");
	}
	return 0;
}

static int check_present(struct state *s, struct um_error *e)
{
	for (size_t i = 0; i < s->claimed.num; i++) {
		const struct um_perf_event *ev = &s->claimed.events[i];

		if (!ev->absent)
			continue;
		um_fail(e, -ENOENT, UNCOREMSR_ERROR_UNSUPPORTED, "event '%s': the catalog has it, but this "
			"kernel has no PMU '%s'", ev->name, ev->pmu);
		return um_advise(e, -ENOENT, "such events can be counted on a POWER host without hypervisor (PowerNV) "
			"whose firmware has the unit; uncore-info shows the kernel's PMUs");
	}
	return 0;
}

static int claim(void *state, const struct um_event *group, size_t num, bool asked,
		 enum um_answer *answer, struct um_error *e)
{
	struct state *s = state;
	struct um_event_pmus pmus = um_event_pmus_of_machine(s->env->m);
	struct um_error own;
	int err;

	e = e ? e : &own; /* um_answer_for() needs the class of the error */
	um_perf_events_free(&s->claimed);
	*answer = UM_CLAIM_FAILED;
	err = s->env->names(s->env, &pmus.names, e);
	if (err)
		return err;
	err = um_perf_claim(&s->claimed, &pmus, group, num, asked, e) ?: check_present(s, e) ?: check_groups(s, e);
	*answer = um_answer_for(err, e->class);
	if (err)
		um_perf_events_free(&s->claimed);
	return err;
}

static int move(struct state *s, size_t i, bool same, struct um_error *e)
{
	struct um_perf_events *to = &s->count.events;
	struct um_perf_event *ev;

	if (ARRAY_ROOM(to->events, to->num, 1))
		return um_no_memory(e);
	ev = &to->events[to->num];
	*ev = s->claimed.events[i];
	ev->group = same && to->num ? ev[-1].group : to->num_groups++;
	ev->cgroup = s->env->choices->target.num_cgroups ? s->env->choices->target.num_cgroups - 1 : 0;
	to->num++;
	s->claimed.events[i] = (struct um_perf_event){ .name = NULL };
	return 0;
}

static void cut(void *state, size_t num)
{
	um_perf_events_cut(&((struct state *)state)->count.events, num);
}

static void tell_remarks(const struct um_route_env *env, const struct um_perf_event *ev)
{
	for (const char *const *at = ev->notes.remarks; *at; at++)
		if (*at != um_lacks_filter)
			um_log(env->m, "%s: %s", ev->name, *at);
		else if (!env->moving)
			um_warn(env->m, "%s: %s", ev->name, *at);
}

static int add_claimed(void *state, struct um_error *e)
{
	struct state *s = state;
	size_t before = s->count.events.num;
	int err = 0;

	for (size_t i = 0; i < s->claimed.num; i++)
		tell_remarks(s->env, &s->claimed.events[i]);
	for (size_t i = 0; err >= 0 && i < s->claimed.num; i++)
		err = move(s, i, i && s->claimed.events[i].group == s->claimed.events[i - 1].group, e);
	um_perf_events_free(&s->claimed);
	if (err < 0)
		cut(s, before);
	return err < 0 ? err : (int)(s->count.events.num - before);
}

/* ---- metrics ---- */

/*
 * Index of the first event of the session that equals @want and is in group @group (-1: in any group). Returns the
 * number of events if there is none.
 */
static size_t find_same(const struct state *s, const struct um_perf_event *want, int group)
{
	size_t i = 0;

	while (i < s->count.events.num && (!um_perf_same_event(um_perf_event_of(s, i), want) ||
			      (group >= 0 && um_perf_event_of(s, i)->group != (unsigned)group)))
		i++;
	return i;
}

/*
 * The claimed events i with @first[i] == @of belong to one PMU. If the session has all of them in one group already,
 * set @where[i] to the index of each, and return true.
 */
static bool have_all(const struct state *s, const size_t *first, size_t of, size_t *where)
{
	const struct um_perf_event *want = s->claimed.events;
	size_t have = find_same(s, &want[of], -1);
	int group = have < s->count.events.num ? (int)um_perf_event_of(s, have)->group : -1;

	if (have == s->count.events.num)
		return false;
	for (size_t i = of; i < s->claimed.num; i++) {
		if (first[i] != of)
			continue;
		where[i] = find_same(s, &want[i], group);
		if (where[i] == s->count.events.num)
			return false;
	}
	return true;
}

/* Events of one PMU become one group: counted at the same time if possible, and read with one call. */
static int join(void *state, size_t *where, struct um_error *e)
{
	struct state *s = state;
	size_t before = s->count.events.num, *first = calloc(s->claimed.num + 1, sizeof(*first));
	int err = first ? 0 : um_no_memory(e);

	for (size_t i = 0; err >= 0 && i < s->claimed.num; i++)
		while (!um_perf_same_units(&s->claimed.events[first[i]], &s->claimed.events[i]))
			first[i]++;
	for (size_t i = 0; err >= 0 && i < s->claimed.num; i++) {
		if (first[i] < i || have_all(s, first, i, where))
			continue;
		for (size_t k = i; err >= 0 && k < s->claimed.num; k++) {
			if (first[k] != i)
				continue;
			s->claimed.events[k].weak = true;
			tell_remarks(s->env, &s->claimed.events[k]);
			where[k] = s->count.events.num;
			err = move(s, k, k > i, e);
		}
	}
	free(first);
	um_perf_events_free(&s->claimed);
	if (err < 0)
		cut(s, before);
	return err < 0 ? err : (int)(s->count.events.num - before);
}

const struct um_perf_event *um_perf_event_of(const void *state, size_t event)
{
	return &((const struct state *)state)->count.events.events[event];
}

/* Is the event of the PMU core_imc (POWER)? The PMU's cpumask has one CPU of each core, which reads the whole core. */
static bool is_of_cores(const struct um_perf_event *ev)
{
	const struct um_kernel_pmu *pmu = ev->units[0].pmu;

	return pmu && pmu->imc == UM_IMC_CORE;
}

static void facts(const void *state, size_t event, struct uncoremsr_counted *f)
{
	const struct state *s = state;
	const struct um_perf_event *ev = um_perf_event_of(s, event);

	*f = (struct uncoremsr_counted){
		.name = ev->name, .pmu = ev->pmu, .encoding = ev->units[0].attr.config[0],
		.measure = ev->measure, .scale = ev->scale, .kernel_scale = ev->kernel_scale,
		.level = ev->snapshot,
		.task = is_of_tasks(s, ev), .uncore = ev->is_uncore, .cores = is_of_cores(ev),
	};
}

/* ---- start ---- */

/* Name a unit of the uncore like "uncore_cha_3", any other after its CPU or task. */
static void describe(const struct state *s, struct um_perf_instance *in, struct um_front *u, char *name)
{
	const struct um_perf_event *ev = um_perf_event_of(s, in->event);
	const struct um_kernel_pmu *pmu = ev->units[in->unit].pmu;

	*u = (struct um_front){
		.shown = { .size = sizeof(u->shown), .name = name, .cpu = in->cpu, .core = -1, .package = in->package },
		.reading = &in->reading,
		.total = &in->total,
	};
	if (um_perf_is_of_kinds(ev))
		u->shown.pmu = pmu->name;
	if (ev->is_uncore && pmu) {
		snprintf(name, UNIT_NAME, "%.31s", pmu->name);
		/* a number above INT_MAX is an address, not a unit number */
		u->shown.number = pmu->is_unit && pmu->number <= INT_MAX ? (int)pmu->number : -1;
		if (is_of_cores(ev))
			u->shown.core = um_core_id(s->env->m->access, in->cpu);
	} else if (in->cpu >= 0) {
		snprintf(name, UNIT_NAME, "cpu%d", in->cpu);
		u->shown.number = in->cpu;
		u->shown.core = um_core_id(s->env->m->access, in->cpu);
	} else {
		snprintf(name, UNIT_NAME, "task %d", (int)in->pid);
		u->shown.number = (int)in->pid;
	}
}

/* Package and core become known when an offline CPU comes online. */
static void know(const struct state *s, const struct um_perf_instance *in, struct um_front *u)
{
	if (!u->shown.package && in->package) {
		u->shown.package = in->package;
		u->shown.core = um_core_id(s->env->m->access, in->cpu);
	}
	u->shown.cpu = in->cpu;
	u->shown.error = in->fd < 0 ? in->detail : NULL;
	u->left_out = in->waits;
}

/* Update the units and show those whose CPU has come online since. */
static void show(struct state *s, size_t event)
{
	size_t from = s->count.first[event], *shown = &s->shown[event];

	for (size_t i = from; i < s->count.first[event + 1]; i++) {
		const struct um_perf_instance *in = &s->count.instances[s->of[i]];
		struct um_front unit = s->units[i];
		size_t to = from + *shown, of = s->of[i];

		if (i >= to && in->waits)
			continue;
		if (i >= to) {
			s->units[i] = s->units[to];
			s->of[i] = s->of[to];
			s->units[to] = unit;
			s->of[to] = of;
			(*shown)++;
		}
		know(s, in, &s->units[i < to ? i : to]);
	}
}

static int make_units(struct state *s)
{
	size_t n = s->count.num_instances;
	char *names;

	free_units(s);
	s->units = malloc(n * (sizeof(*s->units) + UNIT_NAME) + 1);
	s->of = calloc(n + 1, sizeof(*s->of));
	s->shown = calloc(s->count.events.num + 1, sizeof(*s->shown));
	if (!s->units || !s->of || !s->shown)
		return -ENOMEM;
	names = (char *)(s->units + n);
	for (size_t i = 0; i < n; i++) {
		s->of[i] = i;
		describe(s, &s->count.instances[i], &s->units[i], names + i * UNIT_NAME);
	}
	for (size_t k = 0; k < s->count.events.num; k++)
		show(s, k);
	return 0;
}

static void tell_of_refused(const struct state *s)
{
	const struct um_perf_count *c = &s->count;
	struct um_cpuset offline = { NULL, 0 };
	size_t told = SIZE_MAX;
	int err = 0;

	for (size_t i = 0; i < c->num_instances && !err; i++)
		if (c->instances[i].away)
			err = um_cpuset_add(&offline, (unsigned)c->instances[i].cpu);
	um_tell_offline(s->env->m, &offline);
	um_cpuset_free(&offline);

	for (size_t i = 0; i < c->num_instances; i++) {
		const struct um_perf_instance *in = &c->instances[i];

		if (in->fd >= 0 || in->away || in->event == told)
			continue;
		told = in->event;
		um_warn(s->env->m, "not counted: %s", in->detail);
	}
}

static int open_count(const struct state *s, struct um_perf_count *c,
		      const struct um_target *target, struct um_error *e)
{
	const struct um_machine *m = s->env->m;
	int err = m->kernel(m->kernel_user, &c->kernel, e);

	if (err)
		return err;
	c->access = m->access;
	c->topo = &m->topo;
	c->target = *target;
	c->choices = s->env->choices;
	c->nowhere = c->choices->num_places > 0;
	for (size_t i = 0; i < c->choices->num_places; i++)
		c->nowhere &= c->choices->places[i].package->cpu < 0;
	return um_perf_count_open(c, e);
}

/* Open the claimed events and close them again. The session's task may not exist yet, so try this process instead. */
static int blocked(void *state, struct um_error *e)
{
	struct state *s = state;
	struct um_perf_count c = { .num_instances = 0 };
	struct um_target target = s->env->choices->target;
	pid_t self = 0;
	int err;

	if (!s->claimed.num)
		return 0;
	if (!is_of_tasks(s, &s->claimed.events[0])) {
		target.kind = UM_TARGET_SYSTEM;
	} else if (target.kind != UM_TARGET_CGROUP) {
		target.kind = UM_TARGET_THREAD;
		target.pids = &self;
		target.num_pids = 1;
	}
	c.events = s->claimed;
	err = open_count(s, &c, &target, e);
	um_perf_count_close(&c);
	c.events = (struct um_perf_events){ .events = NULL };
	um_perf_count_free(&c);
	return err;
}

static int start(void *state, struct um_error *e)
{
	struct state *s = state;
	int err;

	/* Refuse a dry run: the kernel would really count, but the clock of a dry run does not advance. */
	if (s->env->m->dry_run) {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "in a dry run the kernel counts nothing");
		return um_advise(e, -ENOTSUP, "leave out the dry run, or count through registers (route msr)");
	}
	err = open_count(s, &s->count, &s->env->choices->target, e);
	if (err)
		return err;
	err = make_units(s) ? um_no_memory(e) : um_perf_count_start(&s->count, e);
	if (err)
		um_perf_count_close(&s->count);
	else
		tell_of_refused(s);
	return err;
}

/* ---- while it runs ---- */

static void follow_cpus(struct state *s)
{
	const struct um_perf_count *c = &s->count;
	const struct um_machine *m = s->env->m;
	const struct uncoremsr_package *p;

	for (size_t i = 0; i < c->went.num; i++)
		um_tell_went(m, c->went.cpus[i]);
	for (size_t i = 0; i < c->came.num; i++)
		if (!um_package_of(&m->topo, m->access, c->came.cpus[i], &p))
			um_tell_came(m, p, c->came.cpus[i]);
	for (size_t k = 0; c->came.num && k < c->events.num; k++)
		show(s, k);
}

static int read_all(void *state, bool close, struct um_error *e)
{
	struct state *s = state;
	int err = um_perf_count_read(&s->count, um_now(s->env->m), close, e);

	if (close)
		follow_cpus(s);
	return err;
}

static int suspended(void *state, uint64_t ns, struct um_error *e)
{
	struct state *s = state;

	return um_perf_count_suspended(&s->count, um_now(s->env->m), ns, e);
}

static int stop(void *state, struct um_error *e)
{
	(void)e;
	um_perf_count_stop(&((struct state *)state)->count);
	return 0;
}

static const struct um_front *units(void *state, size_t event, size_t *num)
{
	struct state *s = state;

	show(s, event);
	*num = s->shown[event];
	return &s->units[s->count.first[event]];
}

static bool is_away(const struct um_perf_event *ev)
{
	for (size_t u = 0; u < ev->num_units; u++)
		if (!ev->units[u].pmu || !um_kernel_pmu_is_away(ev->units[u].pmu))
			return false;
	return true;
}

static enum uncoremsr_status no_units(const void *state, size_t event,
				      const struct uncoremsr_package *package, char *why, size_t size)
{
	const struct state *s = state;
	const struct um_perf_event *ev = um_perf_event_of(state, event);
	bool offline = package && package->cpu < 0;
	struct um_error e;

	if (!s->shown[event])
		um_perf_no_instance(&s->count, ev, &e);
	else if (offline)
		um_perf_no_cpu_of_chip(ev, &e);
	else
		um_fail(&e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED,
			"the event is not counted on this package, core or set of CPUs");
	um_message(why, size, "%s", e.msg);
	return offline || is_away(ev) ? UNCOREMSR_OFFLINE : UNCOREMSR_FAILED;
}

/* ---- regions ---- */

static int open_region(void *state, struct um_region **region, struct um_error *e)
{
	struct state *s = state;
	int err = um_perf_region_open(region, s->env->m, &s->claimed, e);

	um_perf_events_free(&s->claimed);
	return err;
}

static const char *no_pmu_advice(const struct um_machine *m)
{
	return um_core_registers_of(m->id.vendor)
		? "this kernel has no PMU for the event (module intel_uncore)"
		: "this kernel has no PMU for the event (module amd_uncore)";
}

const struct um_route um_route_perf = {
	.name = "perf", .label = "the kernel", .id = UNCOREMSR_ROUTE_PERF,
	.no_pmu_advice = no_pmu_advice,
	.open = open_state, .free = free_state, .claim = claim,
	.slow_claim = true, .blocked = blocked, .add = add_claimed, .join = join, .cut = cut,
	.facts = facts, .start = start, .read = read_all, .suspended = suspended, .pause = stop, .stop = stop,
	.units = units, .no_units = no_units, .region_open = open_region,
	.region_free = um_perf_region_free, .region_mark = um_perf_region_mark,
	.region_count = um_perf_region_count,
};
