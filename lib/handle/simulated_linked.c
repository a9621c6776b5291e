/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For static programs (libuncoremsr.a), which cannot load libraries: finds libuncoremsr-sim if it is linked in. */
#include <errno.h>

#include "handle/simulated.h"

/* NULL unless the program is linked with libuncoremsr-sim.a. */
#pragma weak um_simulator

int um_simulator_find(const struct um_simulator **found, struct um_error *e)
{
	*found = &um_simulator;
	if (*found)
		return 0;
	um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"simulated machines are in libuncoremsr-sim.a, which this program is not linked with");
	return um_advise(e, -ENOTSUP, "link it with libuncoremsr-sim too; uncoremsr(3) says how");
}
