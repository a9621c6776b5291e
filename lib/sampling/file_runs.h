/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sort the records of a file by time. A recorder writes the new records of one ring, then those of the next ring. So a
 * file consists of runs, each of which is sorted. Memory holds only the offsets of the runs; their records are merged
 * while they are read. Records with the same time keep the order of the file.
 */
#ifndef UM_SAMPLING_FILE_RUNS_H
#define UM_SAMPLING_FILE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "sampling/file_source.h"

struct um_run {
	uint64_t time;            /* lower bound of the time of the run's next record */
	uint64_t at, end;         /* offsets of the next record and of the run's end */
	struct um_window *window; /* read-ahead buffer; NULL until the run is read */
};

/* Initialize with zeros. */
struct um_runs {
	struct um_run *at;        /* from um_runs_order() on a heap with the next run to be read on top */
	size_t num;
	uint64_t last;            /* time of the record that was added last */
};

/* Add the next record of the file. Returns 0 or -ENOMEM. */
int um_runs_add(struct um_runs *r, uint64_t time, uint64_t at, uint64_t size) UM_MUST_CHECK;
/* Let the last run continue across a record that readers ignore. */
void um_runs_skip(struct um_runs *r, uint64_t at, uint64_t size);
/* Call this when all records were added. */
void um_runs_order(struct um_runs *r);
/* Restore the heap after the time of the first run has changed, or after its last record was read. */
void um_runs_settle(struct um_runs *r);
void um_runs_free(struct um_runs *r);

#endif
