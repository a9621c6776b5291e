/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/task_ids.h"

#include <limits.h>
#include <string.h>

#include "common/memory.h"
#include "common/number.h"

static bool has_id(const struct task_ids *t, long id)
{
	for (size_t i = 0; i < t->num; i++)
		if (t->ids[i] == id)
			return true;
	return false;
}

static int add_id(struct task_ids *t, const char *text)
{
	uint64_t v;

	if (option_number((const char[]){ '-', t->option, '\0' }, text, 0, INT_MAX, &v))
		return TOOL_USAGE;
	if (!v)
		return tool_usage("-%c: 0 is not a process ID", t->option);
	if (!has_id(t, (long)v))
		NEED_APPEND(t->ids, t->num, (long)v);
	return 0;
}

int task_ids_add(struct task_ids *t, char option, const char *arg)
{
	if (t->option && t->option != option)
		return tool_usage("-p and -t: choose one");
	t->option = option;
	for (;; arg++) {
		size_t len = strcspn(arg, ",");
		char *item = need(strndup(arg, len));
		int status = add_id(t, item);

		free(item);
		arg += len;
		if (status || !*arg)
			return status;
	}
}
