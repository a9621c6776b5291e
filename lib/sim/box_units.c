/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many units and counters a machine has, and their contents. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/box.h"

static unsigned cores_of(const struct uncoremsr_sim *sim, unsigned package)
{
	bool seen[UM_SIM_MAX_CPUS] = { false };
	unsigned n = 0;

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		const struct um_sim_cpu *c = &sim->cpus[cpu];

		if (!c->present || c->package != package || seen[c->core])
			continue;
		seen[c->core] = true;
		n++;
	}
	return n;
}

/* Channels of a package: those of a bitmap, if the counters divide among them. */
static unsigned umcs_of(const struct uncoremsr_sim *sim, unsigned package)
{
	unsigned cpu = 0, channels, counters;
	uint32_t r[4];

	while (!sim->cpus[cpu].present || sim->cpus[cpu].package != package)
		cpu++;
	um_sim_cpuid(sim, cpu, 0x80000022, 0, r);
	channels = (unsigned)__builtin_popcount(r[2]);
	counters = r[1] >> 16 & 0xff;
	return channels && counters % channels == 0 ? channels : 0;
}

/* How many units a copy has: what the description says, or what such a part can have. */
static unsigned units_of(const struct uncoremsr_sim *sim, const struct um_sim_pmu *p,
			 unsigned package)
{
	unsigned n = p->num_units;

	if (p->pmu->units.from == UM_UNITS_CORES && cores_of(sim, package) < n)
		n = cores_of(sim, package);
	if (p->pmu->units.from == UM_UNITS_AMD_UMC && umcs_of(sim, package) < n)
		n = umcs_of(sim, package);
	for (size_t i = 0; i < sim->num_units; i++) {
		const struct um_sim_units *u = &sim->units[i];

		if (!u->absent && !strcmp(u->pmu, p->pmu->name) &&
		    (u->package < 0 || u->package == sim->packages[package].id))
			n = u->number;
	}
	return n < p->num_units ? n : p->num_units;
}

static bool fused_off(const struct uncoremsr_sim *sim, const struct um_sim_pmu *p, unsigned package,
		      unsigned unit)
{
	for (size_t i = 0; i < sim->num_units; i++) {
		const struct um_sim_units *u = &sim->units[i];

		if (u->absent && u->number == unit && !strcmp(u->pmu, p->pmu->name) &&
		    (u->package < 0 || u->package == sim->packages[package].id))
			return true;
	}
	return unit >= units_of(sim, p, package);
}

static int make_unit(const struct um_sim_pmu *p, struct um_sim_unit *u)
{
	u->selector = calloc(p->num_general + 1, sizeof(*u->selector));
	u->armed = calloc(p->num_general + 1, sizeof(*u->armed));
	u->fixed_control = calloc(p->pmu->num_fixed + 1, sizeof(*u->fixed_control));
	u->plain = calloc(p->num_plain + 1, sizeof(*u->plain));
	u->counter = calloc(um_sim_num_counters(p) + 1, sizeof(*u->counter));
	return u->selector && u->armed && u->fixed_control && u->plain && u->counter ? 0 : -ENOMEM;
}

int um_sim_units_make(struct uncoremsr_sim *sim, struct um_sim_boxes *b, struct um_sim_pmu *p)
{
	const struct um_sim_copies *c = &b->copies[p->pmu->scope];
	int err = 0;

	p->units = calloc((size_t)c->num * p->num_units, sizeof(*p->units));
	if (!p->units)
		return -ENOMEM;
	for (unsigned i = 0; i < c->num * p->num_units && !err; i++) {
		err = make_unit(p, &p->units[i]);
		p->units[i].absent = fused_off(sim, p, c->at[i / p->num_units].package,
					       i % p->num_units);
	}
	return err;
}

/* AMD says in CPUID leaf 0x80000022 how many counters there are; without it the DF has four. */
unsigned um_sim_num_general(const struct uncoremsr_sim *sim, const struct uncoremsr_pmu *pmu)
{
	uint32_t r[4];
	unsigned n;

	if (pmu->counters_from != UM_COUNTERS_AMD_DF)
		return pmu->num_general;
	um_sim_cpuid(sim, 0, 0x80000022, 0, r);
	n = r[0] & 1 ? r[1] >> 10 & 0x3f : 4;
	return n < pmu->num_general ? n : pmu->num_general;
}

/* What the register holds that tells how many units there are. */
void um_sim_units_tell(struct uncoremsr_sim *sim, struct um_sim_boxes *b,
		       const struct um_sim_pmu *p)
{
	const struct um_units *u = &p->pmu->units;
	struct um_sim_global *g;
	unsigned n;

	if (u->from != UM_UNITS_MSR)
		return;
	g = &b->globals[um_sim_box_find(b, u->msr)->index];
	for (unsigned i = 0; i < b->copies[g->scope].num; i++) {
		n = units_of(sim, p, b->copies[g->scope].at[i].package);
		g->value[i] = (u->popcount && n ? UM_SIM_BITS(n - 1, 0) : n) << u->shift;
	}
}

void um_sim_units_free(struct um_sim_boxes *b, struct um_sim_pmu *p)
{
	for (unsigned i = 0; p->units && i < b->copies[p->pmu->scope].num * p->num_units; i++) {
		free(p->units[i].selector);
		free(p->units[i].armed);
		free(p->units[i].fixed_control);
		free(p->units[i].plain);
		free(p->units[i].counter);
	}
	free(p->units);
}
