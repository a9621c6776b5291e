/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of CPUs as text. Uses internal headers, because no public function parses a set. */
#include <errno.h>
#include <stdlib.h>

#include "machine/machine.h"
#include "helpers.h"
#include "suite.h"

/* @text must be parsed as a set of @num CPUs and formatted as @back. */
static const struct {
	const char *text, *back;
	size_t num;
} good[] = {
	{ "", "", 0 }, { "\n", "", 0 }, { "  ", "", 0 }, { "0", "0", 1 }, { "0\n", "0", 1 },
	{ "0-3,5", "0-3,5", 5 }, { " 1 , 2\n", "1-2", 2 }, { "5,0-3", "0-3,5", 5 },
	{ "0-3,2-5", "0-5", 6 }, { "7,7,7", "7", 1 }, { "0-1,2-3", "0-3", 4 }, { "3-3", "3", 1 },
	{ "007", "7", 1 }, { "131071", "131071", 1 }, { "0,2,4-6", "0,2,4-6", 5 },
	{ "0-131071,0-131071,5", "0-131071", 131072 },
};

TEST_EACH(lists_are_read_as_the_kernel_writes_them, ARRAY_SIZE(good))
{
	struct um_cpuset set;
	char *back;

	ck_assert_int_eq(um_cpuset_parse(&set, good[_i].text, NULL), 0);
	ck_assert_uint_eq(set.num, good[_i].num);
	for (size_t i = 1; i < set.num; i++)
		ck_assert_msg(set.cpus[i - 1] < set.cpus[i], "%u, %u", set.cpus[i - 1], set.cpus[i]);
	back = um_cpuset_format(&set);
	ck_assert_str_eq(back, good[_i].back);
	free(back);
	um_cpuset_free(&set);
}

static const struct { const char *text, *bad; } wrong[] = {
	{ "0x8", "x8" }, { "-1", "-1" }, { "3-1", "3-1" }, { "0-", "" }, { "0,", "" },
	{ ",0", ",0" }, { "0,,1", ",1" }, { "1 2", "2" }, { "0-3z", "z" }, { "a", "a" },
	{ "131072", "131072" }, { "0-4294967296", "4294967296" }, { "0-3\n4", "\n4" },
	{ "\n0", "\n0" }, { "1 -2", "-2" }, { "1- 2", " 2" }, { "1-2-3", "-3" }, { "+1", "+1" },
	{ "99999999999999999999", "99999999999999999999" }, { "0-10:2/4", ":2/4" },
};

TEST_EACH(any_other_text_is_refused_with_the_position_of_the_error, ARRAY_SIZE(wrong))
{
	struct um_cpuset set;
	const char *bad = NULL;

	ck_assert_int_eq(um_cpuset_parse(&set, wrong[_i].text, &bad), -EINVAL);
	ck_assert_str_eq(bad, wrong[_i].bad);
	ck_assert_ptr_null(set.cpus);
	ck_assert_uint_eq(set.num, 0);
}

TEST(adding_keeps_the_order_and_drops_duplicates)
{
	static const unsigned cpus[] = { 5, 1, 9, 5, 0, 1 };
	struct um_cpuset set = { NULL, 0 };
	char *text;

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
		ck_assert_int_eq(um_cpuset_add(&set, cpus[i]), 0);
	text = um_cpuset_format(&set);
	ck_assert_str_eq(text, "0-1,5,9");
	free(text);
	ck_assert(um_cpuset_has(&set, 9));
	ck_assert(!um_cpuset_has(&set, 8));
	um_cpuset_free(&set);
}

TEST(an_empty_set_has_no_cpu_and_can_be_freed_twice)
{
	struct um_cpuset set = { NULL, 0 };
	char *text = um_cpuset_format(&set);

	ck_assert_str_eq(text, "");
	free(text);
	ck_assert(!um_cpuset_has(&set, 0));
	um_cpuset_free(&set);
	um_cpuset_free(&set);
}

SUITE(cpuset)
