/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPUs that went offline. The kernel takes the events of such a CPU off for good, those of a
 * package's PMU it moves to another CPU of the package (kernel/events/core.c,
 * perf_event_exit_cpu(), and the drivers' hotplug callbacks): only the former, and whole packages,
 * come here.
 */
#include "perf/count.h"

static void close_group(struct um_perf_count *c, struct um_perf_instance *leader)
{
	for (struct um_perf_instance *in = leader; in;
	     in = in->next < 0 ? NULL : &c->instances[in->next]) {
		if (in->fd >= 0)
			c->kernel->ops->close(c->kernel, in->fd);
		in->fd = -1;
		in->stalled = false;
	}
}

static bool same_package(const struct um_topology *t, unsigned a, unsigned b)
{
	for (size_t i = 0; i < t->num_packages; i++)
		if (um_cpuset_has(&t->packages[i].cpus, a))
			return um_cpuset_has(&t->packages[i].cpus, b);
	return false;
}

/* The CPU that the kernel now names for the package; the old one if it names none. */
static int cpu_of_package(struct um_perf_count *c, const struct um_perf_instance *in)
{
	struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;

	if (!pmu || pmu->cpus_are != UM_CPUS_MASK || um_kernel_pmu_reload_cpus(c->pmus, pmu))
		return in->cpu;
	for (size_t i = 0; i < pmu->cpus.num; i++)
		if (same_package(c->topo, (unsigned)in->cpu, pmu->cpus.cpus[i]))
			return (int)pmu->cpus.cpus[i];
	return in->cpu;
}

void um_perf_reopen(struct um_perf_count *c, struct um_perf_instance *leader)
{
	int cpu = cpu_of_package(c, leader);
	bool any = false;

	close_group(c, leader);
	for (struct um_perf_instance *in = leader; in;
	     in = in->next < 0 ? NULL : &c->instances[in->next]) {
		struct um_error why;

		in->cpu = cpu;
		if (um_perf_open_instance(c, in, &why)) {
			in->away = true;
			continue;
		}
		any = true;
		in->seen = c->access->ops->now(c->access);
		um_perf_mark(in, UNCOREMSR_OFFLINE, "its CPU was offline for a time");
	}
	if (any && c->running)
		c->kernel->ops->enable(c->kernel, leader->fd, true, true);
}
