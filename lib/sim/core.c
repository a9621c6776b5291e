/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The core PMU of every logical CPU, after CPUID leaves 0xA and 0x23 (Intel SDM volume 3,
 * "Architectural performance monitoring"). A CPU whose leaf 0xA is empty has none.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/core.h"

#define BIT(n) (1ull << (n))
#define COUNTERS_FROZEN BIT(59) /* of the status */

/* ---- which counters ---- */

static uint32_t low_bits(uint32_t n)
{
	return n > 31 ? UINT32_MAX : (1u << n) - 1;
}

/*
 * Leaf 0xA of hybrid parts tells what both kinds of core have; Alder and Raptor Lake P-cores have
 * eight and four (Linux intel_pmu_init()). Newer ones tell the truth in leaf 0x23.
 */
static void hybrid_counters(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t max_leaf,
			    struct um_sim_core *c)
{
	uint32_t r[4];

	um_sim_cpuid(sim, cpu, 7, 0, r);
	if (max_leaf < 0x1a || !(r[3] & 1u << 15))
		return;
	um_sim_cpuid(sim, cpu, 0x1a, 0, r);
	if (r[0] >> 24 == 0x40) {
		c->general |= low_bits(8);
		c->fixed |= low_bits(4);
	}
}

static uint64_t mask_of_width(uint32_t width)
{
	return !width ? 0 : width > 63 ? UINT64_MAX : BIT(width) - 1;
}

static void find_counters(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t max_leaf,
			  struct um_sim_core *c)
{
	uint32_t a[4], r[4];

	um_sim_cpuid(sim, cpu, 0xa, 0, a);
	c->version = a[0] & 0xff;
	c->general = low_bits(a[0] >> 8 & 0xff);
	c->fixed = c->version < 2 ? 0 : low_bits(a[3] & 0x1f) | (c->version > 4 ? a[2] : 0);
	/* Core 2 and Bonnell understate; the kernel takes at least three for versions 2 to 4. */
	if (c->version >= 2 && c->version <= 4)
		c->fixed |= 7;
	c->limit = mask_of_width(a[0] >> 16 & 0xff);
	c->fixed_limit = mask_of_width(a[3] >> 5 & 0xff);
	if (!c->fixed_limit)
		c->fixed_limit = c->limit;
	c->any_thread = c->version >= 3 && !(a[3] & 1u << 15);
	if (max_leaf >= 0x23) {
		um_sim_cpuid(sim, cpu, 0x23, 0, r);
		if (!(r[0] & 2))
			return;
		um_sim_cpuid(sim, cpu, 0x23, 1, r);
		c->general = r[0];
		c->fixed = r[1];
	} else {
		hybrid_counters(sim, cpu, max_leaf, c);
	}
}

static void build(const struct uncoremsr_sim *sim, unsigned cpu, struct um_sim_core *c)
{
	uint32_t r[4], max_leaf;

	c->cpu = cpu;
	um_sim_cpuid(sim, cpu, 0, 0, r);
	max_leaf = r[0];
	if (max_leaf < 0xa)
		return;
	find_counters(sim, cpu, max_leaf, c);
	c->general &= low_bits(UM_SIM_CORE_GENERAL);
	c->fixed &= low_bits(UM_SIM_CORE_FIXED);
	if (!c->limit)
		c->version = 0;
	c->global = c->general;
	um_sim_cpuid(sim, cpu, 1, 0, r);
	c->has_capabilities = r[2] & 1u << 15; /* PDCM */
	/* Full-width writes came with Sandy Bridge, the first with leaf 0xD. */
	c->full_width = c->has_capabilities && max_leaf >= 0xd;
	c->capabilities = c->full_width ? BIT(13) : 0;
}

/* What a core does when the description does not say: instructions tell the CPUs apart. */
static int default_workload(struct uncoremsr_sim *sim)
{
	static const struct {
		uint32_t event;
		uint64_t umask, rate, spread;
		bool slots; /* only where there is a counter of slots */
	} events[] = {
		{ 0x3c, 0x00, 2000000000, 0, false },
		{ 0x3c, 0x01, 100000000, 0, false },
		{ 0xc0, 0x00, 1500000000, 1000000, false },
		{ 0x2e, 0x4f, 8000000, 1000, false },
		{ 0x2e, 0x41, 1200000, 1000, false },
		{ 0xc4, 0x00, 300000000, 1000, false },
		{ 0xc5, 0x00, 4500000, 1000, false },
		{ 0xb1, 0x01, 700000000, 1000, false },
		{ 0xa4, 0x01, 8000000000, 0, true },
		{ 0xa4, 0x02, 2000000000, 0, true },
		{ 0x73, 0x00, 500000000, 0, true },
		{ 0x9c, 0x01, 1500000000, 0, true },
		{ 0xc2, 0x02, 4000000000, 0, true },
	};

	for (size_t i = 0; i < sim->num_box_events; i++)
		if (sim->box_events[i].index == UM_SIM_CORE_PMU)
			return 0;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct um_sim_box_event *e;

		if (events[i].slots && !(sim->cores[0].fixed & 8))
			continue;
		e = UM_SIM_APPEND(sim->box_events, sim->num_box_events);
		if (!e)
			return -ENOMEM;
		*e = (struct um_sim_box_event) { .pmu = "core", .event = events[i].event,
			.umask = events[i].umask, .spread = events[i].spread,
			.index = UM_SIM_CORE_PMU, .when = { .rate = events[i].rate, .inc = 1,
			.burst = 1, .package = -1 } };
	}
	return 0;
}

int um_sim_cores_build(struct uncoremsr_sim *sim)
{
	sim->cores = calloc(sim->num_cpus, sizeof(*sim->cores));
	if (!sim->cores)
		return -ENOMEM;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		if (sim->cpus[cpu].present)
			build(sim, cpu, &sim->cores[cpu]);
	return default_workload(sim);
}

/* ---- counting ---- */

/* A quarter of everything happens in the kernel. */
static um_u128 in_rings(um_u128 all, bool os, bool usr)
{
	return (os ? all / 4 : 0) + (usr ? all - all / 4 : 0);
}

static um_u128 happened(const struct uncoremsr_sim *sim, const struct um_sim_core *c, uint64_t sel)
{
	struct um_sim_select s = {
		.pmu = UM_SIM_CORE_PMU, .event = sel & 0xff, .umask = sel >> 8 & 0xff,
		.threshold = sel >> 24 & 0xff, .edge = sel >> 18 & 1, .invert = sel >> 23 & 1,
		.package = sim->packages[sim->cpus[c->cpu].package].id, .n = c->cpu,
	};

	return in_rings(um_sim_select_count(sim, &s, sim->now), sel >> 17 & 1, sel >> 16 & 1);
}

/* What the fixed counters count, as selector words. */
static const uint32_t fixed_events[UM_SIM_CORE_FIXED] = {
	0x00c0, 0x003c, 0, 0x01a4, 0x0073, 0x019c, 0x02c2,
};

static um_u128 fixed_happened(const struct uncoremsr_sim *sim, const struct um_sim_core *c,
			      unsigned i)
{
	uint64_t rings = c->fixed_control >> (4 * i);

	if (i == 2) /* reference cycles: at the rate of the TSC */
		return in_rings((um_u128)sim->tsc_hz * sim->now / UM_SIM_NS, rings & 1, rings & 2);
	return happened(sim, c, fixed_events[i] | (rings & 1) << 17 | (rings & 2) << 15);
}

static bool is_on(const struct um_sim_core *c, unsigned global_bit)
{
	if (c->version >= 4 && c->status & COUNTERS_FROZEN)
		return false;
	return c->version < 2 || c->global >> global_bit & 1;
}

static void count(struct um_sim_core *c, struct um_sim_counter *k, uint64_t limit,
		  unsigned status_bit, um_u128 seen)
{
	um_u128 value = k->value;

	if (seen > k->seen)
		value += seen - k->seen;
	k->seen = seen;
	k->value = (uint64_t)value & limit;
	if (value > limit)
		c->status |= BIT(status_bit);
}

void um_sim_core_sync(const struct uncoremsr_sim *sim, struct um_sim_core *c)
{
	for (unsigned i = 0; i < UM_SIM_CORE_GENERAL; i++)
		if (c->selector[i] & BIT(22) && is_on(c, i))
			count(c, &c->counter[i], c->limit, i, happened(sim, c, c->selector[i]));
	for (unsigned i = 0; i < UM_SIM_CORE_FIXED; i++)
		if (c->fixed_control >> (4 * i) & 3 && is_on(c, 32 + i))
			count(c, &c->fixed_counter[i], c->fixed_limit, 32 + i,
			      fixed_happened(sim, c, i));
}

void um_sim_core_resume(const struct uncoremsr_sim *sim, struct um_sim_core *c)
{
	for (unsigned i = 0; i < UM_SIM_CORE_GENERAL; i++)
		if (c->selector[i] & BIT(22))
			c->counter[i].seen = happened(sim, c, c->selector[i]);
	for (unsigned i = 0; i < UM_SIM_CORE_FIXED; i++)
		c->fixed_counter[i].seen = fixed_happened(sim, c, i);
}
