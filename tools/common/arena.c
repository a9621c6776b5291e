/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/arena.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

struct arena_block {
	struct arena_block *before;
	max_align_t bytes[];
};

static void *take_bytes(struct arena *a, size_t len, size_t align)
{
	struct arena_block *block = a->last;

	if (a->left < len) {
		size_t size = len > BLOCK ? len : BLOCK;

		block = malloc(sizeof(*block) + size);
		if (!block)
			return NULL;
		block->before = a->last;
		a->last = block;
		a->left = size;
	}
	/* A block begins at an aligned address, so allocate from its end: rounding @left down aligns the result. */
	a->left = (a->left - len) / align * align;
	return (char *)block->bytes + a->left;
}

void *arena_copy(struct arena *a, const void *bytes, size_t len)
{
	void *copy = take_bytes(a, len, sizeof(void *));

	return copy ? memcpy(copy, bytes, len) : NULL;
}

char *arena_text(struct arena *a, const char *text)
{
	size_t len = strlen(text) + 1;
	char *copy = take_bytes(a, len, 1);

	return copy ? memcpy(copy, text, len) : NULL;
}

void arena_free(struct arena *a)
{
	while (a->last) {
		struct arena_block *block = a->last;

		a->last = block->before;
		free(block);
	}
	a->left = 0;
}
