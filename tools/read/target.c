/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "read/read.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/installed_lists.h"
#include "uncoremsr/names.h"

int read_words_add(struct read_words *w, const char *word)
{
	return ARRAY_APPEND(w->words, w->num, word) ? tool_no_memory() : 0;
}

/* ---- options that contradict each other ---- */

static const char *contradiction(const struct read_config *cfg)
{
	int per = cfg->per_socket + cfg->per_core + cfg->per_cpu;

	if (cfg->tasks.option && cfg->command)
		return "-p and -t watch what is already running; leave out COMMAND";
	if (cfg->tasks.option && cfg->all_cpus)
		return "-a counts everything, -p and -t only certain tasks; choose one";
	if (cfg->tasks.option && cfg->cgroups.num)
		return "--cgroup and -p or -t: choose one";
	if (per > 1)
		return "--per-socket, --per-core and --per-cpu: choose one";
	if (cfg->cores.num && per)
		return "--cores shows sums of its own; leave out --per-socket, --per-core and --per-cpu";
	if (cfg->cgroups.num > 1 && cfg->in_runs)
		return "--runs and several --cgroup: choose one";
	if (cfg->cores.num && cfg->cpus)
		return "--cores and --cpus both say where to count; choose one";
	if (cfg->route == UNCOREMSR_ROUTE_MSR && (cfg->tasks.option || cfg->cgroups.num))
		return "--route=msr: registers cannot tell processes apart; leave out --route";
	return NULL;
}

int read_target_check(struct read_config *cfg)
{
	const char *why = contradiction(cfg);

	if (why)
		return tool_usage("%s", why);
	if (cfg->tasks.option)
		cfg->whom = cfg->tasks.option == 'p' ? UNCOREMSR_TARGET_PROCESS : UNCOREMSR_TARGET_THREAD;
	else if (cfg->command && !cfg->all_cpus && !cfg->cgroups.num && cfg->route != UNCOREMSR_ROUTE_MSR)
		cfg->whom = UNCOREMSR_TARGET_COMMAND;
	return TOOL_GO_ON;
}

/* ---- the session ---- */

int read_target_add(struct read_config *cfg, struct uncoremsr *um, struct uncoremsr_session *s,
		    const char *text)
{
	int num = installed_lists_add(um, s, uncoremsr_session_add, text, &cfg->tried_installed);

	return num < 0 ? tool_fail(um) : 0;
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

/* ---- while the session runs ---- */

bool read_target_gone(const struct read_config *cfg)
{
	for (size_t i = 0; i < cfg->tasks.num; i++)
		if (!kill((pid_t)cfg->tasks.ids[i], 0) || errno != ESRCH)
			return false;
	return cfg->tasks.num;
}

size_t read_target_group(const struct read_config *cfg, size_t event)
{
	size_t group = 0;

	while (cfg->first_event && group + 1 < cfg->cgroups.num && event >= cfg->first_event[group + 1])
		group++;
	return group;
}

const char *read_target_name(const struct read_config *cfg, size_t event, char *buf, size_t size)
{
	size_t len;

	if (cfg->cgroups.num > 1 && event == SIZE_MAX)
		snprintf(buf, size, "%zu cgroups", cfg->cgroups.num);
	else if (cfg->cgroups.num)
		snprintf(buf, size, "cgroup %s", cfg->cgroups.words[read_target_group(cfg, event)]);
	else if (cfg->whom == UNCOREMSR_TARGET_COMMAND)
		snprintf(buf, size, "command");
	else if (!cfg->tasks.option)
		snprintf(buf, size, "system");
	else
		snprintf(buf, size, "%s", cfg->tasks.option == 'p' ? "process" : "thread");
	len = strlen(buf);
	for (size_t i = 0; i < cfg->tasks.num && len + 24 < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%ld", i ? "," : " ", cfg->tasks.ids[i]);
	return buf;
}
