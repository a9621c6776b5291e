/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sampler: it counts interval by interval, and hands finished values to the outputs. */
#ifndef AGENT_SAMPLER_H
#define AGENT_SAMPLER_H

#include "agent/counts.h"
#include "agent/outputs.h"
#include "common/throttle_series.h"

/* The configuration in use and its counts, in memory of their own, so that pointers into them stay valid. */
struct setup {
	struct agent_config cfg;
	struct agent_counts counts;
};

struct agent {
	int argc;
	char **argv;
	struct setup *setup;
	struct agent_totals totals;
	struct uncoremsr *um;
	struct uncoremsr_throttle *throttle; /* NULL: throttling is not reported */
	struct throttle_series throttle_series;
	bool blind;             /* the state of throttling could not be read in the latest interval */
	struct tool_wait wait;
	struct agent_outputs outputs;
	uint64_t last_ns;       /* end of the previous interval */
	uint64_t monotonic_offset_ns; /* add it to the machine's clock to get CLOCK_MONOTONIC; measured at the start */
	uint64_t wall_offset_ns; /* add it to CLOCK_MONOTONIC to get Unix time */
	bool withheld;          /* the previous interval ended too late and was not sent to the outputs */
	uint64_t missed;
	bool partial;           /* a register was not restored, or standard output failed: exit with TOOL_PARTIAL */
	uint64_t watchdog_ns;   /* longest time between two "WATCHDOG=1"; UINT64_MAX: send none */
	unsigned given_up;      /* ways to count (enum privileges_counting) for which rights were dropped */
	int die_of;             /* signal that must end the agent; 0: none */
};

/*
 * Count until a signal or --count ends it, then restore the registers. Returns 0; or, after a message
 * that says what could not be counted or restored, the exit status.
 */
int sampler_run(struct agent *a);
/* Print one line about the events of the file that cannot be counted here: the first, and how many more. */
void sampler_tell_missing(const struct agent *a);
void setup_free(struct setup *s);

/* ---- notify.c: messages to the service manager, as from sd_notify(3), but without its library ---- */

/* Send "READY=1" and the like to NOTIFY_SOCKET. Does nothing if there is no such socket, or if sending fails. */
void notify(const char *text);
/* Longest time between two messages "WATCHDOG=1", in ns; UINT64_MAX: none need be sent. */
uint64_t notify_watchdog_ns(void);

#endif
