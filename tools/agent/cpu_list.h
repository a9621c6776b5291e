/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists of CPUs such as "0-3,8". In lists of collectd's plugin a range may go down (8-4), and numbers may begin with
 * 0x.
 */
#ifndef AGENT_CPU_LIST_H
#define AGENT_CPU_LIST_H

#include <stdbool.h>
#include <stdlib.h>

struct cpu_range {
	unsigned long first, last;
};

/* Get the next range of the list, and move past it. The list may be NULL. False: there is no other range. */
static inline bool cpu_list_next(const char **list, struct cpu_range *range)
{
	unsigned long from, to;
	char *end;

	if (!*list)
		return false;
	from = to = strtoul(*list, &end, 0);
	if (end == *list)
		return false;
	if (*end == '-')
		to = strtoul(end + 1, &end, 0);
	*range = from < to ? (struct cpu_range){ from, to } : (struct cpu_range){ to, from };
	*list = end + (*end == ',');
	return true;
}

#endif
