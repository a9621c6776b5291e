/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on uncores made of boxes, on the AMD ones and on the core PMU. One engine serves them all, so every family
 * is counted here, and its registers are compared before and after.
 *
 * Uses internal headers, because it stands between the library and the machine.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"
#include "uarch/uarch.h"
#include "draw.h"
#include "suite.h"

/* ---- helpers ---- */

/* ---- every register that a session may write, before and after ---- */

static struct image before, after;
static unsigned image_cpus = UINT32_MAX; /* number of CPUs whose registers are in the images */

static void take_all(struct image *image)
{
	uint32_t regs[4];

	image->num = 0;
	for (unsigned cpu = 0;
	     cpu < image_cpus && !uncoremsr_sim_cpuid(sim, cpu, 0, 0, regs); cpu++) {
		take_image(image, uarch_of(um), cpu);
		take_image(image, &um_core_registers, cpu);
	}
}

static void expect_as_before(const char *what)
{
	take_all(&after);
	expect_image(&before, &after, what);
}

/* ---- each family counts exactly ---- */

struct load {
	const char *machine, *event;
	uint64_t per_second;         /* rate of unit 0; that of unit n is n + 1 times as high */
	unsigned units;              /* number of units in package 0 */
};

static const struct load loads[] = {
	{ "sandybridge-1s", "cbo/event=0x34,umask=0x88/", 700000, 4 },
	{ "sandybridge-1s", "arb/event=0x81,umask=0x1/", 4000000, 1 },
	{ "sandybridge-1s", "arb/event=0x80,umask=0x1/", 90000000, 1 },
	{ "sandybridge-1s", "clock/UNC_CLOCK.SOCKET/", 3300000000, 1 },
	{ "haswell-ep-2s", "cbo/event=0x34,umask=0x11,filter_state=0x1f/", 5000000, 6 },
	{ "haswell-ep-2s", "cbo/event=0x35,umask=0x1,filter_opc=0x182/", 600000, 6 },
	{ "haswell-ep-2s", "cbo/event=0x36,umask=0x8/", 20000000, 6 },
	{ "haswell-ep-2s", "sbox/event=0x2,umask=0x1/", 500000, 4 },
	{ "haswell-ep-2s", "pcu/event=0x80,occ_sel=1/", 2400000000, 1 },
	{ "haswell-ep-2s", "ubox/event=0x42,umask=0x8/", 12000, 1 },
	{ "haswell-ep-2s", "ubox/clockticks/", 2300000000, 1 },
	{ "skylake-sp-2s", "cha/event=0x50,umask=0x1/", 400000, 10 },
	{ "skylake-sp-2s", "iio/event=0x83,umask=0x4,ch_mask=0xff,fc_mask=0x7/", 2000000, 6 },
	{ "skylake-sp-2s", "irp/event=0x10,umask=0x8/", 40000, 6 },
	{ "skylake-sp-2s", "pcu/event=0xb,filter_band0=0xc/", 790000000, 1 },
	{ "skylake-sp-2s", "iio_free_running/bw_in_port2/", 3000000, 6 },
	{ "icelake-sp-2s", "cha/event=0x50,umask=0x2/", 300000, 40 },
	{ "icelake-sp-2s", "cha/event=0x35,umask=0xc001fe01/", 600000, 40 },
	{ "icelake-sp-2s", "m2pcie/event=0x23,umask=0x1/", 60000, 6 },
	{ "sapphire-rapids-2s", "cha/event=0x50,umask=0x4/", 200000, 60 },
	{ "sapphire-rapids-2s", "iio/event=0x83,umask=0x1,ch_mask=0xff,fc_mask=0x7/", 1000000, 12 },
	{ "sapphire-rapids-2s", "ubox/event=0x42,umask=0x8/", 12000, 1 },
	{ "nehalem-ex-4s", "cbox/event=0x14,umask=0x7/", 900000, 8 },
	{ "nehalem-ex-4s", "wbox/event=0x4,umask=0x1/", 500000000, 1 },
	{ "nehalem-ex-4s", "wbox/clockticks/", 2266666667, 1 },
	{ "nehalem-ex-4s", "ubox/event=0x2/", 1700, 1 },
	{ "nehalem-ex-4s", "sbox/event=0x60,umask=0x8/", 250000, 2 },
	{ "nehalem-ex-4s", "sbox/event=0x0,match=0x1,mask=0x1/", 30000, 2 },
	{ "alderlake-hybrid", "cbo/event=0x34,umask=0x88/", 700000, 10 },
	{ "alderlake-hybrid", "arb/event=0x81,umask=0x1/", 4000000, 2 },
	{ "meteorlake", "cbo/event=0x34,umask=0x88/", 700000, 8 },
	{ "zen-1s", "l3/event=0x4,umask=0xff/", 9000000, 2 },
	{ "zen-1s", "df/event=0x7,umask=0x38/", 4000000, 1 },
	{ "naples-1s", "l3/event=0x4,umask=0xff/", 9000000, 4 },
	{ "naples-1s", "df/event=0x7,umask=0x38/", 4000000, 4 },
	{ "genoa-1s", "df/event=0x7,umask=0x38/", 4000000, 1 },
	{ "genoa-1s", "umc/event=0xa/", 5000000, 2 },
};

static uint64_t expected(const struct load *load)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < load->units; n++)
		sum += load->per_second * (n + 1);
	return sum;
}

FIXTURE(.teardown = close_machine, .timeout = 60)

TEST_EACH(each_family_counts_exactly_and_is_restored, ARRAY_SIZE(loads))
{
	const struct load *load = &loads[_i];

	open_stepped(load->machine, "");
	take_all(&before);
	count(load->event);
	for (int i = 0; i < 3; i++) {
		pass(SECOND);
		ck_assert_msg(uncoremsr_session_read(s) == 0, "%s", uncoremsr_error(um)->message);
		ck_assert_uint_eq(num_disturbed(s), 0);
		ck_assert_msg(value(0, 0) == expected(load), "%s %s: %" PRIu64 ", expected %" PRIu64
			      "\n%.2000s", load->machine, load->event, value(0, 0),
			      expected(load), logged);
	}
	ck_assert_uint_eq(value_of(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_TOTAL)),
			  3 * expected(load));
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_as_before(load->event);
}

/* ---- units ---- */

static size_t index_of(size_t event, const char *name, int package)
{
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(s, event, i)); i++)
		if (!strcmp(u->name, name) &&
		    u->package->id == package)
			return i;
	ck_abort_msg("no unit %s on package %d", name, package);
	return 0;
}

static const struct uncoremsr_unit *unit(size_t event, const char *name, int package)
{
	return uncoremsr_session_unit(s, event, index_of(event, name, package));
}

/* The reading of a unit of package 0. */
static const struct uncoremsr_reading *of_unit(size_t event, const char *name, enum uncoremsr_span span)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_UNIT, index_of(event, name, 0), span);
}

TEST(a_sum_can_be_split_into_its_units)
{
	open_stepped("sandybridge-1s", "");
	count("cbo/event=0x34,umask=0x88/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_units(s, 0), 4);
	ck_assert_ptr_null(uncoremsr_session_unit(s, 0, 4));
	ck_assert_ptr_null(uncoremsr_session_unit(s, 1, 0));
	ck_assert_int_eq(unit(0, "cbo3", 0)->number, 3);
	ck_assert_int_eq(unit(0, "cbo3", 0)->cpu, 0);
	ck_assert_int_eq(unit(0, "cbo3", 0)->core, -1);
	ck_assert_ptr_null(unit(0, "cbo3", 0)->error);
	ck_assert_uint_eq(value_of(of_unit(0, "cbo3", UNCOREMSR_INTERVAL)), 2800000);
	ck_assert_uint_eq(value_of(of_unit(0, "cbo0", UNCOREMSR_TOTAL)), 700000);
	ck_assert_uint_ne(of_unit(0, "cbo0", UNCOREMSR_INTERVAL)->raw, UINT64_MAX);
	/*
	 * A sum over units has no raw register value. It has a counter number, because that is the same on all units.
	 */
	ck_assert_uint_eq(reading(0, 0)->raw, UINT64_MAX);
	ck_assert_int_eq(reading(0, 0)->counter, 0);
}

TEST(a_single_unit_can_be_requested_and_no_other_is_accessed)
{
	open_stepped("sandybridge-1s", "");
	count("cbo2/event=0x34,umask=0x88/");
	ck_assert_uint_eq(peek(0, 0x700), 0);
	ck_assert_uint_eq(peek(0, 0x720), 0x408834);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_units(s, 0), 1);
	ck_assert_uint_eq(value(0, 0), 2100000);
}

TEST(units_that_do_not_answer_are_left_out_and_named)
{
	/* Package 1 has lost C-box 4. */
	open_stepped("haswell-ep-2s", "");
	count("cbo/event=0x37,umask=0x1/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_units(s, 0), 11);
	ck_assert_uint_eq(value(0, 0), 110000 * 21);
	ck_assert_uint_eq(value(1, 0), 110000 * (21 - 5));
	ck_assert_ptr_nonnull(strstr(logged, "package 1: left out, because it is not there now: cbo4"));
	ck_assert_ptr_null(uncoremsr_session_package(s, 1)->error);
}

TEST(a_requested_unit_that_does_not_answer_is_an_error)
{
	open_stepped("haswell-ep-2s", "");
	count("cbo4/event=0x37,umask=0x1/");
	ck_assert_int_eq(pass_and_read(SECOND), -EIO);
	ck_assert_uint_eq(value(0, 0), 110000 * 5);
	ck_assert_uint_eq(status(1, 0), UNCOREMSR_FAILED);
	ck_assert_ptr_nonnull(uncoremsr_session_package(s, 1)->error);
}

TEST(a_unit_that_the_package_lacks_is_refused_with_their_number)
{
	open_stepped("haswell-ep-2s", "");
	add("cbo7/event=0x37,umask=0x1/");
	expect_start(-ENODEV, "has no cbo7: it has 6", "");
}

TEST(a_sum_is_unknown_while_one_unit_is_unknown)
{
	open_stepped("sandybridge-1s", "");
	count("cbo/event=0x34,umask=0x88/,arb/event=0x81,umask=0x1/");
	pass_and_read(SECOND);
	ck_assert_uint_eq(num_disturbed(s), 0);
	poke(0, 0x720, 0x400122); /* another program takes a counter of C-box 2 */
	pass_and_read(SECOND);
	ck_assert_uint_eq(num_disturbed(s), 1);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_DISTURBED);
	ck_assert_ptr_nonnull(strstr(reading(0, 0)->detail, "cbo2: "));
	ck_assert_uint_eq(value_of(of_unit(0, "cbo1", UNCOREMSR_INTERVAL)), 1400000);
	ck_assert_uint_eq(value(0, 1), 4000000);
}

TEST(another_cpu_takes_over_for_all_units)
{
	open_stepped("haswell-ep-2s", "");
	take_all(&before);
	count("cbo/event=0x37,umask=0x1/,ubox/event=0x42,umask=0x8/");
	set_online(6, "0");
	pass(SECOND);
	ck_assert_msg(uncoremsr_session_read(s) == 0, "%s", uncoremsr_error(um)->message);
	ck_assert_uint_eq(value(1, 0), 110000 * 16);
	ck_assert_uint_eq(value(1, 1), 12000);
	ck_assert_int_eq(unit(0, "cbo0", 1)->cpu, 7);
	ck_assert_int_eq(uncoremsr_session_package(s, 1)->cpu, 7);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	set_online(6, "1");
	expect_as_before("after hotplug");
}

/* ---- gates ---- */

enum { SNB_GLOBAL = 0x391 };

static const struct { const char *name; uint64_t before, counting; } gates[] = {
	{ "closed, with another program's interrupt routing", 0x3, 0x20000003 },
	{ "open", 0x20000000, 0x20000000 },
};

TEST_EACH(a_gate_is_open_while_we_count_and_then_as_it_was, ARRAY_SIZE(gates))
{
	open_stepped("sandybridge-1s", "");
	poke(0, SNB_GLOBAL, gates[_i].before);
	count("cbo/event=0x34,umask=0x88/");
	ck_assert_msg(peek(0, SNB_GLOBAL) == gates[_i].counting, "%s", gates[_i].name);
	ck_assert_uint_eq(peek(0, 0x706), 0x5a); /* the preset; see lib/counting/plan.h */
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 7000000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_msg(peek(0, SNB_GLOBAL) == gates[_i].before, "%s", gates[_i].name);
}

TEST(a_gate_stays_open_for_another_program_that_needs_it)
{
	open_stepped("sandybridge-1s", "");
	count("cbo/event=0x34,umask=0x88/");
	poke(0, 0x3b3, 0x400181); /* the other counter of the ARB */
	ck_assert_int_eq(uncoremsr_session_stop(s), -EBUSY);
	ck_assert(strstr(uncoremsr_error(um)->message, "another program has enabled a counter that needs it"));
	ck_assert_uint_eq(peek(0, SNB_GLOBAL), 0x20000000);
	ck_assert_uint_eq(peek(0, 0x3b3), 0x400181);
}

/* Core counters do not depend on the uncore gate 0x391, so stop() closes it while another program uses them. */
TEST(core_counters_of_other_programs_do_not_keep_the_uncore_gate_open)
{
	open_stepped("sandybridge-1s", "");
	count("cbo/event=0x34,umask=0x88/");
	poke(0, 0x186, 0x4300c0);
	poke(0, 0x38f, 0x1);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SNB_GLOBAL), 0);
}

/* The gate was closed before the session, so the other program's counter did not count, and stop() may close it. */
TEST(a_gate_is_closed_if_other_counters_did_not_count_before)
{
	open_stepped("sandybridge-1s", "");
	poke(0, 0x3b3, 0x400181);
	count("cbo/event=0x34,umask=0x88/");
	ck_assert_uint_eq(peek(0, SNB_GLOBAL), 0x20000000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, SNB_GLOBAL), 0);
	ck_assert_uint_eq(peek(0, 0x3b3), 0x400181);
}

TEST_EACH(a_gate_that_another_program_closes_is_noticed, ARRAY_SIZE(gates))
{
	open_stepped("sandybridge-1s", "");
	poke(0, SNB_GLOBAL, gates[_i].before);
	count("arb/event=0x81,umask=0x1/");
	pass_and_read(SECOND);
	ck_assert_msg(num_disturbed(s) == 0, "%s", gates[_i].name);
	poke(0, SNB_GLOBAL, 0);
	pass_and_read(SECOND);
	ck_assert_msg(num_disturbed(s) == 1, "%s", gates[_i].name);
	ck_assert_uint_eq(status(0, 0), UNCOREMSR_DISTURBED);
}

/* ---- filters and constraints ---- */

#define OPC(value) "cbo/event=0x35,umask=0x1,filter_opc=" value "/"

TEST(a_filter_is_set_before_its_selector_and_restored)
{
	open_stepped("haswell-ep-2s", "");
	poke(0, 0xe06, 0x55);
	count("cbo0/event=0x35,umask=0x1,filter_opc=0x182/");
	ck_assert_uint_ne(peek(0, 0xe06), 0x55);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0xe06), 0x55);
}

TEST(events_that_disagree_about_a_filter_take_turns)
{
	open_stepped("haswell-ep-2s", "");
	take_all(&before);
	count(OPC("0x182") "," OPC("0x180") ",cbo/event=0x37,umask=0x1/");
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2);
	for (int i = 0; i < 4; i++) {
		pass(SECOND);
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	}
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	ck_assert_uint_eq(value(0, 0), 4 * 600000 * 21);
	ck_assert_uint_eq(value(0, 1), 4 * 70000 * 21);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_as_before("filters");
}

TEST(a_pause_ends_the_count_of_boxes_too)
{
	open_stepped("haswell-ep-2s", "");
	take_all(&before);
	count(OPC("0x182") ",ubox/clockticks/");
	pass(SECOND);
	ck_assert_int_eq(uncoremsr_session_pause(s), 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 600000 * 21);
	ck_assert_uint_eq(value(0, 1), 2300000000u);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_as_before("pause");
}

TEST(a_group_that_disagrees_about_a_filter_is_refused_with_the_reason)
{
	open_stepped("haswell-ep-2s", "");
	add("{" OPC("0x182") "," OPC("0x180") "}");
	ck_assert_int_eq(uncoremsr_session_start(s), -EINVAL);
	ck_assert_uint_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_USAGE);
	ck_assert_msg(strstr(uncoremsr_error(um)->message, "different contents of") != NULL, "%s",
		      uncoremsr_error(um)->message);
}

TEST(events_that_agree_about_a_filter_count_together)
{
	open_stepped("haswell-ep-2s", "");
	count("{cbo/event=0x35,umask=0x1,filter_opc=0x182/,"
	    "cbo/event=0x35,umask=0x3,filter_opc=0x182/}");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 600000 * 21);
	ck_assert_uint_eq(value(0, 1), 300000 * 21);
}

TEST(constraints_move_events_until_all_have_a_counter)
{
	/* In a C-box only counter 0 can count event 0x36, so the two events before must use other counters. */
	open_stepped("haswell-ep-2s", "");
	count("{cbo/event=0x37,umask=0x1/,cbo/event=0x0/,cbo/event=0x36,umask=0x8/}");
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 1);
	ck_assert_int_eq(reading(0, 2)->counter, 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 110000 * 21);
	ck_assert_uint_eq(value(0, 2), 20000000 * 21);
}

TEST(a_group_against_the_constraints_is_refused_with_the_counters)
{
	open_stepped("haswell-ep-2s", "");
	add("{cbo/event=0x36,umask=0x8/,cbo/event=0x36,umask=0x1/}");
	expect_start(-EINVAL, "only on counter 0 of a cbo", "");
	close_machine();
	open_stepped("haswell-ep-2s", "");
	add("{cbo/event=0x38,umask=0x1/,cbo/event=0x38,umask=0x2/,cbo/event=0x38,umask=0x4/}");
	expect_start(-EINVAL, "only on counter 0, 1 of a cbo", "");
}

TEST(events_on_the_same_only_counter_take_turns)
{
	open_stepped("haswell-ep-2s", "");
	count("cbo/event=0x36,umask=0x8/,cbo/event=0x11,umask=0x1/,pcu/event=0x0/");
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2);
	for (int i = 0; i < 2; i++) {
		pass(SECOND);
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	}
	ck_assert_int_eq(uncoremsr_session_read(s), 0);
	ck_assert_uint_eq(value(0, 0), 2 * 20000000 * 21);
	ck_assert_uint_eq(value(0, 1), 2 * 7000000 * 21);
	/* The PCU event needs no turns: the PCU has a counter for it alone. */
	ck_assert_uint_eq(reading(0, 2)->running_ns, 2 * SECOND);
}

TEST(a_counter_taken_between_two_turns_is_left_to_the_other_program)
{
	const uint64_t theirs = 0x400134;

	open_stepped("haswell-ep-2s", "");
	count("cbo0/event=0x36,umask=0x8/,cbo0/event=0x11,umask=0x1/");
	pass(SECOND);
	poke(0, 0xe01, theirs);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
		ck_assert_uint_eq(peek(0, 0xe01), theirs);
		pass(SECOND);
	}
	uncoremsr_session_read(s);
	ck_assert_uint_eq(num_disturbed(s), 2);
	ck_assert_int_eq(uncoremsr_session_stop(s), -EBUSY); /* the box stays open for the other program */
	ck_assert_uint_eq(peek(0, 0xe01), theirs);
}

TEST(only_the_unit_that_failed_has_an_error)
{
	open_stepped("haswell-ep-2s", ",fail=any:0xe10-0xe1f:EIO:after=1");
	count("cbo/event=0x34,umask=0x11/");
	pass_and_read(SECOND);
	ck_assert_ptr_nonnull(unit(0, "cbo1", 0)->error);
	ck_assert_ptr_null(unit(0, "cbo0", 0)->error);
	ck_assert_ptr_null(unit(0, "cbo2", 0)->error);
}

/* Another program uses counter 0, the only one that can count event 0x36. Event 0x34 must still be counted. */
TEST(an_event_whose_counter_is_taken_does_not_affect_others)
{
	const struct uncoremsr_reading *r;

	open_stepped("haswell-ep-2s", "");
	poke(0, 0xe01, 0x400101);
	add("cbo0/event=0x36,umask=0x8/,cbo0/event=0x34,umask=0x11/");
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	pass_and_read(SECOND);
	r = reading(0, 0);
	ck_assert_int_eq(r->status, UNCOREMSR_FAILED);
	ck_assert(strstr(r->detail, "only on counter 0 of a cbo, which is in use"));
	ck_assert_uint_eq(value(0, 1), 5000000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0xe01), 0x400101);
}

/* ---- free running ---- */

TEST(free_running_counters_are_never_written)
{
	open_stepped("skylake-sp-2s", "");
	fail_after(-1, 0, 0);
	count("iio_free_running/bw_in_port0/,iio_free_running/ioclk/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_disturbed(s), 0);
	ck_assert_uint_eq(value(0, 0), 1000000 * 21);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(spy.writes, 0);
}

TEST(the_cost_of_a_start_depends_on_the_boxes_that_are_counted)
{
	unsigned long one_box, all_boxes;

	open_stepped("sapphire-rapids-2s", "");
	fail_after(-1, 0, 0);
	count("cha5/event=0x50,umask=0x1/");
	one_box = spy.reads + spy.writes;
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	uncoremsr_session_free(s);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	spy.reads = spy.writes = 0;
	count("cha/event=0x50,umask=0x1/");
	all_boxes = spy.reads + spy.writes;
	ck_assert_uint_le(one_box, 2 * 13); /* with the reads of 0x2ff0 bit 0, which freezes all boxes */
	ck_assert_uint_le(all_boxes, 60 * one_box);
	spy.reads = spy.writes = 0;
	ck_assert_int_eq(uncoremsr_session_sample(s), 0);
	ck_assert_uint_eq(spy.reads, 120);
	ck_assert_uint_eq(spy.writes, 0);
}

/*
 * Let each register operation fail once, one per run. Afterwards the registers must be as before, unless there was an
 * error message: the operation that failed may have been a restoring write.
 */
static const struct {
	const char *machine, *events;
} fragile[] = {
	{ "sandybridge-1s", "cbo/event=0x34,umask=0x88/,arb/event=0x81,umask=0x1/" },
	{ "haswell-ep-2s", "cbo1/event=0x35,umask=0x1,filter_opc=0x182/,"
	  "cbo1/event=0x35,umask=0x1,filter_opc=0x180/,sbox0/event=0x2,umask=0x1/" },
	{ "nehalem-ex-4s", "sbox1/event=0x0,match=0x1,mask=0x2/,wbox/clockticks/" },
	{ "skylake-sp-2s", "core/instructions/,core/event=0x2e,umask=0x41/" },
};

static void whole_run(const char *events)
{
	uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR);
	uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0");
	add(events);
	if (uncoremsr_session_start(s))
		return;
	pass(SECOND);
	uncoremsr_session_rotate(s);
	pass_and_read(SECOND);
	uncoremsr_session_stop(s);
}

TEST_EACH(one_failing_operation_anywhere_leaves_nothing_behind, 2 * (int)ARRAY_SIZE(fragile))
{
	static const int errors[] = { -EIO, -EPERM };
	bool more = true;
	long op;

	image_cpus = 1; /* only CPU 0 is counted */
	for (op = draw_first(8); more; op += draw_step(8)) {
		open_stepped(fragile[_i / 2].machine, "");
		take_all(&before);
		fail_after(op, 1, errors[_i % 2]);
		whole_run(fragile[_i / 2].events);
		more = !spy.times;
		if (!uncoremsr_error(um)->message[0])
			expect_as_before(fragile[_i / 2].events);
		close_machine();
	}
	ck_assert_int_gt(op, 30);
}

/* ---- the core PMU ---- */

enum { FIXED_CONTROL = 0x38d, CORE_GLOBAL = 0x38f, CORE_SEL0 = 0x186, CORE_PMC0 = 0xc1 };

static void open_core(const char *machine, const char *cpus)
{
	open_stepped(machine, "");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	ck_assert_msg(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, cpus) == 0, "%s", uncoremsr_error(um)->message);
}

TEST(core_counters_are_used_on_request_only)
{
	open_stepped("skylake-sp-2s", "");
	ck_assert_int_eq(uncoremsr_session_add(s, "core/instructions/"), -ENOTSUP);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->hint, "--route=msr"));
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF), 0);
	add("instructions");
	ck_assert_int_eq(uncoremsr_session_event(s, 0)->route, UNCOREMSR_ROUTE_PERF);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	add("core/instructions/");
	ck_assert_int_eq(uncoremsr_session_event(s, 1)->route, UNCOREMSR_ROUTE_MSR);
}

TEST(core_counters_count_on_the_chosen_cpus_and_are_summed)
{
	open_core("skylake-sp-2s", "0,1,5");
	take_all(&before);
	count("core/instructions/,core/cycles/,core/event=0x2e,umask=0x41/,"
	    "cha/event=0x50,umask=0x1/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_disturbed(s), 0);
	ck_assert_uint_eq(num_units(s, 0), 3);
	ck_assert_uint_eq(value(0, 0), 1500000000u + 1501000000u);
	ck_assert_uint_eq(value(1, 0), 1505000000u);
	ck_assert_uint_eq(value(0, 1), 4000000000u);
	ck_assert_uint_eq(value(0, 2), 1200000 + 1201000);
	ck_assert_uint_eq(value(0, 3), 400000 * 55);
	ck_assert_int_eq(unit(0, "cpu5", 1)->core, 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_as_before("core");
}

TEST(each_kind_of_core_has_its_own_counters)
{
	/* CPUs 16 and up are E-cores: six general counters, no slots. */
	open_core("alderlake-hybrid", "0,16");
	count("core/instructions/,core/slots/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 1500000000u + 1516000000u);
	ck_assert_uint_eq(status(0, 1), UNCOREMSR_FAILED);
	ck_assert_ptr_nonnull(strstr(reading(0, 1)->detail, "cpu16: this kind of core"));
	ck_assert_uint_eq(value_of(of_unit(1, "cpu0", UNCOREMSR_INTERVAL)),
			  8000000000u);
}

TEST(the_watchdogs_counter_is_left_alone)
{
	open_core("skylake-sp-2s", "0");
	poke(0, FIXED_CONTROL, 0xb0);
	count("core/instructions/");
	ck_assert_uint_eq(peek(0, FIXED_CONTROL), 0xb3);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, FIXED_CONTROL), 0xb0);
	uncoremsr_session_free(s);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0"), 0);
	add("core/cycles/");
	ck_assert_int_eq(uncoremsr_session_start(s), -EBUSY);
	ck_assert_uint_eq(peek(0, FIXED_CONTROL), 0xb0);
}

TEST(a_core_counter_with_a_leftover_event_code_is_in_use)
{
	open_core("skylake-sp-2s", "0");
	poke(0, CORE_SEL0, 0x3c); /* off, but not cleared */
	count("core/event=0x2e,umask=0x41/");
	ck_assert_int_eq(reading(0, 0)->counter, 1);
	ck_assert_uint_eq(peek(0, CORE_SEL0), 0x3c);
}

TEST_EACH(a_counter_with_32_bit_writes_is_restored_completely_if_possible, 4)
{
	static const uint64_t held[] = { 0x1234, 0x7fffffff, 0xffff80000000, 0x123456789abc };

	open_core("skylake-sp-2s", "0");
	poke(0, 0x4c1, held[_i]); /* IA32_A_PMC0 takes all bits */
	ck_assert_uint_eq(peek(0, CORE_PMC0), held[_i]);
	count("core/event=0x2e,umask=0x41/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 1200000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, CORE_PMC0), held[_i]);
}

TEST(counts_go_on_beyond_the_width_of_a_core_counter)
{
	uint64_t sum = 0, step;

	open_core("skylake-sp-2s", "0");
	count("core/cycles/");
	step = uncoremsr_session_state(s)->max_interval;
	for (int i = 0; i < 40; i++) {
		ck_assert_int_eq(pass_and_read(step), 0);
		sum += value(0, 0);
	}
	ck_assert_uint_gt(sum, UINT64_C(1) << 48);
	ck_assert_uint_eq(sum, value_of(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_PACKAGE, 0, UNCOREMSR_TOTAL)));
}

TEST(the_seven_steps_of_the_article_are_traced_in_order)
{
	static const char *const steps[] = {
		"wrmsr -p 0 0x38f 0xe",      /* stop */
		"wrmsr -p 0 0xc1 0x5a",      /* preset */
		"wrmsr -p 0 0x186 0x4301b1", /* configure */
		"wrmsr -p 0 0x38f 0xf",      /* start */
		"run",
		"wrmsr -p 0 0x38f 0xe",      /* stop */
		"rdmsr -p 0 0xc1", NULL,     /* read */
	};
	const char *at = logged;

	open_core("skylake-sp-2s", "0");
	take_all(&before);
	add("r5301b1");
	ck_assert_ptr_nonnull(strstr(logged, "bit 20"));
	uncoremsr_set_trace(um, UNCOREMSR_TRACE_COMMANDS, remember_line, NULL);
	start();
	pass(SECOND);
	remember_line(NULL, "run");
	ck_assert_int_eq(uncoremsr_session_pause(s), 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	for (size_t i = 0; steps[i]; i++) {
		at = strstr(at, steps[i]);
		ck_assert_msg(at != NULL, "'%s' is missing in\n%s", steps[i], logged);
		at += strlen(steps[i]);
	}
	ck_assert_uint_eq(value(0, 0), 700000000); /* nothing was counted after the pause */
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_as_before("pause");
}

/* ---- refusals ---- */

TEST(the_remark_not_verified_on_hardware_is_logged_once)
{
	const char *first;

	open_stepped("genoa-1s", "");
	count("umc/event=0xa/");
	first = strstr(logged, "not verified on hardware");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, "not verified on hardware"));
}

SUITE(boxes)
