/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How registers are reached here, as far as looking tells: nothing is written. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/registers.h"
#include "machine/handle.h"

static enum uncoremsr_driver_state state_of(int err)
{
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

enum uncoremsr_driver_state uncoremsr_driver_state(struct uncoremsr *um, const char **why)
{
	struct um_error e = { .msg = "" };
	unsigned cpu = um->m.topo.num_packages ? (unsigned)um->m.topo.packages[0].cpu
					     : um->m.topo.online.cpus[0];
	int err = um->m.access->ops->open_cpu(um->m.access, cpu, false);

	if (err) {
		err = um_access_explain(um->m.access, UM_STEP_OPEN, cpu, NULL, err, &e);
		um->error = e;
	} else {
		um->m.access->ops->close_cpu(um->m.access, cpu);
	}
	snprintf(um->why, sizeof(um->why), "%s%s%s", e.msg, e.hint[0] ? "; " : "", e.hint);
	if (why)
		*why = um->why;
	return state_of(err);
}

int uncoremsr_driver_writable(struct uncoremsr *um)
{
	int err = 0;

	for (size_t i = 0; i < um->m.topo.num_packages && !err; i++) {
		unsigned cpu = (unsigned)um->m.topo.packages[i].cpu;

		err = um_reg_open(um, cpu, true, &um->error);
		if (!err)
			um->m.access->ops->close_cpu(um->m.access, cpu);
	}
	return err;
}

const char *uncoremsr_driver_device(struct uncoremsr *um)
{
	unsigned cpu = um->m.topo.num_packages ? (unsigned)um->m.topo.packages[0].cpu
					     : um->m.topo.online.cpus[0];

	return um_access_node(um->m.access, cpu);
}

const char *uncoremsr_driver_writes(struct uncoremsr *um)
{
	return um_access_write_filter(um->m.access, um->driver_writes, sizeof(um->driver_writes))
		       ? um->driver_writes : NULL;
}

const char *uncoremsr_lockdown(struct uncoremsr *um)
{
	return um_access_lockdown(um->m.access, um->lockdown, sizeof(um->lockdown))
		       ? um->lockdown : NULL;
}
