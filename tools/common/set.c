/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/array.h"

enum { FIRST_ROOM = 16 };

/*
 * A random odd number. Without it, whoever chooses the names in a recorded file could choose them so that all have the
 * same hash, and each search would compare with all of them.
 */
static uint64_t key(void)
{
	static uint64_t value;

	/* Before the kernel has random numbers, early at boot, the built-in number is used. */
	if (!value && getrandom(&value, sizeof(value), GRND_NONBLOCK) != sizeof(value))
		value = UINT64_C(0x9e3779b97f4a7c15);
	return value |= 1;
}

uint32_t set_hash(const void *bytes, size_t len)
{
	__extension__ typedef unsigned __int128 wide;
	const unsigned char *p = bytes;
	const uint64_t factor = key();
	uint64_t hash = factor ^ len;

	while (len) {
		size_t num = len < sizeof(uint64_t) ? len : sizeof(uint64_t);
		uint64_t word = 0;
		wide product;

		memcpy(&word, p, num);
		product = (wide)(hash ^ word) * factor;
		hash = (uint64_t)product ^ (uint64_t)(product >> 64);
		p += num;
		len -= num;
	}
	return (uint32_t)hash;
}

/* The slot of the item that equals @like, or the free slot where it belongs. There is always a free slot. */
static uint32_t *slot_of(const struct set *s, const void *like, uint32_t hash, set_equal *equal)
{
	size_t at = hash & (s->room - 1);

	for (; s->slots[at]; at = (at + 1) & (s->room - 1)) {
		size_t i = s->slots[at] - 1;

		if (s->hashes[i] == hash && equal(s->items[i], like))
			break;
	}
	return &s->slots[at];
}

void *set_find(const struct set *s, const void *like, uint32_t hash, set_equal *equal)
{
	const uint32_t *slot = s->room ? slot_of(s, like, hash, equal) : NULL;

	return slot && *slot ? s->items[*slot - 1] : NULL;
}

/* Make room for another item: at most two thirds of the slots are used. */
static int grow(struct set *s)
{
	size_t room = s->room ? 2 * s->room : FIRST_ROOM;
	uint32_t *slots;

	if (3 * (s->num + 1) <= 2 * s->room)
		return 0;
	if (s->num >= UINT32_MAX / 2)
		return -ENOMEM;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(s->slots);
	s->slots = slots;
	s->room = room;
	for (size_t i = 0; i < s->num; i++) {
		size_t at = s->hashes[i] & (room - 1);

		while (slots[at])
			at = (at + 1) & (room - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return 0;
}

void *set_get(struct set *s, const void *like, size_t size, uint32_t hash, set_equal *equal)
{
	uint32_t *slot;
	void *item;

	if (grow(s))
		return NULL;
	slot = slot_of(s, like, hash, equal);
	if (*slot)
		return s->items[*slot - 1];
	if (ARRAY_ROOM(s->items, s->num, 1) || ARRAY_ROOM(s->hashes, s->num, 1))
		return NULL;
	item = arena_copy(&s->arena, like, size);
	if (!item)
		return NULL;
	s->items[s->num] = item;
	s->hashes[s->num] = hash;
	*slot = (uint32_t)++s->num;
	return item;
}

void set_sort(struct set *s, int (*compare)(const void *a, const void *b))
{
	free(s->hashes);
	free(s->slots);
	s->hashes = s->slots = NULL;
	s->room = 0;
	if (s->num)
		qsort(s->items, s->num, sizeof(*s->items), compare);
}

void set_free(struct set *s)
{
	arena_free(&s->arena);
	free(s->items);
	free(s->hashes);
	free(s->slots);
	*s = (struct set){ .num = 0 };
}
