/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of uncore-events encode (encode.c, recipe.c). */
#ifndef TOOL_EVENTS_ENCODE_H
#define TOOL_EVENTS_ENCODE_H

#include "events/events.h"

enum { EVENTS_LINE = 256, EVENTS_WHY = 80, EVENTS_STEPS = 24 };

/* How to count by hand. The commands are for bash. */
struct events_recipe {
	/*
	 * The CPU that the commands are for: a CPU of the first package of this machine, or CPU 0 if the machine is not
	 * open; for an event of one kind of core a CPU of that kind. -1: no such CPU is known, and there are no
	 * commands.
	 */
	int cpu;
	struct {
		char why[EVENTS_WHY], command[EVENTS_LINE];
	} steps[EVENTS_STEPS];
	size_t num;
};

/* recipe.c */
struct events_recipe events_make_recipe(const struct events_row *row);
/* Number of the lowest bit that is set; 0 if none is. */
static inline unsigned events_first_bit(uint64_t v)
{
	return v ? (unsigned)__builtin_ctzll(v) : 0;
}
bool events_is_fixed(const struct events_row *row);
/* Is the row's event one of the uncore of Nehalem or Westmere? */
bool events_is_uncore(const struct events_row *row);
/* What pcm-raw calls the event; false: it cannot count the event. */
bool events_spell_pcm(const struct events_row *row, char *buf, size_t size);

#endif
