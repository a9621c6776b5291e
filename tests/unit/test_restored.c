/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end of a session if one register cannot be written or read: the session restores the other registers and names
 * the ones that it could not restore; a repair restores these later. Registers are those of Westmere.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"
#include "uncoremsr/leases.h"

enum { GLOBAL = 0x391, PMC0 = 0x3b0, SEL0 = 0x3c0, OURS = 0x400182 };

static void open_on(const char *machine, bool leases)
{
	open_stepped(machine, "");
	if (leases)
		use_root();
}

static void open_package(const char *machine, bool leases)
{
	open_on(machine, leases);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
}

static unsigned named(uint32_t msr)
{
	char text[40];

	snprintf(text, sizeof(text), "(0x%x) was not put back", msr);
	return times(text);
}

/* ---- one counter ---- */

static const struct {
	uint64_t selector, gate;     /* contents before the session, which uses --force */
	uint32_t read, write[2];     /* registers whose accesses are refused */
	uint32_t named[3];
	uint64_t left_selector, left_counter, left_gate;
} ends[] = {
	{ 0x182, 0, 0, { GLOBAL }, { GLOBAL }, 0x182, 0x1234, 1 },
	{ 0x182, 0, SEL0, { 0 }, { GLOBAL, PMC0, SEL0 }, OURS, 0x5a, 1 },
	{ 0x182, 0, 0, { PMC0 }, { PMC0 }, 0x182, 0x5a, 0 },
	{ 0x182, 0, 0, { SEL0 }, { SEL0 }, OURS, 0x1234, 0 },
	{ 0x182, 0, 0, { GLOBAL, SEL0 }, { GLOBAL, SEL0 }, OURS, 0x1234, 1 },
	{ 0x182, 0, 0, { GLOBAL, PMC0 }, { GLOBAL, PMC0 }, 0x182, 0x5a, 1 },
	{ 0x4000aa, 1, SEL0, { 0 }, { GLOBAL, PMC0, SEL0 }, OURS, 0x5a, 1 },
	{ 0x4000aa, 1, 0, { PMC0 }, { PMC0 }, 0x4000aa, 0x5a, 1 },
	{ 0x4000aa, 1, 0, { SEL0 }, { SEL0 }, OURS, 0x1234, 1 },
	/*
	 * Before the session another program had closed the gate of its counter. The session cannot close the gate
	 * again.
	 */
	{ 0x4000aa, 0, 0, { GLOBAL }, { GLOBAL }, 0x4000aa, 0x1234, 1 },
};

FIXTURE(.setup = make_root, .teardown = close_in_root)

TEST_EACH(refused_registers_are_named_once_and_the_rest_is_restored, ARRAY_SIZE(ends))
{
	for (int leases = 0; leases < 2; leases++) {
		unsigned want = 0;

		open_package("westmere-2s", leases);
		play_on(__func__, "write 0 0x3c0 0x%" PRIx64 "; write 0 0x391 %" PRIu64 "; force 1; add 0x82:0x1; "
			"counter 0 0",
			ends[_i].selector, ends[_i].gate);
		for (unsigned k = 1; k < 8 && ends[_i].selector >> 22; k++)
			poke(0, SEL0 + k, 0x4000bb);
		start();
		ck_assert_uint_eq(peek(0, SEL0), OURS);
		for (size_t i = 0; i < 2; i++)
			if (ends[_i].write[i])
				play_on(__func__, "deny write 0x%x EIO", ends[_i].write[i]);
		if (ends[_i].read)
			play_on(__func__, "deny read 0x%x EIO", ends[_i].read);
		logged[0] = '\0';
		ck_assert_int_eq(uncoremsr_session_stop(s), -EIO);
		for (size_t i = 0; i < ARRAY_SIZE(ends[_i].named) && ends[_i].named[i]; i++, want++)
			ck_assert_msg(named(ends[_i].named[i]) == 1, "0x%x: %s", ends[_i].named[i], logged);
		ck_assert_msg(times(" was not put back") == want, "%s", logged);
		play_on(__func__, "read 0 0x3c0 0x%" PRIx64 "; read 0 0x3b0 0x%" PRIx64 "; read 0 0x391 %" PRIu64 "; "
			"allow",
			ends[_i].left_selector, ends[_i].left_counter, ends[_i].left_gate);
		if (leases)
			play_on(__func__, "repair 1; read 0 0x3c0 0x%" PRIx64 "; read 0 0x3b0 0x1234; "
				"read 0 0x391 %" PRIu64
				"; leases 0", ends[_i].selector, ends[_i].gate);
	}
}

/* ---- several counters ---- */

#define EVENT "cbo0/event=0x37,umask=0x1/"
#define THREE "0x82:0x1,0x82:0x1,0x82:0x1"
#define NAMED(msr) "logged 1 (" msr ") was not put back; "
/* If the old selector differs only in the enable bit, a single write disables the counter and restores the selector. */
#define WRITES_AT_END(selector, number) \
	"root; only packages 0; write 0 0xe01 " selector "; start " EVENT "; watch 0xe01; stop; writes " number "; " \
	"read 0 0xe01 " selector
#define ONE_IS_LEFT(msr, counter) \
	"root; only packages 0; start " THREE ",clockticks; deny write " msr " EIO; stop EIO; allow; leases 1; " \
	"leased " counter "; read 0 0x391 0; read 0 0x3c0 0; read 0 0x3c1 0; read 0 0x3c2 0; read 0 0x395 0; " \
	"repair 1; read 0 0x394 0x1234"
/* The selector is left to the other program, so the record is removed. That program may need the gate's enable bit. */
#define TAKEN(selector, other, gate) \
	"root; only packages 0; start 0x82:0x1,0x82:0x1; write 0 " selector " 0x4000cc; stop; " \
	"read 0 " selector " 0x4000cc; read 0 " other " 0; read 0 0x391 " gate "; " \
	"logged some left as it is, another program wrote it; leases 0; logged 0 was not put back"
#define SWITCHED_OFF "root; only packages 0; start 0x82:0x1; write 0 0x3c0 0; "

static const struct story stories[] = {
	/* C-boxes of Haswell-EP have no enable bits in a gate, so only the selector and the counter are named. */
	{ "a counter without a gate bit is named without a gate", "haswell-ep-2s",
	  "root; only packages 0; start " EVENT "; deny read 0xe01 EIO; stop EIO; " NAMED("0xe01") NAMED("0xe08")
	  "logged 2 was not put back; allow; repair some; read 0 0xe01 0" },
	{ "a selector that has its old contents is not written again", "haswell-ep-2s", WRITES_AT_END("0x137", "1") },
	{ "a selector of another event is written again", "haswell-ep-2s", WRITES_AT_END("0x136", "2") },
	{ "the record of the first counter is kept", "westmere-2s", ONE_IS_LEFT("0x3b0", "0") },
	{ "the record of the second counter is kept", "westmere-2s", ONE_IS_LEFT("0x3b1", "1") },
	{ "the record of the third counter is kept", "westmere-2s", ONE_IS_LEFT("0x3b2", "2") },
	{ "the record of the fixed counter is kept", "westmere-2s", ONE_IS_LEFT("0x394", "8") },
	{ "stopping returns its first error", "westmere-2s",
	  "root; only packages 0; start " THREE "; deny write 0x3b1 EIO; deny write 0x3c2 EIO; stop EIO; says (0x3b1); "
	  "read 0 0x3c0 0; read 0 0x3b2 0x1234" },
	{ "the record of a first counter that another program took is removed", "westmere-2s",
	  TAKEN("0x3c0", "0x3c1", "1") },
	{ "the record of a second counter that another program took is removed", "westmere-2s",
	  TAKEN("0x3c1", "0x3c0", "2") },
	{ "an enable bit stays if the program that has taken our counter needs it", "westmere-2s",
	  "root; only packages 0; start 0x82:0x1; write 0 0x3c0 0x4000cc; write 0 0x391 0xff; after 1 any; "
	  "write 0 0x3c0 0; stop; read 0 0x391 0xff" },
	{ "our enable bit is cleared if another program has switched our counter off", "westmere-2s",
	  SWITCHED_OFF "stop; read 0 0x391 0; leases 0; logged some left as it is, another program wrote it" },
	{ "a repair clears our enable bit if another program has switched our counter off", "westmere-2s",
	  SWITCHED_OFF "deny write 0x391 EIO; stop EIO; " NAMED("0x391") "allow; read 0 0x391 1; leases 1; repair 0; "
	  "read 0 0x391 0; leases 0" },
};

TEST_STORIES(the_record_of_a_restored_register_is_removed, play_session, stories)

/* CPU 0 is in the first package, CPU 1 in the second. */
static int fail_on_first(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	return !cpu && msr == SEL0 ? -EIO : true_ops->read(a, cpu, msr, v);
}

static bool fails;

static int fail_once(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	bool now = fails && cpu == 1 && msr >= PMC0 && msr < PMC0 + 8;

	fails &= !now;
	return now ? -EIO : true_ops->read(a, cpu, msr, v);
}

/* Package 0 fails and is restored. Then a read on package 1 fails once, and must be repeated. */
TEST(after_a_unit_was_restored_a_failed_read_is_tried_again)
{
	struct um_access_ops *spy;

	open_on("westmere-2s", true);
	play_on(__func__, "repeat 9 add 0x82:0x1; start");
	spy = spy_on();
	spy->batch_read = NULL;
	spy->read = fail_on_first;
	uncoremsr_session_rotate(s);
	spy->read = fail_once;
	play_on(__func__, "package-error 0 0x3c0; package-error 1; after 1 any; pass 1");
	fails = true;
	uncoremsr_session_read(s);
	ck_assert(!fails);
	play_on(__func__, "status 1 8 ok");
}

/* A descriptor must not be closed twice, because its number may be in use again. */
TEST_EACH(the_end_of_a_session_closes_only_its_own_descriptors, 3)
{
	int fd;

	open_package("westmere-2s", _i);
	fd = dup(0);
	close(0);
	ck_assert_int_eq(open("/dev/null", O_RDONLY), 0);
	if (_i < 2) {
		count("0x82:0x1");
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
		ck_assert_uint_eq(num_leases(um), 0);
		ck_assert_int_eq(fcntl(0, F_GETFD), 0);
	}
	uncoremsr_session_free(s);
	s = NULL;
	ck_assert_int_eq(fcntl(0, F_GETFD), 0);
	dup2(fd, 0);
	close(fd);
}

SUITE(restored)
