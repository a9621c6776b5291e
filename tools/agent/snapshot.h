/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The values of an interval as rows of bytes that another process can read. */
#ifndef AGENT_SNAPSHOT_H
#define AGENT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/series.h"

/* A value of a series; its texts follow it. */
struct snapshot_row {
	enum snapshot_kind {
		SNAPSHOT_EVENT, SNAPSHOT_METRIC, SNAPSHOT_THROTTLED, SNAPSHOT_UNKNOWN, SNAPSHOT_CHANGED,
	} kind;
	uint32_t size; /* size of the row with its texts */
	struct series_labels labels;
	const char *reason; /* why the value is unknown */
	union {
		struct series_total total;
		double metric;
		struct series_throttling throttling;
		struct {
			bool now;
			uint64_t number, wall_ns; /* number of the change, from 1; end of its interval */
		} changed;
	};
};

/* A series that writes rows. */
struct snapshot {
	struct series series;  /* must be first: series functions get a pointer to this member */
	struct out rows;       /* of the interval */
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
bool snapshot_next(const char *rows, size_t size, size_t *at, struct snapshot_row *row);
/* Write a row to a series. */
void snapshot_say(struct series *s, const struct snapshot_row *row);

#endif
