/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end of a session on a device that refuses one register: which registers are restored, which are named as
 * not restored, and that a repair restores the rest. Registers are those of Westmere.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "access/access.h"
#include "machine.h"
#include "suite.h"
#include "uncoremsr/leases.h"

enum { GLOBAL = 0x391, PMC0 = 0x3b0, SEL0 = 0x3c0, OURS = 0x400182 };

/* ---- a device that refuses to read or to write a register, from the end of counting on ---- */

static struct {
	struct um_access_ops *ops;
	bool on;
	uint32_t read, write[2];
} spy;

static int spy_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	return spy.on && msr == spy.read ? -EIO : true_ops->read(a, cpu, msr, v);
}

static int spy_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	bool refused = msr == spy.write[0] || msr == spy.write[1];

	return spy.on && refused ? -EIO : true_ops->write(a, cpu, msr, v);
}

/* Open a machine. @leases: with a lease directory. */
static void open_on(const char *machine, bool leases)
{
	open_stepped(machine, "");
	if (leases)
		use_root();
	spy.ops = spy_on();
	spy.ops->read = spy_read;
	spy.ops->write = spy_write;
	spy.ops->batch_read = NULL;
	spy.on = false;
}

static void open_package(const char *machine, bool leases)
{
	open_on(machine, leases);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "0"), 0);
}

/* Number of messages that name the register as not restored. */
static unsigned named(uint32_t msr)
{
	char text[40];

	snprintf(text, sizeof(text), "(0x%x) was not put back", msr);
	return times(text);
}

static unsigned num_named(void)
{
	unsigned num = 0;

	for (const char *at = logged; (at = strstr(at, " was not put back")); at++)
		num++;
	return num;
}

/* From now on refuse to read or to write these registers; 0: none. */
static void refuse(uint32_t read, uint32_t write, uint32_t other_write)
{
	spy.read = read;
	spy.write[0] = write;
	spy.write[1] = other_write;
	spy.on = true;
	logged[0] = '\0';
}

/* ---- one counter ---- */

static const struct {
	uint64_t selector, gate;     /* contents before the session, which uses --force */
	uint32_t read, write[2];     /* registers whose accesses are refused */
	uint32_t named[3];
	uint64_t left_selector, left_counter, left_gate;
} ends[] = {
	/* The counter was free before. */
	{ 0x182, 0, 0, { GLOBAL }, { GLOBAL }, 0x182, 0x1234, 1 },
	{ 0x182, 0, SEL0, { 0 }, { GLOBAL, PMC0, SEL0 }, OURS, 0x5a, 1 },
	{ 0x182, 0, 0, { PMC0 }, { PMC0 }, 0x182, 0x5a, 0 },
	{ 0x182, 0, 0, { SEL0 }, { SEL0 }, OURS, 0x1234, 0 },
	{ 0x182, 0, 0, { GLOBAL, SEL0 }, { GLOBAL, SEL0 }, OURS, 0x1234, 1 },
	{ 0x182, 0, 0, { GLOBAL, PMC0 }, { GLOBAL, PMC0 }, 0x182, 0x5a, 1 },
	/* Another program was counting with the counter. */
	{ 0x4000aa, 1, SEL0, { 0 }, { GLOBAL, PMC0, SEL0 }, OURS, 0x5a, 1 },
	{ 0x4000aa, 1, 0, { PMC0 }, { PMC0 }, 0x4000aa, 0x5a, 1 },
	{ 0x4000aa, 1, 0, { SEL0 }, { SEL0 }, OURS, 0x1234, 1 },
	/* Another program had stopped the counter through the gate, which cannot be closed now. */
	{ 0x4000aa, 0, 0, { GLOBAL }, { GLOBAL }, 0x4000aa, 0x1234, 1 },
};

FIXTURE(.setup = make_root, .teardown = close_in_root)

TEST_EACH(refused_registers_are_named_once_and_the_rest_is_restored, ARRAY_SIZE(ends))
{
	for (int leases = 0; leases < 2; leases++) {
		unsigned want = 0;

		open_package("westmere-2s", leases);
		poke(0, SEL0, ends[_i].selector);
		poke(0, GLOBAL, ends[_i].gate);
		for (unsigned k = 1; k < 8 && ends[_i].selector >> 22; k++)
			poke(0, SEL0 + k, 0x4000bb);
		ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_FORCE, 1), 0);
		add("0x82:0x1");
		ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 0), 0);
		start();
		ck_assert_uint_eq(peek(0, SEL0), OURS);
		refuse(ends[_i].read, ends[_i].write[0], ends[_i].write[1]);
		ck_assert_int_eq(uncoremsr_session_stop(s), -EIO);
		for (size_t i = 0; i < ARRAY_SIZE(ends[_i].named) && ends[_i].named[i]; i++, want++)
			ck_assert_msg(named(ends[_i].named[i]) == 1, "0x%x: %s", ends[_i].named[i], logged);
		ck_assert_msg(num_named() == want, "%s", logged);
		ck_assert_uint_eq(peek(0, SEL0), ends[_i].left_selector);
		ck_assert_uint_eq(peek(0, PMC0), ends[_i].left_counter);
		ck_assert_uint_eq(peek(0, GLOBAL), ends[_i].left_gate);
		spy.on = false;
		if (leases) {
			ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), 1);
			ck_assert_uint_eq(peek(0, SEL0), ends[_i].selector);
			ck_assert_uint_eq(peek(0, PMC0), 0x1234);
			ck_assert_uint_eq(peek(0, GLOBAL), ends[_i].gate);
			ck_assert_uint_eq(num_leases(um), 0);
		}
		close_machine();
	}
}

/* Counters of a C-box of Haswell-EP have no enable bit in a gate. The box control is named only if it stays open. */
TEST(a_counter_without_a_gate_bit_is_named_without_a_gate)
{
	open_package("haswell-ep-2s", true);
	count("cbo0/event=0x37,umask=0x1/");
	refuse(0xe01, 0, 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), -EIO);
	ck_assert_uint_eq(named(0xe01), 1);
	ck_assert_uint_eq(named(0xe08), 1);
	ck_assert_uint_eq(num_named(), 2);
	spy.on = false;
	ck_assert_int_gt(uncoremsr_repair(um, NULL, NULL), 0);
	ck_assert_uint_eq(peek(0, 0xe01), 0);
}

static unsigned num_writes;

static int count_writes(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	num_writes += msr == 0xe01;
	return true_ops->write(a, cpu, msr, v);
}

/* If the selector had the same event without enable bit before, switching off restores it, so no further write
 * is needed. */
TEST(a_selector_that_is_as_it_was_is_not_written_again)
{
	for (unsigned same = 0; same < 2; same++) {
		open_package("haswell-ep-2s", true);
		poke(0, 0xe01, same ? 0x137 : 0x136);
		count("cbo0/event=0x37,umask=0x1/");
		spy.ops->write = count_writes;
		num_writes = 0;
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
		ck_assert_uint_eq(num_writes, same ? 1 : 2);
		ck_assert_uint_eq(peek(0, 0xe01), same ? 0x137 : 0x136);
		close_machine();
	}
}

/* ---- several counters ---- */

/* The record of a counter is removed when the counter is restored; records of other counters are kept. */
TEST_EACH(records_of_restored_counters_are_removed_and_others_kept, 4)
{
	const struct uncoremsr_leases *leases;

	open_package("westmere-2s", true);
	count("0x82:0x1,0x82:0x1,0x82:0x1,clockticks");
	refuse(0, _i < 3 ? PMC0 + (uint32_t)_i : 0x394, 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), -EIO);
	spy.on = false;
	ck_assert_uint_eq(num_leases(um), 1);
	leases = leases_of(um);
	ck_assert_int_eq(leases->list[0]->counter, _i < 3 ? _i : 8);
	ck_assert_uint_eq(peek(0, GLOBAL), 0);
	for (unsigned k = 0; k < 3; k++)
		ck_assert_uint_eq(peek(0, SEL0 + k), 0);
	ck_assert_uint_eq(peek(0, 0x395), 0);
	ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), 1);
	ck_assert_uint_eq(peek(0, 0x394), 0x1234);
}

/* The session returns the first error, and still restores the other counters. */
TEST(stopping_returns_its_first_error)
{
	open_package("westmere-2s", true);
	count("0x82:0x1,0x82:0x1,0x82:0x1");
	refuse(0, PMC0 + 1, SEL0 + 2);
	ck_assert_int_eq(uncoremsr_session_stop(s), -EIO);
	ck_assert_msg(strstr(uncoremsr_error(um)->message, "(0x3b1)") != NULL, "%s", uncoremsr_error(um)->message);
	ck_assert_uint_eq(peek(0, SEL0), 0);
	ck_assert_uint_eq(peek(0, PMC0 + 2), 0x1234);
}

/* Nothing has to be restored, so the record is removed. */
TEST_EACH(the_record_of_a_counter_taken_by_another_program_is_removed, 2)
{
	open_package("westmere-2s", true);
	count("0x82:0x1,0x82:0x1");
	poke(0, SEL0 + (uint32_t)_i, 0x4000cc);
	logged[0] = '\0';
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0 + (uint32_t)_i), 0x4000cc);
	ck_assert_uint_eq(peek(0, SEL0 + 1 - (uint32_t)_i), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), 1u << _i); /* the other program may need this bit */
	ck_assert_ptr_nonnull(strstr(logged, "left as it is, another program wrote it"));
	ck_assert_uint_eq(num_leases(um), 0);
	ck_assert_uint_eq(num_named(), 0);
}

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

/* Package 0 fails and is restored. A read on package 1 that then fails once must be tried again. */
TEST(after_a_unit_was_restored_a_failed_read_is_tried_again)
{
	open_on("westmere-2s", true);
	for (unsigned k = 0; k < 9; k++)
		add("0x82:0x1");
	start();
	spy.ops->read = fail_on_first; /* the turn on this package cannot begin */
	uncoremsr_session_rotate(s);
	spy.ops->read = fail_once;
	ck_assert_ptr_nonnull(uncoremsr_session_package(s, 0)->error);
	ck_assert_ptr_null(uncoremsr_session_package(s, 1)->error);
	pass_and_read(SECOND);
	pass(SECOND);
	fails = true;
	uncoremsr_session_read(s);
	ck_assert(!fails);
	ck_assert_int_eq(status(1, 8), UNCOREMSR_OK);
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
