/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the groups of a configuration count on a machine, interval by interval. */
#ifndef AGENT_COUNTS_H
#define AGENT_COUNTS_H

#include "agent/agent.h"
#include "common/series.h"
#include "common/set.h"

/* The totals of all series that were counted since the agent began, also with earlier configurations. */
struct agent_totals {
	struct set names;
	struct set set;   /* the items are struct agent_total */
	unsigned pass; /* number of the latest pass, in which all rows got their totals */
};

/* A series, which uses @shown; or a series in one core group, which uses @since. */
struct agent_total {
	const char *name; /* the labels of the series, and the core group */
	struct series_total since;
	unsigned pass; /* the latest pass of struct agent_totals in which a row had this total */
	struct agent_total *shown; /* the total that all outputs except collectd's show: that of the first row */
};

/* An event or metric on one package, unit or set of cores. */
struct agent_row {
	enum uncoremsr_place place;
	size_t index;          /* index for uncoremsr_session_reading() */
	bool metric;
	size_t event;          /* index of the event; for a metric, its index among the metrics */
	const struct uncoremsr_unit *unit; /* NULL: the sum of the package's units */
	struct series_labels labels; /* @again is set if an earlier row has the same series */
	bool told;             /* do not write: an earlier row has the same series and core group */
	struct agent_total *total;
};

/* An event or metric of the configuration that cannot be counted here. */
struct agent_missing {
	const struct agent_group *group;
	const char *text;
	unsigned line;
	const char *reason; /* class of the error as one word, for labels */
	const char *why;
	bool told;          /* an earlier missing event has the same text and reason */
};

/* A group that is being counted: its session and rows. */
struct agent_count {
	const struct agent_group *group;
	struct uncoremsr_session *session;
	const char *stopped; /* why the group does not count, as one word; NULL if it counts */
	bool busy;           /* another program uses the group's counters; the start is tried again */
	struct agent_row *rows;
	size_t num_rows;
	size_t num_units; /* number of units when the rows were made; SIZE_MAX: making them failed */
	bool *warned;     /* per event: a warning was printed that it was counted only part of the time */
	/* The lines of the file that the events (lines[0]) and metrics (lines[1]) are from; 0 for the command line. */
	struct agent_lines { unsigned *of; size_t num; } lines[2];
	size_t num_asked; /* number of events that the user named; later events are counted only for metrics */
};

/* A configuration and its counts. Allocate it with calloc(), so that pointers to its members stay valid. */
struct agent_counts {
	struct agent_config cfg; /* from agent_options_parse() */
	struct uncoremsr *um;
	struct agent_totals *totals;
	struct agent_count *list;
	size_t num;
	struct uncoremsr_session **running;
	size_t num_running;
	struct agent_missing *missing;
	size_t num_missing;
	struct arena texts; /* memory for the texts in @missing */
	uint64_t tried_ns;
	bool tried_installed;
};

/* Find all events on the open machine, without changing a register. 0, or the exit status after a message. */
int agent_counts_make(struct agent_counts *c, struct uncoremsr *um, struct agent_totals *totals);
/*
 * Start counting, also again after a stop. 0 if anything counts or will be retried, or if nothing is configured; else
 * the exit status after a message.
 */
int agent_counts_start(struct agent_counts *c);
/* Try again to start groups whose counters were busy, at most once a second. */
void agent_counts_retry(struct agent_counts *c);
/* Close an interval. */
void agent_counts_read(struct agent_counts *c);
/* Write the interval's counts and metrics. If @baseline, write only totals, which are 0 before the first interval. */
void agent_counts_say(struct agent_counts *c, struct series *s, bool baseline);
/* Warn about events that were counted for only a small part of the interval, once for each event. */
void agent_counts_tell_shares(struct agent_counts *c);
/* Stop counting. 0, or the exit status after a message about registers that could not be restored. */
int agent_counts_stop(struct agent_counts *c);
/* Free the counts and their configuration. */
void agent_counts_free(struct agent_counts *c);
void agent_totals_free(struct agent_totals *t);

/* ---- needs.c: which rights and how many descriptors a configuration needs, before any descriptor is opened ---- */

struct agent_needs {
	unsigned counting;      /* enum privileges_counting */
	uint64_t counters, all; /* number of descriptors for counters, and of all descriptors */
	uint64_t here;          /* as @all, but without counters that are simulated in this process */
	uint64_t limit;         /* hard limit of descriptors (RLIMIT_NOFILE) */
};

struct agent_needs agent_needs(const struct agent_counts *c);
/* Number of descriptors for an event; -1: the kernel does not count the event, or memory ran out. */
int64_t agent_needs_of(const struct agent_counts *c, const struct agent_count *n, size_t event);
/* Raise the soft limit if need be. 0, or the exit status after a message that says how many descriptors are needed. */
int agent_needs_meet(const struct agent_counts *c);
/* Number of further descriptors if the kernel counts in place of registers. Slow: searches all PMUs for each event. */
uint64_t agent_needs_moved(const struct agent_counts *c);

/* check.c: print what would be counted, what that needs, and where it would be served. Returns the exit status. */
int agent_check(const struct agent_counts *c);

#endif
