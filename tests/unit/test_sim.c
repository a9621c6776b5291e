/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated machine behaves as the manuals say the hardware does.
 *
 * Uses internal headers, because the access layer of the simulator is checked.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/sim.h"
#include "steps.h"
#include "suite.h"

#define COUNTER_MASK ((1ull << 48) - 1)
#define S SECOND
#define GLOBAL 0x391
#define STATUS 0x392
#define CLEAR 0x393
#define FIXED 0x394
#define FIXED_CTL 0x395
#define PMC(n) (0x3b0u + (n))
#define SEL(n) (0x3c0u + (n))
#define EN 0x400000u
#define CPU(n) "sys/devices/system/cpu/cpu" #n "/"
#define W2S "westmere-2s,clock=stepped"
#define CPU2 "sys/devices/system/cpu/cpu2/online"

/* Set counter 0 of CPU 0's package to 0, program it and switch it on. */
static void count(uint64_t selector)
{
	wr(sim, 0, GLOBAL, 0);
	wr(sim, 0, PMC(0), 0);
	wr(sim, 0, SEL(0), EN | selector);
	wr(sim, 0, GLOBAL, 1);
}

FIXTURE(.teardown = free_sim)

/* What happens on simulated machines; steps: see steps.h. */
static const struct story stories[] = {
	{ "a selector reads back all but the reset bit", W2S,
	  "write 0 0x3c2 0x420182; read 0 0x3c2 0x400182; "
	  "write 0 0x3c2 0xffd6ffff; " /* every bit that exists */
	  "read 0 0x3c2 0xffd4ffff" },
	{ "absent and one way registers fault", W2S,
	  "fails 0 0x397 EIO; fails 0 0x3af EIO; fails 0 0x3b8 EIO; fails 0 0x3bf EIO; fails 0 0x3c8 EIO; "
	  "fails 0 0xe01 EIO; fails 0 0 EIO; fails 0 0x393 EIO; refuses 0 0x392 0 EIO; fails 24 0x3c0 ENXIO; "
	  "fails 4294967295 0x3c0 ENXIO" },
	{ "register 0x301 exists on westmere only", "westmere-2s",
	  "read 0 0x301 0; "
	  "use nehalem-1s; "
	  "fails 0 0x301 EIO" },
	{ "uncore registers exist once per package", W2S,
	  "write 0 0x3c1 0x101; write 1 0x3c1 0x202; read 22 0x3c1 0x101; read 23 0x3c1 0x202" },
	{ "sandy bridge means something else by the same addresses", "sandybridge-1s",
	  "refuses 0 0x391 0xff EIO; refuses 0 0x391 4294967296 EIO; "
	  "write 0 0x391 536870912; write 0 0x394 4194304; " /* the control; on Nehalem the counter */
	  "write 0 0x395 0x123456789abc; " /* the clock counter; on Nehalem its control register */
	  "write 0 0x3b2 0x400180; " /* a selector */
	  "fails 0 0x3b4 EIO; fails 0 0x3c0 EIO" },
	{ "a rate of 1000 gives 5000 in 5 seconds", W2S ",rate=0x82:0x1=1000",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 5; read 0 0x3b0 5000" },
	{ "a counter runs only with selector and global bit", W2S ",rate=0x82:0x1=1000,start=7",
	  "write 0 0x3c0 0x400182; write 0 0x3c1 0x182; write 0 0x391 6; pass 1; read 0 0x3b0 7; read 0 0x3b1 7; "
	  "read 0 0x3b2 7; "
	  "write 0 0x391 1; pass 1; read 0 0x3b0 1007; read 1 0x3b0 7; " /* the other package */
	  "write 0 0x3c0 0x182; pass 1; write 0 0x3c0 0x400182; pass 1; read 0 0x3b0 2007" },
	{ "the reset bit does not clear the counter", W2S ",rate=0x82:0x1=1000",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 1; "
	  "write 0 0x3c0 0x420182; read 0 0x3b0 1000" },
	{ "a running counter goes on from the value written", W2S ",rate=0x82:0x1=1000",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 5; write 0 0x3b0 10; "
	  "pass 2; read 0 0x3b0 2010" },
	{ "the fixed counter needs both enables and counts the clock", W2S ",uncore_hz=2000000000,start=0",
	  "write 0 0x395 1; pass 1; read 0 0x394 0; "
	  "write 0 0x391 4294967296; pass 1; read 0 0x394 2000000000; "
	  "write 0 0x395 0; pass 1; read 0 0x394 2000000000" },
	{ "a wrap sets the overflow bit and 0x393 clears it", W2S ",rate=0x82:0x1=1000,start=0xfffffffffc18",
	  "write 0 0x3c5 0x400182; write 0 0x391 0x20; pass 0.999999999; read 0 0x392 0; "
	  "read 0 0x3b5 0xffffffffffff; "
	  "pass 2.000000001; read 0 0x392 0x8000000000000020; read 0 0x3b5 2000; read 1 0x392 0; "
	  "write 0 0x393 0; read 0 0x392 0x8000000000000020; "
	  "write 0 0x393 0x20; read 0 0x392 9223372036854775808; "
	  "write 0 0x393 9223372036854775808; read 0 0x392 0" },
	{ "the fixed counter overflows into bit 32", W2S ",start=0xffffffffffff",
	  "write 0 0x395 1; write 0 0x391 4294967296; pass 0.000000001; read 0 0x392 9223372041149743104; "
	  /* clears bits that were never read, too */
	  "write 0 0x394 0xffffffffffff; pass 1; write 0 0x393 9223372041149743104; "
	  "read 0 0x392 0" },
	{ "an event may happen on one package only and rate sets all", W2S ",event=0xf0:0x1 rate=5 package=1",
	  "write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x391 1; write 1 0x3b0 0; write 1 0x3c0 0x4001f0; "
	  "write 1 0x391 1; pass 1; read 0 0x3b0 0; read 1 0x3b0 5; "
	  "use " W2S ",rate=0xf0:0x1=8,event=0xf0:0x1 rate=5 inc=2 package=1,event=0xf0:0x1 rate=6 package=0; "
	  /* 8 per second, 2 per cycle */
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x24001f0; write 0 0x391 1; pass 1; read 0 0x3b0 4; "
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x391 1; pass 1; read 0 0x3b0 8" },
	{ "rate adds an event that the workload lacks and ends episodes",
	  "nehalem-1s,clock=stepped,rate=0x82:0x1=5,rate=0x82:0x1=100,"
	  "event=0xf0:0x1 rate=7 every=2 for=1 burst=episode,rate=0xf0:0x1=30",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 10; read 0 0x3b0 1000; "
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x391 1; pass 10; read 0 0x3b0 300; "
	  /* rate= ended the episodes: each cycle is an edge */
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x4401f0; write 0 0x391 1; pass 10; read 0 0x3b0 300" },
	{ "the time stamp counter follows the clock", W2S ",tsc_hz=3000000000",
	  "pass 2; read 5 0x10 6000000000; refuses 5 0x10 0 EIO" },
	{ "the articles example counts within the first second", W2S,
	  "write 0 0x3b0 0; write 0 0x3c0 0x420182; write 0 0x391 1; write 1 0x3b0 0; write 1 0x3c0 0x420182; "
	  "write 1 0x391 1; pass 1; read 0 0x3b0 250; read 1 0x3b0 250" },
	{ "a register fails on one cpu after some accesses and for some time",
	  W2S ",fail=read:0x3b0-0x3b7:EIO:cpu=2:after=2:times=1,fail=write 0x391 EPERM",
	  "fails 2 0x3b0 0; fails 0 0x3b0 0; " /* after= counts only accesses of CPU 2 */
	  "fails 2 0x3c0 0; " /* after= counts only accesses to these registers */
	  "fails 2 0x3b7 0; fails 2 0x3b3 EIO; fails 2 0x3b3 0; refuses 1 0x391 1 EPERM; read 1 0x391 0" },
	{ "a foreign write takes effect at its exact time",
	  W2S ",rate=0x82:0x1=1000,foreign=0x391:0:at=3:package=0,foreign=0x3c1:0x400a0a:after=12",
	  "write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; write 1 0x3b0 0; write 1 0x3c0 0x400182; "
	  "write 1 0x391 1; pass 10; read 0 0x3b0 3000; read 1 0x3b0 10000; read 0 0x391 0; read 0 0x3c1 0; "
	  "read 0 0x3c1 0; read 0 0x3c1 0; read 1 0x3c1 0x400a0a" },
	{ "silent registers read zero and swallow writes", W2S ",silent=0x391-0x3ff,start=5",
	  "write 0 0x3c0 0xffffffffffff; read 0 0x3c0 0; read 0 0x3b0 0; read 0 0x3fd 0" },
};

TEST_EACH(stories_happen_as_the_manuals_say, ARRAY_SIZE(stories))
{
	play(&stories[_i]);
}

/* ---- registers ---- */

TEST(reserved_bits_of_control_registers_fault)
{
	static const struct { uint32_t msr; uint64_t valid; } regs[] = {
		{ SEL(0), 0xffd6ffff }, { SEL(7), 0xffd6ffff }, { GLOBAL, 0x800f0001000000ff },
		{ CLEAR, 0xa0000001000000ff }, { FIXED_CTL, 5 }, { PMC(3), COUNTER_MASK },
		{ FIXED, COUNTER_MASK }, { 0x396, 0xe000fffffffffff8 }, { STATUS, 0 },
	};

	use(W2S);
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		for (unsigned bit = 0; bit < 64; bit++) {
			int err = uncoremsr_sim_wrmsr(sim, 0, regs[i].msr, 1ull << bit);

			ck_assert_msg(err == (regs[i].valid >> bit & 1 ? 0 : -EIO),
				      "0x%x bit %u: %d", regs[i].msr, bit, err);
		}
}

TEST(core_registers_exist_once_per_core_or_cpu)
{
	use(W2S ",set=0x19c:0x88010003:cpu=2");
	wr(sim, 0, 0x186, 0x41003c);
	ck_assert_uint_eq(rd(sim, 12, 0x186), 0);     /* the other thread of the core */
	ck_assert_uint_eq(rd(sim, 14, 0x19c), 0x88010003); /* CPUs 2 and 14 share a core */
	ck_assert_uint_ne(rd(sim, 4, 0x19c), 0x88010003);
}

/* ---- counting ---- */

TEST(counts_do_not_depend_on_how_often_they_are_read)
{
	use(W2S ",rate=0x82:0x1=333333333");
	count(0x182);
	wr(sim, 0, PMC(1), 0);
	wr(sim, 0, SEL(1), 0x400182);
	wr(sim, 0, GLOBAL, 3);
	for (int i = 0; i < 1000; i++) {
		advance(sim, 3000001);
		rd(sim, 0, PMC(0));
	}
	ck_assert_uint_eq(rd(sim, 0, PMC(0)), 1000000332);
	ck_assert_uint_eq(rd(sim, 0, PMC(1)), 1000000332);
}

TEST(impossible_rates_wrap_as_often_as_they_should)
{
	use(W2S ",rate=0x82:0x1=0xffffffffffffffff");
	count(0x182);
	advance(sim, 3 * S);
	ck_assert_uint_eq(rd(sim, 0, PMC(0)), COUNTER_MASK - 2); /* 3 * (2^64 - 1), modulo 2^48 */
	advance(sim, UINT64_MAX);
	ck_assert_uint_eq(uncoremsr_sim_state(sim)->now, UINT64_MAX);
}

TEST(threshold_invert_and_edge_count_cycles_other_cycles_and_bursts)
{
	static const struct { uint64_t selector, counted; } t[] = {
		{ 0x1f0, 15000 },               /* increments */
		{ 0x010001f0, 5000 },           /* cycles with 1 or more */
		{ 0x030001f0, 5000 },
		{ 0x040001f0, 0 },              /* never 4 in one cycle */
		{ 0x018001f0, 5000000 - 5000 }, /* cycles with less than 1 */
		{ 0x048001f0, 5000000 },
		{ 0x008001f0, 15000 },          /* no threshold: nothing to invert */
		{ 0x000401f0, 500 },            /* edge: bursts */
		{ 0x010401f0, 500 },
		{ 0x040401f0, 0 },
	};

	use(W2S ",uncore_hz=1000000,"
	    "event=0xf0:0x1 rate=3000 inc=3 burst=10");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		count(t[i].selector);
		advance(sim, 5 * S);
		ck_assert_msg(rd(sim, 0, PMC(0)) == t[i].counted, "selector 0x%llx: %llu",
			      (unsigned long long)t[i].selector,
			      (unsigned long long)rd(sim, 0, PMC(0)));
	}
}

TEST(a_union_of_unit_masks_counts_the_sum_of_its_parts)
{
	static const struct { uint64_t selector, counted; } t[] = {
		{ 0x1f0, 100 }, { 0x3f0, 120 }, { 0x7f0, 1120 }, { 0xff0, 123 }, { 0x8f0, 0 },
		{ 0x0f0, 0 }, { 0x0f1, 9 }, { 0x1f1, 0 }, { 0x1f2, 0 },
	};

	use(W2S
	    ",event=0xf0:0x1 rate=100,event=0xf0:0x2 rate=20,event=0xf0:0xc rate=3,"
	    "event=0xf0:0x4 rate=1000,event=0xf1:0x0 rate=9");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		count(t[i].selector);
		advance(sim, S);
		ck_assert_uint_eq(rd(sim, 0, PMC(0)), t[i].counted);
	}
}

TEST(episodes_begin_at_their_phase_and_come_back)
{
	static const struct { uint64_t until, counted; } t[] = {
		{ 1500, 0 }, { 2500, 10 }, { 4500, 30 }, { 21500, 30 }, { 22500, 40 },
		{ 101500, 150 },
	};
	uint64_t now = 0;

	use(W2S
	    ",event=0xf0:0x1 rate=10 every=20 for=3 phase=1.5 burst=episode");
	count(0x1f0);
	wr(sim, 0, PMC(1), 0);
	wr(sim, 0, SEL(1), 0x4401f0); /* edge: how often the state is entered */
	wr(sim, 0, GLOBAL, 3);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		advance(sim, (t[i].until - now) * 1000000);
		now = t[i].until;
		ck_assert_uint_eq(rd(sim, 0, PMC(0)), t[i].counted);
	}
	ck_assert_uint_eq(rd(sim, 0, PMC(1)), 6);
}

TEST(counters_begin_with_garbage_that_the_seed_decides)
{
	struct uncoremsr_sim *a = sim_or_fail("westmere-2s,seed=1"),
		*b = sim_or_fail("westmere-2s,seed=1"), *c = sim_or_fail("westmere-2s,seed=2"),
		*d = sim_or_fail("westmere-2s,start=0x123");

	for (unsigned i = 0; i < 8; i++) {
		ck_assert_uint_eq(rd(a, 0, PMC(i)), rd(b, 0, PMC(i)));
		ck_assert_uint_ne(rd(a, 0, PMC(i)), rd(c, 0, PMC(i)));
		ck_assert_uint_ne(rd(a, 0, PMC(i)), rd(a, 1, PMC(i)));
		ck_assert_uint_ne(rd(a, 0, PMC(i)), 0);
		ck_assert_uint_eq(rd(d, 1, PMC(i)), 0x123);
	}
	ck_assert_uint_eq(rd(d, 0, FIXED), 0x123);
	uncoremsr_sim_free(a);
	uncoremsr_sim_free(b);
	uncoremsr_sim_free(c);
	uncoremsr_sim_free(d);
}

TEST(busy_counters_run_from_the_start)
{
	use(W2S ",busy=0,3,8,start=0");
	ck_assert_uint_eq(rd(sim, 1, GLOBAL), 1ull << 32 | 9);
	ck_assert(rd(sim, 1, SEL(3)) & EN);
	ck_assert_uint_eq(rd(sim, 1, SEL(1)), 0);
	ck_assert_uint_eq(rd(sim, 1, FIXED_CTL), 1);
	advance(sim, S);
	ck_assert_uint_ne(rd(sim, 1, PMC(3)), 0);
	ck_assert_uint_ne(rd(sim, 1, FIXED), 0);
}

TEST(a_real_clock_moves_by_itself)
{
	uint64_t t, before, value;

	use("westmere-2s");
	t = uncoremsr_sim_state(sim)->now;
	ck_assert_int_eq(uncoremsr_sim_advance(sim, S), 0);
	while (uncoremsr_sim_state(sim)->now == t)
		;
	before = uncoremsr_sim_state(sim)->now;
	ck_assert_uint_lt(uncoremsr_sim_state(sim)->last_access, before);
	ck_assert_int_eq(uncoremsr_sim_rdmsr(sim, 0, GLOBAL, &value), 0);
	ck_assert_uint_ge(uncoremsr_sim_state(sim)->last_access, before);
	t = uncoremsr_sim_state(sim)->last_access;
	while (uncoremsr_sim_state(sim)->now == t)
		;
	ck_assert_uint_eq(uncoremsr_sim_state(sim)->last_access, t);
}

/* ---- hazards ---- */

TEST(a_cpu_goes_away_and_comes_back_and_registers_survive)
{
	use(W2S ",hotplug=3:off:at=2,hotplug=3:on:at=4,"
	    "hotplug=5:off:after=4");
	wr(sim, 3, SEL(0), 0x182);
	advance(sim, 2 * S - 1);
	ck_assert_uint_eq(rd(sim, 3, SEL(0)), 0x182);
	advance(sim, 1);
	ck_assert_int_eq(rd_err(sim, 3, SEL(0)), -ENXIO);
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 3, 0), -ENXIO);
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/online"), "0-2,4-23\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/offline"), "3\n");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, CPU(3) "topology/core_id", NULL, 0), -ENOENT);
	advance(sim, 2 * S);
	ck_assert_uint_eq(rd(sim, 3, SEL(0)), 0x182);
	ck_assert_int_eq(rd_err(sim, 5, SEL(0)), -ENXIO); /* after=4: four registers were accessed */
}

TEST(slow_accesses_cost_time_on_the_stepped_clock)
{
	use(W2S ",slow=0.25");
	rd(sim, 0, GLOBAL);
	wr(sim, 0, GLOBAL, 0);
	ck_assert_uint_eq(uncoremsr_sim_state(sim)->now, S / 2);
}

TEST(opening_a_cpu_fails_with_the_configured_error)
{
	use("westmere-2s,open=EACCES:cpu=1:times=1");
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 0, 1), 0);
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 1, 1), -EACCES);
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 1, 1), 0);
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 99, 1), -ENXIO);
}

TEST(a_missing_driver_shows_in_proc_devices_and_a_missing_node_does_not)
{
	use("westmere-2s,open=ENOENT");
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 0, 0), -ENOENT);
	ck_assert_ptr_null(strstr(sim_file(sim, "proc/devices"), "cpu/msr"));
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sys/module/msr/parameters/allow_writes", NULL, 0), -ENOENT);
	use("westmere-2s,driver=nonode");
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 0, 0), -ENOENT);
	ck_assert_ptr_nonnull(strstr(sim_file(sim, "proc/devices"), "202 cpu/msr\n"));
	use("westmere-2s");
	ck_assert_ptr_nonnull(strstr(sim_file(sim, "proc/devices"), "203 cpu/cpuid\n"));
}

TEST(forbidden_writes_say_so_in_sysfs)
{
	use("westmere-2s,allow_writes=off");
	ck_assert_int_eq(uncoremsr_sim_wrmsr(sim, 0, GLOBAL, 0), -EPERM);
	ck_assert_str_eq(sim_file(sim, "sys/module/msr/parameters/allow_writes"), "off\n");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sys/kernel/security/lockdown", NULL, 0), -ENOENT);
	use("westmere-2s,lockdown=integrity");
	ck_assert_int_eq(uncoremsr_sim_wrmsr(sim, 0, GLOBAL, 0), -EPERM);
	ck_assert_uint_eq(rd(sim, 0, GLOBAL), 0);
	ck_assert_str_eq(sim_file(sim, "sys/kernel/security/lockdown"), "none [integrity] confidentiality\n");
	use("westmere-2s,lockdown=none");
	ck_assert_int_eq(uncoremsr_sim_wrmsr(sim, 0, GLOBAL, 0), 0);
	ck_assert_str_eq(sim_file(sim, "sys/module/msr/parameters/allow_writes"), "default\n");
}

/* ---- CPUID ---- */

TEST(cpuid_reports_signature_leaf_0xa_topology_and_name)
{
	uint32_t r[4];
	char brand[49] = "";

	use("westmere-2s,hypervisor=yes");
	ck_assert_int_eq(uncoremsr_sim_cpuid(sim, 3, 1, 0, r), 0);
	ck_assert_uint_eq(r[2] >> 31, 1);
	use("westmere-2s");
	ck_assert_int_eq(uncoremsr_sim_cpuid(sim, 3, 1, 0, r), 0);
	ck_assert_uint_eq(r[0], 0x206c2);
	ck_assert_uint_eq(r[1] >> 24, 0x22); /* package 1, core 1, thread 0 */
	ck_assert_uint_eq(r[2] >> 31, 0);
	uncoremsr_sim_cpuid(sim, 0, 0xa, 0, r);
	ck_assert_uint_eq(r[0], 0x07300403);
	ck_assert_uint_eq(r[3], 0x603);
	uncoremsr_sim_cpuid(sim, 0, 0xb, 1, r);
	ck_assert_uint_eq(r[0], 5);
	ck_assert_uint_eq(r[1], 12);
	ck_assert_uint_eq(r[2], 0x201);
	for (uint32_t i = 0; i < 3; i++) {
		uncoremsr_sim_cpuid(sim, 0, 0x80000002 + i, 0, r);
		memcpy(brand + 16 * i, r, 16);
	}
	ck_assert_ptr_nonnull(strstr(brand, "Simulated Westmere-EP"));
	uncoremsr_sim_cpuid(sim, 0, 0x40000000, 0, r); /* beyond the last leaf: as the last basic leaf */
	ck_assert_uint_eq(r[1], 2);
	ck_assert_int_eq(uncoremsr_sim_cpuid(sim, 24, 0, 0, r), -ENXIO);
}

/* ---- files ---- */

static int collect(void *user, const char *name, int is_dir)
{
	strcat(user, name);
	strcat(user, is_dir ? "/ " : " ");
	return 0;
}

static int stop_at_first(void *user, const char *name, int is_dir)
{
	(void)name;
	(void)is_dir;
	++*(int *)user;
	return 42;
}

TEST(directories_list_each_name_once)
{
	char names[512] = "";
	int calls = 0;

	use("nehalem-1s,lockdown=none");
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "", collect, names), 0);
	ck_assert_str_eq(names, "sys/ proc/ sim/ ");
	names[0] = '\0';
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "sys/devices/system/cpu", collect, names), 0);
	ck_assert_str_eq(names, "online offline present possible kernel_max cpu1/ cpu2/ cpu3/ "
			 "cpu4/ cpu5/ cpu6/ cpu7/ cpu0/ ");
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "proc", stop_at_first, &calls), 42);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "proc/cpuinfo", collect, names), -ENOTDIR);
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "proc/nothing", collect, names), -ENOENT);
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, CPU(8), collect, names), -ENOENT);
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "sys/devices/system/cpu/cpu8", collect, names), -ENOENT);
}

TEST(odd_paths_are_not_found)
{
	static const char *const paths[] = {
		"/", "/proc", "proc/", "proc/cpuinfo/", "proc//cpuinfo", "..", ".",
		"sys/devices/system/cpu/cpu", "sys/devices/system/cpu/cpu01", CPU(1),
		CPU(#) "online",
		CPU(99999999999999999999) "online", CPU(-1), CPU(0) "online",
	};
	char buf[8];

	use("nehalem-1s");
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		ck_assert_msg(uncoremsr_sim_file_read(sim, paths[i], buf, 8) == -ENOENT, "%s", paths[i]);
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sys/devices", buf, 8), -EISDIR);
	ck_assert_int_eq(uncoremsr_sim_file_write(sim, "sys/devices", "1", 1), -EISDIR);
}

TEST(a_short_buffer_gets_the_beginning_and_the_whole_length)
{
	char buf[4] = "xxx";

	use("westmere-2s");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sim/name", buf, 3), 12);
	ck_assert_str_eq(buf, "wes");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sim/name", NULL, 0), 12);
}

static int store(const char *path, const char *value)
{
	return uncoremsr_sim_file_write(sim, path, value, strlen(value));
}

TEST(writing_to_online_takes_a_cpu_off_and_back)
{
	use("nehalem-1s");
	ck_assert_int_eq(store(CPU2, "0\n"), 0);
	ck_assert_str_eq(sim_file(sim, CPU2), "0\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu1/topology/core_siblings_list"), "0-1,3-7\n");
	ck_assert_str_eq(sim_file(sim, CPU(6) "topology/thread_siblings_list"), "6\n");
	ck_assert_int_eq(store(CPU2, "1"), 0);
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu6/topology/core_cpus_list"), "2,6\n");
	ck_assert_int_eq(store(CPU2, "2"), -EINVAL);
	ck_assert_int_eq(store(CPU2, ""), -EINVAL);
	ck_assert_int_eq(store("proc/cpuinfo", "1"), -EACCES);
	ck_assert_int_eq(store("proc/nothing", "1"), -ENOENT);
}

TEST(the_clock_file_moves_a_stepped_clock_only)
{
	use(W2S);
	ck_assert_str_eq(sim_file(sim, "sim/clock"), "stepped 0\n");
	ck_assert_int_eq(store("sim/clock", "+1500\n"), 0);
	ck_assert_str_eq(sim_file(sim, "sim/clock"), "stepped 1500\n");
	ck_assert_int_eq(store("sim/clock", "1500"), -EINVAL);
	ck_assert_int_eq(store("sim/clock", "+1x"), -EINVAL);
	use("westmere-2s");
	ck_assert_int_eq(store("sim/clock", "+1"), -EINVAL);
	ck_assert_int_eq(strncmp(sim_file(sim, "sim/clock"), "real ", 5), 0);
}

TEST(the_machine_with_holes_has_no_trace_of_absent_cpus)
{
	use("westmere-2s-holes");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/online"), "2-4,6-7,9-10,16,19-24,26\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/possible"), "0-26\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/present"), "0,2-10,16-24,26\n");
	ck_assert_str_eq(sim_file(sim, CPU(3) "topology/physical_package_id"), "2\n");
	ck_assert_str_eq(sim_file(sim, "sys/devices/system/cpu/cpu0/online"), "0\n");
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 0, 0), -ENXIO);
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 1, 0), -ENXIO);
	ck_assert_int_eq(store("sys/devices/system/cpu/cpu0/online", "1"), 0);
	ck_assert_int_eq(uncoremsr_sim_open_cpu(sim, 0, 0), 0);
}

/* ---- the access interface ---- */

TEST(in_real_time_a_batch_reads_all_registers_at_one_moment)
{
	struct um_op op[16];
	struct um_access *a;

	use("westmere-2s,start=0,rate=0x82:0x1=1000000000");
	ck_assert_int_eq(um_sim_access(&a, sim, false), 0);
	ck_assert_int_eq(a->ops->open_cpu(a, 0, false), 0);
	for (unsigned i = 0; i < 8; i++)
		wr(sim, 0, SEL(i), 0x400182);
	wr(sim, 0, GLOBAL, 0xff);
	for (unsigned i = 0; i < ARRAY_SIZE(op); i++)
		op[i] = (struct um_op) { .cpu = 0, .msr = PMC(i % 8) };
	a->ops->batch_read(a, op, ARRAY_SIZE(op));
	for (size_t i = 1; i < ARRAY_SIZE(op); i++)
		ck_assert_uint_eq(op[i].value, op[0].value);
	a->ops->close(a);
	ck_assert_str_eq(uncoremsr_sim_state(sim)->name, "westmere-2s"); /* closing the access did not free the
									  * machine */
}

/* The simulator returns -EBADF, like a file descriptor that is closed or open for reading only. */
TEST(a_cpu_that_is_not_open_is_neither_read_nor_written)
{
	struct um_op op = { .cpu = 1, .msr = SEL(0) };
	struct um_access *a;
	uint64_t v;

	ck_assert_int_eq(um_sim_access(&a, sim_or_fail(W2S), true), 0);
	ck_assert_int_eq(a->ops->read(a, 0, SEL(0), &v), -EBADF);
	ck_assert_int_eq(a->ops->open_cpu(a, 0, false), 0);
	ck_assert_int_eq(a->ops->read(a, 0, SEL(0), &v), 0);
	ck_assert_int_eq(a->ops->write(a, 0, SEL(0), 0x182), -EBADF);
	ck_assert_int_eq(a->ops->open_cpu(a, 0, true), 0);
	ck_assert_int_eq(a->ops->open_cpu(a, 0, false), 0); /* it stays open for writing */
	ck_assert_int_eq(a->ops->write(a, 0, SEL(0), 0x182), 0);
	a->ops->batch_read(a, &op, 1);
	ck_assert_int_eq(op.err, -EBADF);
	a->ops->close_cpu(a, 0);
	ck_assert_int_eq(a->ops->read(a, 0, SEL(0), &v), -EBADF);
	a->ops->close(a);
}

SUITE(sim)
