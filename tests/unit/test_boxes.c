/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on uncores made of boxes, and on the core PMU: units, gates, filters and constraints. boxes.bats counts each
 * kind of box of each family.
 *
 * Uses internal headers, because it stands between the library and the machine.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "draw.h"
#include "failing.h"
#include "uarch/uarch.h"
#include "suite.h"

/* ---- every register that a session may write, before and after ---- */

static struct image before, after;
static unsigned image_cpus = UINT32_MAX; /* number of CPUs whose registers are in the images */

static void take_all(struct image *image)
{
	uint32_t regs[4];

	image->num = 0;
	for (unsigned cpu = 0; cpu < image_cpus && !uncoremsr_sim_cpuid(sim, cpu, 0, 0, regs); cpu++) {
		take_image(image, uarch_of(um), cpu);
		take_image(image, &um_core_registers, cpu);
	}
}

static void expect_as_before(const char *what)
{
	take_all(&after);
	expect_image(&before, &after, what);
}

FIXTURE(.teardown = close_machine)

/* ---- units ---- */

static size_t index_of(size_t event, const char *name, int package)
{
	const struct uncoremsr_unit *u;

	for (size_t i = 0; (u = uncoremsr_session_unit(s, event, i)); i++)
		if (!strcmp(u->name, name) && u->package->id == package)
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

#define OPC(value) "cbo/event=0x35,umask=0x1,filter_opc=" value "/"

static const struct { const char *events; int err; const char *part; } refused[] = {
	{ "cbo7/event=0x37,umask=0x1/", -ENODEV, "has no cbo7: it has 6" },
	{ "{" OPC("0x182") "," OPC("0x180") "}", -EINVAL, "different contents of" },
	{ "{cbo/event=0x36,umask=0x8/,cbo/event=0x36,umask=0x1/}", -EINVAL, "only on counter 0 of a cbo" },
	{ "{cbo/event=0x38,umask=0x1/,cbo/event=0x38,umask=0x2/,cbo/event=0x38,umask=0x4/}", -EINVAL,
	  "only on counter 0, 1 of a cbo" },
};

TEST_EACH(what_the_boxes_cannot_count_is_refused_with_the_reason, ARRAY_SIZE(refused))
{
	open_stepped("haswell-ep-2s", "");
	add(refused[_i].events);
	expect_start(refused[_i].err, refused[_i].part, "");
	ck_assert(refused[_i].err != -EINVAL || uncoremsr_error(um)->error_class == UNCOREMSR_ERROR_USAGE);
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
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(1, 0), 110000 * 16);
	ck_assert_uint_eq(value(1, 1), 12000);
	ck_assert_int_eq(unit(0, "cbo0", 1)->cpu, 7);
	ck_assert_int_eq(uncoremsr_session_package(s, 0)->cpu, 0);
	ck_assert_int_eq(uncoremsr_session_package(s, 1)->cpu, 7);
	ck_assert_uint_eq(times("package 1: CPU 6 went offline, going on through CPU 7"), 1);
	ck_assert_uint_eq(times("went offline"), 1);
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

/*
 * What another program writes, before the session starts (@first) or while the session counts, and whether the gate
 * must then stay open for that program (@needs).
 */
static const struct {
	const char *name;
	bool first, needs;
	struct { uint32_t msr; uint64_t value; } writes[2];
} others[] = {
	{ "a counter of the ARB", false, true, { { 0x3b3, 0x400181 } } },
	{ "a core counter, which does not need the uncore gate", false, false, { { 0x186, 0x4300c0 }, { 0x38f, 1 } } },
	{ "a counter that did not count before, because the gate was closed", true, false, { { 0x3b3, 0x400181 } } },
};

TEST_EACH(a_gate_stays_open_only_for_another_program_that_needs_it, ARRAY_SIZE(others))
{
	open_stepped("sandybridge-1s", "");
	for (int counting = 0; counting < 2; counting++) {
		if (counting)
			count("cbo/event=0x34,umask=0x88/");
		for (size_t i = 0; i < 2 && others[_i].writes[i].msr && counting != others[_i].first; i++)
			poke(0, others[_i].writes[i].msr, others[_i].writes[i].value);
	}
	ck_assert_uint_eq(peek(0, SNB_GLOBAL), 0x20000000);
	ck_assert_msg(uncoremsr_session_stop(s) == (others[_i].needs ? -EBUSY : 0), "%s", others[_i].name);
	ck_assert(!others[_i].needs ||
		  strstr(uncoremsr_error(um)->message, "another program has enabled a counter that needs it"));
	ck_assert_msg(peek(0, SNB_GLOBAL) == (others[_i].needs ? 0x20000000 : 0), "%s", others[_i].name);
	for (size_t i = 0; i < 2 && others[_i].writes[i].msr; i++)
		ck_assert_uint_eq(peek(0, others[_i].writes[i].msr), others[_i].writes[i].value);
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
TEST(a_filter_is_set_while_it_counts_and_restored)
{
	open_stepped("haswell-ep-2s", "");
	poke(0, 0xe06, 0x55);
	count("cbo0/event=0x35,umask=0x1,filter_opc=0x182/");
	ck_assert_uint_eq(peek(0, 0xe06) >> 20 & 0x1ff, 0x182);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0xe06), 0x55);
}

TEST(a_pause_ends_the_count_of_boxes_too)
{
	open_stepped("haswell-ep-2s", "");
	take_all(&before);
	count(OPC("0x182") ",ubox/clockticks/");
	pass(SECOND);
	for (int again = 0; again < 2; again++)
		ck_assert_int_eq(uncoremsr_session_pause(s), 0);
	ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 600000 * 21);
	ck_assert_uint_eq(value(0, 1), 2300000000u);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	expect_as_before("pause");
}

TEST(events_that_agree_about_a_filter_count_together)
{
	count_on("haswell-ep-2s", "{" OPC("0x182") ",cbo/event=0x35,umask=0x3,filter_opc=0x182/}");
	ck_assert_uint_eq(value(0, 0), 600000 * 21);
	ck_assert_uint_eq(value(0, 1), 300000 * 21);
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
	open_stepped("haswell-ep-2s", "");
	poke(0, 0xe01, 0x400101);
	count("cbo0/event=0x36,umask=0x8/,cbo0/event=0x34,umask=0x11/");
	pass_and_read(SECOND);
	expect_unknown(reading(0, 0), UNCOREMSR_FAILED, "only on counter 0 of a cbo, which is in use");
	ck_assert_uint_eq(value(0, 1), 5000000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, 0xe01), 0x400101);
}

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
	unsigned long one_box;

	open_stepped("sapphire-rapids-2s", "");
	fail_after(-1, 0, 0);
	count("cha5/event=0x50,umask=0x1/");
	one_box = spy.reads + spy.writes;
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	next_session();
	spy.reads = spy.writes = 0;
	count("cha/event=0x50,umask=0x1/");
	ck_assert_uint_le(one_box, 2 * 13); /* with the reads of 0x2ff0 bit 0, which freezes all boxes */
	ck_assert_uint_le(spy.reads + spy.writes, 60 * one_box);
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

/* 0 if all registers have been put back, as far as start() and stop() say. */
static int whole_run(const char *events)
{
	uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR);
	uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0");
	add(events);
	if (uncoremsr_session_start(s))
		return 0;
	pass(SECOND);
	uncoremsr_session_rotate(s);
	pass_and_read(SECOND);
	return uncoremsr_session_stop(s);
}

TEST_EACH(one_failing_operation_anywhere_leaves_nothing_behind, 2 * (int)ARRAY_SIZE(fragile))
{
	static const int errors[] = { -EIO, -EPERM };
	bool more = true;
	long op;
	int err;

	image_cpus = 1; /* only CPU 0 is counted */
	for (op = draw_first(8); more; op += draw_step(8)) {
		open_stepped(fragile[_i / 2].machine, "");
		take_all(&before);
		fail_after(op, 1, errors[_i % 2]);
		err = whole_run(fragile[_i / 2].events);
		more = !spy.times;
		if (!err)
			expect_as_before(fragile[_i / 2].events);
		close_machine();
	}
	ck_assert_int_gt(op, 30);
}

/* ---- the core PMU ---- */

enum { CORE_SEL0 = 0x186, CORE_PMC0 = 0xc1 };

TEST(each_kind_of_core_has_its_own_counters)
{
	/* CPUs 16 and up are E-cores: six general counters, no slots. */
	open_core("alderlake-hybrid", "0,16");
	count("core/instructions/,core/slots/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 1500000000u + 1516000000u);
	expect_unknown(reading(0, 1), UNCOREMSR_FAILED, "cpu16: this kind of core");
	ck_assert_uint_eq(value_of(of_unit(1, "cpu0", UNCOREMSR_INTERVAL)), 8000000000u);
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
	ck_assert_uint_eq(sum, value_of(total_reading(0, 0)));
}

/* Event 0xb counts while the frequency ratio is at least that of band 0. */
TEST(a_band_of_the_pcu_counts_exactly)
{
	count_on("skylake-sp-2s", "pcu/event=0xb,filter_band0=0xc/");
	ck_assert_uint_eq(value(0, 0), 790000000);
}

TEST(the_remark_not_verified_on_hardware_is_logged_once)
{
	open_stepped("genoa-1s", "");
	count("umc/event=0xa/");
	ck_assert_uint_eq(times("not verified on hardware"), 1);
}

SUITE(boxes)
