/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Totals that go on across restarts of the agent, for who takes a total that falls for a counter that
 * wrapped. They are saved before they are told; so what was told is never more than what is known
 * after a crash.
 */
#ifndef AGENT_TOTALS_H
#define AGENT_TOTALS_H

#include "common/series.h"

struct total {
	char *name;
	struct series_total base; /* of runs before this one */
	struct series_total sum;  /* of this run, as it was told last */
	/* Of the current interval, for who tells them. */
	struct series_labels labels;
	struct series_total now;
	char *counter;            /* series_collectd_name() of its earlier form */
	bool said, unknown, shared;
};

struct totals {
	struct total *list;
	size_t num, next;
	int fd;        /* of the file; -1: none, nothing is kept */
	uint64_t run;  /* of the agent: a process that was started again goes on in the same one */
	uint64_t seq;  /* of the latest version in the file */
	size_t slot;   /* where that stands */
	struct out text;
};

/* What @fd holds. False: nothing, or not all of it; what was told before is lost. */
bool totals_load(struct totals *t, int fd, uint64_t run);
/* By its name, added if there is none; NULL: out of memory. */
struct total *totals_find(struct totals *t, const char *name);
/* It has counted @sum in this run. What is to be told never falls, whatever @sum does. */
struct series_total totals_take(struct total *e, const struct series_total *sum);
/* 0; or an errno: not saved, and what the file holds is no longer good, so that nobody goes on from it. */
int totals_save(struct totals *t);
void totals_free(struct totals *t);

#endif
