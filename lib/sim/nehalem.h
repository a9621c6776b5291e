/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registers of the simulated uncore of Nehalem and Westmere, for the comparison with lib/uarch. */
#ifndef UM_SIM_NEHALEM_H
#define UM_SIM_NEHALEM_H

#include <stdbool.h>

#include "sim/box_layout.h"

struct um_sim_nehalem_range {
	uint32_t msr;
	unsigned count, first; /* @first: index of the first register of its kind */
	enum um_sim_nehalem_kind {
		UM_SIM_NEHALEM_SELECTOR, UM_SIM_NEHALEM_COUNTER, UM_SIM_NEHALEM_GLOBAL,
		UM_SIM_NEHALEM_STATUS, UM_SIM_NEHALEM_CLEAR, UM_SIM_NEHALEM_HOLDS,
	} kind;
	uint64_t writable;     /* bits that can be set: a write that sets another one faults; 0: every write faults */
	bool westmere;         /* the register exists on Westmere only */
	enum um_sim_from from, also;
};

extern const struct um_sim_nehalem_range um_sim_nehalem_ranges[];
extern const size_t um_sim_num_nehalem_ranges;

/* The enable bits of counter @index, in its selector and in the global control. */
uint64_t um_sim_nehalem_enable_bit(unsigned index);
uint64_t um_sim_nehalem_global_bit(unsigned index);

#endif
