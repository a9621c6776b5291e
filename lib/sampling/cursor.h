/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads untrusted bytes. A read beyond their end returns 0 or NULL, and all later reads fail. */
#ifndef UM_SAMPLING_CURSOR_H
#define UM_SAMPLING_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct um_cursor {
	unsigned char *at;
	size_t left;
	bool big, failed; /* big: the numbers are in big-endian order */
};

static inline uint64_t um_cursor_get(const unsigned char *p, unsigned size, bool big)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v = v << 8 | p[big ? i : size - 1 - i];
	return v;
}

/* Read @size bytes; NULL: there are not so many. */
static inline unsigned char *um_take(struct um_cursor *c, uint64_t size)
{
	unsigned char *at = c->at;

	if (c->failed || size > c->left) {
		c->failed = true;
		return NULL;
	}
	c->at += size;
	c->left -= (size_t)size;
	return at;
}

/* Read @num pieces of @size bytes each; NULL: there are not so many. */
static inline unsigned char *um_take_many(struct um_cursor *c, uint64_t num, unsigned size)
{
	if (num > c->left / size) {
		c->failed = true;
		return NULL;
	}
	return um_take(c, num * size);
}

static inline uint32_t um_take32(struct um_cursor *c)
{
	const unsigned char *p = um_take(c, 4);

	return p ? (uint32_t)um_cursor_get(p, 4, c->big) : 0;
}

static inline uint64_t um_take64(struct um_cursor *c)
{
	const unsigned char *p = um_take(c, 8);

	return p ? um_cursor_get(p, 8, c->big) : 0;
}

#endif
