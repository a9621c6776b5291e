/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Make the session that counts what the command line asks for, and start it. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/installed_lists.h"
#include "common/memory.h"
#include "common/nest_memory.h"
#include "read/read.h"
#include "uncoremsr/machine.h"

/* ---- the target and its options ---- */

int read_target_add(struct read_run *run, struct uncoremsr_session *s, const char *text)
{
	int num = installed_lists_add(run->um, s, uncoremsr_session_add, text, &run->cfg->tried_installed);

	return num < 0 ? tool_fail(run->um) : 0;
}

bool read_target_is_task(const struct read_config *cfg, const struct uncoremsr_session *s, bool metric, size_t i)
{
	if (cfg->cgroups.num)
		return false;
	return metric ? cfg->whom != UNCOREMSR_TARGET_SYSTEM && uncoremsr_session_metric(s, i)->on_cpus > 0
		      : uncoremsr_session_event(s, i)->task;
}

bool read_target_splits(const struct read_config *cfg, const struct uncoremsr_session *s, size_t event)
{
	const struct uncoremsr_counted *ev = uncoremsr_session_event(s, event);

	return !ev->uncore || (cfg->per_core && ev->cores);
}

size_t read_target_group(const struct read_config *cfg, size_t event)
{
	size_t group = 0;

	while (group + 1 < cfg->cgroups.num && event >= cfg->first_event[group + 1])
		group++;
	return group;
}

const char *read_target_name(const struct read_config *cfg, size_t event, char *buf, size_t size)
{
	static const char *const words[] = {
		[UNCOREMSR_TARGET_SYSTEM] = "system", [UNCOREMSR_TARGET_PROCESS] = "process",
		[UNCOREMSR_TARGET_THREAD] = "thread", [UNCOREMSR_TARGET_COMMAND] = "command",
	};
	size_t len;

	if (cfg->cgroups.num > 1 && event == SIZE_MAX)
		snprintf(buf, size, "%zu cgroups", cfg->cgroups.num);
	else if (cfg->cgroups.num)
		snprintf(buf, size, "cgroup %s", cfg->cgroups.words[read_target_group(cfg, event)]);
	else
		snprintf(buf, size, "%s", words[cfg->whom]);
	len = strlen(buf);
	for (size_t i = 0; i < cfg->tasks.num && len + 24 < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%ld", i ? "," : " ", cfg->tasks.ids[i]);
	return buf;
}

static int apply_target(struct read_run *run)
{
	const struct read_config *cfg = run->cfg;
	int err = 0;

	if (cfg->cgroups.num)
		err = uncoremsr_session_only(run->session, UNCOREMSR_ONLY_CGROUP, cfg->cgroups.words[0]);
	else if (cfg->whom == UNCOREMSR_TARGET_COMMAND) /* process id 0: COMMAND has not been started yet */
		err = uncoremsr_session_set_target(run->session, cfg->whom, 0);
	for (size_t i = 0; i < cfg->tasks.num && err >= 0; i++)
		err = uncoremsr_session_set_target(run->session, cfg->whom, cfg->tasks.ids[i]);
	for (size_t i = 0; i < cfg->cores.num && err >= 0; i++)
		err = uncoremsr_session_only(run->session, UNCOREMSR_ONLY_CORES, cfg->cores.words[i]);
	return err < 0 ? tool_fail(run->um) : 0;
}

/* Add the event to a session of its own to find out whether a control group can count it. */
static bool is_for_group(const struct read_config *cfg, struct uncoremsr *um, const char *text)
{
	struct uncoremsr_session *s;
	bool is;

	if (uncoremsr_session_new(um, &s) < 0)
		return false;
	is = !uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, cfg->cgroups.words[0]) &&
	     uncoremsr_session_add(s, text) >= 0 && uncoremsr_session_event(s, 0)->task;
	uncoremsr_session_free(s);
	return is;
}

/* Repeat the events for each control group after the first, except events that no group can count. */
static int repeat_for_groups(struct read_run *run)
{
	struct read_config *cfg = run->cfg;
	struct read_items items = { .num_events = 0 };
	int status = 0;

	if (cfg->cgroups.num < 2)
		return 0;
	free(cfg->first_event);
	cfg->first_event = need(calloc(cfg->cgroups.num, sizeof(*cfg->first_event)));
	read_items_make(&items, run);
	for (size_t g = 1; g < cfg->cgroups.num && !status; g++) {
		cfg->first_event[g] = counted_num_events(run->session);
		if (uncoremsr_session_only(run->session, UNCOREMSR_ONLY_CGROUP, cfg->cgroups.words[g]) < 0)
			status = tool_fail(run->um);
		for (size_t i = 0; i < items.num_events && !status; i++)
			if (is_for_group(cfg, run->um, items.list[i]))
				status = read_target_add(run, run->session, items.list[i]);
	}
	read_items_free(&items);
	return status;
}

/* At most one option for values of cores or CPUs can be given; NULL: none was given. */
static const char *option_of_places(const struct read_config *cfg)
{
	return cfg->cores.num ? "--cores" : cfg->per_core ? "--per-core" : cfg->per_cpu ? "--per-cpu" : NULL;
}

static int check_task(const struct read_config *cfg, const char *name)
{
	const char *option = cfg->cpus ? "--cpus" : cfg->packages ? "--packages" : option_of_places(cfg);

	if (!option)
		return 0;
	if (cfg->command)
		return tool_usage("%s: '%s' is counted for COMMAND, wherever it runs; "
				  "add -a to count whole CPUs", option, name);
	return tool_usage("%s: '%s' is counted for a process, wherever it runs; leave out %s", option, name, option);
}

static void tell_whole(const struct read_config *cfg, const char *first, size_t others)
{
	char more[40] = "";

	if (others)
		snprintf(more, sizeof(more), " and %zu more", others);
	tool_say(0, "%s%s: %s whole packages, not just the %s of -%c", first, more,
		 others ? "count" : "counts", cfg->tasks.option == 'p' ? "processes" : "threads", cfg->tasks.option);
}

/* Refuse options about CPUs for events that are counted for tasks. With -p or -t, tell which count whole packages. */
static int check_targets(const struct read_run *run, bool metrics)
{
	const struct read_config *cfg = run->cfg;
	const char *first = NULL, *name;
	size_t whole = 0;

	for (size_t i = 0; (metrics || i < run->num_events) && (name = counted_name(run->session, metrics, i)); i++) {
		bool task = read_target_is_task(cfg, run->session, metrics, i);
		int status = task ? check_task(cfg, name) : 0;

		if (status)
			return status;
		if (task || !cfg->tasks.option || (metrics && uncoremsr_session_metric(run->session, i)->on_cpus))
			continue;
		first = first ? first : name;
		whole++;
	}
	if (whole)
		tell_whole(cfg, first, whole - 1);
	return 0;
}

/* --cores, --per-core and --per-cpu need a metric, or an event that has a value for each core or CPU. */
static int check_places(const struct read_run *run)
{
	const struct uncoremsr_session *s = run->session;
	const struct read_config *cfg = run->cfg;
	const char *option = option_of_places(cfg);
	const char *of_metrics = cfg->per_unit ? "--per-unit" : option;
	const struct uncoremsr_counted *ev = uncoremsr_session_event(s, 0);
	const struct uncoremsr_event *m;
	bool splits = uncoremsr_session_metric(s, 0);
	int status = check_targets(run, false);

	for (size_t i = 0; !status && (m = uncoremsr_session_metric(s, i)); i++)
		if (of_metrics && !m->on_cpus)
			return tool_usage("%s: metric '%s' has values of whole packages only; leave "
					  "out the option or the metric", of_metrics, m->name);
	status = status ? status : check_targets(run, true);
	if (status)
		return status;
	for (size_t i = 0; uncoremsr_session_event(s, i) && !splits; i++)
		splits = read_target_splits(cfg, s, i);
	if (!option || splits || !ev)
		return 0;
	return tool_usage("%s: '%s' is counted for whole %s; leave out %s", option,
			  ev->name, ev->cores ? "cores" : "packages", option);
}

static const struct uncoremsr_counted *counted_by(const struct read_run *run, enum uncoremsr_route route)
{
	const struct uncoremsr_counted *ev;
	size_t i = 0;

	while ((ev = uncoremsr_session_event(run->session, i++)) && ev->route != route)
		;
	return ev;
}

/* Refuse a dry run with events that the kernel counts: it could not show what the kernel does. */
static int check_dry_run(struct read_run *run)
{
	const struct uncoremsr_counted *ev = counted_by(run, UNCOREMSR_ROUTE_PERF);

	if (!run->cfg->dry_run || !ev)
		return 0;
	return tool_usage("--dry-run: '%s' is counted by the kernel, without rdmsr and wrmsr; "
			  "'uncore-events encode' shows what is passed to the kernel", ev->name);
}

/* ---- events and metrics ---- */

static int add_events(struct read_run *run)
{
	int status = 0;

	for (size_t i = 0; i < run->part.events.num && !status; i++)
		status = read_target_add(run, run->session, run->part.events.words[i]);
	return status ? status : read_when_count(run, false);
}

/* Add default events of the kernel: the user named no event, and this machine has no metric. */
static int add_kernels(struct read_run *run)
{
	static const char *const events[] = {
		"cpu/cpu-cycles/", "cpu/instructions/", "core_imc/CPM_NON_IDLE_PCYC/",
		"core_imc/CPM_NON_IDLE_INST/", "context-switches", "cpu-migrations", "page-faults",
	};
	int num;

	snprintf(run->no_metric, sizeof(run->no_metric), "%s", uncoremsr_error(run->um)->message);
	num = nest_memory_add(run->um, run->session);
	run->nest = num > 0;
	for (size_t i = 0; i < ARRAY_SIZE(events) && !run->nest; i++)
		num += uncoremsr_session_add(run->session, events[i]) > 0;
	if (!num)
		return tool_say(TOOL_UNSUPPORTED, "%s", run->no_metric);
	run->num_events = counted_num_events(run->session);
	return 0;
}

/* Add metrics after the events, so that events used by both are counted once. */
static int add_metrics(struct read_run *run)
{
	const struct read_words *metrics = &run->part.metrics;
	struct out text;
	int num = 0, status;

	run->num_events = counted_num_events(run->session);
	/* Add the metrics as one list, because in a list the library skips metrics that cannot be counted here. */
	out_init(&text, -1);
	for (size_t i = 0; i < metrics->num; i++) {
		out_str(&text, i ? "," : "");
		out_str(&text, metrics->words[i]);
	}
	if (metrics->num)
		num = installed_lists_add(run->um, run->session, uncoremsr_session_add_metric, out_text(&text),
					  &run->cfg->tried_installed);
	status = text.error ? tool_no_memory() : 0;
	out_free(&text);
	if (status)
		return status;
	if (num < 0 && run->cfg->defaults && uncoremsr_error(run->um)->error_class == UNCOREMSR_ERROR_UNSUPPORTED)
		return add_kernels(run);
	if (num < 0)
		return tool_fail(run->um);
	status = read_when_count(run, true);
	return status ? status : check_places(run);
}

static int choose_counter(struct read_run *run)
{
	size_t num = counted_num_events(run->session);

	if (run->cfg->counter < 0)
		return 0;
	if (num != 1)
		return tool_usage("--counter: works with exactly one event, not %zu", num);
	if (uncoremsr_session_set_counter(run->session, 0, (unsigned)run->cfg->counter) < 0)
		return tool_fail(run->um);
	return 0;
}

int read_session_make(struct read_run *run)
{
	static int (*const steps[])(struct read_run *run) = {
		apply_target, add_events, repeat_for_groups, choose_counter, add_metrics, check_dry_run,
	};
	const struct read_config *cfg = run->cfg;
	int status = 0;

	if (uncoremsr_session_new(run->um, &run->session) < 0)
		return tool_no_memory();
	if (uncoremsr_session_set(run->session, UNCOREMSR_SESSION_ROUTE, cfg->route) < 0)
		return tool_say((int)uncoremsr_error(run->um)->error_class, "--route=%s: %s",
				counted_route_word(cfg->route), uncoremsr_error(run->um)->message);
	for (size_t i = 0; i < ARRAY_SIZE(steps) && !status; i++)
		status = steps[i](run);
	if (status)
		return status;
	if (cfg->packages && uncoremsr_session_only(run->session, UNCOREMSR_ONLY_PACKAGES, cfg->packages) < 0)
		return tool_fail(run->um);
	if (cfg->cpus && uncoremsr_session_only(run->session, UNCOREMSR_ONLY_CPUS, cfg->cpus) < 0)
		return tool_fail(run->um);
	/* With --runs, the events of a single metric take turns if there are not enough counters for them. */
	uncoremsr_session_set(run->session, UNCOREMSR_SESSION_MULTIPLEX, !cfg->no_multiplex ||
			      (cfg->in_runs && run->part.events.num + run->part.metrics.num == 1));
	if (uncoremsr_session_set(run->session, UNCOREMSR_SESSION_FORCE, cfg->force) < 0)
		return tool_fail(run->um);
	uncoremsr_session_set(run->session, UNCOREMSR_SESSION_VERIFY, !cfg->no_verify);
	return 0;
}

/* ---- start ---- */

/* A read of another CPU's register interrupts that CPU, so run on the CPU through which the first package is read. */
static void pin(const struct read_run *run)
{
	const struct uncoremsr_session_package *p = uncoremsr_session_package(run->session, 0);
	cpu_set_t set;

	if (strcmp(uncoremsr_machine(run->um)->name, "live") != 0 || !counted_by(run, UNCOREMSR_ROUTE_MSR) ||
	    !p || p->cpu < 0 || p->cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)p->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* The readings of a package that could not be programmed say only "failed". */
static void tell_failed_packages(const struct read_run *run)
{
	const struct uncoremsr_session_package *p;

	for (size_t i = 0; (p = uncoremsr_session_package(run->session, i)); i++)
		if (p->error)
			tool_say(0, "package %d: not counted: %s", p->package->id, p->error);
}

/* perf shows another value if the kernel's scale differs from that of our tables. */
static void tell_scales(const struct read_run *run)
{
	size_t told = 0;

	for (size_t i = 0; i < run->num_events; i++) {
		const struct uncoremsr_counted *ev = uncoremsr_session_event(run->session, i);

		if (!ev->kernel_scale || told++)
			continue;
		tool_say(0, "%s: one count is %.10g%s%s; this kernel's scale file says %s",
			 ev->name, ev->scale, ev->measure ? " " : " (no amount)", ev->measure ? ev->measure : "",
			 ev->kernel_scale);
	}
	if (told > 1)
		tool_say(0, "%zu other event%s another scale here than in this kernel's "
			 "files; uncore-events explain shows it", told - 1, told == 2 ? " has" : "s have");
}

/* Does any event count on any unit? If not, set *why to the error of the first unit. */
static bool counts_anything(const struct read_run *run, const char **why)
{
	const struct uncoremsr_unit *u;

	*why = NULL;
	for (size_t i = 0; uncoremsr_session_event(run->session, i); i++)
		for (size_t k = 0; (u = uncoremsr_session_unit(run->session, i, k)); k++) {
			if (!u->error)
				return true;
			*why = *why ? *why : u->error;
		}
	return false;
}

static void name_defaults(const struct read_run *run, char *buf, size_t size)
{
	size_t events = *run->no_metric ? run->num_events : 0;
	const struct uncoremsr_event *m;

	buf[0] = '\0';
	if (run->nest)
		snprintf(buf, size, "the memory traffic of the nest");
	for (size_t i = 0; !run->nest && i < events; i++)
		list_add(buf, size, ", ", uncoremsr_session_event(run->session, i)->name);
	for (size_t i = 0; (m = uncoremsr_session_metric(run->session, i)); i++)
		list_add(buf, size, ", ", m->name);
}

/* Why this machine has no uncore to count helps more than the error of the first default metric. */
static void tell_defaults(const struct read_run *run)
{
	const char *reason = uncoremsr_machine(run->um)->reason;
	bool guest = uncoremsr_machine(run->um)->hypervisor > 0;
	char names[512];

	if (!run->cfg->defaults || !(*run->no_metric || guest) || run->number > 1)
		return;
	name_defaults(run, names, sizeof(names));
	tool_say(0, "%s; counting %s",
		 guest ? "this is a virtual machine, whose uncore is the host's"
		 : reason ? reason : run->no_metric, names);
}

int read_session_start(struct read_run *run)
{
	const char *why;
	int status;

	records_init(&run->records, &run->cfg->common, run->out, run);
	series_init(&run->series, run->cfg->common.series, run->out, run->cfg->count != 1 ? run->cfg->interval_ns : 0);
	for (size_t i = 0; i < run->num_events; i++)
		run->has_tasks |= uncoremsr_session_event(run->session, i)->task;
	for (size_t i = 0; uncoremsr_session_metric(run->session, i); i++) {
		run->has_metrics = true;
		run->has_tasks |= read_target_is_task(run->cfg, run->session, true, i);
	}
	status = log_check(&run->log, &run->cfg->common, read_columns, read_num_columns, run);
	if (status)
		return status;
	/* A dry run prints commands while counters are programmed, so its heading comes first. */
	if (run->cfg->dry_run)
		read_print_head(run);
	tell_scales(run);
	pin(run);
	if (uncoremsr_session_start(run->session) < 0)
		return tool_fail(run->um);
	tell_defaults(run);
	tell_failed_packages(run);
	/* Units of offline CPUs might count later, but COMMAND runs only once, so refuse now. */
	if (run->command.pid > 0 && !counts_anything(run, &why))
		return tool_say(TOOL_UNSUPPORTED, "%s is not started: nothing can be "
				"counted%s%s", run->cfg->command[0], why ? ": " : "", why ? why : "");
	run->start_ns = uncoremsr_now(run->um);
	run->last_ns = run->start_ns;
	if (read_rows_init(run) < 0)
		return tool_no_memory();
	return 0;
}
