/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions that libuncoremsr-sim passes to libuncoremsr (handle/simulated.h). */

#include "handle/simulated.h"
#include "sim/sim.h"
#include "uncoremsr/sim.h"

const struct um_simulator um_simulator = { uncoremsr_sim_new, uncoremsr_sim_free, um_sim_access, um_sim_perf_kernel };

int uncoremsr_set_sim(struct uncoremsr *um, struct uncoremsr_sim *sim)
{
	return um_set_simulated(um, &um_simulator, sim, sim ? uncoremsr_sim_state(sim)->name : NULL);
}
