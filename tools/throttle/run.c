/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Show the state once; or check repeatedly: a number of times, until a signal, or while a command runs. */
#include "throttle/throttle.h"
#include "uncoremsr/machine.h"

/* Interval between the two checks if the state is shown once. Frequencies and shares of time need an interval. */
#define ONE_LOOK_NS (100 * NS_PER_MS)

static int look_once(struct throttle_run *run)
{
	int err = uncoremsr_throttle_look(run->t);

	run->wall_ns = wait_wall_clock(&run->wait);
	return err;
}

static int verdict_status(const struct throttle_run *run)
{
	if (run->throttled || (run->was_throttled && run->cfg->since_clear))
		return TOOL_PARTIAL;
	if (run->denied)
		return TOOL_NO_ACCESS;
	return run->known && !run->open ? TOOL_DONE : TOOL_UNSUPPORTED;
}

static void describe_failure(const struct throttle_run *run, struct out *why)
{
	const char *hint = uncoremsr_error(run->um)->hint;
	const struct uncoremsr_question *q;
	struct throttle_summary sum;

	throttle_summarize(run, &sum);
	q = sum.obstacle;
	if (q && uncoremsr_error(run->um)->error_class == UNCOREMSR_ERROR_UNSUPPORTED) {
		if (q->cause == UNCOREMSR_CAUSE_ANY) {
			throttle_say_reason(why, run, q);
		} else {
			out_str(why, "nothing on this machine shows whether it is slowed down: ");
			throttle_say_question(why, run, q);
		}
	} else {
		out_fmt(why, "%s%s%s", uncoremsr_error(run->um)->message, *hint ? "; " : "", hint);
	}
}

static void put_series(struct throttle_run *run)
{
	const uint64_t interval = uncoremsr_throttle_state(run->t)->interval;

	run->series.wall_ns = run->wall_ns;
	throttle_series_put(&run->series, &run->series_tracks, uncoremsr_machine(run->um)->name, run->t);
	series_end(&run->series, &(struct series_interval){
		.ns = interval != UINT64_MAX ? interval : 0, .missed = run->missed,
	});
}

/* @why: why the check failed; NULL if it did not. */
static void show(struct throttle_run *run, const char *why)
{
	if (run->series.format) {
		put_series(run);
	} else if (run->cfg->summary) {
		throttle_show_summary(run, why);
	} else if (run->cfg->dimm) {
		throttle_dimm(run);
	} else if (!records_for_people(&run->records)) {
		throttle_show_records(run);
	} else if (!why) {
		throttle_show_text(run);
	}
}

static int show_failure(struct throttle_run *run)
{
	const struct uncoremsr_error *e = uncoremsr_error(run->um);
	int status = throttle_trouble(e->error_class ? (int)e->error_class : TOOL_UNSUPPORTED);
	struct out composed;
	const char *why;

	out_init(&composed, -1);
	describe_failure(run, &composed);
	why = composed.error ? e->message : out_text(&composed);
	show(run, why);
	if (!run->cfg->summary)
		tool_say(status, "%s", why);
	out_free(&composed);
	return status;
}

static int one_look(struct throttle_run *run)
{
	run->start_ns = uncoremsr_now(run->um);
	for (; run->looks < 2; run->looks++) {
		const uint64_t now = uncoremsr_now(run->um);

		if (run->looks)
			wait_until(&run->wait, NULL, 0, now, now + ONE_LOOK_NS, 0);
		if (look_once(run) < 0)
			return show_failure(run);
	}
	throttle_follow(run); /* only the second check decides the exit status */
	show(run, NULL);
	return verdict_status(run);
}

static void show_look(struct throttle_run *run)
{
	throttle_follow(run);
	if (run->series.format)
		put_series(run);
}

/* False: the output cannot be written. */
static bool look_again(struct throttle_run *run)
{
	uint64_t before = uncoremsr_throttle_state(run->t)->time;

	if (look_once(run) < 0) {
		if (!run->blind)
			tool_fail(run->um);
		run->blind = true;
	} else if (run->blind) {
		run->blind = false;
		tool_say(0, "the machine can be read again");
	}
	/* A failed check leaves nothing to compare. */
	if (uncoremsr_throttle_state(run->t)->time != before)
		show_look(run);
	return throttle_output_flush(run) == 0;
}

/* False: a signal, the end of COMMAND or an output error has ended the watch early. */
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
			wake = wait_until(&run->wait, NULL, 0, from, deadline, 0);
			if (command_ends_run(&run->command, &run->wait, wake))
				return false;
			from = uncoremsr_now(run->um);
		} while (wake != WAKE_TIME && from < deadline);
		if (!look_again(run))
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

/* Wait for COMMAND, and print its exit status, because the exit status of the tool is the verdict. */
static void finish_command(struct throttle_run *run)
{
	int status;

	if (run->command.pid <= 0)
		return;
	command_await(&run->command, &run->wait);
	status = command_exit(&run->command);
	if (run->command.done && status)
		tool_say(0, "%s: ended with exit status %d", run->cfg->command[0], status);
}

static int first_look(struct throttle_run *run)
{
	uncoremsr_throttle_set(run->t, UNCOREMSR_THROTTLE_COUNTING, 1);
	run->start_ns = uncoremsr_now(run->um);
	if (look_once(run) < 0)
		return show_failure(run);
	run->start_ns = uncoremsr_throttle_state(run->t)->time;
	show_look(run);
	return throttle_output_flush(run) ? TOOL_UNSUPPORTED : 0;
}

static int watch_to_end(struct throttle_run *run)
{
	int status = first_look(run);
	bool whole;

	if (!status)
		status = start_command(run);
	if (status)
		return status;
	whole = watch(run);
	/* If the watch ended early, make a last check for the time since the previous one. */
	if (!whole && !run->out->error && !run->wait.die_of)
		look_again(run);
	command_pending(&run->command, &run->wait);
	if (!run->wait.die_of && !run->series.format && !run->cfg->dimm)
		throttle_report(run);
	status = !run->wait.die_of && run->cfg->dimm ? throttle_dimm(run) : verdict_status(run);
	throttle_output_flush(run);
	finish_command(run);
	return status;
}

static int many_looks(struct throttle_run *run)
{
	int status = 0;

	wait_init(&run->wait, false);
	out_stop_on(run->out, &run->wait.signals);
	if (run->cfg->command)
		status = command_hold(&run->command, run->cfg->command, &run->wait);
	wait_dispositions();
	if (status)
		return TOOL_UNSUPPORTED;
	status = watch_to_end(run);
	command_pending(&run->command, &run->wait);
	command_drop(&run->command);
	return status;
}

int throttle_run(struct throttle_run *run)
{
	if (run->cfg->interval_ns)
		return many_looks(run);
	wait_dispositions();
	return one_look(run);
}
