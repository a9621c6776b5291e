/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the groups of a configuration count on a machine, interval by interval. */
#ifndef AGENT_COUNTS_H
#define AGENT_COUNTS_H

#include "agent/agent.h"
#include "common/series.h"

/* An event or metric at one place. */
struct agent_row {
	enum { ROW_PACKAGE, ROW_CORES } place;
	bool metric, level;
	size_t package, event; /* @event is the number of the metric for one */
	size_t index;          /* of the set of cores; of a package: one that has CPUs of it */
	const struct uncoremsr_unit *unit; /* NULL: the sum of those of the package */
	char unit_name[32];
	int type;              /* the kernel's number of the PMU of @unit; -1: none */
	bool warned;           /* that it, or its event elsewhere, was counted for a small part of the time */
	bool told, again;      /* by another row already; for another group */
	struct series_total since; /* the agent began to count it */
};

/* What was asked for and cannot be counted here. */
struct agent_missing {
	const char *text;
	unsigned line;
	const char *reason; /* one of a few words */
	char *why;          /* a sentence */
};

/* A PMU of the kernel. */
struct agent_pmu {
	char *name;
	unsigned type;
};

/* A group at work. */
struct agent_count {
	const struct agent_group *group;
	struct uncoremsr_session *session;
	bool running;
	const char *stopped; /* why not, one of a few words */
	bool busy;           /* somebody else has its counters */
	struct agent_row *rows;
	size_t num_rows, num_units;
	size_t num_asked; /* events; those behind them are of metrics alone */
	struct agent_missing *missing;
	size_t num_missing;
};

struct agent_counts {
	const struct agent_config *cfg;
	struct uncoremsr *um;
	struct agent_count *list;
	size_t num;
	struct uncoremsr_session **running; /* of those that run */
	size_t num_running;
	uint64_t tried_ns; /* when those that are busy were last tried */
	struct agent_pmu *pmus;
	size_t num_pmus;
	bool tried_installed;
};

/* Find everything on the machine, which is open. Touches nothing. 0, or the exit status after saying why. */
int agent_counts_make(struct agent_counts *c, const struct agent_config *cfg, struct uncoremsr *um);
/*
 * May be done again after a stop. 0 when something counts, is to be tried again, or nothing was to be counted;
 * else the exit status after saying why.
 */
int agent_counts_start(struct agent_counts *c);
/* Once a second: what was busy at the start may be free. */
void agent_counts_retry(struct agent_counts *c);
/* Totals of what @old has counted, and is stopped, go on in @c. */
void agent_counts_carry(struct agent_counts *c, const struct agent_counts *old);
/* Close an interval. */
void agent_counts_read(struct agent_counts *c);
/* Say what was counted in it; @baseline: nothing yet, all totals begin at 0. */
void agent_counts_say(struct agent_counts *c, struct series *s, bool baseline);
/* Of the interval: which events were counted for a small part of it, once for each. */
void agent_counts_tell_shares(struct agent_counts *c);
/* 0, or the exit status: what stays changed is told. */
int agent_counts_stop(struct agent_counts *c);
void agent_counts_free(struct agent_counts *c);

#endif
