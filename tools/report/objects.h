/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects that are mapped into processes: programs, libraries, the kernel. Symbols are read from a file only if it has
 * the recorded build id. If no build id was recorded, they are read only on the recording machine or with --symfs.
 */
#ifndef TOOL_REPORT_OBJECTS_H
#define TOOL_REPORT_OBJECTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/set.h"
#include "uncoremsr/perf_data.h"

struct object;
struct objects;

/* A mapping of @object, from its offset @pgoff on, at the addresses from @start to @end (exclusive). */
struct map {
	uint64_t start, end, pgoff;
	struct object *object;
};

/*
 * Write the path of a file in a folder .build-id. perf keeps copies of recorded files in such a folder, distributions
 * keep debug files in another one. False: there is no build id, @root is NULL, or the path is too long.
 */
bool build_id_path(char path[PATH_MAX], const char *root, const char *folder, const unsigned char *id, size_t size,
		   const char *end);

/* @symfs: folder with the files of the recording machine; NULL if they are the files of this machine. */
struct objects *objects_new(const struct uncoremsr_perf_data *data, const char *symfs);
void objects_free(struct objects *o);
/* The object that a MAP or MAP2 record names. */
struct object *objects_of(struct objects *o, const struct uncoremsr_record *rec);
/* The name of the object's file, without folders. */
const char *object_name(const struct object *object);
/* The function at an address or, if it is unknown, the object and the offset in it. */
const char *objects_symbol(struct objects *o, const struct map *m, uint64_t address);
/* The source line of an address, "file.c:12"; NULL: unknown. */
const char *objects_line(struct objects *o, const struct map *m, uint64_t address);

/* ---- tasks.c: threads with their names, and processes with their mappings, from the records of a file ---- */

void tasks_free(struct set *t);
void tasks_add_map(struct set *t, const struct uncoremsr_record *rec, struct object *object);
void tasks_name(struct set *t, const struct uncoremsr_record *rec);
void tasks_fork(struct set *t, const struct uncoremsr_record *rec);
/* The name of a thread; NULL if unknown. */
const char *tasks_command(const struct set *t, uint32_t tid);
/* The mapping at an address, in this process and mode (enum uncoremsr_record_mode). NULL if unknown or in a guest. */
const struct map *tasks_map(const struct set *t, uint32_t pid, unsigned mode, uint64_t address);

#endif
