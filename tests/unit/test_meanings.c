/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Public functions that look up events, registers and meanings of addresses in the tables. They need no machine.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <errno.h>
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"
#include "uncoremsr.h"

static struct uncoremsr *um;

static void set_up(void)
{
	ck_assert_int_eq(uncoremsr_new(&um), 0);
}

static void tear_down(void)
{
	uncoremsr_free(um);
}

FIXTURE(.setup = set_up, .teardown = tear_down)

/* ---- tables ---- */

TEST(every_collision_has_a_range_words_and_a_source)
{
	ck_assert_uint_gt(um_num_collisions, 50);
	for (size_t i = 0; i < um_num_collisions; i++) {
		const struct uncoremsr_collision *c = &um_collisions[i];

		ck_assert_msg(c->first <= c->last, "row %zu", i);
		ck_assert_msg(*c->processors && *c->meaning && *c->source, "row %zu", i);
		ck_assert_msg(!strpbrk(c->meaning, "\n\t"), "row %zu", i);
		ck_assert_msg(!i || um_collisions[i - 1].first <= c->first, "row %zu is not sorted", i);
	}
}

TEST(no_processor_has_two_meanings_for_the_same_range)
{
	for (size_t i = 0; i < um_num_collisions; i++)
		for (size_t j = 0; j < i; j++) {
			const struct uncoremsr_collision *a = &um_collisions[i], *b = &um_collisions[j];

			ck_assert_msg(a->last < b->first || b->last < a->first ||
				      strcmp(a->processors, b->processors) != 0,
				      "rows %zu and %zu", j, i);
		}
}

/* ---- events ---- */

TEST(events_and_registers_stay_valid_when_another_processor_is_listed)
{
	const struct uncoremsr_event *ev = uncoremsr_event(um, "nehalem", 0);
	const struct uncoremsr_register *reg = uncoremsr_register(um, "nehalem", 0);

	ck_assert_ptr_nonnull(uncoremsr_event(um, "westmere", 0));
	ck_assert_ptr_nonnull(uncoremsr_register(um, "westmere", 0));
	ck_assert_ptr_nonnull(uncoremsr_register(um, "core", 0));
	ck_assert_str_eq(ev->uarch, "nehalem");
	ck_assert_ptr_eq(ev, uncoremsr_event(um, "nehalem", 0));
	ck_assert_str_eq(reg->name, "UNCORE_PERF_GLOBAL_CTRL");
}

/* Linux arch/x86/events/intel/uncore_nhmex.c, uncore_snb.c: the register that the kernel's enable_box functions
 * write. */
TEST(the_tables_name_the_global_enable_register)
{
	static const struct {
		const char *uarch;
		uint32_t msr;  /* 0: the boxes have their own enable registers */
	} rows[] = {
		{ "nehalem", 0x391 }, { "westmere", 0x391 }, { "sandybridge", 0x391 },
		{ "broadwell", 0x391 }, { "skylake", 0xe01 }, { "alderlake", 0x2ff0 },
		{ "nehalem-ex", 0xc00 }, { "skylake-sp", 0 }, { "haswell-ep", 0 }, { "zen3", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct uncoremsr_register *reg;
		uint32_t found = 0;

		for (size_t k = 0; (reg = uncoremsr_register(um, rows[i].uarch, k)); k++) {
			if (!reg->enables_all || !reg->write_mask)
				continue;
			ck_assert_msg(!found, "%s: 0x%x too", rows[i].uarch, reg->address);
			found = reg->address;
		}
		ck_assert_msg(found == rows[i].msr, "%s: 0x%x", rows[i].uarch, found);
	}
}

static int count(void *user, const struct uncoremsr_event *event)
{
	(void)event;
	++*(int *)user;
	return 0;
}

TEST(the_name_of_a_fixed_counter_is_found_in_upper_and_lower_case)
{
	static const char *const texts[] = { "iio_free_running/bw_in_port0/", "IIO_FREE_RUNNING/BW_IN_PORT0/" };
	int num = 0;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		ck_assert_int_eq(uncoremsr_event_find(um, "skylake-sp", texts[i], count, &num), 1);
	ck_assert_int_eq(num, 2);
}

TEST(a_failed_search_has_an_error_class_and_a_hint)
{
	ck_assert_int_eq(uncoremsr_event_find(um, "westmere", "UNC_PROCHOT_ASERTION", NULL, NULL), -ENOENT);
	ck_assert_int_eq(uncoremsr_error(um)->code, -ENOENT);
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->hint, "UNC_PROCHOT_ASSERTION"));
	ck_assert_ptr_null(uncoremsr_event(um, "goldmont", 0));
	ck_assert_int_eq(uncoremsr_event_tables(um, "goldmont"), -ENOTSUP);
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_int_eq(uncoremsr_event_find(um, "nonsense", "*", NULL, NULL), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->hint, "nehalem, westmere"));
	ck_assert_int_eq(uncoremsr_event_tables(um, NULL), -ENOTSUP);
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_MSR, "westmere", "1:2:3", NULL, NULL), -EINVAL);
}

static int keep(void *user, const struct uncoremsr_event *ev)
{
	*(const struct uncoremsr_event **)user = ev;
	return 0;
}

static int keep_named(void *user, const struct uncoremsr_encoding *encoding)
{
	return keep(user, encoding->event);
}

/* Every way to find an event must return the same object, with all of its members set. */
TEST(an_event_is_the_same_object_however_it_was_found)
{
	static const char *const texts[] = { "0x82:0x1", "UNC_CLK_UNHALTED", "UNC_TURBO_MODE.*" };
	const struct uncoremsr_event *ev[ARRAY_SIZE(texts) + 3] = { NULL };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		ck_assert_int_gt(uncoremsr_event_find(um, "westmere", texts[i], keep, &ev[i]), 0);
	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_MSR, "westmere", "UNC_L3_HITS.READ", keep_named, &ev[3]), 1);
	ck_assert_int_eq(uncoremsr_event_find(um, "westmere", "UNC_L3_HITS.READ", keep, &ev[4]), 1);
	ck_assert_ptr_eq(ev[4], ev[3]);
	ev[5] = uncoremsr_event(um, "nehalem", 0);
	for (size_t i = 0; i < ARRAY_SIZE(ev); i++) {
		ck_assert_msg(ev[i] && ev[i]->size == sizeof(*ev[i]), "%zu", i);
		ck_assert_str_eq(ev[i]->from, "table");
		ck_assert(*ev[i]->description && *ev[i]->sources);
	}
}

TEST(codes_that_were_left_out_are_in_no_table)
{
	const struct uncoremsr_event *ev;
	const struct uncoremsr_other_codes *other;
	size_t num = 0;

	for (; (other = uncoremsr_event_left_out("nehalem", num)); num++) {
		for (size_t i = 0; (ev = uncoremsr_event(um, "nehalem", i)); i++)
			ck_assert(ev->event_select != other->event_select || ev->unit_mask != other->unit_mask);
		ck_assert(*other->source && *other->name && *other->why);
	}
	ck_assert_uint_eq(num, 4);
	ck_assert_ptr_null(uncoremsr_event_left_out("westmere", 0));
}

static void expect_core_name(const char *uarch, uint64_t word, const char *name)
{
	unsigned core_type;
	const char *got = uncoremsr_core_event_name(um, uarch, word, 0, &core_type);

	ck_assert_msg(!name ? !got : got && strcmp(got, name) == 0, "%s 0x%llx: %s", uarch,
		      (unsigned long long)word, got ? got : "no name");
	ck_assert_ptr_null(uncoremsr_core_event_name(um, uarch, word, 1, &core_type));
}

TEST(codes_of_core_events_have_names_of_the_processor_in_question_only)
{
	static const struct {
		const char *uarch;
		uint64_t word;
		const char *name;
	} rows[] = {
		{ "westmere", 0x5300c0, "instructions retired" },
		{ "core", 0x01a4, "top-down slots" },
		{ "nehalem", 0x53010e, "UOPS_ISSUED.ANY" }, { "haswell-ep", 0x53010e, "UOPS_ISSUED.ANY" },
		{ "alderlake", 0x53010e, NULL }, { "zen", 0x53010e, NULL },
		{ "westmere", 0x5301c2, "UOPS_RETIRED.ANY" },
		{ "sandybridge", 0x5301c2, "UOPS_RETIRED.ALL" },
		{ "sapphirerapids", 0x5301c2, "UOPS_RETIRED.HEAVY" },
		{ "icelake", 0x5301c2, NULL }, { "zen4", 0x5301c2, NULL },
		{ "icelake-sp", 0x1a4, "TOPDOWN.SLOTS_P" }, { "westmere", 0x1a4, NULL },
		{ "skylake", 0x1a4, NULL }, { "zen", 0x1a4, NULL }, { "zen", 0x5300c0, NULL },
		/* The same codes with a threshold, inversion or edge detection are different events. */
		{ "skylake", 0x15301c2, NULL }, { "skylake", 0xd301c2, NULL },
		{ "skylake", 0x5701c2, NULL }, { "westmere", 0x5382, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_core_name(rows[i].uarch, rows[i].word, rows[i].name);
}

SUITE(meanings)
