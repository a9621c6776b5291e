/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counters of a Nehalem or Westmere uncore. They are not moved on by a clock tick: each access
 * computes what happened since the counter was last brought up to date.
 */
#include "sim/model.h"

#define SEL_ENABLE (1ull << 22)
#define FIXED_ENABLE 1ull
#define GLOBAL_FIXED 32
#define STATUS_CHG (1ull << 63)

static unsigned global_bit(unsigned index)
{
	return index == UM_SIM_FIXED ? GLOBAL_FIXED : index;
}

/* A counter runs only while its own enable and its bit in the global control are both on. */
static bool runs(const struct um_sim_package *p, unsigned index)
{
	bool local = index == UM_SIM_FIXED ? p->fixed_control & FIXED_ENABLE
					   : (p->selector[index] & SEL_ENABLE) != 0;

	return local && (p->global >> global_bit(index) & 1);
}

static um_u128 happened(const struct uncoremsr_sim *sim, const struct um_sim_package *p,
			unsigned index)
{
	if (index == UM_SIM_FIXED)
		return um_sim_clock(sim, sim->now);
	return um_sim_count(sim, p->id, p->selector[index], sim->now);
}

static void sync_one(struct uncoremsr_sim *sim, struct um_sim_package *p, unsigned index)
{
	struct um_sim_counter *c = &p->counter[index];
	um_u128 seen, value;

	if (!runs(p, index))
		return;
	seen = happened(sim, p, index);
	if (seen <= c->seen)
		return;
	value = c->value + (seen - c->seen);
	c->seen = seen;
	c->value = (uint64_t)value & UM_SIM_COUNTER_MASK;
	if (value > UM_SIM_COUNTER_MASK)
		p->status |= 1ull << global_bit(index) | STATUS_CHG;
}

void um_sim_sync(struct uncoremsr_sim *sim, struct um_sim_package *p)
{
	for (unsigned i = 0; i < UM_SIM_COUNTERS; i++)
		sync_one(sim, p, i);
}

void um_sim_resume(struct uncoremsr_sim *sim, struct um_sim_package *p)
{
	for (unsigned i = 0; i < UM_SIM_COUNTERS; i++)
		if (runs(p, i))
			p->counter[i].seen = happened(sim, p, i);
}

uint64_t um_sim_counter_read(struct uncoremsr_sim *sim, struct um_sim_package *p, unsigned index)
{
	sync_one(sim, p, index);
	return p->counter[index].value;
}

void um_sim_counter_write(struct uncoremsr_sim *sim, struct um_sim_package *p, unsigned index,
			  uint64_t value)
{
	sync_one(sim, p, index); /* what has happened so far goes to the old value and to 392 */
	p->counter[index].value = value;
}

/* A well mixing permutation of 64 bits: the finalizer constants of splitmix64. */
static uint64_t scramble(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

uint64_t um_sim_garbage(const struct uncoremsr_sim *sim, uint64_t salt, uint64_t mask)
{
	if (sim->start != UINT64_MAX)
		return sim->start & mask;
	return scramble(scramble(sim->seed) ^ salt) & mask;
}

/* An event of the workload that somebody else might be counting: read-tracker allocations. */
#define BUSY_SELECTOR (SEL_ENABLE | 0x0103)

static void reset_package(struct uncoremsr_sim *sim, size_t n)
{
	struct um_sim_package *p = &sim->packages[n];

	for (unsigned i = 0; i < UM_SIM_COUNTERS; i++) {
		/* The manual leaves counters undefined after reset: software must write first. */
		p->counter[i].value = um_sim_garbage(sim, n << 8 | i, UM_SIM_COUNTER_MASK);
		if (!sim->busy[i])
			continue;
		p->global |= 1ull << global_bit(i);
		if (i == UM_SIM_FIXED)
			p->fixed_control = FIXED_ENABLE;
		else
			p->selector[i] = BUSY_SELECTOR;
	}
	um_sim_resume(sim, p);
}

void um_sim_uncore_reset(struct uncoremsr_sim *sim)
{
	for (size_t i = 0; i < sim->num_packages; i++)
		reset_package(sim, i);
}
