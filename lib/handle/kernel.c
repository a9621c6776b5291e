/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel of the machine that a handle has open: this one's, or that of a simulated machine. */
#include <errno.h>

#include "session/session.h"
#include "sim/sim.h"

int um_perf_kernel_of(struct uncoremsr *um, struct um_perf_kernel **kernel)
{
	int err = 0;

	if (!um->kernel && um->sim_open)
		err = um_sim_perf_kernel(um->sim_open, &um->kernel);
	else if (!um->kernel && um->m.access->live)
		err = um_perf_kernel_live(&um->kernel);
	else if (!um->kernel)
		err = -EXDEV;
	if (err == -ENOMEM)
		return um_fail(&um->error, err, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	if (err) {
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"perf counts on the machine it runs on, not on %s", um->name);
		um_hint(&um->error, "registers can be counted there: --route=msr");
		return -ENOTSUP;
	}
	*kernel = um->kernel;
	return 0;
}

void um_perf_kernel_free(struct uncoremsr *um)
{
	if (um->kernel)
		um->kernel->ops->destroy(um->kernel);
	um->kernel = NULL;
}
