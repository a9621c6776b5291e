/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hash tables of structs, which set_get() allocates. */
#ifndef COMMON_SET_H
#define COMMON_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"

/* Zeroed memory is an empty set. Only @items and @num are for others, and only for reading. */
struct set {
	void **items;     /* in the order in which they were added, or of set_sort() */
	size_t num;
	uint32_t *hashes; /* of the items */
	uint32_t *slots;  /* index of an item, plus 1; 0: no item */
	size_t room;      /* number of slots: a power of two, or 0 */
	struct arena arena;
};

typedef bool set_equal(const void *a, const void *b);

/* The hash differs from run to run. */
uint32_t set_hash(const void *bytes, size_t len);
/* The item that equals @like; NULL: there is none. @hash: of what is compared. */
void *set_find(const struct set *s, const void *like, uint32_t hash, set_equal *equal);
/* The same, but if there is none, a copy of @like (@size bytes) is added. NULL: no memory. */
void *set_get(struct set *s, const void *like, size_t size, uint32_t hash, set_equal *equal);
/* Sort the items, as qsort(3) does. From then on none can be found or added. */
void set_sort(struct set *s, int (*compare)(const void *a, const void *b));
/* Free the items, and the set. */
void set_free(struct set *s);

#endif
