/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine is suspended while it counts: the clock stands still, and registers may be cleared. That interval
 * has no value, whatever the counters show; the next ones are exact.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "suite.h"

enum { SEL0 = 0x3c0, GLOBAL = 0x391 };

#define RATE ",rate=0x1d:0x1=1000"
#define ASLEEP ",suspend=3600:at=1.5"
#define KERNEL ",kernel_uncore=yes" RATE

static const struct uncoremsr_reading *reading_in(size_t event, enum uncoremsr_span span)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_PACKAGE, 0, span);
}

/* Run four intervals of one second; the machine is suspended in the second. */
static void expect_gap(size_t num_events, uint64_t each)
{
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		for (size_t k = 0; k < num_events; k++) {
			if (i == 1)
				expect_unknown(reading_in(k, UNCOREMSR_INTERVAL), UNCOREMSR_SUSPENDED,
					       "suspended for 3600.000 s");
			else
				ck_assert_uint_eq(value(0, k), each);
			if (i >= 1)
				expect_unknown(reading_in(k, UNCOREMSR_TOTAL), UNCOREMSR_SUSPENDED, "suspended");
		}
	}
	ck_assert_ptr_nonnull(strstr(logged, "W the machine was suspended for 3600.000 s"));
}

static const struct {
	const char *machine, *keys, *event;
	uint64_t each;
	bool by_kernel, unchecked;
} families[] = {
	{ "westmere-2s", RATE ASLEEP, "0x1d:0x1", 1000, false, false },
	/* Events with gates of the unit, the box and the package, and one with a filter. */
	{ "sandybridge-1s", ",rate=cbo:0x34:0x88=1000" ASLEEP, "cbo/event=0x34,umask=0x88/", 10000, false, false },
	{ "haswell-ep-2s", ",rate=pcu:0xb:0=1000" ASLEEP, "pcu/event=0xb,filter_band0=0xc/", 1000, false, false },
	{ "skylake-sp-2s", ",rate=pcu:0x80:0=1000" ASLEEP, "pcu/event=0x80/", 1000, false, false },
	{ "nehalem-ex-4s", ",rate=wbox:0x4:0x1=1000" ASLEEP, "wbox/event=0x4,umask=0x1/", 1000, false, false },
	{ "zen-1s", ",rate=df:0x187:0x38=1000" ASLEEP, "df/event=0x187,umask=0x38/", 1000, false, false },
	/* Registers were kept, but it is unknown whether they counted meanwhile. */
	{ "westmere-2s", RATE ASLEEP ":registers=kept", "0x1d:0x1", 1000, false, false },
	/* Cleared counters must count again even if the session does not check its registers. */
	{ "westmere-2s", RATE ASLEEP, "0x1d:0x1", 1000, false, true },
	/* Linux does not restore registers of the uncore on resume; switching an event off and on programs it again. */
	{ "westmere-2s", KERNEL ASLEEP, "uncore/event=0x1d,umask=0x1/", 1000, true, false },
};

FIXTURE(.teardown = close_machine)

TEST_EACH(counters_have_a_gap_and_count_again_after_a_suspend, sizeof(families) / sizeof(*families))
{
	open_stepped(families[_i].machine, families[_i].keys);
	if (families[_i].by_kernel)
		ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_VERIFY, !families[_i].unchecked), 0);
	count(families[_i].event);
	expect_gap(1, families[_i].each);
	if (strstr(families[_i].keys, "kept"))
		ck_assert_ptr_null(strstr(logged, "free again"));
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	if (!strcmp(families[_i].event, "0x1d:0x1")) {
		ck_assert_uint_eq(peek(0, SEL0), 0);
		ck_assert_uint_eq(peek(0, GLOBAL), 0);
	}
}

TEST(events_that_take_turns_have_one_gap)
{
	open_stepped("nehalem-1s", RATE ASLEEP);
	for (int i = 0; i < 9; i++)
		add("0x1d:0x1");
	start();
	for (int i = 0; i < 4; i++) {
		for (int turn = 0; turn < 2; turn++) {
			pass(SECOND / 2);
			ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
		}
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		for (size_t k = 0; k < 9; k++) {
			if (i == 1)
				expect_unknown(reading_in(k, UNCOREMSR_INTERVAL), UNCOREMSR_SUSPENDED, "");
			else
				ck_assert_uint_eq(value(0, k), 1000);
		}
	}
}

/* A session that was paused before the suspend and is read after it must not be programmed again. */
TEST(a_paused_session_is_not_programmed_again)
{
	open_stepped("westmere-2s", RATE ASLEEP);
	count("0x1d:0x1");
	pass(SECOND);
	ck_assert_int_eq(uncoremsr_session_pause(s), 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* The clock of a software event stood still, too, so its count is right. */
TEST(a_software_event_has_no_gap)
{
	open_stepped("westmere-2s", KERNEL ASLEEP);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	add("uncore/event=0x1d,umask=0x1/");
	count("cpu-clock");
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_int_eq(reading_in(0, UNCOREMSR_INTERVAL)->status,
				 i == 1 ? UNCOREMSR_SUSPENDED : UNCOREMSR_OK);
		value(0, 1);
		ck_assert_int_eq(reading_in(1, UNCOREMSR_TOTAL)->status, UNCOREMSR_OK);
	}
}

SUITE(suspend)
