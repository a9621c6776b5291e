/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of threads and memory mappings of processes, from the records of a file. */
#ifndef TOOL_REPORT_TASKS_H
#define TOOL_REPORT_TASKS_H

#include <stdint.h>

#include "uncoremsr/perf_data.h"

struct object;

/* @object from offset @pgoff on is mapped at addresses from start to end (exclusive). */
struct map {
	uint64_t start, end, pgoff;
	struct object *object;
};

struct tasks;

struct tasks *tasks_new(void);
void tasks_free(struct tasks *t);
/* Apply a MAP or MAP2 record, which names @object; a COMMAND record; a FORK record. */
void tasks_add_map(struct tasks *t, const struct uncoremsr_record *rec, struct object *object);
void tasks_name(struct tasks *t, const struct uncoremsr_record *rec);
void tasks_fork(struct tasks *t, const struct uncoremsr_record *rec);
/* The name of a thread; NULL: unknown. */
const char *tasks_command(struct tasks *t, uint32_t tid);
/* The mapping at an address, for this process and mode (enum uncoremsr_record_mode); NULL: unknown, or in a guest. */
const struct map *tasks_map(struct tasks *t, uint32_t pid, unsigned mode, uint64_t address);

#endif
