/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading JSON where memory may be short. Only json_list_*.c may include it. */
#ifndef UM_JSON_LIST_LOAD_H
#define UM_JSON_LIST_LOAD_H

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* Bytes that a byte of text costs at most: "{}," is an object with an empty table. */
enum { UM_JSON_COST = 128 };

/*
 * json_loadb(); NULL with ENOMEM in errno for want of memory, with 0 in it for a mistake in the text.
 * Where memory ends within a string, jansson 2.14 loses a letter, or writes past the end of its buffer when that
 * was the closing quote (lex_save() in load.c ignores it). So what it can need has to be there beforehand.
 */
static inline json_t *um_json_load(const char *text, size_t len, size_t flags, json_error_t *why)
{
	void *volatile room = malloc((len + 1) * UM_JSON_COST);

	if (!room) {
		errno = ENOMEM;
		return NULL;
	}
	free(room);
	errno = 0;
	return json_loadb(text, len, flags, why);
}

#endif
