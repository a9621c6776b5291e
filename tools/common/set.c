/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/set.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/array.h"

enum { FIRST_ROOM = 16 };

/* Without a random number, names in a recorded file could be chosen such that all have the same hash. */
static uint64_t secret(void)
{
	static uint64_t value;

	/* Before the kernel has random numbers, early at boot, the built-in number is used. */
	if (!value && getrandom(&value, sizeof(value), GRND_NONBLOCK) != sizeof(value))
		value = UINT64_C(0x9e3779b97f4a7c15);
	return value |= 1;
}

static uint32_t hash_of(const void *like, size_t key)
{
	__extension__ typedef unsigned __int128 wide;
	const char *p = like;
	const uint64_t factor = secret();
	size_t len = key == SET_TEXTS ? strlen(p) : key;
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

static bool is_same(const void *a, const void *b, size_t key)
{
	return key == SET_TEXTS ? !strcmp(a, b) : !memcmp(a, b, key);
}

/* The item's slot, or the free slot where the item belongs. There is always a free slot. */
static struct set_slot *slot_of(const struct set *s, const void *like, size_t key, uint32_t hash)
{
	size_t at = hash & (s->room - 1);

	while (s->slots[at].item && !(s->slots[at].hash == hash && is_same(s->items[s->slots[at].item - 1], like, key)))
		at = (at + 1) & (s->room - 1);
	return &s->slots[at];
}

void *set_find(const struct set *s, const void *like, size_t key)
{
	const struct set_slot *slot = s->room ? slot_of(s, like, key, hash_of(like, key)) : NULL;

	return slot && slot->item ? s->items[slot->item - 1] : NULL;
}

/* At most two thirds of the slots are used. */
static int grow(struct set *s)
{
	size_t room = s->room ? 2 * s->room : FIRST_ROOM;
	struct set_slot *slots;

	if (3 * (s->num + 1) <= 2 * s->room)
		return 0;
	if (s->num >= UINT32_MAX / 2)
		return -ENOMEM;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < s->room; i++) {
		size_t at = s->slots[i].hash & (room - 1);

		while (s->slots[i].item && slots[at].item)
			at = (at + 1) & (room - 1);
		if (s->slots[i].item)
			slots[at] = s->slots[i];
	}
	free(s->slots);
	s->slots = slots;
	s->room = room;
	return 0;
}

void *set_get(struct set *s, const void *like, size_t size, size_t key)
{
	const uint32_t hash = hash_of(like, key);
	struct set_slot *slot;
	void *item;

	if (grow(s))
		return NULL;
	slot = slot_of(s, like, key, hash);
	if (slot->item)
		return s->items[slot->item - 1];
	item = ARRAY_ROOM(s->items, s->num, 1) ? NULL : arena_copy(&s->arena, like, size);
	if (!item)
		return NULL;
	s->items[s->num] = item;
	*slot = (struct set_slot){ hash, (uint32_t)++s->num };
	return item;
}

void set_sort(struct set *s, int (*compare)(const void *a, const void *b))
{
	FREE_AND_NULL(s->slots);
	s->room = 0;
	if (s->num)
		qsort(s->items, s->num, sizeof(*s->items), compare);
}

void set_free(struct set *s)
{
	arena_free(&s->arena);
	free(s->items);
	free(s->slots);
	*s = (struct set){ .num = 0 };
}
