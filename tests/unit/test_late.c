/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* If a register read fails once, the next interval must not have the counts of two intervals. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "suite.h"

#define MACHINE "westmere-2s,clock=stepped,rate=0x1d:0x1=10"

enum { INTERVALS = 6, WIDEST = 40 };

struct story {
	enum uncoremsr_status status[INTERVALS];
	uint64_t counted[INTERVALS];
	bool late[INTERVALS];         /* does the message say that the interval began without a read? */
	uint64_t total;
	enum uncoremsr_status total_status;
};

FIXTURE(.teardown = close_machine)

/*
 * Run a session in which access @nth to a counter and its retry fail. Each interval has @samples additional reads
 * before its last read.
 */
static void run_story(struct story *t, unsigned nth, unsigned samples)
{
	char machine[128];

	snprintf(machine, sizeof(machine), MACHINE ",fail=read 0x3b0-0x3b7 EIO after=%u times=2", nth);
	open_machine(machine);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
	add("0x1d:0x1");
	memset(t, 0, sizeof(*t));
	if (uncoremsr_session_start(s) < 0) {
		t->total_status = UNCOREMSR_FAILED;
		return;
	}
	for (unsigned i = 0; i < INTERVALS; i++) {
		const struct uncoremsr_reading *r;

		for (unsigned k = 0; k < samples; k++) {
			pass(SECOND / (samples + 1));
			uncoremsr_session_sample(s);
		}
		pass_and_read(SECOND - samples * (SECOND / (samples + 1)));
		r = reading(0, 0);
		t->status[i] = r->status;
		t->counted[i] = r->counted;
		t->late[i] = strstr(r->detail, "beginning of this interval") != NULL;
	}
	t->total_status = total_reading(0, 0)->status;
	t->total = total_reading(0, 0)->counted;
}

/* A valid count covers exactly one interval. An interval after a failed interval has no value; its message says why. */
static unsigned check(const struct story *t, unsigned nth)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < INTERVALS; i++) {
		bool follows = i && t->status[i - 1] == UNCOREMSR_FAILED && !t->late[i - 1];

		if (t->status[i] == UNCOREMSR_OK) {
			ck_assert_msg(t->counted[i] == 10, "%u: interval %u has %u", nth, i, (unsigned)t->counted[i]);
			ck_assert_msg(!follows, "%u: interval %u is ok right after a failed one", nth, i);
		}
		ck_assert_msg(t->late[i] == follows, "%u: interval %u", nth, i);
		failed += t->status[i] == UNCOREMSR_FAILED && !t->late[i];
	}
	return failed;
}

TEST(the_interval_after_a_failed_read_does_not_have_both_counts)
{
	unsigned seen = 0;

	for (unsigned nth = 0; nth < WIDEST; nth++) {
		struct story t;
		unsigned failed;

		run_story(&t, nth, 0);
		if (t.total_status == UNCOREMSR_FAILED && !t.status[0])
			continue;
		failed = check(&t, nth);
		ck_assert_uint_le(failed, 1);
		/* The total has the counts of all intervals, unless the last interval failed. */
		if (failed && t.status[INTERVALS - 1] == UNCOREMSR_OK) {
			ck_assert_int_eq(t.total_status, UNCOREMSR_OK);
			ck_assert_uint_eq(t.total, 10 * INTERVALS);
			seen++;
		}
	}
	ck_assert_uint_ge(seen, INTERVALS - 2);
}

/* If a sample fails, no counts are lost: the read at the end of the interval includes these counts. */
TEST(a_failed_sample_loses_no_counts)
{
	unsigned failures = 0;

	for (unsigned nth = 0; nth < WIDEST; nth++) {
		struct story t;

		run_story(&t, nth, 3);
		if (t.total_status == UNCOREMSR_FAILED && !t.status[0])
			continue;
		failures += check(&t, nth);
	}
	/* Only one in four reads ends an interval; a failure of the remaining reads must not make an interval fail. */
	ck_assert_uint_le(failures, WIDEST / 4);
	ck_assert_uint_ge(failures, 4);
}

SUITE(late)
