/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Totals that continue across restarts of the agent, because collectd takes a falling total for a counter that
 * wrapped. They are saved before they are sent, so after a crash the file has at least what was sent.
 */
#ifndef AGENT_TOTALS_H
#define AGENT_TOTALS_H

#include "common/series.h"

enum { TOTAL_NUMBERS = 4 };
union total_numbers {
	struct series_total of;
	uint64_t list[TOTAL_NUMBERS];
};
_Static_assert(sizeof(union total_numbers) == sizeof(struct series_total), "list must have every number of @of");

struct total {
	char *name;
	union total_numbers base; /* total of earlier runs */
	union total_numbers sum;  /* latest total of this run */
	/* Labels and total of the current interval, for the lines to send. */
	struct series_labels labels;
	struct series_total now;
	char *counter;            /* name in the form of the plugin's earlier releases */
	bool said, unknown, shared;
};

struct totals {
	struct total *list;
	size_t num, next;
	int fd;        /* the file; -1: none, totals are not kept */
	uint64_t run;  /* number of the agent's run; stays the same when the agent restarts this process */
	uint64_t seq;  /* number of the latest version in the file */
	size_t slot;   /* slot of that version in the file, 0 or 1 */
	struct out text;
};

/* Read the totals from @fd. False: the file is empty or damaged, so earlier totals are lost. */
bool totals_load(struct totals *t, int fd, uint64_t run);
/* Find a total by its name, or add it; NULL: out of memory. */
struct total *totals_find(struct totals *t, const char *name);
/* Set what was counted in this run. Returns the total to be sent, which never falls, even if @sum does. */
struct series_total totals_take(struct total *e, const struct series_total *sum);
/* Save the totals. 0, or an errno; then the file is invalidated, so that no later run continues from old totals. */
int totals_save(struct totals *t);
void totals_free(struct totals *t);

#endif
