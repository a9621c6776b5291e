/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words, numbers and lists of a machine's description. Strict: nothing is skipped or guessed. What
 * a value consists of is described by a table of fields.
 */
#ifndef UM_SIM_PARSE_H
#define UM_SIM_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Where a value comes from, for messages. */
struct um_sim_source {
	const char *file; /* NULL: a parameter */
	unsigned line;
	const char *key, *form;
	struct um_error *error;
};

/* Returns -EINVAL, with the sentence in s->error. */
int um_sim_bad(const struct um_sim_source *s, const char *fmt, ...) UM_PRINTF(2, 3);

/* Strict numbers: decimal or 0x hexadecimal, nothing around them. */
bool um_sim_number(const char *text, uint64_t max, uint64_t *value);
/* A kernel-style list into flags[0..max]; false: malformed, or a number above @max. */
bool um_sim_list(const char *text, bool *flags, unsigned max);

/* Types of fields: how they are written, and the type of @to. A field that is not given leaves *to alone. */
enum um_sim_kind {
	UM_SIM_NUMBER,   /* uint64_t, from min to max */
	UM_SIM_SECONDS,  /* uint64_t: seconds with up to nine decimals, as nanoseconds */
	UM_SIM_ID,       /* int, up to max */
	UM_SIM_YES_NO,   /* bool */
	UM_SIM_WORD,     /* int: which of the words of @words */
	UM_SIM_TEXT,     /* const char *, unchanged */
	UM_SIM_NAME,     /* char[max]: a copy */
	UM_SIM_LIST,     /* bool[max + 1]; @words: what it is a list of */
	UM_SIM_RANGE,    /* uint32_t[2]: a register (0x391) or first and last of some (0x3b0-0x3b7) */
	UM_SIM_ERRNO,    /* int: "EIO" and such, as negative errno */
};

/* A field of a value. Fields without a name come first, in the order of the table; the others are NAME=VALUE. */
struct um_sim_item {
	const char *name;
	enum um_sim_kind kind;
	void *to;
	uint64_t min, max;
	const char *words;
};

#define UM_SIM_MAX_WORDS 12
/* Cut @value at blanks and colons: at least @min words, or a message that shows the form. */
int um_sim_split(const struct um_sim_source *s, char *value, char **words, int min);
/* Store one word by its item; store all words. 0; -EINVAL. */
int um_sim_take(const struct um_sim_source *s, const struct um_sim_item *item, const char *text);
int um_sim_take_words(const struct um_sim_source *s, char **words, int num,
		      const struct um_sim_item *items, size_t num_items);
/* Split and take: at least @min words. */
int um_sim_take_value(const struct um_sim_source *s, char *value, int min,
		      const struct um_sim_item *items, size_t num_items);

#endif
