/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What hotplug does to events (Linux kernel/events/core.c, perf_event_exit_cpu(), and
 * arch/x86/events/intel/uncore.c, uncore_event_cpu_offline()): those of a core go, those of a
 * package move to another CPU of it.
 */
#include "sim/perf.h"

/* The first CPU of a die that is online; -1: none. */
static int online_of(const struct uncoremsr_sim *sim, unsigned die)
{
	for (unsigned cpu = die; cpu < sim->num_cpus; cpu++)
		if (um_sim_online(sim, cpu) && um_sim_die(sim, cpu) == die)
			return (int)cpu;
	return -1;
}

void um_sim_perf_speakers(struct uncoremsr_sim *sim)
{
	for (size_t i = 0; i < sim->perf->num_pmus; i++) {
		struct um_sim_pmu *pmu = &sim->perf->pmus[i];

		for (unsigned die = 0; pmu->masked && die < sim->num_cpus; die++) {
			int other;

			if (pmu->speaker[die] < 0 ||
			    um_sim_online(sim, (unsigned)pmu->speaker[die]))
				continue;
			other = online_of(sim, die);
			if (other >= 0)
				pmu->speaker[die] = other;
		}
	}
}

/* Off the CPU for good: not even the way back revives an event, and groups fall apart. */
static void kill_groups(struct um_sim_place *place)
{
	for (size_t i = 0; i < place->num; i++) {
		struct um_sim_perf_event *ev = place->groups[i];

		while (ev) {
			struct um_sim_perf_event *next = ev->next;

			ev->dead = true;
			ev->leader = ev;
			ev->next = NULL;
			ev = next;
		}
	}
	place->num = 0;
}

static void cpu_gone(struct uncoremsr_sim *sim, unsigned cpu)
{
	unsigned die = um_sim_die(sim, cpu);
	bool alone = online_of(sim, die) < 0;

	for (size_t i = 0; i < sim->perf->num_pmus; i++) {
		struct um_sim_pmu *pmu = &sim->perf->pmus[i];

		if (!pmu->masked)
			kill_groups(&pmu->places[cpu]);
		else if (alone)
			kill_groups(&pmu->places[die]);
	}
}

void um_sim_perf_online(struct uncoremsr_sim *sim, unsigned cpu, bool online)
{
	if (sim->cpus[cpu].online == online)
		return;
	um_sim_perf_settle(sim);
	sim->cpus[cpu].online = online;
	if (!online)
		cpu_gone(sim, cpu);
	um_sim_perf_speakers(sim);
}
