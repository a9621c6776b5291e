/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Topology and clock of the machine. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t um_sim_monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * UM_SIM_NS + (uint64_t)ts.tv_nsec;
}

uint64_t um_sim_clock(const struct uncoremsr_sim *sim)
{
	return sim->stepped ? sim->now : um_sim_monotonic() - sim->created;
}

um_u128 um_sim_ticks(uint64_t hz, uint64_t ns)
{
	return (um_u128)hz * ns / UM_SIM_NS;
}

uint64_t um_sim_kept_bits(const struct uncoremsr_sim *sim, uint32_t msr)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < sim->num_keepings; i++) {
		const struct um_sim_keeping *k = &sim->keepings[i];

		if (msr >= k->registers.first && msr <= k->registers.last)
			bits |= k->bits;
	}
	return bits;
}

bool um_sim_has_cpu(const struct uncoremsr_sim *sim, uint64_t cpu)
{
	return cpu == UINT64_MAX || (cpu < sim->num_cpus && sim->cpus[cpu].present);
}

bool um_sim_has_package(const struct uncoremsr_sim *sim, int id)
{
	for (size_t i = 0; i < sim->num_packages; i++)
		if (sim->packages[i].id == id)
			return true;
	return id < 0;
}

bool um_sim_online(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return cpu < sim->num_cpus && sim->cpus[cpu].present && sim->cpus[cpu].online;
}

unsigned um_sim_first_cpu(const struct uncoremsr_sim *sim, int package)
{
	unsigned cpu = 0;

	while (!sim->cpus[cpu].present ||
	       (package >= 0 && sim->cpus[cpu].package != (unsigned)package))
		cpu++;
	return cpu;
}

int um_sim_package_id(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return sim->packages[sim->cpus[cpu].package].id;
}

unsigned um_sim_num_cores(const struct uncoremsr_sim *sim, unsigned package, bool online)
{
	bool seen[UM_SIM_MAX_CPUS] = { false };
	unsigned n = 0;

	for (unsigned i = 0; i < sim->num_cpus; i++) {
		const struct um_sim_cpu *c = &sim->cpus[i];

		if (!c->present || (online && !c->online) || c->package != package || seen[c->core])
			continue;
		seen[c->core] = true;
		n++;
	}
	return n;
}

/* ---- what CPUs share ---- */

bool um_sim_shares(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned a, unsigned b)
{
	const struct um_sim_cpu *x = &sim->cpus[a], *y = &sim->cpus[b];
	bool package = x->package == y->package, die = package && x->die == y->die;

	switch (scope) {
	case UM_SIM_PER_PACKAGE: return package;
	case UM_SIM_PER_DIE: return die;
	case UM_SIM_PER_NODE: return package && x->node == y->node && (x->node != UM_SIM_AS_DIE || die);
	case UM_SIM_PER_L3: return x->l3 == y->l3 && (x->l3 != UM_SIM_AS_DIE || die);
	case UM_SIM_PER_CORE: return x->core == y->core;
	case UM_SIM_SCOPES: break;
	}
	return a == b;
}

unsigned um_sim_first_of(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned cpu)
{
	unsigned first = 0;

	while (first < cpu && (!sim->cpus[first].present || !um_sim_shares(sim, scope, first, cpu)))
		first++;
	return first;
}

/* How many nodes have their first CPU below @end. */
static unsigned count_nodes(const struct uncoremsr_sim *sim, unsigned end)
{
	unsigned num = 0;

	for (unsigned cpu = 0; cpu < end; cpu++)
		num += sim->cpus[cpu].present && um_sim_first_of(sim, UM_SIM_PER_NODE, cpu) == cpu;
	return num;
}

unsigned um_sim_node_number(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return count_nodes(sim, um_sim_first_of(sim, UM_SIM_PER_NODE, cpu));
}

unsigned um_sim_sensor_folder(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return 2 * (count_nodes(sim, sim->num_cpus) - um_sim_node_number(sim, cpu)) - 1;
}
