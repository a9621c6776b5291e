/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parse words, numbers and lists of a machine's description. Parsing is strict: nothing is skipped or guessed. A table
 * of fields (struct um_sim_item) describes each value.
 */
#ifndef UM_SIM_PARSE_H
#define UM_SIM_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Where a value comes from, for messages. */
struct um_sim_source {
	const char *file; /* NULL: the value is a parameter */
	unsigned line;
	const char *key, *form;
	struct um_error *error;
};

/* Write the message into s->error. Returns -EINVAL. */
int um_sim_bad(const struct um_sim_source *s, const char *fmt, ...) UM_PRINTF(2, 3);

/* Parse the whole text as a number, decimal or 0x hexadecimal. */
bool um_sim_number(const char *text, uint64_t max, uint64_t *value);
/* Parse a kernel-style list ("0-3,8") into flags[0..max]. False: malformed, or a number is above @max. */
bool um_sim_list(const char *text, bool *flags, unsigned max);

/* How a field is written, and the type of its member. If a field is missing, its member keeps its value. */
enum um_sim_kind {
	UM_SIM_NUMBER,   /* uint64_t, from min to max; @words: a word that means 0 */
	UM_SIM_NUMBER32, /* uint32_t, from min to max */
	UM_SIM_SECONDS,  /* uint64_t: seconds with up to nine decimals, as nanoseconds */
	UM_SIM_ID,       /* int, up to max */
	UM_SIM_CHOICE,   /* bool: false for the first word of @words, true for the second; NULL stands for "no yes" */
	UM_SIM_WORD,     /* int: index of the keyword in @words; the first one is min */
	UM_SIM_TEXT,     /* const char *: the text itself */
	UM_SIM_NAME,     /* char[max]: a copy, padded with NUL */
	UM_SIM_MORE,     /* char[max]: the value was cut at a colon; append the colon and the rest */
	UM_SIM_LIST,     /* bool[max + 1]; @words: what the list contains, for messages */
	UM_SIM_RANGE,    /* struct um_sim_range: a register (0x391), or the first and last of a range (0x3b0-0x3b7) */
	UM_SIM_ERRNO,    /* int: "EIO" and such, as negative errno */
};

/* A field of a value. Fields without a name come first, in the order of the table; named fields are NAME=VALUE. */
struct um_sim_item {
	const char *name;
	enum um_sim_kind kind;
	size_t at; /* offset of the member in the struct that is filled in */
	uint64_t min, max;
	const char *words;
};

#define UM_SIM_MAX_WORDS 12
/* Cut @value into words at blanks and colons. If there are fewer than @min, the message shows the expected form. */
int um_sim_split(const struct um_sim_source *s, char *value, char **words, int min);
/* Store one word, or all words, in the struct @to, as the items describe. 0; -EINVAL. */
int um_sim_take(const struct um_sim_source *s, const struct um_sim_item *item, void *to, const char *text);
int um_sim_take_words(const struct um_sim_source *s, char **words, int num,
		      const struct um_sim_item *items, size_t num_items, void *to);
/* Split @value into at least @min words, and store them. 0; -EINVAL. */
int um_sim_take_value(const struct um_sim_source *s, char *value, int min,
		      const struct um_sim_item *items, size_t num_items, void *to);

#endif
