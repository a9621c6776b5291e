/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Topology and clock of the machine. */
#include "sim/machine.h"

#include <stdlib.h>
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

	for (size_t i = 0; i < sim->num_keepings; i++)
		if (um_sim_in_range(&sim->keepings[i].registers, msr))
			bits |= sim->keepings[i].bits;
	return bits;
}

bool um_sim_online(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return cpu < sim->num_cpus && sim->cpus[cpu].present && sim->cpus[cpu].online;
}

/* ---- what CPUs share ---- */

static bool is_same(const struct um_sim_cpu *x, const struct um_sim_cpu *y, enum um_sim_scope scope)
{
	bool package = x->package == y->package, die = package && x->die == y->die;

	switch (scope) {
	case UM_SIM_PER_PACKAGE: return package;
	case UM_SIM_PER_DIE: return die;
	case UM_SIM_PER_NODE: return package && x->node == y->node && (x->node != UM_SIM_AS_DIE || die);
	case UM_SIM_PER_L3: return x->l3 == y->l3 && (x->l3 != UM_SIM_AS_DIE || die);
	case UM_SIM_PER_CORE: return die && x->core_id == y->core_id;
	case UM_SIM_SCOPES: break;
	}
	return false;
}

/* Find the package, die, ... that @cpu belongs to; add it if @cpu is its first CPU. */
static void find_copy(struct uncoremsr_sim *sim, struct um_sim_copies *c, enum um_sim_scope scope, unsigned cpu)
{
	struct um_sim_cpu *own = &sim->cpus[cpu];
	unsigned n = 0, rank = 0;

	for (; n < c->num && !is_same(&sim->cpus[c->at[n].first_cpu], own, scope); n++)
		rank += sim->cpus[c->at[n].first_cpu].package == own->package;
	own->copy[scope] = n;
	if (n == c->num)
		c->at[c->num++] = (struct um_sim_copy){ cpu, rank };
}

int um_sim_find_copies(struct uncoremsr_sim *sim)
{
	for (unsigned scope = 0; scope < UM_SIM_SCOPES; scope++) {
		struct um_sim_copies *c = &sim->copies[scope];

		c->at = calloc(sim->num_cpus, sizeof(*c->at));
		if (!c->at)
			return -ENOMEM;
		for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
			if (sim->cpus[cpu].present)
				find_copy(sim, c, (enum um_sim_scope)scope, cpu);
	}
	return 0;
}

bool um_sim_shares(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned a, unsigned b)
{
	return sim->cpus[a].copy[scope] == sim->cpus[b].copy[scope];
}

unsigned um_sim_first_of(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned cpu)
{
	return sim->copies[scope].at[sim->cpus[cpu].copy[scope]].first_cpu;
}

unsigned um_sim_first_cpu(const struct uncoremsr_sim *sim)
{
	return sim->copies[UM_SIM_PER_PACKAGE].at[0].first_cpu;
}

int um_sim_first_online(const struct uncoremsr_sim *sim, enum um_sim_scope scope, unsigned cpu)
{
	for (unsigned i = um_sim_first_of(sim, scope, cpu); i < sim->num_cpus; i++)
		if (um_sim_online(sim, i) && um_sim_shares(sim, scope, i, cpu))
			return (int)i;
	return -1;
}

unsigned um_sim_num_cores(const struct uncoremsr_sim *sim, unsigned cpu, bool online)
{
	const struct um_sim_copies *cores = &sim->copies[UM_SIM_PER_CORE];
	unsigned n = 0;

	for (unsigned i = 0; i < cores->num; i++)
		n += um_sim_shares(sim, UM_SIM_PER_PACKAGE, cores->at[i].first_cpu, cpu) &&
		     (!online || um_sim_first_online(sim, UM_SIM_PER_CORE, cores->at[i].first_cpu) >= 0);
	return n;
}
