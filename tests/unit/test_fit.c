/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Do events fit on the counters of one unit? The answer must be that of a search through all assignments. Uses internal
 * headers, because no real processor has these counters.
 */
#include <string.h>

#include "counting/plan.h"
#include "helpers.h"
#include "suite.h"

enum { NUM = 4 };

static struct um_extra extras[3];
static struct um_fixed fixed[2];
static struct um_pmu pmu;
static struct um_encoding events[NUM];
static struct um_slot slots[NUM];
static struct um_unit unit;

/* Begin with @num events, each in its own group and allowed on all counters. */
static void begin(size_t num)
{
	memset(extras, 0, sizeof(extras));
	memset(slots, 0, sizeof(slots));
	memset(events, 0, sizeof(events));
	fixed[0] = (struct um_fixed){ .counter.msr = 0x394, .control.msr = 0x395 };
	fixed[1] = (struct um_fixed){ .counter.msr = 0x396, .control.msr = 0x397 };
	pmu = (struct um_pmu){
		.extras = extras, .num_extras = ARRAY_SIZE(extras), .fixed = fixed, .num_fixed = 2,
		.num_general = 32, .selector = &um_no_selector, .counter = &um_no_selector.reg,
	};
	unit = (struct um_unit){
		.box = { .pmu = &pmu, .num_general = 32, .general = UINT32_MAX, .fixed = 3 },
		.slots = slots, .num_slots = num,
	};
	for (size_t i = 0; i < ARRAY_SIZE(extras); i++)
		extras[i] = (struct um_extra){
			.reg = { .msr = 0xd14 + (uint32_t)i, .valid = 0xffff }, .word = (uint8_t)(1 + i),
		};
	for (unsigned i = 0; i < NUM; i++) {
		events[i] = (struct um_encoding){
			.pmu = &pmu, .unit = -1, .fixed = -1, .counters = UINT32_MAX, .counter = -1,
			.group = i,
		};
		slots[i] = (struct um_slot){ .event = &events[i], .index = i, .unit = &unit };
	}
}

static void choose(size_t k, unsigned counter)
{
	events[k].counter = (int)counter;
	unit.by_hand |= UINT32_C(1) << counter;
}

static struct um_clash match_group(unsigned group, uint32_t free)
{
	struct um_span spans[NUM] = { [0 ... NUM - 1] = { 0, NUM } };
	const struct um_msr session = { .groups = spans };

	return um_match(&session, &unit, free, group, UM_NONE, NULL);
}

static struct um_clash match_all(uint32_t free, int *at)
{
	return um_match(NULL, &unit, free, UM_NONE, UM_NONE, at);
}

/* ---- counters ---- */

TEST(a_requested_counter_is_reserved_for_its_event)
{
	for (unsigned c = 0; c < 32; c++) {
		begin(3);
		choose(0, c);
		events[1].counters = 0x8000ffff;
		ck_assert_uint_eq(um_allowed(&unit, &slots[0]), UINT32_C(1) << c);
		ck_assert_uint_eq(um_allowed(&unit, &slots[1]), 0x8000ffff & ~(UINT32_C(1) << c));
		ck_assert_uint_eq(um_allowed(&unit, &slots[2]), ~(UINT32_C(1) << c));
	}
	begin(3);
	choose(0, 3);
	choose(1, 5);
	ck_assert_uint_eq(um_allowed(&unit, &slots[2]), ~UINT32_C(0x28));
	events[2].counters = 0x28;
	ck_assert_uint_eq(um_allowed(&unit, &slots[2]), 0);
}

TEST(only_counters_that_some_event_may_use_are_useful)
{
	begin(3);
	events[0].counters = 0x3;
	events[1].counters = 0x30;
	events[2].counters = 0xf00;
	events[2].fixed = 0;
	ck_assert_uint_eq(um_useful(&unit), 0x33);
	unit.box.general = 0x12;
	ck_assert_uint_eq(um_useful(&unit), 0x12);
	choose(1, 0);
	ck_assert_uint_eq(um_useful(&unit), 0x2);
	unit.box.general = 0x3;
	ck_assert_uint_eq(um_useful(&unit), 0x3);
	events[0].fixed = events[1].fixed = 1;
	ck_assert_uint_eq(um_useful(&unit), 0);
}

TEST(fixed_counters_and_other_groups_need_no_general_counter)
{
	unsigned group = 2;

	begin(NUM);
	ck_assert_uint_eq(match_all(UINT32_MAX, NULL).need, NUM);
	ck_assert_uint_eq(match_group(group, UINT32_MAX).need, 1);
	events[0].group = 2;
	ck_assert_uint_eq(match_group(group, UINT32_MAX).need, 2);
	events[0].fixed = 0;
	ck_assert_uint_eq(match_group(group, UINT32_MAX).need, 1);
	ck_assert_uint_eq(match_all(UINT32_MAX, NULL).need, NUM - 1);
}

/* Four of 32 counters: the first, the last, and two in the middle. */
static const unsigned places[] = { 0, 1, 17, 31 };

static uint32_t mask_of(unsigned bits)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(places); i++)
		mask |= (uint32_t)(bits >> i & 1) << places[i];
	return mask;
}

/* Can the events from @k on be assigned to the counters @free? Tries every assignment. */
static bool any_way(size_t k, uint32_t free)
{
	if (k == unit.num_slots)
		return true;
	for (unsigned i = 0; i < ARRAY_SIZE(places); i++)
		if (events[k].counters & free & UINT32_C(1) << places[i] &&
		    any_way(k + 1, free & ~(UINT32_C(1) << places[i])))
			return true;
	return false;
}

static void expect_as_any_way(uint32_t free)
{
	uint32_t used = 0;
	int at[NUM] = { -1, -1, -1, -1 };
	struct um_clash clash = match_all(free, at);

	if (unit.num_slots > (size_t)__builtin_popcount(free)) {
		ck_assert_msg(clash.what == UM_TOO_MANY, "%zu on 0x%x: %d", unit.num_slots, free, clash.what);
		return;
	}
	ck_assert_msg((clash.what == UM_FITS) == any_way(0, free), "on 0x%x: %d", free, clash.what);
	if (clash.what != UM_FITS) {
		ck_assert_msg(clash.what == UM_CONSTRAINT && clash.a->unit == &unit, "no constraint");
		return;
	}
	for (size_t k = 0; k < unit.num_slots; k++) {
		ck_assert_msg(at[k] >= 0 && (events[k].counters & free & ~used) >> at[k] & 1,
		      "%zu on counter %d of 0x%x", k, at[k], free);
		used |= UINT32_C(1) << at[k];
	}
}

TEST(events_fit_if_any_assignment_fits)
{
	for (unsigned free = 0; free < 16; free++)
		for (unsigned a = 0; a < 16; a++)
			for (unsigned b = 0; b < 16; b++)
				for (unsigned c = 0; c < 16; c++) {
					begin(3);
					events[0].counters = mask_of(a);
					events[1].counters = mask_of(b);
					events[2].counters = mask_of(c);
					expect_as_any_way(mask_of(free));
				}
	begin(NUM);
	for (size_t i = 0; i < NUM; i++)
		events[i].counters = mask_of(i == 3 ? 1 : 3u << i);
	expect_as_any_way(mask_of(15));
}

TEST(without_constraints_events_get_the_lowest_counters_in_their_order)
{
	int at[NUM];

	begin(NUM);
	ck_assert_int_eq(match_all(0x80000a12, at).what, UM_FITS);
	ck_assert_mem_eq(at, ((int[NUM]){ 1, 4, 9, 11 }), sizeof(at));
	events[1].fixed = 0;
	ck_assert_int_eq(match_all(0x80000012, at).what, UM_FITS);
	ck_assert_int_eq(at[2], 4);
	ck_assert_int_eq(at[3], 31);
}

TEST(the_event_that_finds_no_counter_is_named)
{
	struct um_clash clash;

	begin(3);
	events[0].counters = events[2].counters = 4;
	clash = match_all(0xff, NULL);
	ck_assert_int_eq(clash.what, UM_CONSTRAINT);
	ck_assert_ptr_eq(clash.a, &slots[2]);
	ck_assert_int_eq(match_all(3, NULL).what, UM_TOO_MANY);
}

/* ---- registers that all counters share ---- */

/* The register for which events 0 and 1 need different values, or 0. */
static uint32_t between(void)
{
	struct um_clash clash = match_all(0xff, NULL);

	if (clash.what == UM_FITS)
		return 0;
	ck_assert_int_eq(clash.what, UM_SHARED_REGISTER);
	ck_assert_ptr_eq(clash.a, &slots[0]);
	ck_assert_ptr_eq(clash.b, &slots[1]);
	return clash.msr;
}

TEST(two_events_cannot_need_different_values_of_a_register)
{
	for (unsigned row = 0; row < 3; row++)
		for (unsigned bit = 0; bit < 16; bit++) {
			begin(2);
			events[0].extras = events[1].extras = UINT64_C(1) << row;
			events[0].words[1 + row] = events[1].words[1 + row] = 0x8421;
			ck_assert_uint_eq(between(), 0);
			events[1].words[1 + row] ^= UINT64_C(1) << bit;
			ck_assert_uint_eq(between(), 0xd14 + row);
			events[1].extras = UINT64_C(1) << ((row + 1) % 3);
			ck_assert_uint_eq(between(), 0);
			events[1].extras = 0;
			ck_assert_uint_eq(between(), 0);
			events[1].extras = 7;
			ck_assert_uint_eq(between(), 0xd14 + row);
		}
	events[1].words[3] = events[0].words[3] | 0x10000;
	ck_assert_uint_eq(between(), 0);
}

TEST(two_rows_of_one_register_conflict_only_in_common_bits)
{
	begin(2);
	extras[1].reg.msr = extras[0].reg.msr;
	extras[0].mask = 0x0ff0;
	extras[1].mask = 0xff00;
	events[0].extras = 1;
	events[1].extras = 2;
	events[0].words[1] = 0x0a50;
	events[1].words[2] = 0x5a00;
	ck_assert_uint_eq(between(), 0);
	for (unsigned bit = 0; bit < 16; bit++) {
		events[1].words[2] = 0x5a00 ^ 1u << bit;
		ck_assert_uint_eq(between(), bit >= 8 && bit < 12 ? 0xd14 : 0);
	}
	extras[0].after = 0x3;
	extras[1].after = 0x3;
	ck_assert_uint_eq(between(), 0);
	extras[1].after = 0x103;
	ck_assert_uint_eq(between(), 0xd14);
}

TEST(events_of_different_groups_do_not_conflict)
{
	unsigned group = 0;

	begin(2);
	events[0].extras = events[1].extras = 1;
	events[1].words[1] = 1;
	ck_assert_int_eq(match_group(group, 0xff).what, UM_FITS);
	group = 1;
	ck_assert_int_eq(match_group(group, 0xff).what, UM_FITS);
	events[0].group = 1;
	ck_assert_int_eq(match_group(group, 0xff).what, UM_SHARED_REGISTER);
}

/* A fixed counter has one control field: it cannot count user mode for one event and both modes for another. */
TEST(events_that_program_a_fixed_counter_differently_conflict)
{
	for (int first = 0; first < 2; first++)
		for (int second = 0; second < 2; second++) {
			begin(2);
			events[0].fixed = first;
			events[1].fixed = second;
			events[0].word = events[1].word = 3;
			ck_assert_uint_eq(between(), 0);
			events[1].word = 2;
			ck_assert_uint_eq(between(), first == second ? fixed[first].control.msr : 0);
		}
	begin(2);
	events[0].fixed = 1;
	events[1].word = 2;
	ck_assert_uint_eq(between(), 0);
	begin(NUM);
	events[2].fixed = events[3].fixed = 1;
	events[3].word = 1;
	ck_assert_int_eq(match_all(0xff, NULL).what, UM_SHARED_REGISTER);
}

SUITE(fit)
