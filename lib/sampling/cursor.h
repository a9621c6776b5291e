/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads untrusted bytes. A read beyond their end returns 0 or NULL, and all later reads fail. */
#ifndef UM_SAMPLING_CURSOR_H
#define UM_SAMPLING_CURSOR_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct um_cursor {
	unsigned char *at;
	size_t left;
	bool big, failed; /* @big: numbers are big-endian */
};

static inline uint16_t um_get16(const void *p, bool big)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return big ? be16toh(v) : le16toh(v);
}

static inline uint32_t um_get32(const void *p, bool big)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return big ? be32toh(v) : le32toh(v);
}

static inline uint64_t um_get64(const void *p, bool big)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return big ? be64toh(v) : le64toh(v);
}

/* Read @size bytes. Returns NULL if fewer are left. */
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

/* Read @num elements of @size bytes each. Returns NULL if fewer are left. */
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

	return p ? um_get32(p, c->big) : 0;
}

static inline uint64_t um_take64(struct um_cursor *c)
{
	const unsigned char *p = um_take(c, 8);

	return p ? um_get64(p, c->big) : 0;
}

#endif
