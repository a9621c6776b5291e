/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-throttle: is this machine being slowed down, by whom, since when? */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "throttle/throttle.h"

/* One look consists of two: shares of time and frequencies are those of the time between. */
#define ONE_LOOK_NS (100 * NS_PER_MS)

/*
 * The exit status 1 says "throttled" here and nothing else: whatever goes wrong is "cannot tell".
 */
static int trouble(int status)
{
	return status == TOOL_PARTIAL ? TOOL_UNSUPPORTED : status;
}

/* ---- before looking ---- */

static void print_trace(void *user, const char *line)
{
	(void)user;
	fprintf(stderr, "%s\n", line);
}

static void print_line(void *user, const char *line)
{
	out_str(user, line);
	out_char(user, '\n');
}

static int open_machine(struct throttle_run *run)
{
	int status = tool_machine(&throttle_tool, &run->cfg->common, &run->um);

	if (status)
		return status;
	if (run->cfg->flags & THROTTLE_DRY_RUN) {
		uncoremsr_set_dry_run(run->um, 1);
		uncoremsr_set_trace(run->um, UNCOREMSR_TRACE_COMMANDS, print_line, run->out);
	} else if (run->cfg->flags & THROTTLE_TRACE) {
		uncoremsr_set_trace(run->um, UNCOREMSR_TRACE_TEXT, print_trace, NULL);
	}
	if (uncoremsr_open(run->um) < 0)
		return tool_fail(&throttle_tool, run->um);
	if (uncoremsr_throttle_new(run->um, &run->t) < 0)
		return tool_say(&throttle_tool, TOOL_PARTIAL, "out of memory");
	uncoremsr_throttle_set_kernel_only(run->t, (run->cfg->flags & THROTTLE_KERNEL_ONLY) != 0);
	return 0;
}

/* What the verdicts of the run come to. */
int throttle_verdict_status(const struct throttle_run *run)
{
	if (run->throttled)
		return TOOL_PARTIAL;
	if (run->was_throttled && (run->cfg->flags & THROTTLE_SINCE_CLEAR))
		return TOOL_PARTIAL;
	return run->told ? TOOL_DONE : TOOL_UNSUPPORTED;
}

/* The last failure in one line: what --summary and monitoring show. */
static void describe_failure(const struct throttle_run *run, char *why, size_t size)
{
	const char *hint = uncoremsr_hint(run->um);

	snprintf(why, size, "%s%s%s", uncoremsr_errmsg(run->um), *hint ? "; " : "", hint);
}

int throttle_look_once(struct throttle_run *run)
{
	int err = uncoremsr_throttle_look(run->t);

	run->wall_ns = wait_wall_clock(&run->wait);
	return err;
}

/* ---- one look ---- */

static void pause_between(struct throttle_run *run)
{
	struct timespec t = { .tv_nsec = (long)ONE_LOOK_NS };

	if (uncoremsr_advance(run->um, ONE_LOOK_NS))
		run->wait.skipped_ns += ONE_LOOK_NS;
	else
		while (nanosleep(&t, &t) < 0 && errno == EINTR)
			;
}

/* Nothing could be told: --summary says so in its line, else a message does. */
int throttle_show_failure(struct throttle_run *run)
{
	int status = (int)uncoremsr_error_class(run->um);
	char why[1024];

	if (run->cfg->flags & THROTTLE_SUMMARY) {
		describe_failure(run, why, sizeof(why));
		throttle_show_summary(run, why);
		return status ? status : TOOL_UNSUPPORTED;
	}
	if (run->cfg->flags & THROTTLE_DIMM) {
		throttle_dimm(run);
	} else if (!throttle_is_text(run)) {
		throttle_records_head(run);
		throttle_show_records(run);
	}
	return tool_fail(&throttle_tool, run->um);
}

static int one_look(struct throttle_run *run)
{
	struct throttle_summary sum;

	run->start_ns = uncoremsr_now(run->um);
	if (throttle_look_once(run) < 0)
		return throttle_show_failure(run);
	pause_between(run);
	if (throttle_look_once(run) < 0)
		return throttle_show_failure(run);
	throttle_summarize(run, &sum);
	run->throttled = sum.verdict == UNCOREMSR_VERDICT_THROTTLED;
	run->was_throttled = sum.verdict == UNCOREMSR_VERDICT_WAS_THROTTLED;
	run->told = sum.verdict != UNCOREMSR_VERDICT_UNKNOWN;
	if (run->cfg->flags & THROTTLE_SUMMARY) {
		throttle_show_summary(run, NULL);
	} else if (throttle_is_text(run)) {
		throttle_show_text(run);
	} else {
		throttle_records_head(run);
		throttle_show_records(run);
	}
	return throttle_verdict_status(run);
}

/* ---- clearing ---- */

static int clear_logs(struct throttle_run *run)
{
	int num = uncoremsr_throttle_clear(run->t, print_line, run->out);

	if (num < 0)
		return trouble(tool_fail(&throttle_tool, run->um));
	if (!num && !(run->cfg->flags & THROTTLE_DRY_RUN))
		out_str(run->out, "no log bit was set: nothing was written\n");
	return TOOL_DONE;
}

/* ---- all together ---- */

static int work(struct throttle_run *run)
{
	int status = throttle_output_open(run);

	if (!status)
		status = trouble(open_machine(run));
	if (status)
		return status;
	run->wait.um = run->um;
	if (run->cfg->flags & THROTTLE_CLEAR)
		return clear_logs(run);
	if (run->cfg->interval_ns)
		return throttle_watch(run);
	wait_dispositions();
	return one_look(run);
}

static int finish(struct throttle_run *run, int status)
{
	int err = throttle_output_flush(run);

	if (run->no_memory)
		tool_say(&throttle_tool, 0, "out of memory: something is missing");
	if (!err)
		return status;
	out_finish(run->out, &throttle_tool, status);
	return status == TOOL_DONE ? TOOL_UNSUPPORTED : status;
}

int main(int argc, char **argv)
{
	struct throttle_config cfg;
	struct out out;
	struct throttle_run run = { .cfg = &cfg, .out = &out };
	int status = throttle_options_parse(&cfg, argc, argv);

	if (status != TOOL_GO_ON)
		return trouble(status);
	out_init(&out, STDOUT_FILENO);
	status = finish(&run, work(&run));
	uncoremsr_throttle_free(run.t);
	uncoremsr_free(run.um);
	throttle_tracks_free(&run);
	out_free(&out);
	if (run.die_of)
		wait_die(run.die_of);
	return status;
}
