/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A counter of any PMU. Counters are not moved on by a clock tick: each access computes what has
 * happened since the counter was last brought up to date. Before a register that decides what
 * counts is written, the counters that run follow the workload (_follow); after it, those that run
 * then begin where the workload is (seen).
 */
#ifndef UM_SIM_COUNTER_H
#define UM_SIM_COUNTER_H

#include "sim/machine.h"

struct um_sim_counter {
	uint64_t value;
	um_u128 seen; /* what had happened when value was last brought up to date */
};

/* Bring the counter up to date: until now @seen has happened. True: it passed @limit and went on from 0. */
bool um_sim_counter_follow(struct um_sim_counter *c, um_u128 seen, uint64_t limit);
/* What a counter holds after reset (the manuals leave it undefined): the key start=, or garbage. */
uint64_t um_sim_garbage(const struct uncoremsr_sim *sim, uint64_t salt, uint64_t mask);

#endif
