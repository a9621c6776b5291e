/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many small pieces of memory that are freed together. */
#ifndef COMMON_ARENA_H
#define COMMON_ARENA_H

#include <stddef.h>

/* Zeroed memory is an empty arena. */
struct arena {
	struct arena_block *last;
	size_t left; /* number of free bytes in the latest block */
};

/* A copy of a struct or of a text, which arena_free() frees. NULL: no memory. */
void *arena_copy(struct arena *a, const void *bytes, size_t len);
char *arena_text(struct arena *a, const char *text);
void arena_free(struct arena *a);

#endif
