/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of uncore-events encode (encode.c, recipe.c). */
#ifndef TOOL_EVENTS_ENCODE_H
#define TOOL_EVENTS_ENCODE_H

#include "events/events.h"

enum { EVENTS_LINE = 256 };

/*
 * The CPU for a recipe's commands: one of the first package, or CPU 0 if no machine is open. An event of one kind of
 * core needs a CPU of that kind. -1: no such CPU is known, and there are no commands.
 */
int events_recipe_cpu(const struct events *e, const struct uncoremsr_encoding *enc);
/* Write the commands, for bash, that count the event by hand: into a list of records, or as lines of text. */
void events_put_recipe(struct records *w, const struct events *e, const struct uncoremsr_encoding *enc);
/* Number of the lowest bit that is set; 0 if none is. */
static inline unsigned events_first_bit(uint64_t v)
{
	return v ? (unsigned)__builtin_ctzll(v) : 0;
}
/* Is it an event of the uncore of Nehalem or Westmere? */
bool events_is_uncore(const struct uncoremsr_encoding *enc);
/* Write the event as pcm-raw spells it. False: pcm-raw cannot count it. */
bool events_spell_pcm(const struct uncoremsr_encoding *enc, char *buf, size_t size);

#endif
