/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program is stopped between reading a counter and reading the clock: the count is known, but not the time during
 * which it was counted. The simulated machine advances its clock between the two.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "steps.h"
#include "suite.h"

/*
 * Counter 0 of package 0 is read in this order: when it is checked, when it is programmed, when the first interval
 * begins, and when each interval ends.
 */
#define DELAYED(seconds, after) \
	",rate=0x1d:0x1=1000,delay=0x3b0:" seconds ":cpu=0:times=1:after=" after

/* C-box n counts 1000 * (n + 1) per second. */
#define BOXES "sandybridge-1s,rate=cbo:0x34:0x88=1000"
#define SPREAD(count) "value 0 0 " count "; counted 0 0 " count "; status 0 0 spread; status 1 0 ok; "
#define TURN "pass 0.25; rotate; "
#define EXACT(count) "value 0 0 " count "; counted 0 0 " count "; status 0 0 ok; status 1 0 ok; "

static const struct story stories[] = {
	/* The second read is 1.0 s after the first read, but its time stamp is taken 0.2 s later. */
	{ "a stop during a read makes both intervals spread", "westmere-2s" DELAYED("0.2", "4"),
	  "start 0x1d:0x1; after 1; " EXACT("1000") "total-status 0 0 ok; after 1; "
	  SPREAD("1000") "total-status 0 0 spread; "
	  "detail 0 0 counting took 1200.000 ms, reading 200.000 ms; after 1; " SPREAD("1200") "total-status 0 0 ok; "
	  "after 1; " EXACT("1000") "total-status 0 0 ok; total 0 0 4200" },
	/* The time stamp is 200000 s late, so 200001 s pass between the second and the third read. */
	{ "a count is not exact where the counter may have wrapped during a stop", "westmere-2s" DELAYED("200000", "4"),
	  "start 0x1d:0x1; after 1; " EXACT("1000") "total-status 0 0 ok; "
	  "after 1; status 0 0 wrapped; status 1 0 wrapped; after 1; "
	  "status 0 0 wrapped; status 1 0 ok; after 1; " EXACT("1000") "total-status 0 0 wrapped" },
	{ "a stop of less than a twentieth does not matter", "westmere-2s" DELAYED("0.05", "4"),
	  "start 0x1d:0x1; after 1; status 0 0 ok; total-status 0 0 ok; after 1; status 0 0 ok; total-status 0 0 ok; "
	  "after 1; status 0 0 ok; total-status 0 0 ok; after 1; status 0 0 ok; total-status 0 0 ok" },
	/* After four intervals the delay was 0.2 of 4.2 s, less than a twentieth, so the total is known. */
	{ "a stop at the beginning is noticed too", "westmere-2s" DELAYED("0.2", "2"),
	  "start 0x1d:0x1; after 1; " SPREAD("1200") "total-status 0 0 spread; after 1; " EXACT("1000")
	  "total-status 0 0 spread; after 1; " EXACT("1000") "total-status 0 0 spread; after 1; " EXACT("1000")
	  "total-status 0 0 ok" },
	/* The sample within the interval is delayed, not the reads at the interval's beginning and end. */
	{ "a stop within an interval does not matter", "westmere-2s" DELAYED("0.2", "3"),
	  "start 0x1d:0x1; pass 0.5; sample; after 1; " EXACT("1700") "total-status 0 0 ok" },
	{ "a sum with a spread unit is spread and its count exact", BOXES ",delay=0x706:0.2:times=1:after=3",
	  "start cbo/event=0x34,umask=0x88/; after 1; status 0 0 spread; detail 0 0 cbo0; "
	  "value 0 0 11800; " /* cbo0 was read after 1 s, all other boxes after 1.2 s */
	  "unit 0 cbo0 spread; unit 0 cbo1 ok; unit 0 cbo2 ok; unit 0 cbo3 ok" },
	/*
	 * Each read is delayed by 4 percent. Each unit's time is known well enough, but the last unit counted longer
	 * than the first unit.
	 */
	{ "a sum of units that were read apart is spread",
	  BOXES ",delay=0x706:0.04:times=1:after=3,delay=0x716:0.04:times=1:after=3,delay=0x726:0.04:times=1:after=3",
	  "start cbo/event=0x34,umask=0x88/; after 1; unit 0 cbo0 ok; unit 0 cbo1 ok; unit 0 cbo2 ok; unit 0 cbo3 ok; "
	  "status 0 0 spread; detail 0 0 counted for 1040.000 to 1120.000 ms" },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(a_count_without_a_certain_time_is_spread, play_session, stories)

TEST(a_metric_of_spread_readings_is_spread_too)
{
	open_stepped("westmere-2s", ",delay=0x3b0:0.2:cpu=0:times=1:after=3");
	ck_assert_int_gt(uncoremsr_session_add_metric(s, "memory-read-bandwidth"), 0);
	start();
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(metric_reading(0, 0)->status, UNCOREMSR_SPREAD);
	ck_assert_ptr_nonnull(strstr(metric_reading(0, 0)->detail, "its time is not"));
	ck_assert_int_eq(metric_reading(1, 0)->status, UNCOREMSR_OK);
}

/* Counts of events that take turns are scaled by times. If the times are uncertain, there is a count but no value. */
TEST(a_spread_event_that_takes_turns_has_a_count_and_no_value)
{
	open_stepped("nehalem-1s", ",rate=0x1:0x1=1000,delay=0x3b0-0x3b7:0.05:after=60:times=1");
	play_on(__func__, "repeat 9 add 0x1:0x1; start; " TURN TURN TURN TURN "after 0");
	for (size_t k = 0; k < 9; k++) {
		const struct uncoremsr_reading *r = reading(0, k);

		if (r->status != UNCOREMSR_SPREAD)
			continue;
		ck_assert_uint_ne(r->counted, UINT64_MAX);
		ck_assert_uint_eq(r->value, UINT64_MAX);
		/* The total has a count but no value, too; after a minute its uncertainty is small enough. */
		r = total_reading(0, k);
		ck_assert_int_eq(r->status, UNCOREMSR_SPREAD);
		for (int turn = 0; turn < 240; turn++)
			play_on(__func__, "pass 0.25; rotate");
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		ck_assert_int_eq(total_reading(0, k)->status, UNCOREMSR_OK);
		return;
	}
	ck_abort_msg("none was delayed");
}

/* Each turn has an uncertain beginning and end; the uncertainties of all turns are added up. */
TEST(events_that_take_turns_are_uncertain_at_both_ends_of_each_turn)
{
	open_stepped("nehalem-1s", ",rate=0x1:0x1=1000,delay=0x391:0.006");
	play_on(__func__, "repeat 9 add 0x1:0x1; start");
	for (int turn = 0; turn < 8; turn++)
		play_on(__func__, "pass 0.1; rotate");
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	for (size_t k = 0; k < 2 * 9; k++) {
		const struct uncoremsr_reading *r =
			uncoremsr_session_reading(s, k / 2, UNCOREMSR_PLACE_PACKAGE, 0,
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
