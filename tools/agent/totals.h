/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Totals that continue across restarts of the agent, because collectd regards a falling total as a counter that
 * wrapped. They are saved before they are sent, so after a crash no saved total is lower than one that was sent.
 */
#ifndef AGENT_TOTALS_H
#define AGENT_TOTALS_H

#include "common/series.h"
#include "common/set.h"

struct total {
	const char *name;
	struct series_total base; /* total of earlier runs */
	struct series_total sum;  /* latest total of this run */
	/* Labels and total for the lines of the current interval. */
	struct series_labels labels;
	struct series_total now;
	const char *counter;      /* name in the form of the plugin's earlier releases */
	bool said, unknown, shared;
};

struct totals {
	struct set set;   /* the items are struct total */
	struct set names;
	int fd;        /* the file; -1: none, totals are not kept */
	uint64_t run;  /* number of the agent's run; stays the same when the agent restarts this process */
	uint64_t seq;  /* number of the latest version in the file */
	size_t slot;   /* slot of that version in the file, 0 or 1 */
	struct out bytes; /* buffer for a version that is to be written */
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
