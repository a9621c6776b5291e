/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-read: count events once, periodically, or around a command. */
#include <errno.h>
#include <fnmatch.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/read.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/* The state of the tool, with everything that must be released at the end. */
struct reader {
	struct read_config cfg;
	struct tool_wait wait;
	struct command command;
	struct read_run run;
	struct out out;
	struct log_file log;
	struct uncoremsr *um;
	struct uncoremsr_session *session;
	struct read_part part; /* events and metrics to count: all, or those of one run */
	size_t num_events; /* number of events of -e and --event, which are shown */
	uint64_t sequence;        /* number of the last interval of earlier runs */
	uint64_t number, runs;    /* with --runs: number of this run, and of all runs */
	struct read_items items;
	int die_of; /* signal that must end the tool; 0: none */
	char no_metric[512]; /* why default events of the kernel are counted and not metrics; empty: metrics are counted */
	bool nest;           /* the default events are POWER's memory traffic */
};

/* ---- before counting ---- */

static void print_trace(void *user, const char *line)
{
	(void)user;
	tool_line(NULL, line, "");
}

static void print_command(void *user, const char *line)
{
	out_str(user, line);
	out_char(user, '\n');
}

static int open_machine(struct reader *rd)
{
	int status = tool_machine(&read_tool, &rd->cfg.common, &rd->um), err = 0;

	if (status)
		return status;
	if (rd->cfg.flags & READ_DRY_RUN) {
		uncoremsr_set(rd->um, UNCOREMSR_DRY_RUN, 1);
		err = uncoremsr_set_trace(rd->um, UNCOREMSR_TRACE_COMMANDS, print_command, &rd->out);
	} else if (rd->cfg.flags & READ_TRACE) {
		err = uncoremsr_set_trace(rd->um, UNCOREMSR_TRACE_TEXT, print_trace, NULL);
	}
	return err < 0 || uncoremsr_open(rd->um) < 0 ? tool_fail(&read_tool, rd->um) : 0;
}

static int add_events(struct reader *rd)
{
	char buf[64];
	int status;

	for (size_t i = 0; i < rd->part.num_events; i++) {
		const char *text = read_event_text(&rd->part.events[i], buf, sizeof(buf));

		status = read_target_add(&rd->cfg.target, rd->um, rd->session, text);
		if (status)
			return status;
	}
	return read_when_count(&rd->cfg, rd->um, rd->session, false);
}

/* Add the events of POWER's catalogs for bytes read and written by memory controllers. Returns how many. */
static int add_nest_memory(struct reader *rd)
{
	static const char *const patterns[] = {
		"nest_mcs*/PM_MCS*_RD_D*", "nest_mcs*/PM_MCS*_WR_D*", "nest_mba*/PM_MBA*_READ_BYTES/",
		"nest_mba*/PM_MBA*_WRITE_BYTES/",
	};
	const struct uncoremsr_event *ev;
	char path[256];
	int num = 0;

	for (size_t i = 0; (ev = uncoremsr_event(rd->um, NULL, i)); i++) {
		bool memory = false;

		/* Names from the kernel already begin with their PMU. */
		if (strchr(ev->name, '/'))
			snprintf(path, sizeof(path), "%s", ev->name);
		else
			snprintf(path, sizeof(path), "%s/%s/", ev->pmu ? ev->pmu : "", ev->name);
		for (size_t k = 0; k < ARRAY_SIZE(patterns); k++)
			memory |= fnmatch(patterns[k], path, 0) == 0;
		num += memory && uncoremsr_session_add(rd->session, path) > 0;
	}
	return num;
}

/* Add default events of the kernel: the user named no event, and this machine has no metric. */
static int add_kernels(struct reader *rd)
{
	static const char *const events[] = {
		"cpu/cpu-cycles/", "cpu/instructions/", "core_imc/CPM_NON_IDLE_PCYC/",
		"core_imc/CPM_NON_IDLE_INST/", "context-switches", "cpu-migrations", "page-faults",
	};
	int num;

	snprintf(rd->no_metric, sizeof(rd->no_metric), "%s", uncoremsr_error(rd->um)->message);
	num = add_nest_memory(rd);
	rd->nest = num > 0;
	for (size_t i = 0; i < ARRAY_SIZE(events) && !rd->nest; i++)
		num += uncoremsr_session_add(rd->session, events[i]) > 0;
	if (!num)
		return tool_say(&read_tool, TOOL_UNSUPPORTED, "%s", rd->no_metric);
	rd->num_events = counted_num_events(rd->session);
	return 0;
}

/* Join all metrics into one text, because the library skips those of a list that cannot be counted here. */
static char *join_metrics(const struct read_part *part)
{
	struct out text;

	out_init(&text, -1);
	for (size_t i = 0; i < part->num_metrics; i++) {
		out_str(&text, i ? "," : "");
		out_str(&text, part->metrics[i]);
	}
	out_char(&text, '\0');
	if (text.error)
		out_free(&text);
	return text.error ? NULL : text.buf;
}

/* Add metrics after the events, so that events used by both are counted once. */
static int add_metrics(struct reader *rd)
{
	char *text = rd->part.num_metrics ? join_metrics(&rd->part) : NULL;
	int num = 0, status;

	if (rd->part.num_metrics && !text)
		return tool_no_memory(&read_tool);
	rd->num_events = counted_num_events(rd->session);
	if (text)
		num = read_target_add_metric(&rd->cfg.target, rd->um, rd->session, text);
	free(text);
	if (num < 0 && (rd->cfg.flags & READ_DEFAULTS) &&
	    uncoremsr_error(rd->um)->error_class == UNCOREMSR_ERROR_UNSUPPORTED)
		return add_kernels(rd);
	if (num < 0)
		return tool_fail(&read_tool, rd->um);
	status = read_when_count(&rd->cfg, rd->um, rd->session, true);
	return status ? status : read_target_check_places(&rd->cfg, rd->session);
}

static int choose_counter(struct reader *rd)
{
	size_t num = counted_num_events(rd->session);

	if (rd->cfg.counter < 0)
		return 0;
	if (num != 1)
		return tool_usage(&read_tool, "--counter: works with exactly one event, not %zu",
				  num);
	if (uncoremsr_session_set_counter(rd->session, 0, (unsigned)rd->cfg.counter) < 0)
		return tool_fail(&read_tool, rd->um);
	return 0;
}

static int make_session(struct reader *rd)
{
	const struct read_config *cfg = &rd->cfg;
	int status;

	if (uncoremsr_session_new(rd->um, &rd->session) < 0)
		return tool_no_memory(&read_tool);
	if (uncoremsr_session_set(rd->session, UNCOREMSR_SESSION_ROUTE, cfg->route) < 0)
		return tool_say(&read_tool, (int)uncoremsr_error(rd->um)->error_class, "--route=%s: %s",
				counted_route_word(cfg->route), uncoremsr_error(rd->um)->message);
	status = read_target_apply(&rd->cfg, rd->um, rd->session);
	if (!status)
		status = add_events(rd);
	if (!status)
		status = read_target_repeat(&rd->cfg, rd->um, rd->session);
	if (!status)
		status = read_target_agree(&rd->cfg, rd->session);
	if (!status)
		status = choose_counter(rd);
	if (!status)
		status = add_metrics(rd);
	if (!status)
		status = read_check_dry_run(cfg, rd->session);
	if (status)
		return status;
	if (cfg->packages && uncoremsr_session_only(rd->session, UNCOREMSR_ONLY_PACKAGES, cfg->packages) < 0)
		return tool_fail(&read_tool, rd->um);
	if (cfg->cpus && uncoremsr_session_only(rd->session, UNCOREMSR_ONLY_CPUS, cfg->cpus) < 0)
		return tool_fail(&read_tool, rd->um);
	uncoremsr_session_set(rd->session, UNCOREMSR_SESSION_MULTIPLEX, !(cfg->flags & READ_NO_MULTIPLEX));
	if (uncoremsr_session_set(rd->session, UNCOREMSR_SESSION_FORCE, (cfg->flags & READ_FORCE) != 0) < 0)
		return tool_fail(&read_tool, rd->um);
	uncoremsr_session_set(rd->session, UNCOREMSR_SESSION_VERIFY, !(cfg->flags & READ_NO_VERIFY));
	return 0;
}

static bool reads_registers(const struct reader *rd)
{
	const struct uncoremsr_counted *ev;

	for (size_t i = 0; (ev = uncoremsr_session_event(rd->session, i)); i++)
		if (ev->route == UNCOREMSR_ROUTE_MSR)
			return true;
	return false;
}

/*
 * Reading a register of another CPU interrupts that CPU and waits for it. So run on the CPU through which the first
 * package is read: at least that package needs no interrupt. If this fails we are only slower.
 */
static void pin(const struct reader *rd)
{
	const struct uncoremsr_session_package *p = uncoremsr_session_package(rd->session, 0);
	cpu_set_t set;

	if (strcmp(uncoremsr_machine(rd->um)->name, "live") != 0 || !reads_registers(rd) ||
	    !p || p->cpu < 0 || p->cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)p->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Print a line for each package that could not be programmed; its readings say only "failed". */
static void tell_failed_packages(const struct reader *rd)
{
	const struct uncoremsr_session_package *p;

	for (size_t i = 0; (p = uncoremsr_session_package(rd->session, i)); i++)
		if (p->error)
			tool_say(&read_tool, 0, "package %d: not counted: %s", p->package->id, p->error);
}

/* Print for which events perf shows another amount, because it uses the kernel's scale. */
static void tell_scales(const struct reader *rd)
{
	size_t told = 0;

	for (size_t i = 0; i < rd->num_events; i++) {
		const struct uncoremsr_counted *ev = uncoremsr_session_event(rd->session, i);

		if (!ev->kernel_scale || told++)
			continue;
		tool_say(&read_tool, 0, "%s: one count is %.10g%s%s; this kernel's scale file says %s",
			 ev->name, ev->scale, ev->measure ? " " : " (no amount)", ev->measure ? ev->measure : "",
			 ev->kernel_scale);
	}
	if (told > 1)
		tool_say(&read_tool, 0, "%zu other event%s another scale here than in this kernel's "
			 "files; uncore-events explain shows it", told - 1, told == 2 ? " has" : "s have");
}

/* Does any event count on any unit? If not, *why is the error of the first unit. */
static bool counts_anything(const struct reader *rd, const char **why)
{
	const struct uncoremsr_unit *u;

	*why = NULL;
	for (size_t i = 0; uncoremsr_session_event(rd->session, i); i++)
		for (size_t k = 0; (u = uncoremsr_session_unit(rd->session, i, k)); k++) {
			if (!u->error)
				return true;
			*why = *why ? *why : u->error;
		}
	return false;
}

/* Write the names of the default events and metrics. */
static void name_defaults(const struct reader *rd, char *buf, size_t size)
{
	size_t events = *rd->no_metric ? rd->num_events : 0, len = 0;
	const struct uncoremsr_event *m;

	buf[0] = '\0';
	if (rd->nest)
		snprintf(buf, size, "the memory traffic of the nest");
	for (size_t i = 0; !rd->nest && i < events && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
					uncoremsr_session_event(rd->session, i)->name);
	for (size_t i = 0; (m = uncoremsr_session_metric(rd->session, i)) && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
					m->name);
}

/*
 * The user named no event, and the default metrics cannot be counted. Explain why this machine has no uncore to count,
 * which helps more than the error of the first metric.
 */
static void tell_defaults(const struct reader *rd)
{
	const char *reason = uncoremsr_machine(rd->um)->reason;
	bool guest = uncoremsr_machine(rd->um)->hypervisor > 0;
	char names[512];

	if (!(rd->cfg.flags & READ_DEFAULTS) || !(*rd->no_metric || guest) || rd->number > 1)
		return;
	name_defaults(rd, names, sizeof(names));
	tool_say(&read_tool, 0, "%s; counting %s", guest ? "this is a virtual machine, whose uncore is the host's"
		 : reason ? reason : rd->no_metric, names);
}

static int start(struct reader *rd)
{
	const char *why;
	int status;

	rd->run = (struct read_run){
		.cfg = &rd->cfg, .um = rd->um, .session = rd->session, .out = &rd->out,
		.num_events = rd->num_events, .sequence = rd->sequence,
		.number = rd->number, .runs = rd->runs,
	};
	rd->run.log = rd->log;
	records_init(&rd->run.records, &rd->cfg.common, &rd->out, &rd->run);
	series_init(&rd->run.series, &rd->cfg.common, &rd->out,
		    rd->cfg.count != 1 ? rd->cfg.interval_ns : 0);
	for (size_t i = 0; i < rd->num_events; i++)
		rd->run.has_tasks |= uncoremsr_session_event(rd->session, i)->task;
	for (size_t i = 0; uncoremsr_session_metric(rd->session, i); i++)
		rd->run.has_tasks |= read_target_has_metric(&rd->cfg.target, rd->session, i);
	status = read_check_columns(&rd->run);
	if (status)
		return status;
	/* A dry run prints commands while counters are programmed, so its heading comes first. */
	if (rd->cfg.flags & READ_DRY_RUN)
		read_print_head(&rd->run);
	tell_scales(rd);
	pin(rd);
	if (uncoremsr_session_start(rd->session) < 0)
		return tool_fail(&read_tool, rd->um);
	tell_defaults(rd);
	tell_failed_packages(rd);
	/* Units of offline CPUs might count later, but COMMAND runs only once, so refuse now. */
	if (rd->command.pid > 0 && !counts_anything(rd, &why))
		return tool_say(&read_tool, TOOL_UNSUPPORTED, "%s is not started: nothing can be "
				"counted%s%s", rd->cfg.command[0], why ? ": " : "", why ? why : "");
	rd->run.start_ns = uncoremsr_now(rd->um);
	rd->run.last_ns = rd->run.start_ns;
	if (read_rows_init(&rd->run) < 0)
		return tool_no_memory(&read_tool);
	return 0;
}

/* ---- counting ---- */

static bool counts_cores(const struct reader *rd)
{
	const struct uncoremsr_counted *ev;

	for (size_t i = 0; (ev = uncoremsr_session_event(rd->session, i)); i++)
		if (strcmp(ev->pmu, "core") == 0 || ev->route == UNCOREMSR_ROUTE_PERF)
			return true;
	return false;
}

/*
 * Close the interval and write it. False: the output is lost. Core counters also count this program, so at the end they
 * are stopped before they are read. (Stopping also checks for interference by other programs.)
 */
static bool report(struct reader *rd, bool last)
{
	bool pause = last && counts_cores(rd);

	if (pause)
		uncoremsr_session_pause(rd->session);
	uncoremsr_session_read(rd->session);
	if (rd->cfg.flags & READ_DRY_RUN)
		return true;
	read_print_interval(&rd->run, &rd->wait);
	if (log_flush(&rd->run.log, &rd->out))
		return false;
	read_text_hint(&rd->run);
	return true;
}

/* Count all intervals. False: a signal or a lost output ended the run early. */
static bool count_intervals(struct reader *rd)
{
	uint64_t last = rd->run.start_ns;

	for (uint64_t n = 0; !rd->cfg.count || n < rd->cfg.count; n++) {
		uint64_t deadline = UINT64_MAX, from = last;
		enum wake wake;
		bool busy;

		if (rd->cfg.interval_ns)
			deadline = wait_next_deadline(&rd->wait, last, rd->cfg.interval_ns);
		if (rd->cfg.interval_ns)
			rd->run.missed += (deadline - last) / rd->cfg.interval_ns - 1;
		do {
			busy = read_actions_busy(&rd->run) && deadline - from > NS_PER_S;
			wake = turns_wait_until(&rd->wait, &rd->session, 1, from,
						busy ? from + NS_PER_S : deadline,
						rd->cfg.interval_ns);
			read_actions_go_on(&rd->run, &rd->wait);
			if (wake == WAKE_REOPEN)
				log_renew(&rd->run.log, &rd->out);
			if (command_ends_run(&rd->command, &rd->wait, wake, &rd->die_of))
				return false;
			from = uncoremsr_now(rd->um);
		} while ((wake != WAKE_TIME || busy) && from < deadline);
		if (!report(rd, n + 1 == rd->cfg.count))
			return false;
		last = deadline;
		if (read_target_gone(&rd->cfg.target))
			return true;
	}
	return true;
}

/* Count the time after the last whole interval; in text also print the totals. */
static void count_rest(struct reader *rd)
{
	bool text = records_for_people(&rd->run.records) && !(rd->cfg.flags & READ_ONE_LINE);

	if (rd->out.error || rd->die_of || (rd->cfg.flags & READ_DRY_RUN))
		return;
	report(rd, true);
	if (text && rd->cfg.periodic)
		read_text_summary(&rd->run);
	if (text && rd->cfg.command)
		read_text_elapsed(&rd->run, &rd->command);
}

static int stop(struct reader *rd)
{
	/* With a COMMAND a metric that was left out does not count as missing: the exit status is COMMAND's. */
	bool missing = rd->run.partial || (rd->run.left_out && !rd->cfg.command);
	int status = missing ? TOOL_PARTIAL : TOOL_DONE;

	if (uncoremsr_session_stop(rd->session) < 0) {
		tool_fail(&read_tool, rd->um);
		status = TOOL_PARTIAL;
	}
	return out_finish(&rd->out, &read_tool, tool_complete(&read_tool, rd->um, NULL, status));
}

/* ---- with a command ---- */

static int hold_command(struct reader *rd)
{
	int err;

	if (!rd->cfg.command || (rd->cfg.flags & READ_DRY_RUN))
		return 0;
	err = command_hold(&rd->command, rd->cfg.command, &rd->wait);
	if (err < 0)
		return tool_say(&read_tool, TOOL_PARTIAL, "cannot create a process: %s",
				strerror(-err));
	if (rd->cfg.target.whom == UNCOREMSR_TARGET_COMMAND &&
	    uncoremsr_session_set_target(rd->session,
			UNCOREMSR_TARGET_COMMAND, rd->command.pid) < 0)
		return tool_fail(&read_tool, rd->um);
	return 0;
}

static int release_command(struct reader *rd)
{
	if (rd->command.pid <= 0)
		return 0;
	rd->wait.wall = true;
	return command_start(&rd->command, &read_tool, rd->cfg.flags & READ_DEFAULTS
			     ? "; put an event after -e, a metric after -M" : "");
}

/* A dry run prints COMMAND in the list of commands, at the point where it would run. */
static bool dry_command(struct reader *rd)
{
	for (char **word = rd->cfg.command; *word; word++) {
		out_str(&rd->out, word == rd->cfg.command ? "" : " ");
		out_shell_str(&rd->out, *word);
	}
	out_char(&rd->out, '\n');
	return report(rd, true);
}

/* ---- all together ---- */

static int count(struct reader *rd)
{
	int status = release_command(rd);
	bool whole;

	if (status)
		return status;
	if (rd->cfg.command && (rd->cfg.flags & READ_DRY_RUN))
		whole = dry_command(rd);
	else
		whole = count_intervals(rd);
	if (!whole)
		count_rest(rd);
	status = stop(rd);
	rd->die_of = read_actions_finish(&rd->run, &rd->wait, rd->die_of || rd->out.error) ?: rd->die_of;
	command_pending(&rd->command, &rd->wait, &rd->die_of);
	/* Counting may have ended before COMMAND: -n, or the reader of the output has ended. */
	return command_finish(&rd->command, &read_tool, &rd->wait, status, &rd->die_of);
}

/* Open the output. With a COMMAND it is standard error or a file, because standard output belongs to COMMAND. */
static int open_output(struct reader *rd)
{
	bool runs = rd->cfg.command && !(rd->cfg.flags & READ_DRY_RUN);
	int err;

	out_init(&rd->out, runs && !rd->cfg.output ? STDERR_FILENO : STDOUT_FILENO);
	if (rd->out.fd == STDERR_FILENO)
		rd->out.name = "standard error";
	/* A dry run has no readings, so it does not touch the output file. */
	if (rd->cfg.output && !(rd->cfg.flags & READ_DRY_RUN) && strcmp(rd->cfg.output, "-") != 0)
		rd->log.path = rd->cfg.output;
	rd->log.append = rd->cfg.append;
	rd->log.whole = rd->cfg.common.series && rd->cfg.common.series->whole;
	err = log_open(&rd->log, &rd->out);
	if (!err)
		return 0;
	return tool_say(&read_tool, err == -EACCES || err == -EPERM ? TOOL_NO_ACCESS : TOOL_USAGE,
			"%s: %s", rd->log.name, strerror(-err));
}

static int one_run(struct reader *rd)
{
	int status = hold_command(rd);

	wait_dispositions();
	if (!status)
		status = start(rd);
	return status ? status : count(rd);
}

static void end_run(struct reader *rd)
{
	uncoremsr_session_free(rd->session);
	command_drop(&rd->command);
	read_rows_free(&rd->run);
	records_free(&rd->run.records);
	series_free(&rd->run.series);
	rd->session = NULL;
	rd->command = (struct command){ .pid = 0 };
	rd->log = rd->run.out ? rd->run.log : rd->log;
	rd->sequence = rd->run.sequence;
	rd->run = (struct read_run){ .out = NULL };
}

/* Can these items be counted at once? Tries it before COMMAND starts to run. */
static bool fits(void *user, size_t first, size_t end)
{
	struct reader *rd = user;
	bool fit;

	rd->part = read_items_part(&rd->items, first, end);
	fit = !make_session(rd) && !hold_command(rd) && uncoremsr_session_start(rd->session) >= 0;
	if (fit)
		uncoremsr_session_stop(rd->session);
	end_run(rd);
	return fit;
}

/* Plan which events each run counts, by trying what fits into one run. */
static int plan_runs(struct reader *rd)
{
	int status = read_items_make(&rd->items, &rd->cfg, rd->um);

	if (status)
		return status;
	if (read_items_share(&rd->items, fits, rd))
		return tool_no_memory(&read_tool);
	rd->runs = rd->cfg.runs ? rd->cfg.runs : rd->items.num_runs;
	if (rd->runs >= rd->items.num_runs)
		return 0;
	return tool_say(&read_tool, TOOL_UNSUPPORTED, "--runs=%u: with the counters that are free "
			"here these events need %zu runs", (unsigned)rd->runs, rd->items.num_runs);
}

/* Do a step without printing the library's messages. */
static int silently(struct reader *rd, int (*step)(struct reader *rd))
{
	int status;

	uncoremsr_set_log(rd->um, NULL, NULL);
	status = step(rd);
	tool_log(&read_tool, &rd->cfg.common, rd->um);
	return status;
}

static int all_runs(struct reader *rd)
{
	/*
	 * A first session with all events prints remarks about them once, and finds those that cannot be counted at
	 * all.
	 */
	int first = 0, status = make_session(rd);

	end_run(rd);
	if (!status)
		status = silently(rd, plan_runs);
	for (rd->number = 1; !status && rd->number <= rd->runs; rd->number++) {
		size_t nth = (rd->number - 1) % rd->items.num_runs;

		rd->part = read_items_part(&rd->items, nth ? rd->items.ends[nth - 1] : 0,
					   rd->items.ends[nth]);
		status = silently(rd, make_session);
		if (!status)
			status = one_run(rd);
		first = first ? first : status;
		/* A failure of COMMAND itself does not end the series: the other events are still counted. */
		if (rd->command.done && !rd->die_of && !rd->wait.interrupted && !rd->out.error)
			status = 0;
		if (rd->wait.interrupted)
			rd->number = rd->runs;
		if (rd->number < rd->runs)
			end_run(rd);
	}
	return first ? first : status;
}

static int work(struct reader *rd)
{
	int status = open_output(rd);

	rd->part = (struct read_part){
		rd->cfg.events, rd->cfg.num_events, rd->cfg.metrics.words, rd->cfg.metrics.num,
	};
	if (!status)
		status = open_machine(rd);
	if (!status && !(rd->cfg.flags & READ_RUNS))
		status = make_session(rd);
	if (status)
		return status;
	wait_init(&rd->wait, rd->cfg.output && rd->cfg.periodic);
	out_stop_on(&rd->out, &rd->wait.signals);
	rd->wait.um = rd->um;
	return rd->cfg.flags & READ_RUNS ? all_runs(rd) : one_run(rd);
}

int main(int argc, char **argv)
{
	static struct reader rd; /* 45 KB, most of which is never touched; on the stack all of it would be zeroed */
	int status = read_options_parse(&rd.cfg, argc, argv);

	if (status == TOOL_GO_ON) {
		status = work(&rd);
		end_run(&rd);
		read_items_free(&rd.items);
		uncoremsr_free(rd.um);
		out_free(&rd.out);
	}
	read_options_free(&rd.cfg);
	if (rd.die_of)
		wait_die(rd.die_of);
	return status;
}
