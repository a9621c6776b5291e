/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on uncores made of boxes, and on the core PMU: units, gates, filters and constraints. boxes.bats counts
 * events on each kind of box of each family.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include "failing.h"
#include "steps.h"
#include "suite.h"

FIXTURE(.teardown = close_machine)

#define OPC(value) "cbo/event=0x35,umask=0x1,filter_opc=" value "/"
#define CORE "route msr; only cpus 0; "

static const struct story stories[] = {
	{ "a sum is unknown while one unit is unknown", "sandybridge-1s",
	  "start cbo/event=0x34,umask=0x88/,arb/event=0x81,umask=0x1/; after 1; disturbed 0; "
	  "write 0 0x720 0x400122; "
	  "after 1; disturbed 1; unknown 0 0 disturbed cbo2: ; unit 0 cbo1 1400000; value 0 1 4000000" },
	{ "another cpu takes over for all units", "haswell-ep-2s",
	  "image; start cbo/event=0x37,umask=0x1/,ubox/event=0x42,umask=0x8/; online 6 0; after 1; "
	  "value 1 0 110000*16; value 1 1 12000; through 0 0; through 1 7; unit-on 0 6 7; "
	  "logged 1 package 1: CPU 6 went offline, CPU 7 is used from now on; logged 1 went offline; stop; online 6 1; "
	  "same" },
	/*
	 * 0x391 is Sandy Bridge's global enable register; another program has set bits 0 and 1. Counters start at 0x5a
	 * (UM_COUNTER_START).
	 */
	{ "a closed gate is opened while we count and closed again at the end", "sandybridge-1s",
	  "write 0 0x391 0x3; start cbo/event=0x34,umask=0x88/; read 0 0x391 0x20000003; read 0 0x706 0x5a; after 1; "
	  "value 0 0 7000000; stop; read 0 0x391 0x3" },
	{ "an open gate stays open", "sandybridge-1s",
	  "write 0 0x391 0x20000000; start cbo/event=0x34,umask=0x88/; read 0 0x391 0x20000000; read 0 0x706 0x5a; "
	  "after 1; value 0 0 7000000; stop; read 0 0x391 0x20000000" },
	{ "a gate that another program closes is noticed", "sandybridge-1s",
	  "write 0 0x391 0x3; start arb/event=0x81,umask=0x1/; after 1; disturbed 0; write 0 0x391 0; after 1; "
	  "disturbed 1; status 0 0 disturbed; machine sandybridge-1s; write 0 0x391 0x20000000; "
	  "start arb/event=0x81,umask=0x1/; after 1; disturbed 0; write 0 0x391 0; after 1; disturbed 1; "
	  "status 0 0 disturbed" },
	{ "a gate stays open for another program's arb counter", "sandybridge-1s",
	  "start cbo/event=0x34,umask=0x88/; write 0 0x3b3 0x400181; read 0 0x391 0x20000000; stop EBUSY; "
	  "says another program has enabled a counter that needs it; read 0 0x391 0x20000000; read 0 0x3b3 0x400181" },
	{ "a core counter does not need the uncore gate", "sandybridge-1s",
	  "start cbo/event=0x34,umask=0x88/; write 0 0x186 0x4300c0; write 0 0x38f 1; read 0 0x391 0x20000000; stop; "
	  "read 0 0x391 0; read 0 0x186 0x4300c0; read 0 0x38f 1" },
	{ "a counter that did not count because the gate was closed does not keep it open", "sandybridge-1s",
	  "write 0 0x3b3 0x400181; start cbo/event=0x34,umask=0x88/; read 0 0x391 0x20000000; stop; read 0 0x391 0; "
	  "read 0 0x3b3 0x400181" },
	{ "a filter is set while it counts and restored", "haswell-ep-2s",
	  "write 0 0xe06 0x55; start cbo0/event=0x35,umask=0x1,filter_opc=0x182/; field 0 0xe06 20 0x1ff 0x182; stop; "
	  "read 0 0xe06 0x55" },
	{ "a pause ends the count of boxes too", "haswell-ep-2s",
	  "image; start " OPC("0x182") ",ubox/clockticks/; pass 1; pause; pause; rotate; after 1; value 0 0 600000*21; "
	  "value 0 1 2300000000; stop; same" },
	{ "at a pause free-running counters are only read", "skylake-sp-2s",
	  "start iio_free_running/ioclk/; pass 1; pause; after 1; value 0 0 3000000000; stop" },
	{ "events with the same filter value count together", "haswell-ep-2s",
	  "start {" OPC("0x182") ",cbo/event=0x35,umask=0x3,filter_opc=0x182/}; after 1; value 0 0 600000*21; "
	  "value 0 1 300000*21" },
	{ "a counter taken between two turns is left to the other program", "haswell-ep-2s",
	  "start cbo0/event=0x36,umask=0x8/,cbo0/event=0x11,umask=0x1/; pass 1; write 0 0xe01 0x400134; rotate; "
	  "read 0 0xe01 0x400134; pass 1; rotate; read 0 0xe01 0x400134; pass 1; rotate; read 0 0xe01 0x400134; "
	  "after 1; "
	  "disturbed 2; stop EBUSY; read 0 0xe01 0x400134" }, /* another program counts, so the box stays unfrozen */
	/* Another program uses counter 0, the only counter for event 0x36. Event 0x34 must still be counted. */
	{ "an event whose counter is taken does not affect others", "haswell-ep-2s",
	  "write 0 0xe01 0x400101; start cbo0/event=0x36,umask=0x8/,cbo0/event=0x34,umask=0x11/; after 1 any; "
	  "unknown 0 0 failed only on counter 0 of a cbo, which is in use; value 0 1 5000000; stop; "
	  "read 0 0xe01 0x400101" },
	/* CPUs 16 and up are E-cores: six general counters, no slots. */
	{ "each kind of core has its own counters", "alderlake-hybrid",
	  "route msr; only cpus 0,16; start core/instructions/,core/slots/; after 1; value 0 0 3016000000; "
	  "unknown 0 1 failed cpu16: this kind of core; unit 1 cpu0 8000000000" },
	{ "an event is unknown if no CPU of its kind was chosen", "alderlake-hybrid",
	  "route msr; only cpus 0; start cpu_core/cycles/,cpu_atom/cycles/; after 1; "
	  "unknown 0 1 failed none of the chosen CPUs is of the kind cpu_atom" },
	/* The first group does not use cbo1, so the box stays frozen until the second group's turn. */
	{ "a frozen box is opened when its turn comes", "haswell-ep-2s",
	  "write 0 0xe10 0x10100; only packages 0; "
	  "start {cbo0/event=0x37,umask=1/,cbo0/event=0x37,umask=2/,cbo0/event=0x37,umask=4/},"
	  "{cbo0/event=0x37,umask=8/,cbo0/event=0x39,umask=1/,cbo1/event=0x37,umask=1/}; turns 2; read 0 0xe10 0x10100; "
	  "rotate; field 0 0xe10 8 1 0; stop; read 0 0xe10 0x10100" },
	{ "force takes a counter that another program has taken before its turn", "haswell-ep-2s",
	  "only packages 0; force 1; start {cbo0/event=0x37,umask=1/,cbo0/event=0x37,umask=2/,cbo0/event=0x37,umask=4/},"
	  "{cbo0/event=0x37,umask=8/,cbo0/event=0x39,umask=1/,cbo1/event=0x37,umask=1/}; write 0 0xe11 0x400134; "
	  "rotate; read 0 0xe11 0x400137; stop EBUSY; read 0 0xe11 0x400134" },
	/* An unknown model, and a known model whose uncore is unknown. */
	{ "core events are counted without a known uncore", "westmere-2s,leaf=0x1 0 0x000f06f0 0x0 0x0 0x0",
	  "route msr; start core/event=0xc0/; after 1; some 0 0; stop; read 0 0x186 0; "
	  "machine westmere-2s,leaf=0x1 0 0x000006f0 0x0 0x0 0x0; route msr; start core/event=0xc0/; after 1; some 0 0" },
	{ "a core counter with a leftover event code is in use", "skylake-sp-2s",
	  CORE "write 0 0x186 0x3c; "
	  "start core/event=0x2e,umask=0x41/; on 0 0 1; read 0 0x186 0x3c" },
};

TEST_STORIES(boxes_are_counted_as_their_steps_say, play_session, stories)

/* IA32_A_PMC0 (0x4c1) accepts all bits of a counter. */
TEST(a_counter_with_32_bit_writes_is_restored_completely_if_possible)
{
	static const char *const held[] = { "0x1234", "0x7fffffff", "0xffff80000000", "0x123456789abc" };

	for (size_t i = 0; i < ARRAY_SIZE(held); i++) {
		open_stepped("skylake-sp-2s", "");
		play_on(held[i], CORE "write 0 0x4c1 %s; read 0 0xc1 %s; start core/event=0x2e,umask=0x41/; after 1; "
			"value 0 0 1200000; stop; read 0 0xc1 %s", held[i], held[i], held[i]);
	}
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
	ck_assert_uint_le(one_box, 2 * 13); /* the reads of 0x2ff0 (freeze bit of all boxes) are included */
	ck_assert_uint_le(spy.reads + spy.writes, 60 * one_box);
	spy.reads = spy.writes = 0;
	ck_assert_int_eq(uncoremsr_session_sample(s), 0);
	ck_assert_uint_eq(spy.reads, 120);
	ck_assert_uint_eq(spy.writes, 0);
}

/* ---- the core PMU ---- */

TEST(counts_go_on_beyond_the_width_of_a_core_counter)
{
	uint64_t sum = 0, step;

	open_stepped("skylake-sp-2s", "");
	play_on(__func__, "route msr; only cpus 0; start core/cycles/");
	step = uncoremsr_session_state(s)->max_interval;
	for (int i = 0; i < 40; i++) {
		ck_assert_int_eq(pass_and_read(step), 0);
		sum += value(0, 0);
	}
	ck_assert_uint_gt(sum, UINT64_C(1) << 48);
	ck_assert_uint_eq(sum, value_of(total_reading(0, 0)));
}

SUITE(boxes)
