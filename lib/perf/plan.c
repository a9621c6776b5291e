/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "perf/count.h"

static int add_instance(struct um_perf_count *c, size_t event, unsigned unit, int cpu, pid_t pid)
{
	return ARRAY_APPEND(c->instances, c->num_instances, (struct um_perf_instance){
		.event = event, .unit = unit, .cpu = cpu, .pid = pid, .fd = -1,
		.leader = -1, .next = -1, .placed = true,
		.package = cpu < 0 ? NULL : um_package_with(c->topo, (unsigned)cpu),
		.reading = um_reading_none(), .total = um_reading_none(),
	});
}

static bool shares_package(const struct um_perf_count *c, unsigned cpu)
{
	const struct uncoremsr_package *p = um_package_with(c->topo, cpu);

	return p && um_cpuset_overlap(um_package_cpus(p), &c->choices->cpus);
}

static bool shares_core(const struct um_perf_count *c, unsigned cpu)
{
	struct um_cpuset core;
	bool shared = um_cpuset_has(&c->choices->cpus, cpu);

	if (um_cpus_of_core(&core, c->access, cpu))
		return shared;
	shared |= um_cpuset_overlap(&core, &c->choices->cpus);
	um_cpuset_free(&core);
	return shared;
}

/*
 * Is the PMU opened on @cpu? A PMU with a cpumask is opened on a CPU of the mask if the user chose any CPU of the same
 * package (for POWER's core PMUs, of the same core). A PMU with a list of covered CPUs is opened on the chosen CPUs of
 * that list. Any other PMU is opened on all chosen CPUs.
 */
static bool is_for(const struct um_perf_count *c, const struct um_kernel_pmu *pmu, unsigned cpu)
{
	bool asked = c->choices->cpus.num ? um_cpuset_has(&c->choices->cpus, cpu) : !c->nowhere;

	if (!pmu || pmu->cpus_are == UM_CPUS_ANY)
		return asked;
	if (!um_cpuset_has(&pmu->cpus, cpu))
		return false;
	if (asked || pmu->cpus_are != UM_CPUS_MASK)
		return asked;
	return pmu->imc == UM_IMC_CORE ? shares_core(c, cpu) : shares_package(c, cpu);
}

static int add_online(struct um_perf_count *c, size_t event, unsigned unit, pid_t pid)
{
	const struct um_kernel_pmu *pmu = c->events.events[event].units[unit].pmu;
	int err = 0;

	for (size_t i = 0; i < c->topo->online.num && !err; i++)
		if (is_for(c, pmu, c->topo->online.cpus[i]))
			err = add_instance(c, event, unit, (int)c->topo->online.cpus[i], pid);
	return err;
}

/*
 * Plan instances on offline CPUs; they are opened when the CPU comes online. Until then the CPUs that the user named
 * are reported as missing. Other CPUs are left out of sums, because they may stay offline forever (nosmt, maxcpus=). A
 * PMU with a cpumask gets no such instances, because the mask names only online CPUs.
 */
static int add_offline(struct um_perf_count *c, size_t event, unsigned unit, pid_t pid)
{
	const struct um_kernel_pmu *pmu = c->events.events[event].units[unit].pmu;
	int err = 0;

	if (pmu && pmu->cpus_are == UM_CPUS_MASK)
		return 0;
	for (size_t i = 0; i < c->offline.num && !err; i++) {
		unsigned cpu = c->offline.cpus[i];
		bool asked = um_cpuset_has(&c->choices->cpus, cpu);
		struct um_perf_instance *in;

		if (!asked && c->choices->cpus_named)
			continue;
		err = add_instance(c, event, unit, (int)cpu, pid);
		if (err)
			break;
		in = &c->instances[c->num_instances - 1];
		in->placed = false;
		in->waits = !asked;
		in->away = true;
		in->trouble = UNCOREMSR_OFFLINE;
		snprintf(in->detail, sizeof(in->detail), "CPU %u is offline", cpu);
	}
	return err;
}

/* Instances on offline CPUs are the last ones of an event. */
static int add_cpus(struct um_perf_count *c, size_t event, pid_t pid)
{
	const struct um_perf_event *ev = &c->events.events[event];
	int err = 0;

	for (unsigned u = 0; u < ev->num_units && !err; u++)
		err = add_online(c, event, u, pid);
	for (unsigned u = 0; u < ev->num_units && !err; u++)
		err = add_offline(c, event, u, pid);
	return err;
}

static int add_units(struct um_perf_count *c, size_t event)
{
	const struct um_target *t = &c->target;
	int err = 0;

	if (!um_perf_is_of_tasks(t, &c->events.events[event]))
		return add_cpus(c, event, -1);
	if (t->kind == UM_TARGET_CGROUP)
		return add_cpus(c, event, c->cgroup_fds[c->events.events[event].cgroup]);
	for (unsigned u = 0; u < c->events.events[event].num_units; u++)
		for (size_t i = 0; i < t->num_pids && !err; i++)
			err = add_instance(c, event, u, -1, t->pids[i]);
	return err;
}

/* Instances on offline CPUs that the user did not name are not counted. */
static bool is_counted(const struct um_perf_count *c, size_t event)
{
	for (size_t i = c->first[event]; i < c->first[event + 1]; i++)
		if (!c->instances[i].waits)
			return true;
	return false;
}

static bool is_software(const struct um_perf_event *ev)
{
	return !strcmp(ev->pmu, "software") || !strcmp(ev->pmu, "tracepoint");
}

/* Events of a group are scheduled together, so they must belong to one PMU; software events fit with any. */
static int check_group(const struct um_perf_event *leader, const struct um_perf_event *ev, struct um_error *e)
{
	if (!strcmp(leader->pmu, ev->pmu) && leader->num_units == ev->num_units)
		return 0;
	if ((is_software(ev) && leader->num_units == 1) || (is_software(leader) && ev->num_units == 1))
		return 0;
	UM_USAGE(e, "group of '%s' and '%s': %s and %s are different PMUs", leader->name, ev->name, ev->pmu,
		leader->pmu);
	return um_advise(e, -EINVAL, "all events of a group must belong to one PMU: put these two into separate "
		"groups");
}

static bool same_place(const struct um_perf_count *c, const struct um_perf_instance *l,
		       const struct um_perf_instance *in)
{
	return l->cpu == in->cpu && l->pid == in->pid &&
	       (l->unit == in->unit || c->events.events[l->event].num_units == 1);
}

/*
 * Find the instance of the leading event on the same unit and CPU, or for the same task. Events of one PMU have their
 * instances in the same order, so @guess is nearly always right.
 */
static int find_leader(const struct um_perf_count *c, size_t event, size_t guess, const struct um_perf_instance *in)
{
	if (guess < c->first[event + 1] && same_place(c, &c->instances[guess], in))
		return (int)guess;
	for (size_t i = c->first[event]; i < c->first[event + 1]; i++)
		if (same_place(c, &c->instances[i], in))
			return (int)i;
	return -1;
}

/* Append a member to its leader's list. The list has the members in the order of opening, as group readings do. */
static void link_member(struct um_perf_count *c, size_t member)
{
	int at = c->instances[member].leader;

	while (at >= 0 && c->instances[at].next >= 0)
		at = c->instances[at].next;
	if (at >= 0)
		c->instances[at].next = (int)member;
}

/* Put the instances of an event into the groups of the instances of the event @leader. */
static void follow(struct um_perf_count *c, size_t leader, size_t event, bool joined)
{
	for (size_t i = c->first[event]; i < c->first[event + 1]; i++) {
		struct um_perf_instance *in = &c->instances[i];

		in->leader = find_leader(c, leader, c->first[leader] + i - c->first[event], in);
		in->joined = joined && in->leader >= 0;
		link_member(c, i);
	}
}

/*
 * May the event join the group of software events, so that one call reads them all? Software events need no counter, so
 * they always fit together.
 */
static bool may_join(const struct um_perf_count *c, size_t event)
{
	const struct um_perf_event *ev = &c->events.events[event];

	if (um_perf_inherits(c, ev))
		return false;
	if ((event && ev[-1].group == ev->group) || (event + 1 < c->events.num && ev[1].group == ev->group))
		return false;
	return !strcmp(ev->pmu, "software") && ev->num_units == 1 && !ev->units[0].attr.pinned &&
	       !ev->units[0].attr.exclusive;
}

int um_perf_no_cpu_of_chip(const struct um_perf_event *ev, struct um_error *e)
{
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_UNSUPPORTED, "no CPU of this chip was online at the start%s",
		       !ev->is_uncore ? "" : "; the kernel needs such a CPU to count it, --route=memory does not");
}

int um_perf_no_instance(const struct um_perf_count *c, const struct um_perf_event *ev, struct um_error *e)
{
	if (c->nowhere)
		return um_perf_no_cpu_of_chip(ev, e);
	for (size_t u = 0; u < ev->num_units; u++)
		if (ev->units[u].pmu && um_kernel_pmu_has_no_cpus(ev->units[u].pmu, ev->name, e))
			return -ENODEV;
	return um_fail(e, -ENODEV, UNCOREMSR_ERROR_USAGE, "event '%s': none of the chosen CPUs counts it", ev->name);
}

int um_perf_plan(struct um_perf_count *c, struct um_error *e)
{
	size_t leader = 0, joint = SIZE_MAX, counted = 0;
	int first = 0;

	c->num_instances = 0;
	free(c->first);
	c->first = calloc(c->events.num + 1, sizeof(*c->first));
	if (!c->first)
		return um_no_memory(e);
	for (size_t k = 0; k < c->events.num; k++) {
		const struct um_perf_event *ev = &c->events.events[k];

		if (add_units(c, k))
			return um_no_memory(e);
		c->first[k + 1] = c->num_instances;
		if (is_counted(c, k))
			counted++;
		else if (!first)
			first = um_perf_no_instance(c, ev, e);
		if (!k || ev[-1].group != ev->group)
			leader = k;
		else if (check_group(&c->events.events[leader], ev, e))
			return -EINVAL;
		else
			follow(c, leader, k, false);
		if (!may_join(c, k))
			continue;
		if (joint == SIZE_MAX)
			joint = k;
		else
			follow(c, joint, k, true);
	}
	return counted ? 0 : first;
}
