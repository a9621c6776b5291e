/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Allocation for tools that may exit with a message if memory is lacking, because they have changed nothing. */
#ifndef TOOL_MEMORY_H
#define TOOL_MEMORY_H

#include <stdlib.h>

#include "common/array.h"
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

#define NEED_APPEND(items, num, ...) (ARRAY_APPEND(items, num, __VA_ARGS__) ? no_memory() : (void)0)

#endif
