/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which thread has which name, and what stands at which address of which process, as records tell it. */
#ifndef TOOL_REPORT_TASKS_H
#define TOOL_REPORT_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncoremsr/perf_data.h"

struct object;

/* Addresses from start to end (exclusive) hold @object from @pgoff on. */
struct map {
	uint64_t start, end, pgoff;
	struct object *object;
};

struct tasks;

struct tasks *tasks_new(void);
void tasks_free(struct tasks *t);
/* COMMAND, FORK, EXIT; and with the object that it names MAP and MAP2. 0 or -ENOMEM. */
int tasks_record(struct tasks *t, const struct uncoremsr_record *rec, struct object *object);
/* The name of a thread; NULL: unknown. */
const char *tasks_command(struct tasks *t, uint32_t tid);
/* What is at an address; NULL: unknown. */
const struct map *tasks_map(struct tasks *t, uint32_t pid, bool kernel, uint64_t address);

#endif
