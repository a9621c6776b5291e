/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of uncore-events encode (encode.c, recipe.c). */
#ifndef TOOL_EVENTS_ENCODE_H
#define TOOL_EVENTS_ENCODE_H

#include "events/events.h"

enum { EVENTS_LINE = 256, EVENTS_WHY = 80, EVENTS_STEPS = 24 };

/* How to count by hand. The commands are for bash. */
struct events_recipe {
	struct {
		char why[EVENTS_WHY], command[EVENTS_LINE];
	} steps[EVENTS_STEPS];
	size_t num;
};

/* recipe.c */
void events_make_recipe(const struct events *e, const struct events_row *row,
			struct events_recipe *r);
/* A CPU of the package for the commands: of this machine if the event is for its processor, else CPU 0. */
int events_cpu(const struct events *e);
/* Number of the lowest bit that is set; 0 if none is. */
unsigned events_first_bit(uint64_t v);
bool events_is_fixed(const struct events_row *row);
/* Is the row's event one of the uncore of Nehalem or Westmere? */
bool events_is_uncore(const struct events_row *row);
/* What pcm-raw calls the event. */
void events_spell_pcm(const struct events_row *row, char *buf, size_t size);

#endif
