/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Growing arrays: a pointer and a number of elements, at first NULL and 0. The capacity is not stored; it is the
 * number of elements rounded up to a power of two. So only these macros may allocate such an array: malloc() of 3
 * elements has no room for a fourth. The tools share this file: tools/common/array.h is a link to it.
 */
#ifndef COMMON_ARRAY_H
#define COMMON_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define FREE_AND_NULL(p) (free(p), (p) = NULL)

/*
 * Make room for @more elements after the @num of @items. Fill the room before the next call: the capacity is computed
 * from @num, so that call may shrink the array. 0; -ENOMEM: the array is unchanged.
 */
#define ARRAY_ROOM(items, num, more) array_room(&(items), num, more, sizeof(*(items)))
/* Append an element and count it. 0; -ENOMEM: the array is unchanged, and the element was not evaluated. */
#define ARRAY_APPEND(items, num, ...) \
	(ARRAY_ROOM(items, num, 1) ? -ENOMEM : ((items)[num] = (__VA_ARGS__), (num)++, 0))

static inline int array_room(void *array, size_t num, size_t more, size_t size)
{
	size_t room = num > 0;
	void *items;

	while (room < num)
		room *= 2;
	if (more <= room - num)
		return 0;
	if (more > SIZE_MAX / 2 / size - num)
		return -ENOMEM;
	while (room < num + more)
		room = room ? 2 * room : 1;
	/* Use memcpy(), because the type of the caller's pointer is not known here. */
	memcpy(&items, array, sizeof(items));
	items = realloc(items, room * size);
	if (!items)
		return -ENOMEM;
	memcpy(array, &items, sizeof(items));
	return 0;
}

/*
 * Allocate @num zeroed structs of @size bytes and a list of pointers to them, which ends with NULL. One free() frees
 * everything. NULL: out of memory.
 */
static inline void *array_of_structs(size_t num, size_t size)
{
	char **list = calloc(1, (num + 1) * sizeof(*list) + num * size);

	for (size_t i = 0; list && i < num; i++)
		list[i] = (char *)(list + num + 1) + i * size;
	return list;
}

#endif
