/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-agent: prepare, give up rights, then count interval by interval and hand the values to the outputs. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/counts.h"
#include "agent/outputs.h"
#include "common/memory.h"
#include "common/output.h"
#include "common/privileges.h"
#include "common/throttle_series.h"
#include "uncoremsr/machine.h"

struct agent {
	int argc;
	char **argv;
	struct agent_counts *counts;
	struct agent_totals totals;
	struct uncoremsr *um;
	struct uncoremsr_throttle *throttle; /* NULL: throttling is not reported */
	struct set throttle_tracks; /* of struct throttle_series_track */
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
};

static void look(struct agent *a)
{
	bool blind = a->throttle && uncoremsr_throttle_look(a->throttle) < 0;

	if (blind && !a->blind)
		tool_fail(a->um);
	a->blind = blind;
}

/* Add the interval to the totals, and write it to the shared memory, but do not publish it. */
static void put_interval(struct agent *a, bool baseline)
{
	const uint64_t now = uncoremsr_now(a->um);
	struct series *s = shared_begin(&a->outputs.shared, &(struct shared_interval){
		.wall_ns = wait_wall_clock(&a->wait), .interval_ns = a->counts->cfg.interval_ns,
		.series = { .ns = baseline ? 0 : now - a->last_ns, .missed = a->missed },
	});

	agent_counts_say(a->counts, s, baseline);
	if (a->throttle)
		throttle_series_put(s, &a->throttle_tracks, uncoremsr_machine(a->um)->name, a->throttle);
	a->last_ns = now;
}

static int start(struct agent *a)
{
	int status;

	if (a->counts->cfg.throttle && uncoremsr_throttle_new(a->um, &a->throttle) < 0)
		return tool_no_memory();
	uncoremsr_throttle_set(a->throttle, UNCOREMSR_THROTTLE_COUNTING, 1);
	status = agent_counts_start(a->counts);
	if (status)
		return status;
	/* Check for throttling after the events got counters: the check uses only free ones, and works without. */
	look(a);
	a->last_ns = uncoremsr_now(a->um);
	return 0;
}

static void stop(struct agent *a)
{
	a->partial |= agent_counts_stop(a->counts) != 0;
	a->partial |= uncoremsr_throttle_free(a->throttle) != 0;
	a->throttle = NULL;
}

/* ---- a changed configuration ---- */

static void tell_missing(const struct agent_counts *c)
{
	char more[64] = "";

	if (c->num_missing > 1)
		snprintf(more, sizeof(more), "; %zu more, see --check", c->num_missing - 1);
	if (c->num_missing)
		tool_say(0, "%s:%u: not counted: %s%s", OUT_QUOTED(c->cfg.path), c->missing->line, c->missing->why,
			 more);
}

/* Rights that were not needed at the start were dropped and cannot be regained. A simulated machine needs none. */
static bool has_rights(const struct agent *a, const struct agent_counts *new)
{
	unsigned missing = agent_needs(new).counting & a->given_up;

	missing = uncoremsr_machine(a->um)->simulated ? 0 : missing;
	if (missing)
		tool_say(0, "counting through %s needs a capability that was dropped at the start; restart "
			 "the agent", missing & PRIVILEGES_REGISTERS ? "registers" : "the kernel");
	return !missing;
}

static struct agent_counts *read_again(struct agent *a)
{
	struct agent_counts *new = calloc(1, sizeof(*new));

	if (!new) {
		tool_no_memory();
		return NULL;
	}
	optind = 0; /* make getopt(3) start from the first word */
	if (agent_options_parse(&new->cfg, a->argc, a->argv) == TOOL_GO_ON &&
	    !agent_counts_make(new, a->um, &a->totals) && has_rights(a, new) && !agent_needs_meet(new))
		return new;
	agent_counts_free(new);
	return NULL;
}

static void reload(struct agent *a)
{
	struct agent_counts *old = a->counts, *new = read_again(a);
	bool counts = true;

	notify("RELOADING=1");
	if (new) {
		outputs_tell_other(&a->outputs, &new->cfg);
		agent_counts_read(old);
		look(a);
		put_interval(a, false);
		stop(a);
		a->counts = new;
		if (start(a)) {
			stop(a);
			a->counts = old;
			agent_counts_free(new);
			new = NULL;
			counts = !start(a);
		}
	}
	if (new) {
		agent_counts_free(old);
		tell_missing(a->counts);
	} else {
		tool_say(0, "%s: not used; %s", OUT_QUOTED(old->cfg.path), counts
			 ? "the agent keeps counting as before"
			 : "the previous configuration cannot be started again either, so nothing is counted; remove "
			   "the cause, then send SIGHUP again");
	}
	notify("READY=1");
}

/* ---- waiting ---- */

enum { MOST_BETWEEN_NS = 10 * NS_PER_MS }; /* time that may pass between two calls of clock_now() */

/* WAKE_TIME: the deadline has passed; WAKE_REOPEN: the file must be read again; WAKE_STOP: the run must end. */
static enum wake wait_for(struct agent *a, uint64_t deadline)
{
	uint64_t from = uncoremsr_now(a->um);

	while (from < deadline) {
		const uint64_t until = a->watchdog_ns < deadline - from ? from + a->watchdog_ns : deadline;
		enum wake wake = wait_until(&a->wait, a->counts->running, a->counts->num_running, from, until,
					    a->counts->cfg.interval_ns);

		notify("WATCHDOG=1");
		if (wake == WAKE_REOPEN)
			return wake;
		if (wake == WAKE_STOP)
			a->wait.die_of = a->wait.info.si_signo;
		if (a->wait.die_of || (wake == WAKE_CHILD && !outputs_look(&a->outputs, &a->partial)))
			return WAKE_STOP;
		from = wake == WAKE_TIME ? until : uncoremsr_now(a->um);
	}
	return WAKE_TIME;
}

/* The next multiple of the interval in Unix time, so that intervals end at the same times after a restart. */
static uint64_t next_deadline(struct agent *a)
{
	const uint64_t now = uncoremsr_now(a->um), interval_ns = a->counts->cfg.interval_ns;
	const uint64_t offset_ns = clock_now(CLOCK_REALTIME) - clock_now(CLOCK_MONOTONIC);

	/* The offset has changed: the system clock was set, or the system was suspended. */
	if (offset_ns - a->wall_offset_ns + MOST_BETWEEN_NS > 2 * MOST_BETWEEN_NS)
		a->wall_offset_ns = offset_ns;
	return now + interval_ns - (now + a->monotonic_offset_ns + a->wall_offset_ns) % interval_ns;
}

/*
 * Withhold an interval that ended too late, but never two in a row: late values are better than none. A scraper
 * computes rates as if values always had the same age when they are read, so totals of a late interval would give wrong
 * rates.
 */
static bool is_withheld(const struct agent *a, uint64_t deadline)
{
	return !a->withheld && uncoremsr_now(a->um) - deadline > shared_most_late_ns(a->counts->cfg.interval_ns);
}

static void count(struct agent *a)
{
	const uint64_t most = a->counts->cfg.count ? a->counts->cfg.count : UINT64_MAX;
	uint64_t last = uncoremsr_now(a->um), num = 0;
	bool first = true;

	while (num < most) {
		const uint64_t deadline = next_deadline(a);
		/* Skip a first interval that is shorter than half of the set length: totals begin with the next. */
		const bool skipped = first && deadline - last < a->counts->cfg.interval_ns / 2;
		enum wake wake;

		first = false;
		a->missed += (deadline - last - 1) / a->counts->cfg.interval_ns;
		wake = wait_for(a, deadline);
		if (wake == WAKE_STOP)
			return;
		if (wake == WAKE_REOPEN) {
			reload(a);
			last = uncoremsr_now(a->um);
			continue;
		}
		agent_counts_read(a->counts);
		a->withheld = !skipped && is_withheld(a, deadline);
		look(a);
		put_interval(a, skipped);
		if (a->withheld)
			continue;
		outputs_publish(&a->outputs);
		last = deadline;
		if (!skipped) {
			agent_counts_tell_shares(a->counts);
			agent_counts_retry(a->counts);
			num++;
		}
	}
}

static int run_sampler(struct agent *a)
{
	int status = start(a);

	if (!status) {
		a->monotonic_offset_ns = clock_now(CLOCK_MONOTONIC) - a->last_ns;
		put_interval(a, true);
		outputs_publish(&a->outputs);
		notify("READY=1");
		count(a);
		notify("STOPPING=1");
	}
	stop(a);
	return status ? status : a->partial ? TOOL_PARTIAL : 0;
}

/* ---- from start to end ---- */

static int serve(struct agent *a)
{
	int status;

	a->wait.um = a->um;
	status = agent_needs_meet(a->counts);
	if (!status)
		status = outputs_open(&a->outputs, &a->counts->cfg, &a->wait);
	if (status)
		return status;
	/* Drop rights now: the sockets are open, and devices need only the rights that are kept. */
	if (privileges_for_service(agent_needs(a->counts).counting, &a->given_up) < 0)
		return tool_say(TOOL_NO_ACCESS, "cannot drop capabilities: %m");
	if (privileges_are_for_old_kernel())
		tool_say(0, "keeps CAP_SYS_ADMIN for the kernel's counters: this kernel is older than 5.8 "
			 "and has no CAP_PERFMON");
	tell_missing(a->counts);
	/* Without --count, do not advance a stepped clock: other programs read the values in real time. */
	a->wait.wall = !a->counts->cfg.count;
	wait_init(&a->wait, a->counts->cfg.path != NULL);
	wait_dispositions();
	a->watchdog_ns = notify_watchdog_ns();
	status = outputs_start(&a->outputs);
	return status ? status : run_sampler(a);
}

static int work(struct agent *a)
{
	const struct agent_config *cfg = &a->counts->cfg;
	int status = agent_options_parse(&a->counts->cfg, a->argc, a->argv);

	if (status != TOOL_GO_ON)
		return status;
	status = tool_open(&cfg->common, &a->um, NULL, false);
	if (!status)
		status = agent_counts_make(a->counts, a->um, &a->totals);
	if (!status)
		status = cfg->check ? agent_check(a->counts) : serve(a);
	return a->um ? tool_complete(a->um, NULL, status) : status;
}

int main(int argc, char **argv)
{
	struct agent a = { .argc = argc, .argv = argv, .counts = need(calloc(1, sizeof(*a.counts))) };
	int status = work(&a);

	outputs_close(&a.outputs);
	agent_counts_free(a.counts);
	agent_totals_free(&a.totals);
	set_free(&a.throttle_tracks);
	uncoremsr_free(a.um);
	if (a.wait.die_of)
		wait_die(a.wait.die_of);
	return status;
}
