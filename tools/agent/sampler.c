/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/sampler.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/output.h"
#include "common/privileges.h"
#include "common/turns.h"
#include "uncoremsr/machine.h"

/*
 * Read the state of throttling; a cause that cannot be judged becomes unknown. If nothing can be read, print the
 * reason, but only once.
 */
static void look(struct agent *a)
{
	bool blind = a->throttle && uncoremsr_throttle_look(a->throttle) < 0;

	if (blind && !a->blind)
		tool_fail(a->um);
	a->blind = blind;
}

/* Add the interval to the totals, and write it to the shared memory. */
static struct shared_interval put_interval(struct agent *a, bool baseline)
{
	const uint64_t now = uncoremsr_now(a->um), wall_ns = wait_wall_clock(&a->wait);
	const struct shared_interval i = {
		.wall_ns = wall_ns, .interval_ns = a->setup->cfg.interval_ns,
		.series = { .ns = baseline ? 0 : now - a->last_ns, .missed = a->missed },
	};
	struct series *s = shared_begin(&a->outputs.shared, wall_ns);

	agent_counts_say(&a->setup->counts, s, baseline);
	if (a->throttle)
		throttle_series_say(&a->throttle_series, s, uncoremsr_machine(a->um)->name, a->throttle);
	a->last_ns = now;
	return i;
}

static void publish(struct agent *a, bool baseline)
{
	struct shared_interval i = put_interval(a, baseline);

	outputs_publish(&a->outputs, &i);
}

/*
 * After agent_counts_read(): add the interval to the totals, but do not publish it.
 * A scraper computes rates as if values always had the same age when they are read, so totals of an interval that ended
 * late would give wrong rates.
 */
static void withhold(struct agent *a)
{
	look(a);
	(void)put_interval(a, false);
}

/* Count, and watch throttling, as the configuration says. 0, or the exit status after a message. */
static int start(struct agent *a)
{
	int status;

	if (a->setup->cfg.throttle && uncoremsr_throttle_new(a->um, &a->throttle) < 0)
		return tool_no_memory();
	uncoremsr_throttle_set(a->throttle, UNCOREMSR_THROTTLE_COUNTING, 1);
	status = agent_counts_start(&a->setup->counts);
	if (status)
		return status;
	/* Check for throttling after the events got counters: the check uses only free ones, and works without. */
	look(a);
	a->last_ns = uncoremsr_now(a->um);
	return 0;
}

/* Stop counting and watching, and restore the registers. If any stays changed, print which, and set @partial. */
static void stop(struct agent *a)
{
	a->partial |= agent_counts_stop(&a->setup->counts) != 0;
	a->partial |= uncoremsr_throttle_free(a->throttle) != 0;
	a->throttle = NULL;
}

/* ---- a changed configuration ---- */

void setup_free(struct setup *s)
{
	agent_counts_free(&s->counts);
	agent_config_free(&s->cfg);
	free(s);
}

void sampler_tell_missing(const struct agent *a)
{
	const struct agent_missing *first = NULL;
	char more[64] = "";
	size_t num = 0;

	for (size_t i = 0; i < a->setup->counts.num; i++) {
		const struct agent_count *n = &a->setup->counts.list[i];

		first = first ? first : n->missing;
		num += n->num_missing;
	}
	if (num > 1)
		snprintf(more, sizeof(more), "; %zu more, see --check", num - 1);
	if (num)
		tool_say(0, "%s:%u: not counted: %s%s", OUT_QUOTED(a->setup->cfg.path), first->line, first->why, more);
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

/* Read the command line and the file again. NULL after a message about what is wrong. */
static struct setup *read_again(struct agent *a)
{
	struct setup *new = calloc(1, sizeof(*new));

	if (!new) {
		tool_no_memory();
		return NULL;
	}
	optind = 0; /* make getopt(3) start from the first word */
	if (agent_options_parse(&new->cfg, a->argc, a->argv) == TOOL_GO_ON &&
	    !agent_counts_make(&new->counts, &new->cfg, a->um, &a->totals) && has_rights(a, &new->counts) &&
	    !agent_needs_meet(&new->counts))
		return new;
	setup_free(new);
	return NULL;
}

/* Read the configuration again; totals of events that stay in it continue. */
static void reload(struct agent *a)
{
	struct setup *old = a->setup, *new = read_again(a);
	bool counts = true;

	notify("RELOADING=1");
	if (new) {
		outputs_tell_other(&a->outputs, &old->cfg, &new->cfg);
		agent_counts_read(&old->counts);
		withhold(a);
		stop(a);
		a->setup = new;
		if (start(a)) {
			stop(a);
			a->setup = old;
			setup_free(new);
			new = NULL;
			counts = !start(a);
		}
	}
	if (new) {
		setup_free(old);
		sampler_tell_missing(a);
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

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Wait until @deadline. Returns false if a signal or the loss of standard output ends the run, or if the file must be
 * read again (*again is set).
 */
static bool wait_for(struct agent *a, uint64_t from, uint64_t deadline, bool *again)
{
	while (from < deadline) {
		uint64_t sign = a->watchdog_ns == UINT64_MAX ? UINT64_MAX : from + a->watchdog_ns;
		enum wake wake = turns_wait_until(&a->wait, a->setup->counts.running,
						  a->setup->counts.num_running, from,
						  earlier(sign, deadline), a->setup->cfg.interval_ns);

		notify("WATCHDOG=1");
		*again = wake == WAKE_REOPEN;
		if (wake == WAKE_STOP || wake == WAKE_DIE)
			a->die_of = a->wait.info.si_signo;
		if (a->die_of || *again)
			return false;
		if (wake == WAKE_CHILD && !outputs_look(&a->outputs, &a->partial))
			return false;
		from = wake == WAKE_TIME ? earlier(sign, deadline) : uncoremsr_now(a->um);
	}
	return true;
}

/* The next multiple of the interval in Unix time, so that intervals end at the same times after a restart. */
static uint64_t next_deadline(struct agent *a)
{
	const uint64_t now = uncoremsr_now(a->um), interval_ns = a->setup->cfg.interval_ns;
	const uint64_t offset_ns = clock_now(CLOCK_REALTIME) - clock_now(CLOCK_MONOTONIC);

	/* The offset has changed: the system clock was set, or the system was suspended. */
	if (offset_ns - a->wall_offset_ns + MOST_BETWEEN_NS > 2 * MOST_BETWEEN_NS)
		a->wall_offset_ns = offset_ns;
	return now + interval_ns - (now + a->monotonic_offset_ns + a->wall_offset_ns) % interval_ns;
}

/* Withhold an interval that ended too late, but never two in a row: late values are better than none. */
static bool is_withheld(struct agent *a, uint64_t deadline)
{
	a->withheld = !a->withheld && uncoremsr_now(a->um) - deadline > shared_most_late_ns(a->setup->cfg.interval_ns);
	return a->withheld;
}

/* If the first interval would be shorter than half of the set length, skip it: totals begin with the next interval. */
static bool begin(struct agent *a)
{
	uint64_t now = uncoremsr_now(a->um), deadline = next_deadline(a);
	bool again = false;

	if (deadline - now >= a->setup->cfg.interval_ns / 2)
		return true;
	if (wait_for(a, now, deadline, &again)) {
		agent_counts_read(&a->setup->counts);
		look(a);
		publish(a, true);
		return true;
	}
	if (again)
		reload(a);
	return again;
}

static void count(struct agent *a)
{
	const uint64_t most = a->setup->cfg.count ? a->setup->cfg.count : UINT64_MAX;
	uint64_t last, num = 0;

	if (!begin(a))
		return;
	last = uncoremsr_now(a->um);
	while (num < most) {
		const uint64_t interval_ns = a->setup->cfg.interval_ns;
		uint64_t deadline = next_deadline(a);
		bool again;

		a->missed += (deadline - last - 1) / interval_ns;
		if (wait_for(a, uncoremsr_now(a->um), deadline, &again)) {
			agent_counts_read(&a->setup->counts);
			if (is_withheld(a, deadline)) {
				withhold(a);
				continue;
			}
			look(a);
			publish(a, false);
			agent_counts_tell_shares(&a->setup->counts);
			agent_counts_retry(&a->setup->counts);
			last = deadline;
			num++;
		} else if (again) {
			reload(a);
			last = uncoremsr_now(a->um);
		} else {
			return;
		}
	}
}

int sampler_run(struct agent *a)
{
	int status = start(a);

	if (!status) {
		a->monotonic_offset_ns = clock_now(CLOCK_MONOTONIC) - a->last_ns;
		publish(a, true);
		notify("READY=1");
		count(a);
		notify("STOPPING=1");
	}
	stop(a);
	return status ? status : a->partial ? TOOL_PARTIAL : 0;
}
