/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that is stopped while it reads: the count is known, but not the time that it covers. The simulated
 * machine advances its clock between a read and its time stamp.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "suite.h"

static const struct uncoremsr_reading *reading_in(size_t package, enum uncoremsr_span span)
{
	return uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_PACKAGE, package, span);
}

static enum uncoremsr_status status_in(size_t package, enum uncoremsr_span span)
{
	return reading_in(package, span)->status;
}

/* Run an interval of one second, and expect its count, its status and the status of the total. */
static void expect(uint64_t count, enum uncoremsr_status interval, enum uncoremsr_status total)
{
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), count);
	ck_assert_uint_eq(reading_in(0, UNCOREMSR_INTERVAL)->counted, count);
	ck_assert_int_eq(status_in(0, UNCOREMSR_INTERVAL), interval);
	ck_assert_int_eq(status_in(0, UNCOREMSR_TOTAL), total);
	ck_assert_int_eq(status_in(1, UNCOREMSR_INTERVAL), UNCOREMSR_OK);
}

/*
 * Counter 0 of package 0 is read when it is checked, when it is set, at the beginning of the first interval,
 * and at the end of each interval.
 */
#define DELAYED(seconds, after) \
	",rate=0x1d:0x1=1000,delay=0x3b0:" seconds ":cpu=0:times=1:after=" after

FIXTURE(.teardown = close_machine)

TEST(a_stop_during_a_read_makes_both_intervals_spread)
{
	open_stepped("westmere-2s", DELAYED("0.2", "4"));
	count("0x1d:0x1");
	expect(1000, UNCOREMSR_OK, UNCOREMSR_OK);
	/* The read was 1.0 s after the last one, but its time stamp says 1.2 s. */
	expect(1000, UNCOREMSR_SPREAD, UNCOREMSR_SPREAD);
	ck_assert_ptr_nonnull(strstr(reading_in(0, UNCOREMSR_INTERVAL)->detail,
				     "counting took 1200.000 ms, reading 200.000 ms"));
	expect(1200, UNCOREMSR_SPREAD, UNCOREMSR_OK);
	expect(1000, UNCOREMSR_OK, UNCOREMSR_OK);
	ck_assert_uint_eq(value_of(reading_in(0, UNCOREMSR_TOTAL)), 4200);
}

/* The next read was long after the previous one, although the time stamps are close. */
TEST(a_count_is_not_exact_where_the_counter_may_have_wrapped_during_a_stop)
{
	open_stepped("westmere-2s", DELAYED("200000", "4"));
	count("0x1d:0x1");
	expect(1000, UNCOREMSR_OK, UNCOREMSR_OK);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_int_eq(status_in(0, UNCOREMSR_INTERVAL), UNCOREMSR_WRAPPED);
		ck_assert_int_eq(status_in(1, UNCOREMSR_INTERVAL), i ? UNCOREMSR_OK : UNCOREMSR_WRAPPED);
	}
	expect(1000, UNCOREMSR_OK, UNCOREMSR_WRAPPED);
}

TEST(a_stop_of_less_than_a_twentieth_does_not_matter)
{
	open_stepped("westmere-2s", DELAYED("0.05", "4"));
	count("0x1d:0x1");
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_int_eq(status_in(0, UNCOREMSR_INTERVAL), UNCOREMSR_OK);
		ck_assert_int_eq(status_in(0, UNCOREMSR_TOTAL), UNCOREMSR_OK);
	}
}

TEST(a_stop_at_the_beginning_is_seen_too)
{
	open_stepped("westmere-2s", DELAYED("0.2", "2"));
	count("0x1d:0x1");
	expect(1200, UNCOREMSR_SPREAD, UNCOREMSR_SPREAD);
	expect(1000, UNCOREMSR_OK, UNCOREMSR_SPREAD);
	expect(1000, UNCOREMSR_OK, UNCOREMSR_SPREAD);
	expect(1000, UNCOREMSR_OK, UNCOREMSR_OK); /* 0.2 of 4.2 s */
}

/* A stop between two samples within an interval does not affect its ends. */
TEST(a_stop_within_an_interval_does_not_matter)
{
	open_stepped("westmere-2s", DELAYED("0.2", "3"));
	count("0x1d:0x1");
	pass(SECOND / 2);
	ck_assert_int_eq(uncoremsr_session_sample(s), 0);
	expect(1700, UNCOREMSR_OK, UNCOREMSR_OK);
}

TEST(a_metric_of_spread_readings_is_spread_too)
{
	/* Counter 0 has the metric's first event. */
	open_stepped("westmere-2s", ",delay=0x3b0:0.2:cpu=0:times=1:after=3");
	ck_assert_int_gt(uncoremsr_session_add_metric(s, "memory-read-bandwidth"), 0);
	start();
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(metric_reading(0, 0)->status, UNCOREMSR_SPREAD);
	ck_assert_ptr_nonnull(strstr(metric_reading(0, 0)->detail, "its time is not"));
	ck_assert_int_eq(metric_reading(1, 0)->status, UNCOREMSR_OK);
}

/* C-box n counts 1000 * (n + 1) per second. */
#define BOXES ",rate=cbo:0x34:0x88=1000"

TEST(a_sum_with_a_spread_unit_is_spread_and_its_count_exact)
{
	open_stepped("sandybridge-1s", BOXES ",delay=0x706:0.2:times=1:after=3");
	count("cbo/event=0x34,umask=0x88/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(status_in(0, UNCOREMSR_INTERVAL), UNCOREMSR_SPREAD);
	ck_assert_ptr_nonnull(strstr(reading_in(0, UNCOREMSR_INTERVAL)->detail, "cbo0"));
	ck_assert_uint_eq(value(0, 0), 1000 + 1200 * (2 + 3 + 4));
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, i, UNCOREMSR_INTERVAL)->status,
			i ? UNCOREMSR_OK : UNCOREMSR_SPREAD);
}

/* Each read is delayed by 4 percent. No single unit is too uncertain, but the last one counted longer than the
 * first. */
TEST(a_sum_of_units_that_were_read_apart_is_spread)
{
	open_stepped("sandybridge-1s", BOXES ",delay=0x706:0.04:times=1:after=3,"
		     "delay=0x716:0.04:times=1:after=3,delay=0x726:0.04:times=1:after=3");
	count("cbo/event=0x34,umask=0x88/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, i, UNCOREMSR_INTERVAL)->status,
				 UNCOREMSR_OK);
	ck_assert_int_eq(status_in(0, UNCOREMSR_INTERVAL), UNCOREMSR_SPREAD);
	ck_assert_ptr_nonnull(strstr(reading_in(0, UNCOREMSR_INTERVAL)->detail,
				     "counted for 1040.000 to 1120.000 ms"));
}

/* Values of events that take turns are scaled by times. If these are uncertain, there is a count but no
 * value. */
TEST(a_spread_event_that_takes_turns_has_a_count_and_no_value)
{
	open_stepped("nehalem-1s", ",rate=0x1:0x1=1000,delay=0x3b0-0x3b7:0.05:after=60:times=1");
	for (int i = 0; i < 9; i++)
		add("0x1:0x1");
	start();
	for (int turn = 0; turn < 4; turn++) {
		pass(SECOND / 4);
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	}
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	for (size_t k = 0; k < 9; k++) {
		const struct uncoremsr_reading *r = reading(0, k);

		if (r->status != UNCOREMSR_SPREAD)
			continue;
		ck_assert_uint_ne(r->counted, UINT64_MAX);
		ck_assert_uint_eq(r->value, UINT64_MAX);
		/* The total has a count but no value, too; after a minute its uncertainty is small enough. */
		r = total_reading(0, k);
		ck_assert_int_eq(r->status, UNCOREMSR_SPREAD);
		for (int turn = 0; turn < 240; turn++) {
			pass(SECOND / 4);
			ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
		}
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		ck_assert_int_eq(total_reading(0, k)->status, UNCOREMSR_OK);
		return;
	}
	ck_abort_msg("none was delayed");
}

/* Each turn is uncertain at its beginning and its end; these times are added up. */
TEST(events_that_take_turns_are_uncertain_at_both_ends_of_each_turn)
{
	open_stepped("nehalem-1s", ",rate=0x1:0x1=1000,delay=0x391:0.006");
	for (int i = 0; i < 9; i++)
		add("0x1:0x1");
	start();
	for (int turn = 0; turn < 8; turn++) {
		pass(SECOND / 10);
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	}
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	for (size_t k = 0; k < 2 * 9; k++) {
		const struct uncoremsr_reading *r = uncoremsr_session_reading(s, k / 2, UNCOREMSR_PLACE_PACKAGE, 0,
									      k % 2 ? UNCOREMSR_TOTAL : UNCOREMSR_INTERVAL);
		double unsure = 0, all = 0;
		const char *took = strstr(r->detail, "counting took");

		ck_assert_int_eq(r->status, UNCOREMSR_SPREAD);
		ck_assert_int_eq(sscanf(took, "counting took %lf ms, reading %lf ms", &all, &unsure), 2);
		/* Four turns, with a write of 6 ms at both ends of each. */
		ck_assert_double_eq_tol(unsure, 48, 0.001);
	}
}

SUITE(spread)
