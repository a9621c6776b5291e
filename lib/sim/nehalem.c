/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The uncore PMU of Nehalem and Westmere, one per package. The fixed counter is the last one; its control is stored as
 * its selector. Source of registers and bits: FreeBSD's hwpmc_uncore.h, because lib/uarch follows the SDM. Only the SDM
 * says how the registers work together (volume 3, "Uncore performance monitoring" of Nehalem).
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/counter.h"
#include "sim/nehalem.h"
#include "sim/register_bank.h"
#include "sim/throttling.h"

#define BIT UM_SIM_BIT
#define BITS UM_SIM_BITS
#define STATUS_CHG BIT(63)
#define LIMIT BITS(47, 0)

struct um_sim_uncore {
	uint64_t selector[UM_SIM_COUNTERS], global, status, held[2];
	struct um_sim_counter counter[UM_SIM_COUNTERS];
};

#define RANGE(address, n, at, what, who, bits) { .msr = (address), .count = (n), .first = (at), \
	.kind = UM_SIM_NEHALEM_##what, .from = UM_SIM_FROM_##who, .writable = (bits) }
#define HOLDS(address, at, ...) { .msr = (address), .count = 1, .first = (at), \
	.kind = UM_SIM_NEHALEM_HOLDS, .from = UM_SIM_FROM_FREEBSD, __VA_ARGS__ }

const struct um_sim_nehalem_range um_sim_nehalem_ranges[] = {
	/* Source of bits 49 to 51: CoreFreq. */
	RANGE(0x391, 1, 0, GLOBAL, FREEBSD, BITS(7, 0) | BIT(32) | BITS(51, 48) | BIT(63)),
	RANGE(0x392, 1, 0, STATUS, FREEBSD, 0),
	RANGE(0x393, 1, 0, CLEAR, FREEBSD, BITS(7, 0) | BIT(32) | BIT(61) | BIT(63)),
	RANGE(0x394, 1, UM_SIM_FIXED, COUNTER, FREEBSD, LIMIT),
	RANGE(0x395, 1, UM_SIM_FIXED, SELECTOR, FREEBSD, BIT(2) | BIT(0)),
	RANGE(0x3b0, UM_SIM_GENERAL, 0, COUNTER, FREEBSD, LIMIT),
	RANGE(0x3c0, UM_SIM_GENERAL, 0, SELECTOR, FREEBSD,
	      BITS(31, 22) | BIT(20) | BIT(18) | BIT(17) | BITS(15, 0)),
	/* Opcode match, and cache states of event 0C. They have no effect on what the simulated events count. */
	HOLDS(0x396, 0, .also = UM_SIM_FROM_SDM, .writable = BITS(63, 61) | BITS(47, 3)),
	HOLDS(0x301, 1, .also = UM_SIM_FROM_EDK2, .writable = BITS(7, 0), .westmere = true),
};
const size_t um_sim_num_nehalem_ranges = ARRAY_SIZE(um_sim_nehalem_ranges);

static const struct um_sim_nehalem_range *find_range(const struct uncoremsr_sim *sim, uint32_t msr,
						     unsigned *index)
{
	for (size_t i = 0; sim->uncores && i < ARRAY_SIZE(um_sim_nehalem_ranges); i++) {
		const struct um_sim_nehalem_range *r = &um_sim_nehalem_ranges[i];

		*index = msr - r->msr + r->first;
		if (msr - r->msr < r->count &&
		    (!r->westmere || um_sim_has(sim, UM_SIM_UNCORE_WSM)))
			return r;
	}
	return NULL;
}

uint64_t um_sim_nehalem_global_bit(unsigned index)
{
	return BIT(index == UM_SIM_FIXED ? 32 : index);
}

uint64_t um_sim_nehalem_enable_bit(unsigned index)
{
	return BIT(index == UM_SIM_FIXED ? 0 : 22);
}

/* A counter runs only while its own enable and its bit in the global control are both on. */
static bool runs(const struct um_sim_uncore *u, unsigned index)
{
	return u->selector[index] & um_sim_nehalem_enable_bit(index) &&
		u->global & um_sim_nehalem_global_bit(index);
}

static um_u128 happened(const struct uncoremsr_sim *sim, const struct um_sim_uncore *u,
			unsigned index)
{
	struct um_sim_selection s = { .pmu = UM_SIM_UNCORE_PMU,
				      .package = sim->packages[u - sim->uncores].id };

	if (index == UM_SIM_FIXED)
		return um_sim_ticks(sim->uncore_hz, sim->now);
	um_sim_select(&s, u->selector[index]);
	return um_sim_count(sim, &s, sim->now);
}

static void follow(struct uncoremsr_sim *sim, struct um_sim_uncore *u, unsigned index)
{
	if (runs(u, index) &&
	    um_sim_counter_follow(&u->counter[index], happened(sim, u, index), LIMIT))
		u->status |= um_sim_nehalem_global_bit(index) | STATUS_CHG;
}

static void follow_all(struct uncoremsr_sim *sim, struct um_sim_uncore *u)
{
	for (unsigned i = 0; i < UM_SIM_COUNTERS; i++)
		follow(sim, u, i);
}

static void begin_all(struct uncoremsr_sim *sim, struct um_sim_uncore *u)
{
	for (unsigned i = 0; i < UM_SIM_COUNTERS; i++)
		if (runs(u, i))
			u->counter[i].seen = happened(sim, u, i);
}

/* Where the content of a register is kept; NULL: it has none, because it can only be written. */
static uint64_t *place(struct uncoremsr_sim *sim, unsigned cpu, const struct um_sim_nehalem_range *r, unsigned index)
{
	struct um_sim_uncore *u = &sim->uncores[sim->cpus[cpu].package];

	switch (r->kind) {
	case UM_SIM_NEHALEM_SELECTOR: return &u->selector[index];
	case UM_SIM_NEHALEM_COUNTER: return &u->counter[index].value;
	case UM_SIM_NEHALEM_GLOBAL: return &u->global;
	case UM_SIM_NEHALEM_STATUS: return &u->status;
	case UM_SIM_NEHALEM_HOLDS: return &u->held[index];
	case UM_SIM_NEHALEM_CLEAR: break;
	}
	return NULL;
}

static int read_register(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	unsigned index;
	const struct um_sim_nehalem_range *r = find_range(sim, msr, &index);
	const uint64_t *p;

	if (!r)
		return 1;
	p = place(sim, cpu, r, index);
	if (!p)
		return -EIO;
	if (r->kind == UM_SIM_NEHALEM_COUNTER)
		follow(sim, &sim->uncores[sim->cpus[cpu].package], index);
	else if (r->kind == UM_SIM_NEHALEM_STATUS)
		follow_all(sim, &sim->uncores[sim->cpus[cpu].package]);
	*value = *p;
	return 0;
}

static int write_register(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	unsigned index;
	const struct um_sim_nehalem_range *r = find_range(sim, msr, &index);
	struct um_sim_uncore *u;

	if (!r)
		return 1;
	if (!r->writable || value & ~(r->writable | um_sim_kept_bits(sim, msr)))
		return -EIO;
	u = &sim->uncores[sim->cpus[cpu].package];
	if (r->kind == UM_SIM_NEHALEM_COUNTER) /* first set the status (392) if the counter has overflowed */
		follow(sim, u, index);
	else
		follow_all(sim, u);
	/* Bit 17 clears an occupancy accumulator, which this model does not have. It reads 0 and does not change the
	 * counter. */
	if (r->kind == UM_SIM_NEHALEM_SELECTOR)
		value &= ~BIT(17);
	if (r->kind == UM_SIM_NEHALEM_CLEAR)
		u->status &= ~value;
	else
		*place(sim, cpu, r, index) = value;
	if (r->kind == UM_SIM_NEHALEM_SELECTOR || r->kind == UM_SIM_NEHALEM_GLOBAL)
		begin_all(sim, u);
	return 0;
}

static int preset(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	unsigned index;
	const struct um_sim_nehalem_range *r = find_range(sim, msr, &index);
	uint64_t *p;

	if (!r)
		return 1;
	p = place(sim, cpu, r, index);
	if (!p)
		return -EINVAL;
	*p = r->kind == UM_SIM_NEHALEM_COUNTER ? value & LIMIT : value;
	begin_all(sim, &sim->uncores[sim->cpus[cpu].package]);
	return 0;
}

static bool exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	unsigned index;

	return find_range(sim, msr, &index);
}

static int create(struct uncoremsr_sim *sim, struct um_error *e UM_SIM_UNUSED)
{
	if (!um_sim_has(sim, UM_SIM_UNCORE_NHM))
		return 0;
	sim->uncores = calloc(sim->num_packages, sizeof(*sim->uncores));
	return sim->uncores ? 0 : -ENOMEM;
}

/* An event of the workload that another program might be counting: read-tracker allocations. */
#define BUSY_SELECTOR (BIT(22) | 0x0103)

static void reset(struct uncoremsr_sim *sim)
{
	for (size_t p = 0; sim->uncores && p < sim->num_packages; p++) {
		struct um_sim_uncore *u = &sim->uncores[p];

		for (unsigned i = 0; i < UM_SIM_COUNTERS; i++) {
			u->counter[i].value = um_sim_garbage(sim, p << 8 | i, LIMIT);
			if (!sim->busy[i])
				continue;
			u->global |= um_sim_nehalem_global_bit(i);
			u->selector[i] = i == UM_SIM_FIXED ? um_sim_nehalem_enable_bit(i) : BUSY_SELECTOR;
		}
		begin_all(sim, u);
	}
}

static void clear(struct uncoremsr_sim *sim)
{
	for (size_t p = 0; sim->uncores && p < sim->num_packages; p++)
		sim->uncores[p] = (struct um_sim_uncore){ .status = 0 };
}

static void destroy(struct uncoremsr_sim *sim)
{
	free(sim->uncores);
}

const struct um_sim_register_bank um_sim_nehalem_bank = {
	.create = create, .reset = reset, .clear = clear, .destroy = destroy, .exists = exists,
	.read = read_register, .write = write_register, .preset = preset,
};
