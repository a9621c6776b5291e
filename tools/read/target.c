/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "read/target.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/installed_lists.h"
#include "read/read.h"
#include "uncoremsr/names.h"

int read_words_add(struct read_words *w, const char *word)
{
	return ARRAY_APPEND(w->words, w->num, word) ? tool_no_memory(&read_tool) : 0;
}

/* ---- what contradicts what ---- */

static const char *contradiction(const struct read_config *cfg)
{
	const struct read_target *t = &cfg->target;

	if (t->tasks.option && cfg->command)
		return "-p and -t watch what is already running; leave out COMMAND";
	if (t->tasks.option && t->all_cpus)
		return "-a counts everything, -p and -t only certain tasks; choose one";
	if (t->tasks.option && t->cgroups.num)
		return "--cgroup and -p or -t: choose one";
	if (t->cores.num && t->per != READ_PER_DEFAULT)
		return "--cores shows sums of its own; leave out --per-socket, --per-core and --per-cpu";
	if (t->cgroups.num > 1 && (cfg->flags & READ_RUNS))
		return "--runs and several --cgroup: choose one";
	if (t->cores.num && cfg->cpus)
		return "--cores and --cpus both say where to count; choose one";
	if (cfg->route == UNCOREMSR_ROUTE_MSR && (t->tasks.option || t->cgroups.num))
		return "--route=msr: registers cannot tell processes apart; leave out --route";
	return NULL;
}

int read_target_check(struct read_config *cfg)
{
	struct read_target *t = &cfg->target;
	const char *why = contradiction(cfg);

	if (why)
		return tool_usage(&read_tool, "%s", why);
	if (t->tasks.option)
		t->whom = t->tasks.option == 'p' ? UNCOREMSR_TARGET_PROCESS : UNCOREMSR_TARGET_THREAD;
	else if (cfg->command && !t->all_cpus && !t->cgroups.num && cfg->route != UNCOREMSR_ROUTE_MSR)
		t->whom = UNCOREMSR_TARGET_COMMAND;
	return TOOL_GO_ON;
}

/* ---- the session ---- */

static int set_target(const struct read_target *t, struct uncoremsr_session *s)
{
	int err = 0;

	if (t->cgroups.num)
		return uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, t->cgroups.words[0]);
	/* Process id 0: COMMAND has not been started yet. */
	if (t->whom == UNCOREMSR_TARGET_COMMAND)
		return uncoremsr_session_set_target(s, t->whom, 0);
	for (size_t i = 0; i < t->tasks.num && err >= 0; i++)
		err = uncoremsr_session_set_target(s, t->whom, t->tasks.ids[i]);
	return err;
}

int read_target_apply(struct read_config *cfg, struct uncoremsr *um, struct uncoremsr_session *s)
{
	struct read_target *t = &cfg->target;
	int err = set_target(t, s);

	/* The handle keeps loaded lists, so later sessions must not load them again. */
	t->tried_installed |= t->lists.num > 0;
	for (; t->added < t->lists.num && err >= 0; t->added++)
		err = uncoremsr_event_list_add(um, t->lists.words[t->added]);
	for (size_t i = 0; i < t->cores.num && err >= 0; i++)
		err = uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, t->cores.words[i]);
	return err < 0 ? tool_fail(&read_tool, um) : 0;
}

int read_target_add(struct read_target *t, struct uncoremsr *um, struct uncoremsr_session *s,
		    const char *text)
{
	return installed_lists_add(um, s, text, &t->tried_installed) < 0 ? tool_fail(&read_tool, um) : 0;
}

int read_target_add_metric(struct read_target *t, struct uncoremsr *um, struct uncoremsr_session *s,
			   const char *text)
{
	return installed_lists_add_metric(um, s, text, &t->tried_installed);
}

/* Is the event counted for a control group? Find out by adding it to a session that is used only for this. */
static bool is_for_group(const struct read_target *t, struct uncoremsr *um, const char *text)
{
	struct uncoremsr_session *s;
	bool is;

	if (uncoremsr_session_new(um, &s) < 0)
		return false;
	is = !uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, t->cgroups.words[0]) &&
	     uncoremsr_session_add(s, text) >= 0 && uncoremsr_session_event(s, 0)->task;
	uncoremsr_session_free(s);
	return is;
}

int read_target_repeat(struct read_config *cfg, struct uncoremsr *um, struct uncoremsr_session *s)
{
	struct read_target *t = &cfg->target;
	struct read_items items = { .num_events = 0 };
	int status;

	if (t->cgroups.num < 2)
		return 0;
	free(t->first_event);
	t->first_event = calloc(t->cgroups.num, sizeof(*t->first_event));
	status = t->first_event ? read_items_make(&items, cfg, um) : tool_no_memory(&read_tool);
	for (size_t g = 1; g < t->cgroups.num && !status; g++) {
		t->first_event[g] = counted_num_events(s);
		if (uncoremsr_session_only(s, UNCOREMSR_ONLY_CGROUP, t->cgroups.words[g]) < 0)
			status = tool_fail(&read_tool, um);
		for (size_t i = 0; i < items.num_events && !status; i++)
			if (is_for_group(t, um, items.list[i]))
				status = read_target_add(t, um, s, items.list[i]);
	}
	read_items_free(&items);
	return status;
}

/* Refuse options about CPUs for an event that is counted for a task. */
static int check_task(const struct read_config *cfg, const char *name)
{
	const struct read_target *t = &cfg->target;
	const char *option = NULL;

	if (cfg->cpus)
		option = "--cpus";
	else if (cfg->packages)
		option = "--packages";
	else if (t->cores.num)
		option = "--cores";
	else if (t->per == READ_PER_CORE)
		option = "--per-core";
	else if (t->per == READ_PER_CPU)
		option = "--per-cpu";
	if (!option)
		return 0;
	if (cfg->command)
		return tool_usage(&read_tool, "%s: '%s' is counted for COMMAND, wherever it runs; "
				  "add -a to count whole CPUs", option, name);
	return tool_usage(&read_tool,
			"%s: '%s' is counted for a process, wherever it runs; leave out %s", option, name, option);
}

/* Print that @first and @others more events cannot be counted for a task. */
static void tell_whole(const struct read_target *t, const char *first, size_t others)
{
	char more[40] = "";

	if (others)
		snprintf(more, sizeof(more), " and %zu more", others);
	tool_say(&read_tool, 0, "%s%s: %s whole packages, not just the %s of -%c", first, more,
		 others ? "count" : "counts", t->tasks.option == 'p' ? "processes" : "threads", t->tasks.option);
}

int read_target_agree(const struct read_config *cfg, struct uncoremsr_session *s)
{
	const struct uncoremsr_counted *ev;
	const char *first = NULL;
	size_t whole = 0;
	int status = 0;

	for (size_t i = 0; (ev = uncoremsr_session_event(s, i)) && !status; i++)
		if (ev->task && !cfg->target.cgroups.num)
			status = check_task(cfg, ev->name);
		else if (cfg->target.tasks.option && !whole++)
			first = ev->name;
	if (whole && !status)
		tell_whole(&cfg->target, first, whole - 1);
	return status;
}

bool read_target_has_metric(const struct read_target *t, const struct uncoremsr_session *s, size_t metric)
{
	return t->whom != UNCOREMSR_TARGET_SYSTEM && !t->cgroups.num &&
	       uncoremsr_session_metric(s, metric)->on_cpus > 0;
}

bool read_target_splits(const struct read_target *t, const struct uncoremsr_session *s, size_t event)
{
	const struct uncoremsr_counted *ev = uncoremsr_session_event(s, event);

	return !ev->uncore || (t->per == READ_PER_CORE && ev->cores);
}

/*
 * Refuse an option without effect: --per-core and the like need metrics, or at least one event that has a value for
 * each core (or CPU).
 */
int read_target_check_places(const struct read_config *cfg, const struct uncoremsr_session *s)
{
	const struct read_target *t = &cfg->target;
	const char *option = t->per == READ_PER_CORE ? "--per-core" : t->per == READ_PER_CPU ? "--per-cpu"
			   : t->cores.num ? "--cores" : NULL;
	const char *of_metrics = cfg->flags & READ_PER_UNIT ? "--per-unit" : option;
	const struct uncoremsr_counted *ev = uncoremsr_session_event(s, 0);
	const struct uncoremsr_event *m;
	const char *first = NULL;
	bool splits = false;
	size_t whole = 0;

	for (size_t i = 0; (m = uncoremsr_session_metric(s, i)); i++) {
		const char *name = m->name;
		int status = read_target_has_metric(t, s, i) ? check_task(cfg, name) : 0;

		if (status)
			return status;
		if (of_metrics && !m->on_cpus)
			return tool_usage(&read_tool, "%s: metric '%s' has values of whole packages only; leave "
					  "out one of them", of_metrics, name);
		if (t->tasks.option && !m->on_cpus && !whole++)
			first = name;
		splits = true;
	}
	if (whole)
		tell_whole(t, first, whole - 1);
	for (size_t i = 0; uncoremsr_session_event(s, i) && !splits; i++)
		splits = read_target_splits(t, s, i);
	if (!option || splits || !ev)
		return 0;
	return tool_usage(&read_tool, "%s: '%s' is counted for whole %s; leave out %s", option,
			  ev->name, ev->cores ? "cores" : "packages", option);
}

int read_check_dry_run(const struct read_config *cfg, const struct uncoremsr_session *s)
{
	const struct uncoremsr_counted *ev;

	for (size_t i = 0; cfg->flags & READ_DRY_RUN && (ev = uncoremsr_session_event(s, i)); i++)
		if (ev->route == UNCOREMSR_ROUTE_PERF)
			return tool_usage(&read_tool, "--dry-run: '%s' is counted by the kernel, "
					  "without rdmsr and wrmsr; 'uncore-events encode' shows "
					  "what is passed to the kernel",
					  ev->name);
	return 0;
}

void read_target_free(struct read_target *t)
{
	free(t->tasks.ids);
	free(t->cores.words);
	free(t->cgroups.words);
	free(t->first_event);
	free(t->lists.words);
	*t = (struct read_target){ .added = 0 };
}

/* ---- while it runs ---- */

bool read_target_gone(const struct read_target *t)
{
	for (size_t i = 0; i < t->tasks.num; i++)
		if (!kill((pid_t)t->tasks.ids[i], 0) || errno != ESRCH)
			return false;
	return t->tasks.num;
}

size_t read_target_group(const struct read_target *t, size_t event)
{
	size_t group = 0;

	while (t->first_event && group + 1 < t->cgroups.num && event >= t->first_event[group + 1])
		group++;
	return group;
}

const char *read_target_name(const struct read_target *t, size_t event, char *buf, size_t size)
{
	size_t len;

	if (t->cgroups.num > 1 && event == SIZE_MAX)
		snprintf(buf, size, "%zu cgroups", t->cgroups.num);
	else if (t->cgroups.num)
		snprintf(buf, size, "cgroup %s", t->cgroups.words[read_target_group(t, event)]);
	else if (t->whom == UNCOREMSR_TARGET_COMMAND)
		snprintf(buf, size, "command");
	else if (!t->tasks.option)
		snprintf(buf, size, "system");
	else
		snprintf(buf, size, "%s", t->tasks.option == 'p' ? "process" : "thread");
	len = strlen(buf);
	for (size_t i = 0; i < t->tasks.num && len + 24 < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%ld", i ? "," : " ", t->tasks.ids[i]);
	return buf;
}
