/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read JSON safely when memory is short. Only json_list_*.c and metrics/json_metrics.c include this file. */
#ifndef UM_JSON_LIST_LOAD_H
#define UM_JSON_LIST_LOAD_H

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* Upper bound of the memory that parsing needs, in bytes per byte of text. The worst text consists of "{}," only. */
enum { UM_JSON_COST = 128 };

/*
 * Call json_loadb(), after checking that there is enough memory: if memory runs out inside a string, jansson 2.14
 * loses a letter, or writes past its buffer if that letter was the closing quote (lex_save() in load.c ignores the
 * failure). Returns NULL with errno ENOMEM if memory is short, with errno 0 if the text is wrong.
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
