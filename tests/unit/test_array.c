/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Growing arrays. Uses internal headers, because no public header shows when they reallocate and how they handle the
 * largest sizes. */
#include <malloc.h>

#include "common/array.h"
#include "suite.h"

struct point {
	size_t x, y;
};

TEST(elements_are_kept_while_the_array_grows)
{
	struct point *points = NULL;
	size_t num = 0;

	for (size_t i = 0; i < 1000; i++)
		ck_assert_int_eq(ARRAY_APPEND(points, num, (struct point){ i, 2 * i }), 0);
	ck_assert_uint_eq(num, 1000);
	for (size_t i = 0; i < num; i++)
		ck_assert(points[i].x == i && points[i].y == 2 * i);
	free(points);
}

/*
 * The capacity is computed from the number of elements. For an array that was shortened, the computed capacity is less
 * than the real one; the array must still grow correctly.
 */
TEST(an_array_can_grow_again_after_it_was_shortened)
{
	unsigned *numbers = NULL;

	for (unsigned cut = 0; cut < 20; cut++) {
		size_t num = 0;

		for (unsigned i = 0; i < 20; i++)
			ck_assert_int_eq(ARRAY_APPEND(numbers, num, i), 0);
		for (num = cut; num < 40;)
			ck_assert_int_eq(ARRAY_APPEND(numbers, num, (unsigned)num), 0);
		for (unsigned i = 0; i < 40; i++)
			ck_assert_uint_eq(numbers[i], i);
	}
	free(numbers);
}

TEST(several_elements_are_reserved_at_once)
{
	for (size_t num = 0; num < 20; num++)
		for (size_t more = 0; more < 20; more++) {
			unsigned *numbers = NULL;
			size_t have = 0;

			while (have < num)
				ck_assert_int_eq(ARRAY_APPEND(numbers, have, 1), 0);
			ck_assert_int_eq(ARRAY_ROOM(numbers, num, more), 0);
			ck_assert_uint_ge(malloc_usable_size(numbers), (num + more) * sizeof(*numbers));
			for (have = num + more; have < 50;)
				ck_assert_int_eq(ARRAY_APPEND(numbers, have, 1), 0);
			free(numbers);
		}
}

TEST(reserving_no_elements_allocates_nothing)
{
	unsigned *numbers = NULL;

	ck_assert_int_eq(ARRAY_ROOM(numbers, 0, 0), 0);
	ck_assert_ptr_null(numbers);
}

/* Sizes beyond any memory, and sizes whose product or sum overflows. */
TEST(an_array_is_unchanged_if_it_cannot_grow)
{
	static const size_t more[] = {
#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer's realloc() ends the program if the size is too large */
		SIZE_MAX / 2 / sizeof(struct point) - 3,
#endif
		SIZE_MAX / sizeof(struct point) + 1, SIZE_MAX / 2 + 2, SIZE_MAX - 3, SIZE_MAX,
	};
	struct point *points = NULL;
	size_t num = 0;

	while (num < 3)
		ck_assert_int_eq(ARRAY_APPEND(points, num, (struct point){ num, 7 }), 0);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		const struct point *before = points;

		ck_assert_int_eq(ARRAY_ROOM(points, num, more[i]), -ENOMEM);
		ck_assert_ptr_eq(points, before);
	}
	ck_assert_uint_eq(points[2].x, 2);
	free(points);
}

SUITE(array)
