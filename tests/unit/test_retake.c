/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Another program, or a suspend, changes registers of a running session: the interval is disturbed; once nobody
 * else uses the registers, they are programmed again and count exactly.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "suite.h"

enum { SEL0 = 0x3c0, PMC0 = 0x3b0, GLOBAL = 0x391 };

/* Run intervals of one second. @story has a letter for each: o is ok with exactly @each counts, d is
 * disturbed. */
static void tell(const char *machine, const char *keys, const char *event, const char *story, uint64_t each)
{
	open_stepped(machine, keys);
	count(event);
	for (const char *want = story; *want; want++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (*want == 'd')
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "");
		else
			ck_assert_uint_eq(value(0, 0), each);
	}
}

static void expect_as_before(void)
{
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), 0);
}

#define RATE ",rate=0x1d:0x1=1000,"

FIXTURE(.teardown = close_machine)

TEST(a_selector_that_was_cleared_counts_again_in_the_next_interval)
{
	tell("westmere-2s", RATE "foreign=0x3c0:0:at=1.5:package=0", "0x1d:0x1", "odoo", 1000);
	ck_assert_uint_eq(value(1, 0), 1000);
	ck_assert_ptr_nonnull(strstr(logged,
			      "W package 0: counters that another program or a suspend changed are free again"));
	expect_as_before();
}

TEST(an_enable_bit_that_was_cleared_is_set_again)
{
	tell("westmere-2s", RATE "foreign=0x391:0:at=1.5", "0x1d:0x1", "odoo", 1000);
	expect_as_before();
}

/* While the gate is closed, none of our counters can count. */
TEST(a_gate_that_is_closed_stays_closed_while_the_counter_is_another_programs)
{
	open_stepped("sandybridge-1s", ",foreign=0x700:0x400103:at=1.5,foreign=0x391:0:at=1.5");
	ck_assert_int_gt(uncoremsr_session_add(s, "cbo0/event=0x34,umask=0x88/"), 0);
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 0), 0);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(peek(0, GLOBAL), i ? 0 : 0x20000000);
	}
	expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "another program changed selector 0x700");
	ck_assert_int_eq(uncoremsr_session_stop(s), 0); /* nothing has to be restored */
	ck_assert_uint_eq(peek(0, 0x700), 0x400103);
}

/* After @writes_left writes, all writes fail. */
static unsigned writes_left;
static bool has_failed;

static int fail_to_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	if (writes_left) {
		writes_left--;
		return true_ops->write(a, cpu, msr, v);
	}
	has_failed = true;
	return -EIO;
}

static const struct { const char *machine, *keys, *events; uint64_t each; } beginners[] = {
	{ "westmere-2s", ",rate=0x1d:0x1=1000,foreign=0x3c0:0:at=1.5:package=0,foreign=0x391:0:at=1.5:package=0", "0x1d:0x1,0x1d:0x1",
	  1000 },
	{ "haswell-ep-2s", ",rate=pcu:0xb:0=1000,foreign=0x711:0:at=1.5:package=0,foreign=0x715:0:at=1.5:package=0",
	  "pcu/event=0xb,filter_band0=0xc/,pcu/event=0xb,filter_band0=0xc/", 1000 },
	{ "sandybridge-1s", ",rate=cbo:0x34:0x88=1000,foreign=0x391:0:at=1.5,foreign=0x700:0:at=1.5",
	  "cbo0/event=0x34,umask=0x88/,cbo0/event=0x34,umask=0x88/", 1000 },
};

/* If any write fails when a counter is programmed again, the event is unknown until the next check, and then
 * counts. */
TEST_EACH(if_programming_again_fails_it_is_tried_at_the_next_check, ARRAY_SIZE(beginners))
{
	struct um_access_ops *spy;
	unsigned n = 0;

	for (bool all = false; !all; n++) {
		open_stepped(beginners[_i].machine, beginners[_i].keys);
		count(beginners[_i].events);
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		spy = spy_on();
		spy->write = fail_to_write;
		writes_left = n;
		has_failed = false;
		pass_and_read(SECOND);
		stop_spying();
		all = !has_failed;
		expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "");
		pass_and_read(SECOND);
		if (!all)
			ck_assert_int_ne(reading(0, 0)->status, UNCOREMSR_OK);
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(value(0, 0), beginners[_i].each);
		ck_assert_uint_eq(value(0, 1), beginners[_i].each);
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
		close_machine();
	}
	ck_assert_uint_gt(n, 4);
}

static unsigned selector_writes;

static int note_gate(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	uint64_t gate = 0;

	if (cpu == 0 && msr == SEL0) {
		selector_writes++;
		ck_assert_int_eq(true_ops->read(a, cpu, GLOBAL, &gate), 0);
		ck_assert_msg(!(gate & 1), "0x%llx is written while the counter may run", (unsigned long long)v);
	}
	return true_ops->write(a, cpu, msr, v);
}

/* The counter must be off while it is programmed, else it would count before it is set to its start value. */
TEST(a_counter_stands_still_while_it_is_programmed_again)
{
	struct um_access_ops *spy;

	open_stepped("westmere-2s", RATE "foreign=0x3c0:0:at=1.5:package=0");
	count("0x1d:0x1,0x1d:0x1");
	spy = spy_on();
	spy->write = note_gate;
	selector_writes = 0;
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(peek(0, GLOBAL), 3); /* the other counter still counts */
	}
	stop_spying();
	ck_assert_uint_eq(selector_writes, 1);
	ck_assert_uint_eq(value(0, 0), 1000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

static unsigned gate_reads, num_writes;

static int fail_second_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	if (cpu == 0 && msr == GLOBAL && ++gate_reads == 2)
		return -EIO;
	return true_ops->read(a, cpu, msr, v);
}

static int note_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	num_writes++;
	return true_ops->write(a, cpu, msr, v);
}

/* The check found the enable bit off, but cannot read it again, so nothing is written until the next check. */
TEST(a_register_that_cannot_be_read_is_not_programmed_again_yet)
{
	struct um_access_ops *spy;

	open_stepped("westmere-2s", RATE "foreign=0x391:0:at=1.5:package=0");
	count("0x1d:0x1");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	spy = spy_on();
	spy->read = fail_second_read;
	spy->write = note_write;
	spy->batch_read = NULL;
	gate_reads = num_writes = 0;
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	stop_spying();
	ck_assert_uint_eq(gate_reads, 2);
	ck_assert_uint_eq(num_writes, 0);
	for (int i = 0; i < 2; i++) {
		expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "");
		ck_assert_int_eq(pass_and_read(SECOND), 0);
	}
	ck_assert_uint_eq(value(0, 0), 1000);
	expect_as_before();
}

/* The registers after a suspend to memory. */
TEST(registers_that_were_all_reset_count_again)
{
	tell("westmere-2s", RATE "foreign=0x391:0:at=1.5,foreign=0x3c0:0:at=1.5,foreign=0x3b0:0:at=1.5",
	     "0x1d:0x1", "odoo", 1000);
	expect_as_before();
}

/* The user requested this counter for the event. */
TEST(a_counter_taken_back_from_another_program_is_restored_as_that_left_it)
{
	open_stepped("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c0:0x103:at=3.5,"
		     "foreign=0x3b0:77:at=3.6");
	add("0x1d:0x1");
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 0), 0);
	start();
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (i == 2) /* the other program's selector was not changed */
			ck_assert_uint_eq(peek(0, SEL0), 0x400103);
		if (i && i < 4)
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "");
		else
			ck_assert_uint_eq(value(0, 0), 1000);
	}
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0x103);
	ck_assert_uint_eq(peek(0, PMC0), 77);
}

static uint64_t counter_of(size_t package)
{
	return (uint64_t)reading(package, 0)->counter;
}

TEST(a_counter_that_was_taken_is_replaced_by_a_free_one)
{
	tell("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5:package=0", "0x1d:0x1", "od", 1000);
	ck_assert_uint_eq(counter_of(0), 0);
	ck_assert_ptr_nonnull(strstr(logged, "another program took counter 0: counter 1 goes on"));
	ck_assert_ptr_null(strstr(logged, "are free again"));
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(value(0, 0), 1000);
		ck_assert_uint_eq(counter_of(0), 1);
		ck_assert_uint_eq(counter_of(1), 0);
	}
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0x400103);
	ck_assert_uint_eq(peek(0, SEL0 + 1), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), 1); /* the other program needs this bit */
}

/* MSR_UNCORE_FIXED_CTR_CTRL: the interrupt bit shows that another program uses it. There is no other fixed
 * counter. */
TEST(a_fixed_counter_that_was_taken_is_not_replaced)
{
	open_stepped("westmere-2s", ",foreign=0x395:0x5:at=1.5:package=0");
	count("clockticks");
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (i)
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "");
		ck_assert_uint_eq(peek(0, SEL0), 0);
	}
	ck_assert_ptr_null(strstr(logged, "goes on"));
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0x395), 5);
}

/* Counters of other units do not matter. */
TEST(a_replacement_counter_is_of_the_same_unit)
{
	open_stepped("sandybridge-1s", ",foreign=0x700:0x400103:at=1.5");
	ck_assert_int_gt(uncoremsr_session_add(s, "cbo0/event=0x34,umask=0x88/,cbo1/event=0x34,umask=0x88/"), 0);
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 1, 1), 0);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(reading(0, 0)->counter, 1);
	ck_assert_uint_eq(peek(0, 0x701) >> 22 & 1, 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), -EBUSY); /* the gate stays open for the other program */
}

/* Later the other program also takes the replacement. It still uses the first counter and its enable bit. */
TEST(a_counter_that_is_still_taken_keeps_its_enable_bit)
{
	open_stepped("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5:package=0,"
		     "foreign=0x3c1:0x400103:at=3.5:package=0");
	count("0x1d:0x1");
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(counter_of(0), 2);
	ck_assert_uint_eq(value(0, 0), 1000);
	ck_assert_uint_eq(peek(0, GLOBAL) & 7, 7);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, GLOBAL) & 7, 3);
}

/* The message says why the counter cannot be used: its selector, and its enable bit. */
TEST(the_log_says_why_a_counter_is_no_replacement)
{
	tell("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5:package=0,foreign=0x3c1:0x400103:at=1.5:package=0,"
	     "foreign=0x391:0x3:at=1.5:package=0", "0x1d:0x1", "od", 1000);
	ck_assert_msg(strstr(logged, "counter 1 is in use by another program (selector 0x3c1 holds 0x400103, "
				     "global enable bit on)") != NULL, "%s", logged);
	ck_assert_ptr_nonnull(strstr(logged, "another program took counter 0: counter 2 goes on"));
}

/* If several counters are affected, one message names the first. */
TEST(changes_of_several_counters_are_one_message)
{
	tell("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c1:0:at=3.5", "0x1d:0x1", "odod", 1000);
	ck_assert_ptr_nonnull(strstr(logged, "counter 1 goes on (and 1 more)"));
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_ptr_nonnull(strstr(logged,
			      " and 1 more: counters that another program or a suspend changed are free again"));
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* Two programs take counters one after the other; at last the first counter is free again and is used. */
TEST(a_counter_that_was_left_is_one_of_the_free_ones_again)
{
	tell("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c0:0:at=2.5,"
	     "foreign=0x3c1:0x400103:at=3.5,foreign=0x3c1:0:at=5.5", "0x1d:0x1", "ododoo", 1000);
	ck_assert_uint_eq(counter_of(0), 0);
	expect_as_before();
	ck_assert_uint_eq(peek(0, SEL0 + 1), 0);
}

/* The other program uses all eight counters; the first one that it frees is used. */
TEST(without_a_free_counter_the_first_one_released_is_used)
{
	char keys[512] = ",rate=0x1d:0x1=1000";
	size_t len = strlen(keys);

	for (unsigned c = 0; c < 8; c++)
		len += (size_t)snprintf(keys + len, sizeof(keys) - len, ",foreign=0x%x:0x400103:at=1.5", SEL0 + c);
	snprintf(keys + len, sizeof(keys) - len, ",foreign=0x%x:0:at=3.5", SEL0 + 5);
	tell("nehalem-1s", keys, "0x1d:0x1", "odddoo", 1000);
	ck_assert_uint_eq(counter_of(0), 5);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0 + 5), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0x400103);
}

/*
 * Intel PCM leaves its counters on when it ends. Six checks look at the selector that it wrote, and five of them find
 * the selector unchanged.
 */
TEST(an_abandoned_counter_is_taken_again_once_it_no_longer_changes)
{
	open_stepped("westmere-2s", RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x391:0xff:at=1.5");
	add("0x1d:0x1");
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 0), 0);
	start();
	for (int i = 1; i <= 9; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (i > 1 && i < 8)
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "another program changed selector 0x3c0");
		else
			ck_assert_uint_eq(value(0, 0), 1000);
		ck_assert_uint_eq(peek(0, SEL0), i > 1 && i < 7 ? 0x400103 : 0x40011d);
	}
	ck_assert_uint_eq(times("its program seems to have ended"), 2); /* one message per package */
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0x400103);
	ck_assert_uint_eq(peek(0, GLOBAL), 0xff);
}

TEST(if_all_counters_are_abandoned_its_own_is_taken_again)
{
	char keys[512] = ",rate=0x1d:0x1=1000";
	size_t len = strlen(keys);

	for (unsigned c = 0; c < 8; c++)
		len += (size_t)snprintf(keys + len, sizeof(keys) - len, ",foreign=0x%x:0x400103:at=1.5", SEL0 + c);
	tell("nehalem-1s", keys, "0x1d:0x1", "oddddddoo", 1000);
	ck_assert_uint_eq(counter_of(0), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	for (unsigned c = 0; c < 8; c++)
		ck_assert_uint_eq(peek(0, SEL0 + c), 0x400103);
}

/* As long as the selector changes, another program is running, so the counter is not used. */
TEST(a_counter_that_is_still_changed_is_not_taken_again)
{
	open_stepped("nehalem-1s", RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c0:0x400104:at=5.5,"
		     "foreign=0x3c0:0x400103:at=9.5");
	add("0x1d:0x1");
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 0), 0);
	start();
	for (int i = 1; i <= 14; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (i > 1)
			ck_assert_uint_eq(peek(0, SEL0), i > 5 && i < 10 ? 0x400104 : 0x400103);
	}
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0x40011d);
}

/* Five checks may take less than a second; the counter must also be unchanged for some seconds. */
TEST(with_short_intervals_an_abandoned_counter_is_not_taken_early)
{
	open_stepped("nehalem-1s", RATE "foreign=0x3c0:0x400103:at=0.95");
	add("0x1d:0x1");
	ck_assert_int_eq(uncoremsr_session_set_counter(s, 0, 0), 0);
	start();
	for (int i = 1; i <= 70; i++) {
		ck_assert_int_eq(pass_and_read(SECOND / 10), 0);
		if (i >= 10)
			ck_assert_uint_eq(peek(0, SEL0), i < 60 ? 0x400103 : 0x40011d);
	}
}

TEST(an_abandoned_filter_is_set_again_once_it_no_longer_changes)
{
	open_stepped("haswell-ep-2s", ",rate=pcu:0xb:0=1000,foreign=0x715:0x5:at=1.5");
	count("pcu/event=0xb,filter_band0=0xc/");
	for (int i = 1; i <= 9; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (i > 1 && i < 8)
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "filter 0x715");
		else
			value(0, 0);
	}
	ck_assert_uint_eq(peek(0, 0x715), 0xc);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0x715), 0x5);
}

/* A box without enable bits: its counters count as soon as the selector is written. */
TEST(a_counter_of_a_box_can_be_replaced_too)
{
	tell("haswell-ep-2s", ",rate=cbo:0x37:0x1=1000,foreign=0xe01:0x400103:at=1.5",
	     "cbo0/event=0x37,umask=0x1/", "odoo", 1000);
	ck_assert_uint_eq(counter_of(0), 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), -EBUSY); /* the box stays open for the other program */
	ck_assert_uint_eq(peek(0, 0xe01), 0x400103);
	ck_assert_uint_eq(peek(0, 0xe02), 0);
}

TEST(a_counter_that_cannot_be_restored_is_not_taken_again)
{
	tell("westmere-2s", RATE "keeps=0x3c0:0x90000,foreign=0x3c0:0x90407:at=1.5:package=0", "0x1d:0x1",
	     "od", 1000);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	expect_unknown(reading(0, 0), UNCOREMSR_FAILED, "its bits 0x90000 could not be put back");
	ck_assert_uint_eq(value(1, 0), 1000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SEL0), 0x90407);
}

/* A box reset clears its selectors and counters (uncore guide of the E5 v3, PMON_BOX_CTL). */
TEST(a_box_that_was_reset_counts_again)
{
	tell("haswell-ep-2s", ",rate=pcu:0x80:0=1000,foreign=0x710:0x3:at=1.5", "pcu/event=0x80/", "odoo", 1000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0x711), 0);
	ck_assert_uint_eq(peek(0, 0x710), 0);
}

/* Another program may freeze a box only to read it, so the gate is opened only if it is still closed at the
 * next check. */
TEST(a_gate_that_stays_closed_is_opened_after_another_check)
{
	tell("sandybridge-1s", ",rate=cbo:0x34:0x88=1000,foreign=0x391:0:at=1.5", "cbo/event=0x34,umask=0x88/",
	     "oddoo", 1000 * (1 + 2 + 3 + 4));
}

TEST(a_filter_that_was_cleared_is_set_again)
{
	open_stepped("haswell-ep-2s", ",rate=pcu:0xb:0=1000,foreign=0x715:0:at=1.5");
	count("pcu/event=0xb,filter_band0=0xc/");
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		if (i == 1)
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "filter 0x715");
		else
			value(0, 0);
	}
	ck_assert_uint_eq(peek(0, 0x715), 0xc);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0x715), 0);
}

TEST(two_events_share_the_only_filter_of_a_box)
{
	open_stepped("haswell-ep-2s", ",rate=pcu:0xb:0=1000");
	count("pcu/event=0xb,filter_band0=0xc/,pcu/event=0xb,filter_band0=0xc,thresh=1/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 1000);
	ck_assert_uint_eq(peek(0, 0x715), 0xc);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0x715), 0);
}

static unsigned writes;

static void count_writes(void *user, const char *line)
{
	(void)user;
	writes += !strncmp(line, "wrmsr", 5);
}

TEST(another_programs_filter_is_left_alone)
{
	writes = 0;
	open_stepped("haswell-ep-2s", ",rate=pcu:0xb:0=1000,foreign=0x715:0x5:at=1.5,foreign=0x715:0:at=3.5");
	count("pcu/event=0xb,filter_band0=0xc/");
	for (int i = 0; i < 6; i++) {
		uncoremsr_set_trace(um, UNCOREMSR_TRACE_COMMANDS, i && i < 3 ? count_writes : NULL, NULL);
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(writes, 0);
		if (i && i < 4)
			expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "filter 0x715");
		else
			value(0, 0);
		if (i == 2)
			ck_assert_uint_eq(peek(0, 0x715), 0x5);
	}
}

/* There are two turns in a second; registers that were cleared in one turn are programmed in the next. */
TEST(events_that_take_turns_are_programmed_again_too)
{
	open_stepped("nehalem-1s", RATE "foreign=0x3c0:0:at=1.2,foreign=0x391:0:at=1.2");
	for (int i = 0; i < 9; i++)
		add("0x1d:0x1");
	start();
	for (int i = 0; i < 4; i++) {
		for (int turn = 0; turn < 2; turn++) {
			pass(SECOND / 2);
			ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
		}
		ck_assert_int_eq(uncoremsr_session_read(s), 0);
		for (size_t k = 0; k < 9 && i != 1; k++)
			ck_assert_uint_eq(value(0, k), 1000);
	}
}

SUITE(retake)
