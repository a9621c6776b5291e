/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The order of a file's records by time. A recorder writes a piece of one ring, then a piece of the next one. So a file
 * consists of runs, and the records of a run are in order. Only the offsets of the runs are kept in memory; their
 * records are merged while they are read. Records of the same time have the order of the file.
 */
#ifndef UM_SAMPLING_FILE_RUNS_H
#define UM_SAMPLING_FILE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "sampling/file_source.h"

struct um_run {
	uint64_t time;            /* lower bound of the time of the run's next record */
	uint64_t at, end;         /* offset of the next record; offset of the run's end */
	struct um_window *window; /* window for reading the run; NULL at first */
};

/* Zeroed memory is an empty list. */
struct um_runs {
	struct um_run *at;        /* after um_runs_order() a heap: the run to be read next is the first one */
	size_t num;
	uint64_t last;            /* time of the record that was added last */
};

/* Add the next record of the file. 0 or -ENOMEM. */
int um_runs_add(struct um_runs *r, uint64_t time, uint64_t at, uint64_t size) UM_MUST_CHECK;
/* Add the next record of the file to the last run, whose reader skips it. */
void um_runs_skip(struct um_runs *r, uint64_t at, uint64_t size);
/* Call this when all records were added. */
void um_runs_order(struct um_runs *r);
/* Call this when the time of the first run has changed, or when all of it was read; another run may now be first. */
void um_runs_settle(struct um_runs *r);
void um_runs_free(struct um_runs *r);

#endif
