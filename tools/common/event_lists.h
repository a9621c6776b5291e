/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --event-list and --cpu, and the copy of the vendor's lists that stands ready. */
#ifndef TOOL_EVENT_LISTS_H
#define TOOL_EVENT_LISTS_H

#include <stddef.h>

#include "common/options.h"

enum { EVENT_LISTS_MAX = 32 };

struct event_lists {
	const char *paths[EVENT_LISTS_MAX]; /* --event-list, in order */
	size_t num;
	const char *cpu;                    /* --cpu; NULL: the machine's */
};

/* One more --event-list. 0, or the exit status after saying why. */
int event_lists_take(struct event_lists *l, const struct tool *tool, const char *path);
/* Where the copy is: the environment variable UNCOREMSR_EVENTS, else the library's place. */
const char *event_lists_place(void);
/* Say on standard error which entries of the lists were left out, and how many; the first one, or @all. */
void event_lists_refused(const struct tool *tool, struct uncoremsr *um, bool all);
/*
 * Load what was asked for; without --event-list the copy, if there is one and it has lists of this
 * processor. 0, or the exit status after saying why. A copy that is broken is a warning.
 */
int event_lists_load(const struct event_lists *l, const struct tool *tool, struct uncoremsr *um,
		     bool verbose);

#endif
