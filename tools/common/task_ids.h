/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -p PID,... and -t TID,...: the processes or threads that a tool looks at. */
#ifndef TOOL_TASK_IDS_H
#define TOOL_TASK_IDS_H

#include <stddef.h>

#include "common/options.h"

struct task_ids {
	long *ids; /* no duplicates; the owner frees the array */
	size_t num;
	char option; /* 'p' or 't', whichever was given; 0 if neither */
};

/* Add the list @arg of -@option. 0, or the exit status after a message. */
int task_ids_add(struct task_ids *t, char option, const char *arg);

#endif
