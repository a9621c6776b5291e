/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The core PMU of a logical CPU. */
#ifndef UM_SIM_CORE_H
#define UM_SIM_CORE_H

#include "sim/model.h"

#define UM_SIM_CORE_GENERAL 10
#define UM_SIM_CORE_FIXED 7

struct um_sim_core {
	unsigned version, cpu;
	uint32_t general, fixed;     /* which counters exist */
	uint64_t limit, fixed_limit; /* the widths, as masks */
	bool any_thread, full_width, has_capabilities;
	uint64_t selector[UM_SIM_CORE_GENERAL], fixed_control, global, status, capabilities;
	struct um_sim_counter counter[UM_SIM_CORE_GENERAL], fixed_counter[UM_SIM_CORE_FIXED];
};

/* Bring its counters up to date; let them go on with what the registers now hold. */
void um_sim_core_sync(const struct uncoremsr_sim *sim, struct um_sim_core *c);
void um_sim_core_resume(const struct uncoremsr_sim *sim, struct um_sim_core *c);

#endif
