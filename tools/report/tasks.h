/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of threads, and which object is at which address of which process, as the records of a file tell it. */
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
/* Apply a COMM, FORK or EXIT record; apply a MAP or MAP2 record, with the object that it names. 0 or -ENOMEM. */
int tasks_record(struct tasks *t, const struct uncoremsr_record *rec, struct object *object);
/* The name of a thread; NULL: unknown. */
const char *tasks_command(struct tasks *t, uint32_t tid);
/* The mapping at an address; NULL: unknown. */
const struct map *tasks_map(struct tasks *t, uint32_t pid, bool kernel, uint64_t address);

#endif
