/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Check for throttling repeatedly: a number of times, until a signal, or while a command runs. */
#include <errno.h>
#include <string.h>

#include "throttle/throttle.h"

/* Show what has changed since the previous check; with a series format show everything. */
static void show_look(struct throttle_run *run)
{
	throttle_follow(run, run->cfg->periodic && !run->series.format && !run->cfg->dimm);
	if (run->series.format)
		throttle_put_series(run);
}

/* Check for throttling, and print what has changed. False: the output cannot be written any more. */
static bool look(struct throttle_run *run)
{
	uint64_t before = uncoremsr_throttle_state(run->t)->time;

	if (throttle_look_once(run) < 0) {
		if (!run->blind)
			tool_fail(run->um);
		run->blind = true;
	} else if (run->blind) {
		run->blind = false;
		tool_say(0, "the machine can be read again");
	}
	/* If the check failed there is nothing to compare. */
	if (uncoremsr_throttle_state(run->t)->time != before)
		show_look(run);
	return throttle_output_flush(run) == 0;
}

/* Make all checks of a watch. False: it ended early, because of a signal, the end of COMMAND, or a lost output. */
static bool watch(struct throttle_run *run)
{
	const struct throttle_config *cfg = run->cfg;
	uint64_t last = run->start_ns;

	for (uint64_t n = 0; !cfg->count || n < cfg->count; n++) {
		uint64_t deadline = wait_next_deadline(&run->wait, last, cfg->interval_ns);
		uint64_t from = last;
		enum wake wake;

		run->missed += (deadline - last) / cfg->interval_ns - 1;
		do {
			wake = wait_until(&run->wait, from, deadline);
			if (command_ends_run(&run->command, &run->wait, wake, &run->die_of))
				return false;
			from = uncoremsr_now(run->um);
		} while (wake != WAKE_TIME && from < deadline);
		if (!look(run))
			return false;
		last = deadline;
	}
	return true;
}

static int start_command(struct throttle_run *run)
{
	if (!run->cfg->command)
		return 0;
	run->wait.wall = true;
	return command_start(&run->command, "");
}

/* Wait until COMMAND has ended, and print its exit status, because ours is the verdict. */
static void finish_command(struct throttle_run *run)
{
	int status;

	if (run->command.pid <= 0)
		return;
	command_await(&run->command, &run->wait, &run->die_of);
	status = command_exit(&run->command);
	if (run->command.done && status)
		tool_say(0, "%s: ended with exit status %d", run->cfg->command[0], status);
}

static int first_look(struct throttle_run *run)
{
	uncoremsr_throttle_set(run->t, UNCOREMSR_THROTTLE_COUNTING, 1);
	run->start_ns = uncoremsr_now(run->um);
	if (throttle_look_once(run) < 0)
		return throttle_show_failure(run);
	run->start_ns = uncoremsr_throttle_state(run->t)->time;
	show_look(run);
	return throttle_output_flush(run) ? TOOL_UNSUPPORTED : 0;
}

static int many_looks(struct throttle_run *run)
{
	int status = first_look(run);
	bool whole;

	if (!status)
		status = start_command(run);
	if (status)
		return status;
	whole = watch(run);
	/* The watch ended early: make a last check, for the time since the previous one. */
	if (!whole && !run->out->error && !run->die_of)
		look(run);
	command_pending(&run->command, &run->wait, &run->die_of);
	if (!run->die_of && !run->series.format && !run->cfg->dimm)
		throttle_report(run);
	status = !run->die_of && run->cfg->dimm ? throttle_dimm(run) : throttle_verdict_status(run);
	throttle_output_flush(run);
	finish_command(run);
	return status;
}

int throttle_watch(struct throttle_run *run)
{
	int err = 0, status;

	wait_init(&run->wait, false);
	out_stop_on(run->out, &run->wait.signals);
	if (run->cfg->command)
		err = command_hold(&run->command, run->cfg->command, &run->wait);
	wait_dispositions();
	if (err < 0)
		return tool_say(TOOL_UNSUPPORTED, "cannot start a process: %s", strerror(-err));
	status = many_looks(run);
	command_pending(&run->command, &run->wait, &run->die_of);
	command_drop(&run->command);
	return status;
}
