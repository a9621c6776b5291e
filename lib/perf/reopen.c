/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * React to CPUs that went offline. The kernel removes the events of such a CPU permanently, but it moves events of a
 * package's PMU to another CPU of the package (kernel/events/core.c, perf_event_exit_cpu(), and the drivers' hotplug
 * callbacks). So this file handles only the removed events, and those of packages that went offline as a whole.
 */
#include "perf/count.h"

static void close_group(struct um_perf_count *c, struct um_perf_instance *leader)
{
	for (struct um_perf_instance *in = leader; in; in = um_perf_next(c, in)) {
		if (in->fd >= 0)
			c->kernel->ops->close(c->kernel, in->fd);
		in->fd = -1;
		in->stalled = false;
	}
}

static bool is_masked(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	const struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;

	return pmu && pmu->cpus_are == UM_CPUS_MASK;
}

/* Does another instance of the same unit count on @cpu? The mask may name several CPUs of a package, one per core. */
static bool is_taken(const struct um_perf_count *c, const struct um_perf_instance *in, unsigned cpu)
{
	for (size_t i = c->first[in->event]; i < c->first[in->event + 1]; i++) {
		const struct um_perf_instance *other = &c->instances[i];

		if (other != in && other->unit == in->unit && other->cpu == (int)cpu)
			return true;
	}
	return false;
}

/* The CPU that the kernel now names for the package; the old CPU if it names none. */
static int cpu_of_package(struct um_perf_count *c, const struct um_perf_instance *in)
{
	const struct uncoremsr_package *p = um_package_with(c->topo, (unsigned)in->cpu);
	struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;

	if (!is_masked(c, in) || um_kernel_pmu_reload_cpus(pmu))
		return in->cpu;
	for (size_t i = 0; p && i < pmu->cpus.num; i++)
		if (um_cpuset_has(um_package_cpus(p), pmu->cpus.cpus[i]) && !is_taken(c, in, pmu->cpus.cpus[i]))
			return (int)pmu->cpus.cpus[i];
	return in->cpu;
}

void um_perf_look(struct um_perf_count *c)
{
	struct um_cpuset now = { NULL, 0 };
	bool any = false;
	int err;

	um_cpuset_free(&c->went);
	um_cpuset_free(&c->came);
	for (size_t i = 0; i < c->num_instances && !any; i++)
		any = c->instances[i].cpu >= 0 && !is_masked(c, &c->instances[i]);
	err = any ? um_cpus_online(&now, c->access) : -ENODATA;
	if (err == -ENOMEM) {
		um_cpuset_free(&now);
		return; /* no memory: keep the previous set of online CPUs */
	}
	um_cpuset_free(&c->online);
	c->online = now;
	c->unlisted = err != 0;
}

bool um_perf_is_gone(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	return !c->unlisted && in->cpu >= 0 && !is_masked(c, in) &&
	       !um_cpuset_has(c->online.num ? &c->online : &c->topo->online, (unsigned)in->cpu);
}

/*
 * A CPU came online: can the PMU count on its core type, and is the CPU in a chosen package? 1 yes; 0 no; -ENOMEM:
 * not known yet.
 */
static int place(struct um_perf_count *c, struct um_perf_instance *in)
{
	struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;
	bool chosen = !c->choices->places;
	int err;

	if (in->placed)
		return 1;
	err = um_package_of(c->topo, c->access, (unsigned)in->cpu, &in->package);
	if (err)
		return err;
	for (size_t i = 0; i < c->choices->num_places; i++)
		chosen |= c->choices->places[i].package == in->package;
	chosen &= in->package != NULL;
	if (pmu && pmu->cpus_are == UM_CPUS_COVERED && !um_kernel_pmu_reload_cpus(pmu))
		chosen &= um_cpuset_has(&pmu->cpus, (unsigned)in->cpu);
	in->placed = chosen;
	return chosen;
}

static void leave_out(struct um_perf_count *c, struct um_perf_instance *leader)
{
	for (struct um_perf_instance *in = leader; in; in = um_perf_next(c, in)) {
		in->away = false;
		in->waits = true;
		um_perf_mark(in, UNCOREMSR_OFFLINE, "the event's CPU is another kind of core, or in a "
			     "package that is not counted");
	}
}

static void note(struct um_cpuset *set, const struct um_perf_instance *in)
{
	if (um_cpuset_add(set, (unsigned)in->cpu))
		return; /* no memory: the warning is lost, but the reading still has its status */
}

static void start_group(struct um_perf_count *c, struct um_perf_instance *leader)
{
	if (c->running && leader->fd >= 0)
		c->kernel->ops->enable(c->kernel, leader->fd, true);
}

void um_perf_reopen(struct um_perf_count *c, struct um_perf_instance *leader)
{
	struct um_perf_instance *current = leader;
	bool was_away = leader->away, any = false;
	int cpu = cpu_of_package(c, leader), placed;

	close_group(c, leader);
	placed = place(c, leader);
	if (placed < 0)
		return; /* no memory: the group stays closed; try again in the next interval */
	if (!placed) {
		leave_out(c, leader);
		if (!leader->package)
			note(&c->came, leader);
		return;
	}
	for (struct um_perf_instance *in = leader; in; in = um_perf_next(c, in)) {
		struct um_error why;

		in->cpu = cpu;
		in->placed = true;
		in->package = leader->package;
		if (um_perf_open_instance(c, in, &why)) {
			in->away = true;
			continue;
		}
		/* The group was split: @in now leads the later members. */
		if (in->leader < 0 && in != current) {
			start_group(c, current);
			current = in;
		}
		any = true;
		in->seen = c->access->ops->now(c->access);
		um_perf_mark(in, UNCOREMSR_OFFLINE, "its CPU was offline for a time");
	}
	if (!is_masked(c, leader) && (any || !was_away))
		note(any ? &c->came : &c->went, leader);
	start_group(c, current);
}
