/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/counter.h"

bool um_sim_counter_follow(struct um_sim_counter *c, um_u128 seen, uint64_t limit)
{
	um_u128 value;

	if (seen <= c->seen)
		return false;
	value = c->value + (seen - c->seen);
	c->seen = seen;
	c->value = (uint64_t)value & limit;
	return value > limit;
}

/* A permutation of 64 bits that mixes well, with the finalizer constants of splitmix64. */
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
