/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a tool may do beyond its user: nothing, or what file capabilities gave it for counting. */
#ifndef TOOL_PRIVILEGES_H
#define TOOL_PRIVILEGES_H

#include <stdbool.h>

#include "common/options.h"

/*
 * First thing in a tool: 0, or an exit status after a message. Set-user-id and set-group-id are
 * refused. Of file capabilities only those that counters need are kept, none that opens files: a
 * file is opened with its user's rights.
 */
int privileges_limit(const struct tool *tool);
/* Keep no capability at all. 0, or -1 with errno. */
int privileges_none(void);
/* Ways to count that need a right. */
enum privileges_counting {
	PRIVILEGES_REGISTERS = 1, /* CAP_SYS_RAWIO */
	PRIVILEGES_KERNEL = 2,    /* CAP_PERFMON; CAP_SYS_ADMIN on kernels before 5.8 */
};
/*
 * For the rest of a long run: what these ways to count need, and to start, as another user, and end processes that have
 * nothing. No program that is started gets more. 0, or -1 with errno; *given_up: the ways whose right we had and have no
 * longer.
 */
int privileges_for_service(unsigned counting, unsigned *given_up);
/* Is CAP_SYS_ADMIN held, because this kernel has no CAP_PERFMON? */
bool privileges_are_for_old_kernel(void);
/* In the process that becomes COMMAND: back to what the user has. */
void privileges_drop(void);

#endif
