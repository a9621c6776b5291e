/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether register devices can be opened. No register is read or written. */
#include <errno.h>

#include "machine/handle.h"

unsigned um_first_cpu(const struct uncoremsr *um)
{
	return um->m.topo.num_packages ? (unsigned)um->m.topo.packages[0].cpu
				       : um->m.topo.online.cpus[0];
}

static int try_cpu(struct uncoremsr *um, unsigned cpu, bool writing)
{
	int err = um->m.access->ops->open_cpu(um->m.access, cpu, writing);

	if (err)
		return um_access_explain(um->m.access, UM_STEP_OPEN, cpu, NULL, err, &um->error);
	um->m.access->ops->close_cpu(um->m.access, cpu);
	return 0;
}

int um_driver_writable(struct uncoremsr *um)
{
	int err = 0;

	for (size_t i = 0; i < um->m.topo.num_packages && !err; i++)
		err = try_cpu(um, (unsigned)um->m.topo.packages[i].cpu, true);
	return err;
}

enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, int writing)
{
	int err = um_check_open(um);

	if (!err)
		err = writing ? um_driver_writable(um) : try_cpu(um, um_first_cpu(um), false);
	switch (err) {
	case 0:
		return UNCOREMSR_DRIVER_READY;
	case -ENODEV:
		return UNCOREMSR_DRIVER_MISSING;
	case -ENOENT:
		return UNCOREMSR_DRIVER_NO_NODE;
	case -EACCES:
		return UNCOREMSR_DRIVER_NO_PERMISSION;
	case -EPERM:
		return UNCOREMSR_DRIVER_NO_CAPABILITY;
	default:
		return UNCOREMSR_DRIVER_OTHER;
	}
}
