/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hash tables of structs or texts, which set_get() allocates. */
#ifndef COMMON_SET_H
#define COMMON_SET_H

#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"

/* Zeroed memory is an empty set. Callers may only read @items and @num; the other members are private. */
struct set {
	void **items;     /* in the order in which they were added; after set_sort(), sorted */
	size_t num;
	struct set_slot {
		uint32_t hash; /* of the item */
		uint32_t item; /* index of the slot's item, plus 1; 0: no item */
	} *slots;
	size_t room;      /* number of slots: a power of two, or 0 */
	struct arena arena;
};

/* The key of an item: the members of a struct up to @last, with no gaps between them; or a whole text. */
#define SET_KEY(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))
#define SET_TEXTS 0

/* The item with the same key as @like; NULL: there is none. @key is the same in all calls for a set. */
void *set_find(const struct set *s, const void *like, size_t key);
/* As set_find(), but if there is no such item, add a copy of @like (@size bytes). NULL: no memory. */
void *set_get(struct set *s, const void *like, size_t size, size_t key);
/* Sort the items, as qsort(3) does. After that, set_find() and set_get() must not be called. */
void set_sort(struct set *s, int (*compare)(const void *a, const void *b));
void set_free(struct set *s);

#endif
