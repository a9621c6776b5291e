/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A counter of any PMU. Clock ticks do not advance counters: each access computes the count since the last update.
 * Before a write that can start, stop or change counting, running counters are updated (_follow). After it, the
 * counters that now run start from the workload's current state (@seen).
 */
#ifndef UM_SIM_COUNTER_H
#define UM_SIM_COUNTER_H

#include "sim/machine.h"

struct um_sim_counter {
	uint64_t value;
	um_u128 seen; /* number of events from time 0 to the last update of @value */
};

/* Update the counter. @seen: number of events since time 0. Returns true if the value passed @limit and wrapped. */
bool um_sim_counter_follow(struct um_sim_counter *c, um_u128 seen, uint64_t limit);
/* Value of a counter after reset, which the manuals leave undefined: that of the key start=, or else arbitrary. */
uint64_t um_sim_garbage(const struct uncoremsr_sim *sim, uint64_t salt, uint64_t mask);

#endif
