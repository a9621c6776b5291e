/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The handle behind the public header. Rooms below (access, machine, uarch) do not include this.
 */
#ifndef UM_HANDLE_H
#define UM_HANDLE_H

#include "access/access.h"
#include "common/error.h"
#include "machine/machine.h"
#include "uarch/uarch.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/*
 * Data of the handle. Its life (choosing, opening, freeing) is in handle/, which knows every room; the rooms that
 * answer for the public header include this; access, uarch, counting and perf get the machine alone.
 */
struct uncoremsr {
	struct um_machine m;           /* m.access is NULL until opened */
	char *what;                    /* as given to uncoremsr_set_machine(); NULL: live */
	char *name;                    /* the same without parameters */
	struct uncoremsr_sim *sim;     /* set by the caller; NULL: none */
	struct uncoremsr_sim *sim_open; /* the simulated machine that is open; NULL: none */
	char unsupported[384];         /* why not; "" when supported */
	char why[776];                 /* of uncoremsr_driver_state() */
	char driver_writes[16], lockdown[24];
	char *offline, *forbidden;     /* of uncoremsr_offline_cpus(), uncoremsr_forbidden_cpus() */
	/* What rooms above have made on demand; the handle frees it. */
	struct um_register_list *regs; /* of uncoremsr_register() */
	struct um_names *names;        /* tables, event lists, the kernel's PMUs */
	struct um_perf_kernel *kernel; /* made when perf first counts */
	struct um_looked_at *looked_at; /* the PMU of the last uncoremsr_unit_counter_state() */
	struct um_error error;
};

void um_register_lists_free(struct uncoremsr *um);
/* How the machine that was chosen is reached; the caller closes it. Nothing else is opened. */
int um_open_access(struct uncoremsr *um, struct um_access **out) UM_MUST_CHECK;
void um_looked_at_free(struct uncoremsr *um);
const char *um_scope_word(enum um_scope scope);

#endif
