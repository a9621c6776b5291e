/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-read: count events once, periodically, or around a command. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "read/read.h"

/* ---- counting ---- */

static bool counts_cores(const struct read_run *run)
{
	const struct uncoremsr_counted *ev;

	for (size_t i = 0; (ev = uncoremsr_session_event(run->session, i)); i++)
		if (strcmp(ev->pmu, "core") == 0 || ev->route == UNCOREMSR_ROUTE_PERF)
			return true;
	return false;
}

/* False: writing failed. Core counters also count this program, so they are stopped before the last reading. */
static bool report(struct read_run *run, bool last)
{
	bool pause = last && counts_cores(run);

	if (pause)
		uncoremsr_session_pause(run->session);
	uncoremsr_session_read(run->session);
	if (run->cfg->dry_run)
		return true;
	read_print_interval(run);
	if (log_flush(&run->log, run->out))
		return false;
	read_text_hint(run);
	return true;
}

/* Have all processes or threads of -p and -t ended? */
static bool is_target_gone(const struct read_config *cfg)
{
	for (size_t i = 0; i < cfg->tasks.num; i++)
		if (!kill((pid_t)cfg->tasks.ids[i], 0) || errno != ESRCH)
			return false;
	return cfg->tasks.num;
}

/* False: a signal, the end of COMMAND, or a lost output ended the run early. */
static bool count_intervals(struct read_run *run)
{
	uint64_t last = run->start_ns;

	for (uint64_t n = 0; !run->cfg->count || n < run->cfg->count; n++) {
		uint64_t deadline = UINT64_MAX, from = last;
		enum wake wake;
		bool busy;

		if (run->cfg->interval_ns)
			deadline = wait_next_deadline(&run->wait, last, run->cfg->interval_ns);
		if (run->cfg->interval_ns)
			run->missed += (deadline - last) / run->cfg->interval_ns - 1;
		do {
			busy = read_actions_busy(&run->actions) && deadline - from > NS_PER_S;
			wake = wait_until(&run->wait, &run->session, 1, from, busy ? from + NS_PER_S : deadline,
					  run->cfg->interval_ns);
			read_actions_go_on(run);
			if (wake == WAKE_REOPEN)
				log_renew(&run->log, run->out);
			if (command_ends_run(&run->command, &run->wait, wake))
				return false;
			from = uncoremsr_now(run->um);
		} while ((wake != WAKE_TIME || busy) && from < deadline);
		if (!report(run, n + 1 == run->cfg->count))
			return false;
		last = deadline;
		if (is_target_gone(run->cfg))
			return true;
	}
	return true;
}

static void count_rest(struct read_run *run)
{
	bool text = records_for_people(&run->records) && !run->cfg->one_line;

	if (run->out->error || run->wait.die_of || run->cfg->dry_run)
		return;
	report(run, true);
	if (text && run->cfg->periodic)
		read_text_summary(run);
	if (text && run->cfg->command)
		read_text_elapsed(run);
}

static int stop(struct read_run *run)
{
	/* With a COMMAND, a metric that cannot be counted does not change the exit status, which is that of COMMAND. */
	bool missing = run->partial || (run->left_out && !run->cfg->command);
	int status = missing ? TOOL_PARTIAL : TOOL_DONE;

	if (uncoremsr_session_stop(run->session) < 0) {
		tool_fail(run->um);
		status = TOOL_PARTIAL;
	}
	return out_finish(run->out, tool_complete(run->um, NULL, status));
}

/* ---- with a command ---- */

static int hold_command(struct read_run *run)
{
	if (!run->cfg->command || run->cfg->dry_run)
		return 0;
	if (command_hold(&run->command, run->cfg->command, &run->wait))
		return TOOL_PARTIAL;
	if (run->cfg->whom == UNCOREMSR_TARGET_COMMAND &&
	    uncoremsr_session_set_target(run->session, UNCOREMSR_TARGET_COMMAND, run->command.pid) < 0)
		return tool_fail(run->um);
	return 0;
}

/* A dry run prints COMMAND at the point where it would run. */
static bool dry_command(struct read_run *run)
{
	for (char **word = run->cfg->command; *word; word++) {
		out_str(run->out, word == run->cfg->command ? "" : " ");
		out_shell_str(run->out, *word);
	}
	out_char(run->out, '\n');
	return report(run, true);
}

/* ---- a whole run ---- */

static int count(struct read_run *run)
{
	const char *advice = run->cfg->defaults ? "; put an event after -e, a metric after -M" : "";
	int status = 0;
	bool whole;

	if (run->command.pid > 0) {
		run->wait.wall = true;
		status = command_start(&run->command, advice);
	}
	if (status)
		return status;
	if (run->cfg->command && run->cfg->dry_run)
		whole = dry_command(run);
	else
		whole = count_intervals(run);
	if (!whole)
		count_rest(run);
	status = stop(run);
	read_actions_finish(run, run->wait.die_of || run->out->error);
	command_pending(&run->command, &run->wait);
	/* COMMAND may still run if counting ended early: after the intervals of -n, or because the output was lost. */
	return command_finish(&run->command, &run->wait, status);
}

/* With a COMMAND the output is standard error or a file, because standard output belongs to COMMAND. */
static int open_output(struct read_run *run)
{
	bool runs = run->cfg->command && !run->cfg->dry_run;

	out_init(run->out, runs && !run->cfg->output ? STDERR_FILENO : STDOUT_FILENO);
	if (run->out->fd == STDERR_FILENO)
		run->out->name = "standard error";
	/* A dry run has no readings, so it does not touch the output file. */
	if (run->cfg->output && !run->cfg->dry_run)
		run->log.path = run->cfg->output;
	run->log.append = run->cfg->append;
	run->log.whole = run->cfg->common.series && run->cfg->common.series->whole;
	return log_open(&run->log, run->out);
}

static int one_run(struct read_run *run)
{
	int status = hold_command(run);

	wait_dispositions();
	if (!status)
		status = read_session_start(run);
	return status ? status : count(run);
}

static void end_run(struct read_run *run)
{
	size_t first = offsetof(struct read_run, session);

	uncoremsr_session_free(run->session);
	command_drop(&run->command);
	free(run->actions.due);
	read_rows_free(run);
	records_free(&run->records);
	series_free(&run->series);
	memset((char *)run + first, 0, sizeof(*run) - first);
}

/* Try before COMMAND runs whether the items from @first to @end - 1 can be counted at the same time. */
static bool fits(struct read_run *run, size_t first, size_t end)
{
	bool fit;

	run->part = read_items_part(&run->items, first, end);
	fit = !read_session_make(run) && !hold_command(run) && uncoremsr_session_start(run->session) >= 0;
	if (fit)
		uncoremsr_session_stop(run->session);
	end_run(run);
	return fit;
}

/* A run has as many items as fit, and at least one. */
static size_t find_end(struct read_run *run, size_t first)
{
	size_t good = first + 1, bad = run->items.num;

	if (good == bad || fits(run, first, bad))
		return bad;
	while (good + 1 < bad) {
		size_t middle = good + (bad - good) / 2;

		if (fits(run, first, middle))
			good = middle;
		else
			bad = middle;
	}
	return good;
}

static int plan_runs(struct read_run *run)
{
	const char *left_out = uncoremsr_session_state(run->session)->left_out;
	struct read_items *items = &run->items;

	read_items_make(items, run);
	if (left_out)
		tool_say(0, "%s", left_out);
	end_run(run);
	items->ends = need(calloc(items->num, sizeof(*items->ends)));
	for (size_t first = 0; first < items->num; items->num_runs++)
		first = items->ends[items->num_runs] = find_end(run, first);
	run->runs = run->cfg->runs ? run->cfg->runs : items->num_runs;
	if (run->runs >= items->num_runs)
		return 0;
	return tool_say(TOOL_UNSUPPORTED, "--runs=%u: with the counters that are free "
			"here these events need %zu runs", (unsigned)run->runs, items->num_runs);
}

static int silently(struct read_run *run, int (*step)(struct read_run *run))
{
	int status;

	uncoremsr_set_log(run->um, NULL, NULL);
	status = step(run);
	tool_log(&run->cfg->common, run->um);
	return status;
}

static int all_runs(struct read_run *run)
{
	/*
	 * The first session has all events: it prints remarks once, and refuses events that cannot be counted at all.
	 */
	int first = 0, status = read_session_make(run);

	if (!status)
		status = silently(run, plan_runs);
	for (run->number = 1; !status && run->number <= run->runs; run->number++) {
		size_t nth = (run->number - 1) % run->items.num_runs;

		run->part = read_items_part(&run->items, nth ? run->items.ends[nth - 1] : 0, run->items.ends[nth]);
		status = silently(run, read_session_make);
		if (!status)
			status = one_run(run);
		first = first ? first : status;
		/* If COMMAND itself fails, go on with the next run, so that the other events are counted. */
		if (run->command.done && !run->wait.die_of && !run->wait.interrupted && !run->out->error)
			status = 0;
		if (run->wait.interrupted)
			run->number = run->runs;
		if (run->number < run->runs)
			end_run(run);
	}
	return first ? first : status;
}

static int work(struct read_run *run)
{
	int status = open_output(run);

	run->part = (struct read_part){ run->cfg->events, run->cfg->metrics };
	if (!status)
		status = tool_open(&run->cfg->common, &run->um, run->cfg->dry_run ? run->out : NULL, run->cfg->trace);
	if (!status && run->cfg->lists.num)
		status = event_lists_load(&run->cfg->lists, run->um, run->cfg->common.verbose);
	if (!status && !run->cfg->in_runs)
		status = read_session_make(run);
	if (status)
		return status;
	wait_init(&run->wait, run->cfg->output && run->cfg->periodic);
	out_stop_on(run->out, &run->wait.signals);
	run->wait.um = run->um;
	return run->cfg->in_runs ? all_runs(run) : one_run(run);
}

int main(int argc, char **argv)
{
	static struct read_run run;
	struct read_config cfg;
	struct out out = { .fd = -1 };
	int status = read_options_parse(&cfg, argc, argv);

	run.cfg = &cfg;
	run.out = &out;
	if (status == TOOL_GO_ON) {
		status = work(&run);
		end_run(&run);
		read_items_free(&run.items);
		uncoremsr_free(run.um);
		out_free(&out);
	}
	read_options_free(&cfg);
	if (run.wait.die_of)
		wait_die(run.wait.die_of);
	return status;
}
