/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A counter of any PMU. No clock tick advances counters: each access computes what has happened since the counter was
 * last brought up to date. Before a write that can start, stop or change counting, running counters are brought up to
 * date (_follow). After the write, the counters that run now start from the workload's current state (@seen).
 */
#ifndef UM_SIM_COUNTER_H
#define UM_SIM_COUNTER_H

#include "sim/machine.h"

struct um_sim_counter {
	uint64_t value;
	um_u128 seen; /* events since time 0 when @value was last updated */
};

/* Update the counter; @seen is the number of events since time 0. True: the value passed @limit and wrapped. */
bool um_sim_counter_follow(struct um_sim_counter *c, um_u128 seen, uint64_t limit);
/* Value of a counter after reset, which the manuals leave undefined: the key start=, else an arbitrary value. */
uint64_t um_sim_garbage(const struct uncoremsr_sim *sim, uint64_t salt, uint64_t mask);

#endif
