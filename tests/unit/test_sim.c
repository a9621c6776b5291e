/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated machine behaves like the hardware that the manuals describe.
 *
 * Uses internal headers, because the access layer of the simulator is tested.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "steps.h"
#include "suite.h"

#define GLOBAL 0x391
#define FIXED 0x394
#define PMC(n) (0x3b0u + (n))
#define SEL(n) (0x3c0u + (n))
#define CPU(n) "sys/devices/system/cpu/cpu" #n "/"
#define W2S "westmere-2s,clock=stepped"
#define CPU2 "sys/devices/system/cpu/cpu2/online"
#define ALLOW_WRITES "sys/module/msr/parameters/allow_writes"
#define LOCKDOWN "sys/kernel/security/lockdown"
#define DEV "sys/bus/event_source/devices"

FIXTURE(.teardown = free_sim)

static const struct story stories[] = {
	{ "a selector reads back all but the reset bit", W2S,
	  "write 0 0x3c2 0x420182; read 0 0x3c2 0x400182; "
	  "write 0 0x3c2 0xffd6ffff; "
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
	  "write 0 0x391 536870912; write 0 0x394 4194304; " /* clock control; on Nehalem the clock counter */
	  "write 0 0x395 0x123456789abc; " /* clock counter; on Nehalem the clock control */
	  "write 0 0x3b2 0x400180; "
	  "fails 0 0x3b4 EIO; fails 0 0x3c0 EIO" },
	{ "a rate of 1000 gives 5000 in 5 seconds", W2S ",rate=0x82:0x1=1000",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 5; read 0 0x3b0 5000" },
	{ "a counter runs only with selector and global bit", W2S ",rate=0x82:0x1=1000,start=7",
	  "write 0 0x3c0 0x400182; write 0 0x3c1 0x182; write 0 0x391 6; pass 1; read 0 0x3b0 7; read 0 0x3b1 7; "
	  "read 0 0x3b2 7; "
	  "write 0 0x391 1; pass 1; read 0 0x3b0 1007; read 1 0x3b0 7; "
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
	  /* writing 0x393 also clears overflow bits that were never read */
	  "write 0 0x394 0xffffffffffff; pass 1; write 0 0x393 9223372041149743104; "
	  "read 0 0x392 0" },
	{ "an event may happen on one package only and rate sets all", W2S ",event=0xf0:0x1 rate=5 package=1",
	  "write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x391 1; write 1 0x3b0 0; write 1 0x3c0 0x4001f0; "
	  "write 1 0x391 1; pass 1; read 0 0x3b0 0; read 1 0x3b0 5; "
	  "use " W2S ",rate=0xf0:0x1=8,event=0xf0:0x1 rate=5 inc=2 package=1,event=0xf0:0x1 rate=6 package=0; "
	  /* 8 events per second, 2 in each cycle: a threshold of 2 counts 4 cycles */
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x24001f0; write 0 0x391 1; pass 1; read 0 0x3b0 4; "
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x391 1; pass 1; read 0 0x3b0 8" },
	{ "rate adds an event that the workload lacks and ends episodes",
	  "nehalem-1s,clock=stepped,rate=0x82:0x1=5,rate=0x82:0x1=100,"
	  "event=0xf0:0x1 rate=7 every=2 for=1 burst=episode,rate=0xf0:0x1=30",
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 10; read 0 0x3b0 1000; "
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x391 1; pass 10; read 0 0x3b0 300; "
	  /* with rate= the event has no episodes, so that each cycle with an event is an edge */
	  "write 0 0x391 0; write 0 0x3b0 0; write 0 0x3c0 0x4401f0; write 0 0x391 1; pass 10; read 0 0x3b0 300" },
	{ "the time stamp counter follows the clock", W2S ",tsc_hz=3000000000",
	  "pass 2; read 5 0x10 6000000000; refuses 5 0x10 0 EIO" },
	{ "the example of the article counts within the first second", W2S,
	  "write 0 0x3b0 0; write 0 0x3c0 0x420182; write 0 0x391 1; write 1 0x3b0 0; write 1 0x3c0 0x420182; "
	  "write 1 0x391 1; pass 1; read 0 0x3b0 250; read 1 0x3b0 250" },
	{ "a register fails on one cpu after some accesses and for some time",
	  W2S ",fail=read:0x3b0-0x3b7:EIO:cpu=2:after=2:times=1,fail=write 0x391 EPERM",
	  "fails 2 0x3b0 0; fails 0 0x3b0 0; " /* after= counts only accesses of CPU 2 */
	  "fails 2 0x3c0 0; " /* after= counts only accesses to the listed registers */
	  "fails 2 0x3b7 0; fails 2 0x3b3 EIO; fails 2 0x3b3 0; refuses 1 0x391 1 EPERM; read 1 0x391 0" },
	{ "a foreign write takes effect at its exact time",
	  W2S ",rate=0x82:0x1=1000,foreign=0x391:0:at=3:package=0,foreign=0x3c1:0x400a0a:after=12",
	  "write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; write 1 0x3b0 0; write 1 0x3c0 0x400182; "
	  "write 1 0x391 1; pass 10; read 0 0x3b0 3000; read 1 0x3b0 10000; read 0 0x391 0; read 0 0x3c1 0; "
	  "read 0 0x3c1 0; read 0 0x3c1 0; read 1 0x3c1 0x400a0a" },
	{ "silent registers read zero and swallow writes", W2S ",silent=0x391-0x3ff,start=5",
	  "write 0 0x3c0 0xffffffffffff; read 0 0x3c0 0; read 0 0x3b0 0; read 0 0x3fd 0" },
	{ "reserved bits of control registers fault", W2S,
	  "takes 0 0x3c0 0xffd6ffff; takes 0 0x3c7 0xffd6ffff; takes 0 0x391 0x800f0001000000ff; "
	  "takes 0 0x393 0xa0000001000000ff; takes 0 0x395 5; takes 0 0x3b3 0xffffffffffff; "
	  "takes 0 0x394 0xffffffffffff; takes 0 0x396 0xe000fffffffffff8; takes 0 0x392 0" },
	{ "core registers exist once per core or cpu", W2S ",set=0x19c:0x88010003:cpu=2",
	  "write 0 0x186 0x41003c; read 12 0x186 0; " /* CPU 12, the second thread of the core, has its own register */
	  "read 14 0x19c 0x88010003; " /* CPUs 2 and 14 share a core */
	  "not 4 0x19c 0x88010003" },
	{ "impossible rates wrap as often as they should", W2S ",rate=0x82:0x1=0xffffffffffffffff",
	  "write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x391 1; pass 3; "
	  "read 0 0x3b0 0xfffffffffffd; " /* 3 * (2^64 - 1), modulo 2^48 */
	  "pass 18446744073.709551615; file sim/clock stepped 18446744073709551615" },
	{ "threshold invert and edge count cycles other cycles and bursts",
	  W2S ",uncore_hz=1000000,event=0xf0:0x1 rate=3000 inc=3 burst=10",
	  "write 0 0x391 1; count 0 0x3c0 0x3b0 0x4001f0 3000; " /* without a threshold the counter counts events */
	  /* thresholds of 1 and 3 count cycles with at least as many events */
	  "count 0 0x3c0 0x3b0 0x14001f0 1000; count 0 0x3c0 0x3b0 0x34001f0 1000; "
	  "count 0 0x3c0 0x3b0 0x44001f0 0; " /* no cycle has 4 events */
	  /* inverted thresholds of 1 and 4 count cycles with fewer events */
	  "count 0 0x3c0 0x3b0 0x1c001f0 999000; count 0 0x3c0 0x3b0 0x4c001f0 1000000; "
	  "count 0 0x3c0 0x3b0 0xc001f0 3000; " /* without a threshold, inversion has no effect */
	  "count 0 0x3c0 0x3b0 0x4401f0 100; count 0 0x3c0 0x3b0 0x14401f0 100; " /* edge detection counts bursts */
	  "count 0 0x3c0 0x3b0 0x44401f0 0" },
	{ "a union of unit masks counts the sum of its parts",
	  W2S ",event=0xf0:0x1 rate=100,event=0xf0:0x2 rate=20,event=0xf0:0xc rate=3,event=0xf0:0x4 rate=1000,"
	  "event=0xf1:0x0 rate=9",
	  "write 0 0x391 1; count 0 0x3c0 0x3b0 0x4001f0 100; count 0 0x3c0 0x3b0 0x4003f0 120; "
	  "count 0 0x3c0 0x3b0 0x4007f0 1120; count 0 0x3c0 0x3b0 0x400ff0 123; count 0 0x3c0 0x3b0 0x4008f0 0; "
	  "count 0 0x3c0 0x3b0 0x4000f0 0; count 0 0x3c0 0x3b0 0x4000f1 9; count 0 0x3c0 0x3b0 0x4001f1 0; "
	  "count 0 0x3c0 0x3b0 0x4001f2 0" },
	{ "episodes begin at their phase and come back",
	  W2S ",event=0xf0:0x1 rate=10 every=20 for=3 phase=1.5 burst=episode",
	  /* counter 1 has edge detection and counts how often the state is entered */
	  "write 0 0x3b0 0; write 0 0x3c0 0x4001f0; write 0 0x3b1 0; write 0 0x3c1 0x4401f0; write 0 0x391 3; "
	  "at 1.5; read 0 0x3b0 0; at 2.5; read 0 0x3b0 10; at 4.5; read 0 0x3b0 30; at 21.5; read 0 0x3b0 30; "
	  "at 22.5; read 0 0x3b0 40; at 101.5; read 0 0x3b0 150; read 0 0x3b1 6" },
	{ "busy counters run from the start", W2S ",busy=0,3,8,start=0",
	  "read 1 0x391 0x100000009; field 1 0x3c3 22 1 1; read 1 0x3c1 0; read 1 0x395 1; "
	  "pass 1; not 1 0x3b3 0; not 1 0x394 0" },
	{ "a cpu goes away and comes back and registers survive",
	  W2S ",hotplug=3:off:at=2,hotplug=3:on:at=4,hotplug=5:off:after=4",
	  "write 3 0x3c0 0x182; pass 1.999999999; read 3 0x3c0 0x182; "
	  "pass 0.000000001; fails 3 0x3c0 ENXIO; opens 3 ENXIO; file sys/devices/system/cpu/online 0-2,4-23; "
	  "file sys/devices/system/cpu/offline 3; no-file " CPU(3) "topology/core_id ENOENT; "
	  "pass 2; read 3 0x3c0 0x182; fails 5 0x3c0 ENXIO" }, /* with after=4, CPU 5 goes offline after 4 accesses */
	{ "slow accesses cost time on the stepped clock", W2S ",slow=0.25",
	  "fails 0 0x391 0; write 0 0x391 0; file sim/clock stepped 500000000" },
	{ "opening a cpu fails with the configured error", "westmere-2s,open=EACCES:cpu=1:times=1",
	  "opens 0 0; opens 1 EACCES; opens 1 0; opens 99 ENXIO" },
	{ "a missing driver shows in proc devices and a missing node does not", "westmere-2s,open=ENOENT",
	  "opens 0 ENOENT; no-line proc/devices cpu/msr; no-file " ALLOW_WRITES " ENOENT; "
	  "use westmere-2s,driver=nonode; opens 0 ENOENT; line proc/devices 202 cpu/msr; "
	  "use westmere-2s; line proc/devices 203 cpu/cpuid" },
	{ "forbidden writes say so in sysfs", "westmere-2s,allow_writes=off",
	  "refuses 0 0x391 0 EPERM; file " ALLOW_WRITES " off; no-file " LOCKDOWN " ENOENT; "
	  "use westmere-2s,lockdown=integrity; refuses 0 0x391 0 EPERM; read 0 0x391 0; "
	  "file " LOCKDOWN " none [integrity] confidentiality; "
	  "use westmere-2s,lockdown=none; write 0 0x391 0; file " ALLOW_WRITES " default" },
	{ "cpuid reports signature leaf 0xa and topology", "westmere-2s,hypervisor=yes",
	  "cpuid 3 1 0 - - 0x829ee3ff -; "
	  "use westmere-2s; "
	  "cpuid 3 1 0 0x206c2 0x22200800 0x29ee3ff -; " /* APIC id of package 1, core 1, thread 0 */
	  "cpuid 0 0xa 0 0x07300403 - - 0x603; cpuid 0 0xb 1 5 12 0x201 -; "
	  "cpuid 0 0x40000000 0 - 2 - -" }, /* an invalid leaf has the values of the last basic leaf */
	{ "folders list each name once", "nehalem-1s,lockdown=none",
	  "list . sys/ proc/ sim/; "
	  "list sys/devices/system/cpu online offline present possible kernel_max cpu0/ cpu1/ cpu2/ cpu3/ cpu4/ "
	  "cpu5/ cpu6/ cpu7/; "
	  "no-list proc/cpuinfo ENOTDIR; no-list proc/nothing ENOENT; no-list " CPU(8) " ENOENT; "
	  "no-list sys/devices/system/cpu/cpu8 ENOENT" },
	{ "writing to online takes a cpu off and back", "nehalem-1s",
	  "store " CPU2 " 0; file " CPU2 " 0; file " CPU(1) "topology/core_siblings_list 0-1,3-7; "
	  "file " CPU(6) "topology/thread_siblings_list 6; "
	  "online 2 1; file " CPU(6) "topology/core_cpus_list 2,6; "
	  "store " CPU2 " 2 EINVAL; store proc/cpuinfo 1 EACCES; store proc/nothing 1 ENOENT" },
	{ "the clock file moves a stepped clock only", W2S,
	  "file sim/clock stepped 0; store sim/clock +1500; file sim/clock stepped 1500; "
	  "store sim/clock 1500 EINVAL; store sim/clock +1x EINVAL; use westmere-2s; store sim/clock +1 EINVAL" },
	{ "the machine with holes has no trace of absent cpus", "westmere-2s-holes",
	  "file sys/devices/system/cpu/online 2-4,6-7,9-10,16,19-24,26; file sys/devices/system/cpu/possible 0-26; "
	  "file sys/devices/system/cpu/present 0,2-10,16-24,26; file " CPU(3) "topology/physical_package_id 2; "
	  "file " CPU(0) "online 0; opens 0 ENXIO; opens 1 ENXIO; online 0 1; opens 0 0" },
	{ "pmus of the kernel are in sysfs", W2S ",kernel_uncore=yes,perf_paranoid=-1",
	  "list " DEV " software/ tracepoint/ msr/ cpu/ uncore/; "
	  "list " DEV "/uncore type perf_event_mux_interval_ms cpumask format/ events/; "
	  "list sys devices/ class/ module/ kernel/ bus/; "
	  "file " DEV "/uncore/cpumask 0-1; file proc/sys/kernel/perf_event_paranoid -1; "
	  "store " DEV "/cpu/type 5 EACCES; store " DEV "/cpu 5 EISDIR; no-file " DEV "/nosuch ENOENT; no-file " DEV "/cpu EISDIR; "
	  "no-list " DEV "/cpu/type ENOTDIR" },
	{ "caches of a package are in sysfs", "zen-1s",
	  "file " CPU(5) "cache/index3/shared_cpu_list 4-7,12-15; use westmere-2s; no-file " CPU(0) "cache ENOENT" },
	{ "each node of naples has a fabric", "naples-1s,clock=stepped,start=0",
	  "count 0 0xc0010246 0xc0010247 0x403807 4000000; count 2 0xc0010246 0xc0010247 0x403807 8000000; "
	  "count 4 0xc0010246 0xc0010247 0x403807 12000000; count 6 0xc0010246 0xc0010247 0x403807 16000000; "
	  "cpuid 13 0x8000001e 0 0xb 0x105 0x302 -" },
	{ "p cores have more counters than leaf 0xa says", "alderlake-hybrid,clock=stepped",
	  "cpuid 0 0xa 0 0x7300605 0 7 0x8603; cpuid 16 0xa 0 0x7300605 0 7 0x8603; cpuid 15 0x1a 0 0x40000001 - - -; "
	  "cpuid 23 0x1a 0 0x20000001 - - -; "
	  "fails 0 0xc8 0; fails 0 0x30c 0; fails 16 0xc6 0; fails 16 0xc7 EIO; fails 16 0x30c EIO; "
	  "write 0 0x38f 0x800000000; write 0 0x38d 0x3000; pass 1; read 0 0x30c 8000000000" },
	{ "leaf 0x23 describes each kind of core", "meteorlake,clock=stepped",
	  "cpuid 0 0x23 1 - 0xf - -; cpuid 11 0x23 1 - 0x7 - -; fails 0 0x30c 0; fails 11 0x30c EIO; "
	  "cpuid 0 0x1f 0 - - 0x100 -" },
};

TEST_STORIES(simulated_registers_behave_as_the_manuals_say, play, stories)

/* ---- counting ---- */

TEST(counts_do_not_depend_on_how_often_they_are_read)
{
	use(W2S ",rate=0x82:0x1=333333333");
	play_steps(&sim_steps, __func__, "write 0 0x3b0 0; write 0 0x3c0 0x400182; write 0 0x3b1 0; "
		   "write 0 0x3c1 0x400182; write 0 0x391 3");
	for (int i = 0; i < 1000; i++)
		play_steps(&sim_steps, __func__, "pass 0.003000001; fails 0 0x3b0 0");
	play_steps(&sim_steps, __func__, "read 0 0x3b0 1000000332; read 0 0x3b1 1000000332");
}

TEST(counters_begin_with_garbage_that_depends_on_the_seed)
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

TEST(a_real_clock_moves_by_itself)
{
	uint64_t t, before, value;

	use("westmere-2s");
	t = uncoremsr_sim_state(sim)->now;
	ck_assert_int_eq(uncoremsr_sim_advance(sim, SECOND), 0);
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
	ck_assert_int_eq(strncmp(sim_file(sim, "sim/clock"), "real ", 5), 0);
}

TEST(cpuid_has_the_name_in_three_leaves_and_only_for_existing_cpus)
{
	uint32_t r[4];
	char brand[49] = "";

	use("westmere-2s");
	for (uint32_t i = 0; i < 3; i++) {
		uncoremsr_sim_cpuid(sim, 0, 0x80000002 + i, 0, r);
		memcpy(brand + 16 * i, r, 16);
	}
	ck_assert_ptr_nonnull(strstr(brand, "Simulated Westmere-EP"));
	ck_assert_int_eq(uncoremsr_sim_cpuid(sim, 24, 0, 0, r), -ENXIO);
}

/* ---- files ---- */

static int stop_at_first(void *user, const char *name, int is_dir)
{
	(void)name;
	(void)is_dir;
	++*(int *)user;
	return 42;
}

TEST(odd_paths_are_not_found_and_a_callback_may_stop_a_list)
{
	static const char *const paths[] = {
		"/", "/proc", "proc/", "proc/cpuinfo/", "proc//cpuinfo", "..", ".",
		"sys/devices/system/cpu/cpu", "sys/devices/system/cpu/cpu01", CPU(1),
		CPU(#) "online",
		CPU(99999999999999999999) "online", CPU(-1), CPU(0) "online",
	};
	char buf[8];
	int calls = 0;

	use("nehalem-1s");
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		ck_assert_msg(uncoremsr_sim_file_read(sim, paths[i], buf, 8) == -ENOENT, "%s", paths[i]);
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sys/devices", buf, 8), -EISDIR);
	ck_assert_int_eq(uncoremsr_sim_file_write(sim, "sys/devices", "1", 1), -EISDIR);
	ck_assert_int_eq(uncoremsr_sim_file_write(sim, CPU2, "", 0), -EINVAL);
	ck_assert_int_eq(uncoremsr_sim_file_list(sim, "proc", stop_at_first, &calls), 42);
	ck_assert_int_eq(calls, 1);
}

TEST(a_short_buffer_gets_the_beginning_and_the_whole_length)
{
	char buf[4] = "xxx";

	use("westmere-2s");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sim/name", buf, 3), 12);
	ck_assert_str_eq(buf, "wes");
	ck_assert_int_eq(uncoremsr_sim_file_read(sim, "sim/name", NULL, 0), 12);
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
	ck_assert_str_eq(uncoremsr_sim_state(sim)->name, "westmere-2s");
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
	ck_assert_int_eq(a->ops->open_cpu(a, 0, false), 0); /* the device stays open for writing */
	ck_assert_int_eq(a->ops->write(a, 0, SEL(0), 0x182), 0);
	a->ops->batch_read(a, &op, 1);
	ck_assert_int_eq(op.err, -EBADF);
	a->ops->close_cpu(a, 0);
	ck_assert_int_eq(a->ops->read(a, 0, SEL(0), &v), -EBADF);
	a->ops->close(a);
}

SUITE(sim)
