/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of an interval as bytes that another process can read. */
#ifndef AGENT_SNAPSHOT_H
#define AGENT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/series.h"

struct snapshot {
	struct series series;  /* must be first: the format gets a pointer to this member */
	struct out rows;       /* rows of the current interval */
	/* Changes of this interval and earlier ones: an output that takes long to start or to write misses none. */
	struct out changes;
	uint64_t num_changes;
};

void snapshot_init(struct snapshot *s);
/* Begin an interval that ends at this Unix time. */
void snapshot_begin(struct snapshot *s, uint64_t wall_ns);
/* Append the changes. 0, or an errno: rows are missing. */
int snapshot_end(struct snapshot *s);
void snapshot_free(struct snapshot *s);

/* Get the row at @rows + *at, and move on. Its texts point into @rows. False: there are no more. */
bool snapshot_next(const char *rows, size_t size, size_t *at, struct series_row *row);

#endif
