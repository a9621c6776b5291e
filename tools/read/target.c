/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What events are counted for: the target, and the control groups. */
#include "read/read.h"

#include <stdio.h>
#include <string.h>

#include "common/installed_lists.h"

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
