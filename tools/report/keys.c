/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "report/report.h"

const char *const key_names[NUM_KEYS] = {
	[KEY_COMM] = "comm", [KEY_PID] = "pid", [KEY_TID] = "tid", [KEY_DSO] = "dso",
	[KEY_SYMBOL] = "symbol", [KEY_CALLER] = "caller", [KEY_ADDRESS] = "address", [KEY_CPU] = "cpu",
	[KEY_SRCLINE] = "srcline",
};

static int parse_key(struct report *r, const char *word, size_t len)
{
	for (int k = 0; k < NUM_KEYS; k++)
		if (strlen(key_names[k]) == len && !strncmp(key_names[k], word, len)) {
			r->by[k] = true;
			return 0;
		}
	return tool_usage(&report_tool, "--sort: '%.*s': must be comm, pid, tid, dso, symbol, caller, address, "
			  "cpu or srcline", (int)len, word);
}

int keys_parse(struct report *r, const char *list)
{
	int status = 0;

	memset(r->by, 0, sizeof(r->by));
	for (const char *word = list; !status; ) {
		size_t len = strcspn(word, ",");

		status = parse_key(r, word, len);
		if (!word[len])
			break;
		word += len + 1;
	}
	return status;
}
