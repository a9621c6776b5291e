/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A lack of memory ends uncore-report: a report without some of its samples or names would mislead. */
#ifndef TOOL_REPORT_MEMORY_H
#define TOOL_REPORT_MEMORY_H

#include <stdlib.h>

#include "common/options.h"

static inline _Noreturn void no_memory(void)
{
	exit(tool_no_memory());
}

/* Returns @memory, the result of an allocation, which is not NULL. */
static inline void *need(void *memory)
{
	if (!memory)
		no_memory();
	return memory;
}

#endif
