/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options --event-list and --cpu, and the installed copy of the vendor's lists. */
#ifndef TOOL_EVENT_LISTS_H
#define TOOL_EVENT_LISTS_H

#include <stddef.h>

#include "common/options.h"

enum { EVENT_LISTS_MAX = 256 };

struct event_lists {
	const char *paths[EVENT_LISTS_MAX]; /* arguments of --event-list, in their order */
	size_t num;
	const char *cpu;                    /* argument of --cpu; NULL: the machine's processor */
};

/* Add the argument of an --event-list. 0, or the exit status after a message. */
int event_lists_take(struct event_lists *l, const char *path);
/* Print how many entries of the lists were left out, and which: the first one, or @all of them. */
void event_lists_refused(struct uncoremsr *um, bool all);
/* Load the lists of --event-list, else the installed copy, whose errors are only warnings. 0, or the exit status. */
int event_lists_load(const struct event_lists *l, struct uncoremsr *um, bool verbose);

#endif
