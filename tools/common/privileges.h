/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rights that a tool has in addition to those of its user: none, or file capabilities for counting. */
#ifndef TOOL_PRIVILEGES_H
#define TOOL_PRIVILEGES_H

#include <stdbool.h>

#include "common/options.h"

/*
 * The first call of a tool: 0, or an exit status after a message. Refuses to run set-user-id or set-group-id. Keeps
 * only the file capabilities that counters need, and none that opens files: files are opened with the user's rights.
 */
int privileges_limit(void);
/* Keep no capability at all. 0, or -1 with errno. */
int privileges_none(void);
enum privileges_counting {
	PRIVILEGES_REGISTERS = 1, /* CAP_SYS_RAWIO */
	PRIVILEGES_KERNEL = 2,    /* CAP_PERFMON; CAP_SYS_ADMIN on kernels before 5.8 */
};
/*
 * Drop all capabilities for the rest of a long run, except those needed for @counting, and those for starting and
 * killing unprivileged processes of another user. Programs that we start get none. Returns 0, or -1 with errno.
 * *given_up: the ways to count for which we had capabilities and dropped them.
 */
int privileges_for_service(unsigned counting, unsigned *given_up);
/* Is CAP_SYS_ADMIN held, because this kernel has no CAP_PERFMON? */
bool privileges_are_for_old_kernel(void);
/* Call this in the process that becomes COMMAND: COMMAND gets only the user's rights. */
void privileges_drop(void);

#endif
