/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which rights and how many descriptors a configuration needs, computed before any descriptor is opened. */
#ifndef AGENT_NEEDS_H
#define AGENT_NEEDS_H

#include "agent/counts.h"

struct agent_needs {
	unsigned counting;      /* enum privileges_counting */
	uint64_t counters, all; /* number of descriptors: for counters, and in all */
	uint64_t limit;         /* hard limit of descriptors (RLIMIT_NOFILE) */
};

struct agent_needs agent_needs(const struct agent_counts *c);
/*
 * Number of descriptors that one event needs; -1: it is counted through registers and needs none of its own, or a list
 * of CPUs is missing for lack of memory.
 */
int64_t agent_needs_of(const struct agent_counts *c, const struct agent_count *n, size_t event);
/* Raise the soft limit if need be. 0, or the exit status after a message that says how many descriptors are needed. */
int agent_needs_meet(const struct agent_counts *c);
/*
 * How many descriptors more if the kernel counts in place of registers that do not answer. Looks at all PMUs for each
 * event.
 */
uint64_t agent_needs_moved(const struct agent_counts *c);
/* May the process open as many descriptors? */
bool agent_needs_fit(const struct agent_counts *c);

#endif
