/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How the reading of a counter is computed from its contents. Uses internal headers, because the test makes up the unit
 * and the contents of its registers.
 */
#include <errno.h>
#include <string.h>

#include "counting/claim.h"
#include "counting/run.h"
#include "helpers.h"
#include "suite.h"

enum { NUM = 2, MS = 1000000 };

static struct { uint64_t value, begin_ns, ns; int err; } reads[NUM];
static size_t num_read;
static struct um_access access;
static struct um_machine machine = { .access = &access };
static struct um_pmu pmu = { .name = "box", .scope = UM_SCOPE_PACKAGE, .selector = &um_no_selector };
static struct um_encoding event = { .pmu = &pmu, .fixed = -1 };
static struct um_op ops[NUM];
static struct um_msr msr;
static const struct um_package package = { .shown = { .cpu = 3 } };
static struct um_site site;
static struct um_unit unit;
static struct um_slot slots[NUM];
static struct um_change held[NUM];

static void batch_read(struct um_access *a, struct um_op *list, size_t num)
{
	(void)a;
	num_read = num;
	for (size_t i = 0; i < num; i++) {
		list[i].value = reads[i].value;
		list[i].begin_ns = reads[i].begin_ns;
		list[i].ns = reads[i].ns;
		list[i].err = reads[i].err;
	}
}

static int read_one(struct um_access *a, unsigned cpu, uint32_t number, uint64_t *value)
{
	(void)a;
	(void)cpu;
	*value = reads[number].value;
	return reads[number].err;
}

static ssize_t read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	(void)a;
	(void)path;
	(void)buf;
	(void)size;
	return -ENOENT;
}

static uint64_t now(struct um_access *a)
{
	(void)a;
	return SECOND;
}

static const struct um_access_ops access_ops = {
	.read_text = read_text, .batch_read = batch_read, .read = read_one, .now = now,
};

/* Two 48-bit counters start at 0, count at most 10^9 per second, and are read at 1 s; a read takes no time. */
static void begin(void)
{
	memset(slots, 0, sizeof(slots));
	memset(held, 0, sizeof(held));
	access = (struct um_access){ .ops = &access_ops };
	site = (struct um_site){ .package = &package.shown, .told = true };
	msr = (struct um_msr){ .m = &machine, .ops = ops, .units = &unit, .num_units = 1 };
	unit = (struct um_unit){
		.box = { .pmu = &pmu, .cpu = 3 }, .site = &site, .slots = slots, .num_slots = NUM,
		.counters = held,
	};
	for (int i = 0; i < NUM; i++) {
		slots[i] = (struct um_slot){
			.active = true, .set = UM_EVERY_SET, .max_rate = SECOND, .max_gap_ns = 100 * SECOND,
			.counter = i, .event = &event, .unit = &unit, .index = (size_t)i,
			.regs = { .counter = (uint32_t)i, .selector = 1, .width = 48 },
			.reading.status = UNCOREMSR_NOT_COUNTED, .total.status = UNCOREMSR_NOT_COUNTED,
		};
		reads[i].value = 0;
		reads[i].begin_ns = reads[i].ns = SECOND;
		reads[i].err = 0;
	}
}

static int sample(void)
{
	int err = um_unit_sample(&msr, &unit);

	um_unit_close(&unit);
	return err;
}

TEST(a_difference_has_the_width_of_the_counter)
{
	for (unsigned width = 32; width <= 64; width++) {
		uint64_t top = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;

		begin();
		slots[0].regs.width = width;
		slots[0].last = top - 4;
		reads[0].value = 5;
		ck_assert_int_eq(sample(), 0);
		ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_OK);
		ck_assert_uint_eq(slots[0].reading.counted, 10);
		ck_assert_uint_eq(slots[0].reading.value, 10);
		ck_assert_uint_eq(slots[0].reading.raw, 5);
		ck_assert(slots[0].reading.have_raw && slots[0].total.have_raw);
	}
}

/*
 * The longest possible time is from the beginning of the previous read to the end of the present read; each read took
 * 0.2 s.
 */
TEST(more_than_the_hardware_can_count_is_disturbed)
{
	static const struct { uint64_t ns, counted; bool bad; } cases[] = {
		{ 0, SECOND / 5, false }, { 0, SECOND / 5 + 1, true },
		{ 3 * SECOND, 16 * SECOND / 5, false }, { 3 * SECOND, 16 * SECOND / 5 + 1, true },
		{ SECOND / 100, 21 * SECOND / 100, false }, { SECOND / 100, 21 * SECOND / 100 + 1, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		begin();
		slots[0].last_read.ns = SECOND;
		slots[0].last_read.window_ns = SECOND / 5;
		reads[0].ns = SECOND + cases[i].ns;
		reads[0].begin_ns = reads[0].ns - SECOND / 5;
		reads[0].value = cases[i].counted;
		sample();
		ck_assert_int_eq(slots[0].reading.status == UNCOREMSR_DISTURBED, cases[i].bad);
	}
}

TEST(a_counter_that_is_read_too_late_may_have_wrapped)
{
	for (int late = 0; late < 2; late++) {
		begin();
		slots[0].max_gap_ns = SECOND / 4;
		slots[0].last_read.ns = SECOND - SECOND / 4 - (uint64_t)late;
		slots[0].last = reads[0].value = 7;
		slots[0].regs.overflow_bit = 1;
		sample();
		ck_assert_int_eq(slots[0].reading.status, late ? UNCOREMSR_WRAPPED : UNCOREMSR_OK);
		ck_assert_int_eq(held[0].wrapped, late);
	}
	/*
	 * A counter has wrapped if its value decreased and its overflow bit is set; its overflow bit does not affect
	 * other counters.
	 */
	for (int wrapped = 0; wrapped < 2; wrapped++)
		for (int has = 0; has < 2; has++) {
			begin();
			slots[1].last = reads[1].value = 10;
			reads[1].value -= (uint64_t)wrapped;
			slots[1].regs.overflow_bit = has ? 2 : 0;
			slots[1].max_rate = UINT64_MAX;
			sample();
			ck_assert_int_eq(held[1].wrapped, wrapped && has);
			ck_assert(!held[0].wrapped);
		}
}

/* AMD's memory counters stop when they are full, and then set the bit above their width. */
TEST(a_full_counter_is_lost_if_it_stops_counting)
{
	for (unsigned width = 47; width <= 64; width++)
		for (int saturates = 0; saturates < 2; saturates++) {
			bool full = saturates && width == 48;

			begin();
			slots[0].saturates = saturates;
			slots[0].regs.width = width;
			slots[0].max_rate = UINT64_MAX;
			reads[0].value = slots[0].last = UINT64_C(1) << 48;
			sample();
			full |= saturates && width == 47;
			ck_assert_int_eq(slots[0].reading.status, full ? UNCOREMSR_WRAPPED : UNCOREMSR_OK);
		}
}

TEST(only_active_counters_are_read)
{
	begin();
	slots[0].active = false;
	reads[0].value = 9;
	sample();
	ck_assert_uint_eq(num_read, 1);
	ck_assert_uint_eq(slots[1].reading.counted, 9);
	ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_NOT_COUNTED);
	ck_assert(!slots[0].reading.have_raw);
}

/* A counter that cannot be read in the batch is read once more, alone. */
TEST(a_counter_that_cannot_be_read_does_not_affect_the_other)
{
	begin();
	reads[0].err = -EIO;
	reads[1].value = 20;
	ck_assert_int_eq(sample(), -EIO);
	ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_FAILED);
	ck_assert(!slots[0].reading.have_raw && !unit.lost && site.told);
	ck_assert_int_eq(slots[1].reading.status, UNCOREMSR_OK);
	ck_assert_uint_eq(slots[1].reading.counted, 20);
	/* The counter kept counting, so the total is complete again. The new count spans two intervals, so the interval
	 * has no value. */
	reads[0].err = 0;
	reads[0].value = 50;
	reads[0].ns = reads[0].begin_ns = reads[1].ns = reads[1].begin_ns = 2 * SECOND;
	ck_assert_int_eq(sample(), 0);
	ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_FAILED);
	ck_assert_int_eq(slots[0].total.status, UNCOREMSR_OK);
	ck_assert_uint_eq(slots[0].total.counted, 50);
	ck_assert_uint_eq(slots[0].total.running_ns, 2 * SECOND);
	reads[0].ns = reads[0].begin_ns = 3 * SECOND;
	ck_assert_int_eq(sample(), 0);
	ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_OK);
	reads[1].err = -ENXIO;
	ck_assert_int_eq(sample(), -ENXIO);
	ck_assert_int_eq(slots[1].reading.status, UNCOREMSR_LOST);
	ck_assert(unit.lost && !site.told);
}

/* ---- time of a reading ---- */

TEST(a_read_spread_over_a_large_share_of_the_time_is_reported)
{
	for (int more = 0; more < 2; more++) {
		uint64_t ns = SECOND / UM_SPREAD_SHARE;

		begin();
		slots[0].unsure_ns = slots[0].total_unsure_ns = ns / 2 + (uint64_t)more;
		reads[0].begin_ns = SECOND - ns / 2;
		sample();
		ck_assert_int_eq(slots[0].reading.status, more ? UNCOREMSR_SPREAD : UNCOREMSR_OK);
		ck_assert_int_eq(slots[0].total.status, more ? UNCOREMSR_SPREAD : UNCOREMSR_OK);
		ck_assert(slots[0].reading.stamped);
		/* The next interval begins at the same uncertain time. In the total, the uncertainty becomes small. */
		ck_assert_uint_eq(slots[0].unsure_ns, ns / 2);
		reads[0].begin_ns = reads[0].ns = 2 * SECOND;
		sample();
		ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_OK);
		ck_assert_int_eq(slots[0].total.status, UNCOREMSR_OK);
	}
}

TEST(an_event_that_takes_turns_is_scaled_to_the_whole_time)
{
	begin();
	slots[0].set = 1;
	slots[0].last_read.ns = 3 * SECOND / 4;
	reads[0].value = 100;
	sample();
	ck_assert_uint_eq(slots[0].reading.counted, 100);
	ck_assert_uint_eq(slots[0].reading.value, 400);
	ck_assert_uint_eq(slots[0].reading.running_ns, SECOND / 4);
	ck_assert_uint_eq(slots[0].reading.enabled_ns, SECOND);
	ck_assert_uint_eq(slots[0].reading.time_ns, SECOND);
	ck_assert_uint_eq(unit.interval_ns, SECOND);
	slots[0].active = false;
	reads[0].ns = reads[0].begin_ns = 2 * SECOND;
	sample();
	ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_NOT_COUNTED);
	ck_assert_int_eq(slots[0].total.status, UNCOREMSR_OK);
	ck_assert_uint_eq(slots[0].total.counted, 100);
	ck_assert_uint_eq(slots[0].total.enabled_ns, 2 * SECOND);
	begin();
	unit.interval_ns = SECOND / 2;
	slots[0].set = 0;
	sample();
	ck_assert_uint_eq(slots[0].reading.enabled_ns, SECOND);
	begin();
	slots[0].last_read.ns = SECOND / 2;
	reads[0].value = 3;
	sample();
	ck_assert_uint_eq(slots[0].reading.enabled_ns, SECOND / 2);
	ck_assert_uint_eq(slots[0].reading.value, 3);
}

/* The counter was switched off before the interval ended; its running time ends then, too. */
TEST(a_counter_that_was_switched_off_ran_until_then)
{
	begin();
	slots[0].stop.ns = SECOND / 4;
	slots[0].stop.window_ns = 7;
	reads[0].value = 11;
	reads[0].begin_ns = SECOND - 100 * MS;
	sample();
	ck_assert_uint_eq(slots[0].reading.running_ns, SECOND / 4);
	ck_assert_uint_eq(slots[0].reading.counted, 11);
	ck_assert_uint_eq(slots[0].last_read.window_ns, 7);
	ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_OK);
}

/* ---- units that are not counted ---- */

TEST(if_a_unit_fails_all_of_its_events_have_failed)
{
	static const struct { int err; enum uncoremsr_status status; enum um_scope scope; } cases[] = {
		{ -EIO, UNCOREMSR_FAILED, UM_SCOPE_PACKAGE }, { -ENOTSUP, UNCOREMSR_SILENT, UM_SCOPE_CPU },
		{ -ENXIO, UNCOREMSR_LOST, UM_SCOPE_DIE }, { -ENXIO, UNCOREMSR_OFFLINE, UM_SCOPE_CPU },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		begin();
		pmu.scope = cases[i].scope;
		unit.err = cases[i].err;
		strcpy(unit.error.msg, "it burns");
		um_unit_close(&unit);
		pmu.scope = UM_SCOPE_PACKAGE;
		for (int k = 0; k < NUM; k++) {
			ck_assert_int_eq(slots[k].reading.status, cases[i].status);
			ck_assert_int_eq(slots[k].total.status, cases[i].status);
			ck_assert_str_eq(slots[k].reading.detail, "it burns");
			ck_assert_str_eq(slots[k].total.detail, "it burns");
		}
		ck_assert_uint_eq(unit.interval_ns, 0);
	}
}

TEST(if_a_unit_fails_uncounted_events_fail_too)
{
	begin();
	strcpy(unit.error.msg, "gone");
	slots[0].active = slots[1].active = false;
	slots[1].running_ns = 1;
	ck_assert_int_eq(um_unit_spoil(&unit, -EIO), -EIO);
	ck_assert_int_eq(slots[0].trouble, UNCOREMSR_FAILED);
	ck_assert_int_eq(slots[1].trouble, UNCOREMSR_OK);
	slots[1].active = true;
	um_unit_spoil(&unit, -EIO);
	ck_assert_int_eq(slots[1].trouble, UNCOREMSR_FAILED);
	ck_assert_str_eq(slots[1].detail, "gone");
}

TEST(an_event_that_was_refused_stays_refused)
{
	begin();
	um_slot_refuse(&slots[0], UNCOREMSR_SILENT, "no such counter");
	for (int i = 0; i < 2; i++) {
		reads[1].begin_ns = reads[1].ns += SECOND;
		sample();
		ck_assert_int_eq(slots[0].reading.status, UNCOREMSR_SILENT);
		ck_assert_int_eq(slots[0].total.status, UNCOREMSR_SILENT);
		ck_assert_str_eq(slots[0].reading.detail, "no such counter");
		ck_assert_int_eq(slots[1].reading.status, UNCOREMSR_OK);
	}
}

SUITE(sampled)
