/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/task_ids.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
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
	if (!has_id(t, (long)v) && ARRAY_APPEND(t->ids, t->num, (long)v))
		return tool_no_memory();
	return 0;
}

int task_ids_add(struct task_ids *t, char option, const char *arg)
{
	if (t->option && t->option != option)
		return tool_usage("-p and -t: choose one");
	t->option = option;
	for (;; arg++) {
		size_t len = strcspn(arg, ",");
		char *item = strndup(arg, len);
		int status = item ? add_id(t, item) : tool_no_memory();

		free(item);
		arg += len;
		if (status || !*arg)
			return status;
	}
}
