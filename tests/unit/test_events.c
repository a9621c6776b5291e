/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language: text in, selector word and canonical name out, or one clear refusal. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/event.h"
#include "suites.h"

static struct um_event_list list;
static struct um_error error;

static void setup(void)
{
	memset(&list, 0, sizeof(list));
	memset(&error, 0, sizeof(error));
}

static void teardown(void)
{
	um_events_free(&list);
}

static int parse(const char *text)
{
	return um_events_parse(&list, text, um_uarch_westmere.pmus, um_uarch_westmere.num_pmus,
			       &error);
}

static const struct {
	const char *text, *name;
	uint64_t word;
} good[] = {
	{ "0x82:0x1", "0x82:0x1", 0x420182 },
	{ "130:1", "0x82:0x1", 0x420182 },
	{ "0x83:0x01", "0x83:0x1", 0x420183 },
	{ "0x82:0x1:edge", "0x82:0x1:edge", 0x460182 },
	{ "0x82:0x1:e:i:c=3", "0x82:0x1:edge:inv:cmask=3", 0x3c60182 },
	{ "0x82:0x1:invert:cmask=255", "0x82:0x1:inv:cmask=255", 0xffc20182 },
	{ "0xff:0xff", "0xff:0xff", 0x42ffff },
	{ "0x420182", "0x82:0x1", 0x420182 },
	{ "0x400182", "0x82:0x1", 0x400182 },
	{ "0x182", "0x82:0x1", 0x400182 },
	{ "0x182:edge", "0x82:0x1:edge", 0x440182 },
	{ "uncore/event=0x82,umask=0x1/", "0x82:0x1", 0x420182 },
	{ "UNCORE/event=0x82,umask=1,edge,cmask=2/", "0x82:0x1:edge:cmask=2", 0x2460182 },
	{ "uncore/event=0x82,umask=1,edge=1,inv=1/", "0x82:0x1:edge:inv", 0xc60182 },
	{ "uncore/event=0x82,umask=1/:edge", "0x82:0x1:edge", 0x460182 },
	{ "uncore/raw=0x420182/", "0x82:0x1", 0x420182 },
	{ "uncore/event=0x82/", "0x82:0x0", 0x420082 },
	{ "UNC_CLK_UNHALTED", "UNC_CLK_UNHALTED", 0x1 },
	{ "clockticks", "UNC_CLK_UNHALTED", 0x1 },
	{ "Uncore_Clock", "UNC_CLK_UNHALTED", 0x1 },
};

START_TEST(an_event_becomes_exactly_this_word_and_name)
{
	ck_assert_int_eq(parse(good[_i].text), 1);
	ck_assert_str_eq(list.events[0].name, good[_i].name);
	ck_assert_uint_eq(list.events[0].word, good[_i].word);
}
END_TEST

static const struct {
	const char *text, *shows; /* the offending part has to be shown */
	int err;
} refused[] = {
	{ "", "nothing", -EINVAL },
	{ ",", "nothing", -EINVAL },
	{ "0x82:0x1,", "nothing", -EINVAL },
	{ "0x8z:0x1", "0x8z", -EINVAL },
	{ "0x82:0x1z", "0x1z", -EINVAL },
	{ "0x82:", "unknown modifier", -EINVAL },
	{ "0x:0x1", "not a number", -EINVAL },
	{ "0x100:0x1", "0x100", -EINVAL },
	{ "0x82:300", "0x12c", -EINVAL },
	{ "0x82:-1", "-1", -EINVAL },
	{ "-1:1", "-1", -ENOENT },
	{ "0x82:0x1:cmask=256", "0x100", -EINVAL },
	{ "0x82:0x1:cmask=", "number is missing", -EINVAL },
	{ "0x82:0x1:bogus", "bogus", -EINVAL },
	{ "0x82:0x1 ", "0x1 ", -EINVAL },
	{ "0x82:99999999999999999999", "too large", -EINVAL },
	{ "0x520182", "bit 20", -EINVAL },
	{ "0x410182", "0x10000", -EINVAL },
	{ "0x100400182", "0x100000000", -EINVAL },
	{ "uncore/event=0x82", "closing slash", -EINVAL },
	{ "uncore/event=0x82/x", "'x'", -EINVAL },
	{ "uncore/event=0x82,bogus=1/", "bogus=1", -EINVAL },
	{ "uncore/event=0x82,raw=0x420183/", "event=0x82,raw=0x420183", -EINVAL },
	{ "0x3420102:cmask=4", "threshold already, 0x3", -EINVAL },
	{ "cbo/event=0x82/", "cbo", -EINVAL },
	{ "{0x82:0x1", "closing brace", -EINVAL },
	{ "{}", "nothing", -EINVAL },
	{ "{{0x82:0x1}}", "nothing", -EINVAL },
	{ "0x82:0x1}", "}", -EINVAL },
	{ "UNC_NO_SUCH_EVENT", "UNC_NO_SUCH_EVENT", -ENOENT },
	{ "UNC_CLK_UNHALTED:edge", "no modifier", -EINVAL },
};

START_TEST(nonsense_is_refused_with_the_offending_part)
{
	ck_assert_int_eq(parse(refused[_i].text), refused[_i].err);
	ck_assert_msg(strstr(error.msg, refused[_i].shows) != NULL, "'%s' does not show '%s'",
		      error.msg, refused[_i].shows);
	ck_assert_uint_eq(error.class, UNCOREMSR_ERROR_USAGE);
	ck_assert_uint_eq(list.num, 0);
}
END_TEST

START_TEST(a_bad_event_in_a_list_leaves_the_list_as_it_was)
{
	ck_assert_int_eq(parse("0x82:0x1"), 1);
	ck_assert_int_eq(parse("0x83:0x1,{0x84:0x1,bad}"), -ENOENT);
	ck_assert_uint_eq(list.num, 1);
	ck_assert_uint_eq(list.num_groups, 1);
}
END_TEST

START_TEST(commas_inside_a_pmu_form_or_a_group_belong_to_it)
{
	ck_assert_int_eq(parse("uncore/event=0x82,umask=1/,{0x80:1,uncore/event=0x81,umask=2/},"
			       "clockticks"), 4);
	ck_assert_uint_eq(list.events[0].group, 0);
	ck_assert_uint_eq(list.events[1].group, 1);
	ck_assert_uint_eq(list.events[2].group, 1);
	ck_assert_uint_eq(list.events[3].group, 2);
	ck_assert(list.events[3].fixed);
}
END_TEST

START_TEST(edge_and_threshold_bound_the_rate_to_one_per_clock)
{
	ck_assert_int_eq(parse("0x02:0x1,0x02:0x1:edge,0x02:0x1:cmask=2"), 3);
	ck_assert_uint_gt(list.events[0].max_per_clock, 1);
	ck_assert_uint_eq(list.events[1].max_per_clock, 1);
	ck_assert_uint_eq(list.events[2].max_per_clock, 1);
}
END_TEST

Suite *events_suite(void)
{
	Suite *s = suite_create("events");
	TCase *tc = tcase_create("language");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, an_event_becomes_exactly_this_word_and_name, 0,
			    (int)ARRAY_SIZE(good));
	tcase_add_loop_test(tc, nonsense_is_refused_with_the_offending_part, 0,
			    (int)ARRAY_SIZE(refused));
	tcase_add_test(tc, a_bad_event_in_a_list_leaves_the_list_as_it_was);
	tcase_add_test(tc, commas_inside_a_pmu_form_or_a_group_belong_to_it);
	tcase_add_test(tc, edge_and_threshold_bound_the_rate_to_one_per_clock);
	suite_add_tcase(s, tc);
	return s;
}
