/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPUs that go offline and online. The rule is the same on both routes: if a CPU was requested, or was online at the
 * start, sums are incomplete while it is offline. A CPU that nobody requested is part of sums from the time it comes
 * online.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "uncoremsr/names.h"
#include "suite.h"

#define SKYLAKE "skylake-sp-2s,clock=stepped"
#define EVENT "core/event=0x3c,umask=0/"
#define HYBRID "alderlake-hybrid,clock=stepped"

enum { ROUTES = 2 };

static void begin(const char *machine, int route, const char *cores, const char *events)
{
	open_machine(machine);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)route), 0);
	if (cores)
		ck_assert_int_ge(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, cores), 1);
	count(events);
}

/* Steps: see steps.h. Each story runs on both routes. Package 0 of the Skylake has the CPUs 0 to 3 and 8 to 11. */
static const struct story stories[] = {
	/* A CPU with a higher number than all online CPUs can be requested; a CPU that does not exist is refused. */
	{ "any present cpu can be requested", "skylake-sp-2s,offline=8-15",
	  "only cores 0,12; start " EVENT "; logged 1 W CPU 12 is offline: left out; after 1 any; "
	  "known cores0 0 ok, 1 of 2; online 9,12 1; after 1 any; known cores0 0 ok, 1 of 2; after 1; "
	  "known cores0 0 ok; logged 0 CPU 9; stop; only cores 16 EINVAL; says there is no CPU 16" },
	/* CPUs come online on both packages; the order of units that exist already does not change. */
	{ "several cpus come online one after the other", "skylake-sp-2s,offline=8-15",
	  "start " EVENT ",core/event=0xc0,umask=0/; online 13 1; after 1 any; known 0 0 ok; known 1 0 ok, 4 of 5; "
	  "online 8,9 1; after 1 any; known 0 0 ok, 4 of 6; known 1 0 ok; after 1; known 0 0 ok; known 1 0 ok; "
	  "units 0 11; units 1 11; unit-on 1 8 13; unit 1 cpu8 ok; unit 1 cpu9 ok; stop" },
	{ "a cpu of a package that was not chosen is not counted", "skylake-sp-2s,offline=3,12",
	  "only packages 1; start " EVENT "; online 3,12 1; after 1 any; known 0 0 ok, 7 of 8; "
	  "logged 0 CPU 3 is online; logged 0 not counted: ; logged 1 package 1: CPU 12 is online; units 0 8" },
	{ "a package that was offline at the start is not counted", "skylake-sp-2s,offline=4-7,12-15",
	  "start " EVENT "; packages 1; online 4 1; after 1; after 1; "
	  "logged 1 CPU 4 is online, in a package that was not there at the start: not counted; known 0 0 ok" },
	/* CPU 3 is a P-core, so the sum of the E-cores is complete without CPU 3. */
	{ "a cpu of another kind is not part of the sum", "alderlake-hybrid,offline=3",
	  "start cpu_core/cycles/,cpu_atom/cycles/; after 1; online 3 1; after 1 any; known 0 0 ok, 15 of 16; "
	  "known 0 1 ok; after 1; of 0 0 16; known 0 0 ok; of 0 1 8; known 0 1 ok" },
	/* CPUs 0 to 15 are P-cores, 16 to 23 E-cores. */
	{ "e-cores are unknown until one comes online", "alderlake-hybrid,offline=16-23",
	  "start cpu_core/cycles/,cpu_atom/cycles/; after 1 any; "
	  "unknown 0 1 offline no CPU of the kind cpu_atom is online; "
	  "some 0 0; online 18 1; after 1 any; after 1; some 0 0; some 0 1; units 1 1; stop" },
	{ "p-cores are unknown until one comes online", "alderlake-hybrid,offline=0-15",
	  "start cpu_core/cycles/,cpu_atom/cycles/; after 1 any; "
	  "unknown 0 0 offline no CPU of the kind cpu_core is online; "
	  "some 0 1; online 2 1; after 1 any; after 1; some 0 0; some 0 1; units 0 1; stop" },
};

FIXTURE(.teardown = close_machine)

TEST_EACH(cpus_come_and_go_on_both_routes, ROUTES * ARRAY_SIZE(stories))
{
	const struct story *story = &stories[_i / 2];

	play_session(&(struct story){ story->name, story->machine, _i % 2 ? "route perf" : "route msr" });
	play_steps(&session_steps, story->name, story->steps);
}

#define NINE \
	EVENT ",core/event=0xc0,umask=0/,core/event=0xc4,umask=0/,core/event=0xc5,umask=0/," \
	"core/event=0x2e,umask=0x41/,core/event=0x2e,umask=0x4f/,core/event=0xd1,umask=1/," \
	"core/event=0xd1,umask=2/,core/event=0xd1,umask=4/"
#define TURN "pass 0.25; rotate; "
#define LEAVES(cpu) ",hotplug=" cpu " off at=3.5"
#define UP_TO_15 "only cores 15; only cores 16 EINVAL; says there is no CPU 16; hints CPUs are 0 to 15"

static const struct story of_one_route[] = {
	{ "the highest valid cpu is the last present one", "skylake-sp-2s",
	  UP_TO_15 "; machine skylake-sp-2s,offline=15; " UP_TO_15 "; machine skylake-sp-2s,offline=3; " UP_TO_15
	  "; machine skylake-sp-2s,offline=3,14; " UP_TO_15 },
	{ "a package that comes back is reported once", "haswell-ep-2s",
	  "start cbo/event=0x37,umask=0x1/; online 6-11,18-23 0; after 1 ENXIO; known 0 0 ok; known 1 0 lost; "
	  "after 1 ENXIO; known 0 0 ok; known 1 0 lost; online 6-11,18-23 1; after 1 any; after 1; known 0 0 ok; "
	  "known 1 0 ok; logged 1  is online; online 6-11,18-23 0; after 1 ENXIO; known 0 0 ok; known 1 0 lost; "
	  "after 1 ENXIO; known 0 0 ok; known 1 0 lost; online 6-11,18-23 1; after 1 any; after 1; known 0 0 ok; "
	  "known 1 0 ok; logged 2  is online; stop" },
	/* Counter 0, the only counter for event 0x36, is in use on package 1. */
	{ "a package comes back without the event that it cannot count", "haswell-ep-2s",
	  "write 6 0xe01 0x400101; start cbo0/event=0x36,umask=0x8/,cbo0/event=0x34,umask=0x11/; "
	  "online 6-11,18-23 0; after 1 ENXIO; known 1 1 lost; online 6-11,18-23 1; after 1 any; after 1 any; "
	  "known 1 1 ok; known 0 0 ok" },
	{ "a package is read through any cpu that is online",
	  "nehalem-1s,rate=0x1d:0x1=1000,hotplug=0 off at=1.5,hotplug=0 on at=2.5" LEAVES("1") LEAVES("2") LEAVES("3")
	  LEAVES("4") LEAVES("5") LEAVES("6") LEAVES("7"),
	  "route msr; start 0x1d:0x1; each ooooo 1000; logged 1 CPU 0 went offline, CPU 1 is used from now on; "
	  "logged 1 CPU 1 went offline, CPU 0 is used from now on; stop" },
	/* The CPU is online at both ends of the interval, but the kernel has closed its events. */
	{ "a cpu that was offline within an interval is missing in it",
	  "skylake-sp-2s,hotplug=3 off at=1.2,hotplug=3 on at=1.4",
	  "route perf; start {" EVENT ",instructions}; after 1; known 0 0 ok; known 1 0 ok; after 1 any; "
	  "known 0 0 ok, 7 of 8; known 1 0 ok; after 1; known 0 0 ok; known 1 0 ok; known 0 1 ok" },
	{ "registers of a cpu that came online are restored", "skylake-sp-2s,offline=3",
	  "online 3 1; image; online 3 0; route msr; start " EVENT ",core/cycles/; online 3 1; after 1 any; after 1; "
	  "field 3 0x186 22 1 1; stop; same" },
	/* With more events than counters, a CPU that comes online takes part in the turns. */
	{ "events take turns on a cpu that came online too", "skylake-sp-2s,offline=3",
	  "route msr; start " NINE "; turns 3; online 3 1; "
	  TURN TURN TURN TURN "after 0 any; " TURN TURN TURN TURN "after 0; "
	  TURN TURN TURN TURN "after 0; known 0 0 ok; known 0 1 ok; known 0 2 ok; known 0 3 ok; known 0 4 ok; "
	  "known 0 5 ok; known 0 6 ok; known 0 7 ok; known 0 8 ok; of 0 0 8; stop" },
	/* The kernel counts a package on one CPU, which it chooses again after the whole package was offline. */
	{ "a package that comes back is counted on the cpu that the kernel names now", "haswell-ep-2s,"
	  "kernel_pmu=uncore_x:type=200:cpumask=package,kernel_rate=uncore_x:0:1000",
	  "route perf; start uncore_x/config=0/; after 1; value 0 0 1000; value 1 0 1000; unit-on 0 1 6; "
	  "online 6-11,18-23 0; after 1 any; value 0 0 1000; unknown 1 0 offline; "
	  "online 9 1; after 1 any; after 1; value 0 0 1000; value 1 0 1000; unit-on 0 1 9; stop" },
	{ "while a package is offline, no other package is counted in its place", "haswell-ep-2s,"
	  "kernel_pmu=uncore_x:type=200:cpumask=package,kernel_rate=uncore_x:0:1000",
	  "route perf; only packages 1; start uncore_x/config=0/; after 1; value 0 0 1000; online 6-11,18-23 0; "
	  "after 1 any; after 1 any; unknown 0 0 offline; after 1 any; unknown 0 0 offline; stop any" },
	{ "a core that comes back is counted on the cpu that the kernel names now, the others once", "power9-2s",
	  "route perf; start core_imc/CPM_32MHZ_CYC/; after 1; value 0 0 18746089; online 4-7 0; after 1 any; after 1 any; "
	  "known 0 0 ok, 1 of 2; online 6 1; after 1 any; after 1; value 0 0 18746089; unit-on 0 1 6; stop" },
};

TEST_STORIES(cpus_come_and_go_on_one_route, play_session, of_one_route)

static unsigned seen_cpus; /* bit n is set if general counters of CPU n were read */

static int note_cpu(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	if (msr >= 0xc1 && msr < 0xc5)
		seen_cpus |= 1u << cpu;
	return true_ops->read(a, cpu, msr, v);
}

/* The uncore is read through another CPU; each core is still read on its own CPU. */
TEST(each_core_is_read_on_its_own_cpu_whichever_reads_the_package)
{
	struct um_access_ops *spy;

	begin("nehalem-1s,clock=stepped,hotplug=0 off at=1.5", UNCOREMSR_ROUTE_MSR, NULL, 
	      "0x1d:0x1,core/event=0xd1,umask=0x1/");
	spy = spy_on();
	spy->read = note_cpu;
	spy->batch_read = NULL; /* without a batch the library reads registers one by one */
	for (int i = 0; i < 3; i++) {
		seen_cpus = 0;
		pass_and_read(SECOND);
	}
	stop_spying();
	ck_assert_uint_eq(seen_cpus, 0xfe);
	ck_assert_uint_eq(times("CPU 0 went offline, CPU 1 is used from now on"), 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), -ENXIO); /* registers can be restored only on an online CPU */
}

/* Words written to 0x391, in order. */
static uint64_t enables[8];
static size_t num_enables;

static int spy_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	if (msr == 0x391 && num_enables < ARRAY_SIZE(enables))
		enables[num_enables++] = v;
	return true_ops->write(a, cpu, msr, v);
}

/* The registers keep counting while all CPUs are offline. When a CPU is back, all counters are switched off before they
 * are programmed, so that all begin at the same time. */
TEST(a_package_that_comes_back_is_switched_off_before_it_counts_again)
{
	char machine[1024] = "westmere-2s,clock=stepped";

	for (unsigned cpu = 1; cpu < 24; cpu += 2)
		for (int on = 0; on < 2; on++)
			snprintf(machine + strlen(machine), sizeof(machine) - strlen(machine),
				 ",hotplug=%u %s at=%s", cpu, on ? "on" : "off", on ? "2.5" : "1.5");
	begin(machine, UNCOREMSR_ROUTE_MSR, NULL, "0x8:0x1");
	play_steps(&session_steps, __func__, "after 1 any; known 0 0 ok; known 1 0 ok; "
		   "after 1 any; known 0 0 ok; known 1 0 lost");
	spy_on()->write = spy_write;
	num_enables = 0;
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	stop_spying();
	ck_assert_uint_eq(num_enables, 2);
	ck_assert_uint_eq(enables[0], 0);
	ck_assert_uint_eq(enables[1], 1);
	play_steps(&session_steps, __func__, "after 1 any; known 0 0 ok; known 1 0 ok");
}

/* The reading must be "ok" without the CPU, as if the CPU had been offline before. */
TEST(a_cpu_that_goes_offline_between_read_and_check_is_reported_so)
{
	unsigned offline = 0;

	for (unsigned after = 44; after < 52; after++) {
		char machine[96];

		snprintf(machine, sizeof(machine), SKYLAKE ",hotplug=3 off after=%u", after);
		begin(machine, UNCOREMSR_ROUTE_MSR, "0,3", EVENT);
		for (int i = 0; i < 3; i++) {
			const struct uncoremsr_reading *r;

			pass_and_read(SECOND);
			r = uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_CORES, 0, UNCOREMSR_INTERVAL);
			ck_assert_str_eq(r->word, "ok");
			offline += r->units_known == 1 && r->units == 2;
		}
		ck_assert_uint_eq(times("CPU 3 went offline"), 1);
	}
	ck_assert_uint_gt(offline, 8);
}

TEST_EACH(only_the_cpus_of_the_groups_are_programmed, 4)
{
	static const char *const lists[] = { "3", "3,20", "[1-2]", "5-2" };
	static const unsigned asked[][4] = { { 3, 3, 3, 3 }, { 3, 20, 3, 3 }, { 1, 2, 1, 1 }, { 5, 4, 3, 2 } };

	begin("westmere-2s,clock=stepped", UNCOREMSR_ROUTE_MSR, lists[_i], "core/event=0xc0,umask=0/");
	for (unsigned cpu = 0; cpu < 24; cpu++) {
		bool wanted = false;

		for (unsigned i = 0; i < 4; i++)
			wanted |= asked[_i][i] == cpu;
		ck_assert_msg(!peek(cpu, 0x186) == !wanted, "CPU %u", cpu);
	}
	play_steps(&session_steps, __func__, "after 1; known cores0 0 ok");
}

FIXTURE(.teardown = close_machine, .only_if = has_lists)

/* The number of known CPUs of a metric is the smallest number among its events. */
TEST(a_metric_says_how_many_cpus_it_knows)
{
	static const char *const lists[] = {
		"[{\"EventName\":\"EV.A\",\"EventCode\":\"0xc0\"},{\"EventName\":\"EV.B\",\"EventCode\":\"0x3c\"}]",
		"[{\"MetricName\":\"per-cycle\",\"BriefDescription\":\"x\",\"MetricExpr\":\"EV.A / EV.B\"},{}]",
	};
	const struct uncoremsr_metric_reading *r;

	open_machine(SKYLAKE ",hotplug=3 off at=1.5");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		add_event_list(um, lists[i]);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	ck_assert_msg(uncoremsr_session_add_metric(s, "per-cycle") == 1, "%s", uncoremsr_error(um)->message);
	start();
	for (uint64_t known = 8; known >= 7; known--) {
		pass_and_read(SECOND);
		r = metric_reading(0, 0);
		ck_assert_int_eq(r->status, UNCOREMSR_OK);
		ck_assert_uint_eq(r->units_known, known);
		ck_assert_uint_eq(r->units, 8);
	}
}

SUITE(hotplug)
