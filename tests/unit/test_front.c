/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on simulated machines, as users see them: the route of each event, and both routes in one session. Regions
 * of this program are counted by the live kernel. Uses internal headers, because no public function shows the kernel's
 * groups.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/access.h"
#include "encode/perf_event.h"
#include "machine/handle.h"
#include "perf/route.h"
#include "session/session.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/region.h"
#include "uncoremsr/sim.h"
#include "uncoremsr/throttle.h"

#define STEPPED ",clock=stepped,tsc_hz=3200000000"
#define WESTMERE "westmere-2s" STEPPED ",rate=0x8:0x1=1000"
#define WITH_KERNEL WESTMERE ",kernel_uncore=yes"
#define HASWELL "haswell-ep-2s" STEPPED
#define CYCLES(cpu) (45000000ull * (64 - (cpu) % 8))

static const struct um_perf_event *perf_event(size_t event)
{
	return um_perf_event_of(s->parts[1].state, s->events[event].index);
}

static const struct uncoremsr_reading *everywhere(size_t event)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_EVERYWHERE, 0, UNCOREMSR_INTERVAL);
}

static void count_second(const char *events)
{
	count(events);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
}

static bool error_says(const char *text)
{
	return strstr(uncoremsr_error(um)->message, text) || strstr(uncoremsr_error(um)->hint, text);
}

/* ---- routes ---- */

enum { MSR = UNCOREMSR_ROUTE_MSR, PERF = UNCOREMSR_ROUTE_PERF, AUTO = UNCOREMSR_ROUTE_AUTO };

static const struct {
	const char *machine;
	int asked;
	const char *text;
	int route;
	const char *name, *why;
} routes[] = {
	{ WESTMERE, AUTO, "UNC_L3_HITS.READ", MSR, "UNC_L3_HITS.READ", "no PMU of the kernel" },
	{ WITH_KERNEL, AUTO, "UNC_L3_HITS.READ", MSR, "UNC_L3_HITS.READ", "the event can be counted this way" },
	{ WITH_KERNEL ",driver=missing", AUTO, "UNC_L3_HITS.READ", PERF, "UNC_L3_HITS.READ", "no msr driver" },
	{ WITH_KERNEL ",driver=missing", AUTO, "UNC_CLK_UNHALTED", PERF, "UNC_CLK_UNHALTED", "no msr driver" },
	{ WITH_KERNEL ",allow_writes=off", AUTO, "0x8:0x1:edge", PERF, "UNC_L3_HITS.READ:edge", "allow_writes=off" },
	{ WITH_KERNEL ",lockdown=integrity", AUTO, "uncore/event=8,umask=1/", PERF, "UNC_L3_HITS.READ", "lockdown" },
	{ WITH_KERNEL ",open=EPERM", AUTO, "0x8:0x1", PERF, "UNC_L3_HITS.READ", "" },
	{ WITH_KERNEL, PERF, "0x8:0x1", PERF, "UNC_L3_HITS.READ", "requested" },
	{ WITH_KERNEL, PERF, "uncore/clockticks/", PERF, "UNC_CLK_UNHALTED", "requested" },
	{ WITH_KERNEL, MSR, "core/instructions/u", MSR, "core/instructions/u", "requested" },
	{ WITH_KERNEL, PERF, "core/instructions/u", PERF, "core/instructions/u", "requested" },
	{ WESTMERE, AUTO, "instructions:u", PERF, "instructions:u", "registers" },
	{ WESTMERE, AUTO, "page-faults", PERF, "page-faults", "registers" },
	{ WESTMERE, AUTO, "cpu/event=0x3c/", PERF, "cpu/event=0x3c/", "registers" },
	{ HASWELL, AUTO, "cbo/event=0x34,umask=0x11/", MSR, "cbo/event=0x34,umask=0x11/", "" },
	{ "skylake-sp-perf" STEPPED, AUTO, "uncore_imc/cas_count_read/", PERF, "uncore_imc/cas_count_read/", "" },
};

FIXTURE(.teardown = close_machine)

TEST_EACH(an_event_takes_the_route_that_is_right_for_it_and_the_log_says_why, ARRAY_SIZE(routes))
{
	open_machine(routes[_i].machine);
	uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)routes[_i].asked);
	add(routes[_i].text);
	ck_assert_uint_eq(num_events(s), 1);
	ck_assert_int_eq(uncoremsr_session_event(s, 0)->route, routes[_i].route);
	ck_assert_str_eq(uncoremsr_session_event(s, 0)->name, routes[_i].name);
	ck_assert_msg(strstr(logged, routes[_i].route == MSR ? "counted by registers"
							      : "counted by the kernel") &&
		      strstr(logged, routes[_i].why), "%s", logged);
	start();
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	value_of(everywhere(0));
}

TEST(both_routes_count_the_same)
{
	static const char *const machines[] = { WITH_KERNEL, WITH_KERNEL ",driver=missing" };
	uint64_t seen[2][5];

	for (size_t m = 0; m < 2; m++) {
		open_machine(machines[m]);
		count_second("UNC_L3_HITS.*,{UNC_CLK_UNHALTED,0x8:0x3:cmask=2:inv}");
		ck_assert_uint_eq(num_events(s), 6);
		for (size_t i = 0; i < 5; i++)
			seen[m][i] = value(1, i);
	}
	ck_assert_mem_eq(seen[0], seen[1], sizeof(seen[0]));
	ck_assert_uint_eq(seen[0][2], 1000);
}

static const struct {
	const char *machine;
	int asked;
	const char *text, *err, *says;
} refused[] = {
	{ WESTMERE, PERF, "UNC_L3_HITS.READ", "ENOENT", "this kernel has no PMU 'uncore'" },
	{ WESTMERE, AUTO, "no-such-event", "ENOENT", "no-such-event" },
	{ WESTMERE, AUTO, "UNC_L3_HITS.REED", "ENOENT", "UNC_L3_HITS.READ" },
	{ WESTMERE, MSR, "page-faults", "ENOENT", "page-faults" },
	{ WESTMERE ",hypervisor=yes", AUTO, "0x82:0x1", "EOPNOTSUPP", "virtual machine" },
	{ WESTMERE ",hypervisor=yes", AUTO, "UNC_L3_HITS.READ", "EOPNOTSUPP", "virtual machine" },
	{ WESTMERE ",hypervisor=yes", AUTO, "uncore/event=1/", "EOPNOTSUPP", "virtual machine" },
	{ WESTMERE ",hypervisor=yes", AUTO, "no-such-event", "ENOENT", "not a name" },
	{ HASWELL ",kernel_pmu=uncore_cbox_0-5 type=20 counters=4 cpumask=package", PERF,
	  "cbo/event=0x34,umask=0x11/", "EOPNOTSUPP", "no room" },
	{ WESTMERE, AUTO, "instructions,UNC_L3_HITS.READ,{cycles,0x8:0x1}", "EINVAL",
	  "group of 'cycles' and '0x8:0x1'" },
};

TEST_EACH(what_cannot_be_counted_is_refused_with_the_reason_and_nothing_is_added, ARRAY_SIZE(refused))
{
	open_machine(refused[_i].machine);
	uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)refused[_i].asked);
	play_on(__func__, "no-event %s %s %s; events 0", refused[_i].text, refused[_i].err, refused[_i].says);
}

/* On a live machine the library tries to open the devices; on a dry run the library does not. */
TEST_EACH(a_device_that_cannot_be_opened_is_noticed_unless_it_is_a_dry_run, 2)
{
	open_machine(WITH_KERNEL ",open=EPERM");
	um->m.dry_run = _i;
	access_of(um)->live = true;
	add("0x8:0x1");
	access_of(um)->live = false;
	ck_assert_int_eq(uncoremsr_session_event(s, 0)->route, _i ? MSR : PERF);
}

TEST(if_registers_turn_out_to_be_refused_the_kernel_counts)
{
	open_machine(WITH_KERNEL ",fail=write 0x391-0x3c7 EPERM");
	play_on(__func__, "add 0x9:0x1,cycles,{0x8:0x1,0x8:0x2}; event 2 msr");
	for (unsigned round = 0; round < 2; round++) {
		play_on(__func__, "start; event 0 perf; event 1 perf; event 2 perf UNC_L3_HITS.READ; event 3 perf; "
			"logged some READ: counted by the kernel: CPU 0");
		ck_assert_uint_eq(perf_event(2)->group, perf_event(3)->group);
		play_on(__func__, "after 1; value 0 2 1000; some 0 1; stop");
	}
}

/* ---- the kernel's counts ---- */

#define PERF_WESTMERE "westmere-2s,tsc_hz=3200000000"
#define PERF_NEHALEM "nehalem-1s,tsc_hz=3200000000"
#define SKYLAKE "skylake-sp-perf"
#define UNCORE "add uncore/event=0x03,umask=0x01/,uncore/clockticks/; "
#define UNCORE_COUNTS "after 3; value 0 0 3*52000000; value 0 1 3*2666666667"
#define ONE_PACKAGE "packages 1; units 0 1; units 1 1; "

#define CPU_3_COUNTS "unit 0 cpu3 45000000*61; unit 1 cpu3 33750000*61; unit 0 cpu4 45000000*60; "
#define CPU_3(what) \
	"unit 0 cpu3 offline " what "; unit 1 cpu3 offline; unit 0 cpu4 45000000*60; "
#define UNREAD(event) \
	"add " event "; no-reading 0 0; units 0 0; start; sample; unknown 0 0 not-counted not read yet; " \
	"total-unknown 0 0 not-counted not read yet; after 1; total-status 0 0 ok"
#define OF_PACKAGE_1 "status 1 0 ok; value 1 0 52000000; "

/* Steps: see steps.h. In a second a CPU counts 45000000 * (64 - cpu % 8) cycles and 3/4 as many instructions. */
static const struct story stories[] = {
	{ "six events of a core fit and their counts are exact", PERF_WESTMERE,
	  "add r5301b1,r53010e,r5301c2,instructions,cycles,ref-cycles; only cpus 0; start; after 2; ran 0 0 2; "
	  "ran 0 1 2; ran 0 2 2; ran 0 3 2; ran 0 4 2; ran 0 5 2; value 0 3 2*45000000*48; value 0 4 2*45000000*64; "
	  "value 0 5 2*2560000000; some 0 0" },
	{ "a group is read at one moment", PERF_WESTMERE,
	  "add {cycles,instructions,cs},cache-misses; only cpus 3; start; after 1; after 1; value 0 0 45000000*61; "
	  "value 0 1 2058750000; value 0 2 500; total 0 0 2*45000000*61; ran 0 0 1; ran 0 1 1; ran 0 2 1; ran 0 3 1" },
	{ "a software event may lead a group of counters", PERF_WESTMERE,
	  "add {cs,cycles}; only cpus 0; start; after 1; value 0 0 500; value 0 1 45000000*64" },
	{ "user and kernel mode add up", PERF_WESTMERE,
	  "add cycles,cycles:u,cycles:k,cycles:G; only cpus 0; start; after 1; value 0 0 45000000*64; "
	  "value 0 1 38250000*64; value 0 2 6750000*64; value 0 3 0" },
	{ "a pinned event without a counter is unknown with the reason", PERF_WESTMERE,
	  "add r1a1:D,r1a2:D,r1a3:D,r1a4:D,{r1a5,r1a6}:D; only cpus 0; start; after 1 ENODEV; status 0 3 ok; "
	  "status 0 4 lost; status 0 5 lost" },
	{ "the total of a level is not the sum of its values", PERF_WESTMERE,
	  "add msr/cpu_thermal_margin/,msr/tsc/; only cpus 0; start; after 1; after 1; value 0 0 40; total 0 0 40; "
	  "value 0 1 3200000000; total 0 1 6400000000" },
	{ "an uncore event can be requested through any cpu of the package", PERF_WESTMERE ",kernel_uncore=yes",
	  "route perf; " UNCORE "start; packages 2; units 0 2; units 1 2; " UNCORE_COUNTS "; "
	  "next; route perf; " UNCORE "only cpus 2; start; " ONE_PACKAGE "unit-on 0 0 0; " UNCORE_COUNTS "; "
	  "next; route perf; " UNCORE "only cpus 22; start; " ONE_PACKAGE "unit-on 0 0 0; " UNCORE_COUNTS "; "
	  "next; route perf; " UNCORE "only cpus 3; start; " ONE_PACKAGE "unit-on 0 0 1; " UNCORE_COUNTS "; "
	  "next; route perf; " UNCORE "only cpus 1; start; " ONE_PACKAGE "unit-on 0 0 1; " UNCORE_COUNTS },
	{ "if no chosen cpu can count there is a message", SKYLAKE ",kernel_pmu=uncore_x:type=200:cpumask=0",
	  "add uncore_x/config=1/; only cpus 4; no-start ENODEV none of the chosen CPUs counts it" },
	/* The simulated cpumask lists only CPUs that exist. There is no CPU 60, so the file is empty. */
	{ "a cpumask without cpus does not mean any cpu", SKYLAKE ",kernel_pmu=uncore_x:type=200:cpumask=60",
	  "add uncore_x/config=1/; no-start ENODEV event 'uncore_x/config=1/': the kernel names no CPU that counts "
	  "uncore_x: /sys/bus/event_source/devices/uncore_x/cpumask: the file is empty; class unsupported" },
	/*
	 * After a failed read the next read has the counts of two intervals: the interval has no valid reading, but the
	 * total is right.
	 */
	{ "a read that fails once gives no zero and loses nothing", PERF_NEHALEM ",perf_fail=cpu:EIO:step=read:times=1",
	  "add {cycles,instructions}; only cpus 0; start; after 1 EIO; unknown 0 0 failed; unknown 0 1 failed; "
	  "raw 0 1 0xffffffffffffffff; after 1; unknown 0 0 failed beginning of this interval; "
	  "total 0 1 2*45000000*48; after 1; value 0 0 45000000*64; ran 0 0 1; total 0 1 3*45000000*48" },
	{ "a single pinned event without a counter is unknown with the reason", PERF_WESTMERE,
	  "add r1a1:D,r1a2:D,r1a3:D,r1a4:D,r1a5:D; only cpus 0; start; after 1 ENODEV; status 0 3 ok; "
	  "unknown 0 4 lost no counter was left" },
	{ "a read of a single event that fails gives no zero and loses nothing",
	  PERF_NEHALEM ",perf_fail=cpu:EIO:step=read:times=1",
	  "add instructions; only cpus 0; start; after 1 EIO; unknown 0 0 failed reading failed; after 1; "
	  "unknown 0 0 failed beginning of this interval; total 0 0 2*45000000*48; after 1; value 0 0 45000000*48" },
	{ "guests are included if the kernel cannot exclude them", PERF_NEHALEM ",perf_fail=cpu:EINVAL:times=1",
	  "add cycles; only cpus 0; start; after 1; value 0 0 45000000*64" },
	{ "without a core pmu software events are counted and the others are named", PERF_WESTMERE ",hypervisor=yes",
	  "add cs,cycles,sched:sched_switch; only cpus 0; start; after 1; value 0 0 500; "
	  "unknown 0 1 failed no core PMU; value 0 2 500" },
	{ "a group that is too large has members that fail", PERF_WESTMERE,
	  "add {r1a1,r1a2,r1a3,r1a4,r1a5}; only cpus 0; start; after 1; status 0 3 ok; "
	  "unknown 0 4 failed cannot count so many in a group" },
	{ "one refused software event does not affect the others", PERF_NEHALEM ",perf_fail=software:EBUSY:times=1",
	  "add page-faults,cs,minor-faults; only cpus 0; start; after 1; status 0 0 failed; status 0 1 ok; "
	  "status 0 2 ok" },
	{ "a family of boxes is one event with many counts", SKYLAKE,
	  "add uncore_cha/event=0x35,umask=0x21,config1=0x3b00000000/,imc/cas_count_read/; "
	  "add uncore_iio_free_running_3/bw_in_port0/; start; after 1; units 0 36; "
	  "unit 0 uncore_cha_7 12000000; value 0 0 18*12000000; "
	  "value 1 0 18*12000000; units 1 12; value 0 1 6*24576000; units 2 2; value 0 2 131072000" },
	{ "the kernel counts on every cpu that is named and on no other", PERF_WESTMERE,
	  "add cycles; only cpus 0,2; start; after 1; packages 1; units 0 2; value 0 0 45000000*126" },
	{ "a paused session reads the counts at the time of the pause", PERF_WESTMERE ",rate=0x8:0x1=1000",
	  "start msr/tsc/,UNC_L3_HITS.READ; pass 1; pause; after 1; value 0 0 12*3200000000; value 0 1 1000; after 1; "
	  "status 0 0 not-counted; total 0 0 12*3200000000" },
	{ "each cpu has its own counts", PERF_WESTMERE,
	  "start cycles; after 1; units 0 24; unit 0 cpu0 45000000*64; unit 0 cpu1 45000000*63; "
	  "unit 0 cpu2 45000000*62; unit 0 cpu3 45000000*61; unit 0 cpu4 45000000*60; unit 0 cpu5 45000000*59; "
	  "unit 0 cpu6 45000000*58; unit 0 cpu7 45000000*57; unit 0 cpu8 45000000*64; unit 0 cpu23 45000000*57; "
	  "value 0 0 45000000*732; value 1 0 45000000*720" },
	{ "a cpu that was offline is counted again when it is back",
	  PERF_WESTMERE ",hotplug=3:off:at=1.5,hotplug=3:on:at=4.5",
	  "start {cycles,instructions}; after 1; " CPU_3_COUNTS "after 1 any; " CPU_3("is offline") "after 1 any; "
	  CPU_3("is offline") "after 1 any; " CPU_3("is offline") "after 1 any; " CPU_3("was offline for a time")
	  "after 1; " CPU_3_COUNTS "total-status 1 0 ok; unit-total 0 cpu3 offline; unit-total 1 cpu3 offline" },
	{ "a package goes on counting when its first cpu goes offline",
	  PERF_WESTMERE ",kernel_uncore=yes,hotplug=1:off:at=1.5",
	  "route perf; start uncore/event=0x03,umask=0x01/; after 1; " OF_PACKAGE_1 "after 1; " OF_PACKAGE_1 "after 1; "
	  "status 1 0 ok; value 1 0 52000000" },
	{ "an event that one cpu refuses is named and the rest is counted", PERF_NEHALEM ",perf_fail=cpu:EBUSY:cpu=3",
	  "start cycles; after 1 any; unit 0 cpu0 45000000*64; unit 0 cpu1 45000000*63; unit 0 cpu2 45000000*62; "
	  "unit 0 cpu3 failed event 'cycles': the counters of CPU 3 are reserved by another event or driver; "
	  "unit 0 cpu4 45000000*60; unit 0 cpu5 45000000*59; unit 0 cpu6 45000000*58; unit 0 cpu7 45000000*57" },
	{ "if neither route works the message names both", PERF_WESTMERE ",driver=missing",
	  "add UNC_L3_HITS.READ; no-start ENODEV no msr driver; hints modprobe msr; hints intel_uncore; class access; "
	  "unknown 0 0 failed no msr driver" },
	{ "without permission a software event is refused", PERF_WESTMERE ",perf_user=nobody,perf_paranoid=1",
	  "add cs; only cpus 0; no-start EACCES paranoid is 1" },
	{ "without a core pmu a core event is refused", PERF_WESTMERE ",hypervisor=yes",
	  "add cycles; only cpus 0; no-start ENOENT has no core PMU" },
	{ "a clock has no modes", PERF_WESTMERE, "add msr/tsc/u; only cpus 0; "
	  "no-start EINVAL cannot tell user and kernel mode" },
	{ "a free running counter that does not exist is refused", SKYLAKE,
	  "add uncore_iio_free_running_0/event=0x1/; no-start EINVAL lacks the event" },
	{ "without perf events in the kernel an event is refused", PERF_WESTMERE ",perf_fail=cpu:ENOSYS",
	  "add cycles; only cpus 0; no-start ENOSYS without perf events" },
	{ "events of both routes keep their order and are read together", PERF_WESTMERE ",rate=0x8:0x1=1000",
	  "start cycles,UNC_L3_HITS.READ,msr/tsc/,UNC_CLK_UNHALTED; event 0 perf; event 1 msr; event 2 perf msr/tsc/; "
	  "after 1; value 0 1 1000; value 0 2 12*3200000000; after 2; value 0 1 2000; total 0 1 3000; "
	  "total all 2 3*24*3200000000; disturbed 0; stop" },
	{ "without registers the kernel still counts", PERF_WESTMERE ",driver=missing",
	  "start UNC_L3_HITS.READ,cycles; logged some W not counted: no msr driver; after 1; "
	  "unknown 0 0 failed no msr driver; total-unknown all 0 failed no msr driver; value 0 1 45000000*732; "
	  "units 0 0; package-error 0; stop" },
	{ "without the kernel registers still count", PERF_WESTMERE ",rate=0x8:0x1=1000,perf_fail=cpu EACCES",
	  "start cycles,UNC_L3_HITS.READ; logged some W not counted: event 'cycles'; after 1; "
	  "unknown 0 0 failed not permitted; total-unknown all 0 failed not permitted; value 0 1 1000; units 0 0; "
	  "package-error 0; stop" },
	{ "a sum is unknown if one of its parts is", PERF_WESTMERE ",perf_fail=cpu EIO cpu=2",
	  "only cores [0-1]; only cores 2,4; only cores 3,12; start cycles; after 1; value cores0 0 45000000*64; "
	  "value cores1 0 45000000*63; value cores3 0 45000000*121; unknown cores2 0 failed CPU 2; "
	  "unknown all 0 failed CPU 2" },
	{ "an uncore event has no reading for a group of cpus", PERF_WESTMERE ",rate=0x8:0x1=1000,kernel_uncore=yes",
	  "add UNC_L3_HITS.READ; route perf; only cores 0-3; start uncore/event=8,umask=1/; after 1; value 0 0 1000; "
	  "value 0 1 1000; unknown cores0 0 failed not counted on this package; "
	  "unknown cores0 1 failed not counted on this package" },
	{ "nothing is known before the first read", PERF_WESTMERE,
	  "route msr; " UNREAD("UNC_L3_HITS.READ") "; next; route perf; " UNREAD("cycles")
	  "; machine power9-2s; route memory; " UNREAD("nest_mcs01/PM_MCS01_64B_RD_DISP_PORT01/") },
};

TEST_STORIES(the_kernel_counts_as_the_steps_say, play_session, stories)

/* ---- both routes in one session ---- */

TEST(a_sum_leaves_out_what_a_cpu_counted_before_it_went_offline)
{
	const struct uncoremsr_reading *r;
	uint64_t rest = 0;

	open_machine(WESTMERE ",hotplug=3:off:at=1.5");
	count("cycles");
	for (int i = 0; i < 3; i++)
		pass_and_read(SECOND);
	for (size_t i = 0; (r = uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, i, UNCOREMSR_TOTAL)); i++)
		rest += r->status == UNCOREMSR_OK ? value_of(r) : 0;
	play_on(__func__, "total all 0 %" PRIu64, rest);
}

TEST(events_that_are_added_after_a_stop_have_no_units_before_the_next_start)
{
	enum { MANY = 48 }; /* more events than the session allocated memory for at its last start */

	open_machine(WESTMERE);
	count("cycles,UNC_L3_HITS.READ");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	for (size_t i = 2; i < MANY; i++) {
		ck_assert_int_ge(uncoremsr_session_add(s, i % 2 ? "UNC_L3_HITS.READ" : "cycles"), 0);
		ck_assert_ptr_null(uncoremsr_session_unit(s, i, 0));
	}
	ck_assert_uint_gt(num_units(s, 1), 0);
	ck_assert_int_eq(uncoremsr_session_start(s), 0);
	ck_assert_uint_gt(num_units(s, MANY - 1), 0);
}

TEST(the_uncore_is_not_counted_on_a_package_without_a_chosen_cpu)
{
	open_machine(WITH_KERNEL);
	play_on(__func__, "only cores 03,,1; start UNC_L3_HITS.READ; after 1; units 0 1; value 1 0 1000; "
		"unknown 0 0 failed none of the chosen CPUs was online in this package at the start");
	ck_assert_ptr_null(uncoremsr_session_package(s, 0)->cores);
	ck_assert_str_eq(uncoremsr_session_package(s, 1)->cores, "03,,1");
	ck_assert_uint_eq(uncoremsr_session_state(s)->cpus, 2);
}

TEST(uncore_events_count_whole_packages_even_if_a_task_is_chosen)
{
	open_machine(WITH_KERNEL ",driver=missing");
	ck_assert_int_eq(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_THREAD, 4242), 0);
	add("cycles,UNC_L3_HITS.READ");
	ck_assert_int_eq(uncoremsr_session_event(s, 0)->task, 1);
	ck_assert_int_eq(uncoremsr_session_event(s, 1)->task, 0);
	play_on(__func__, "no-event {page-faults,uncore/event=8/} EINVAL two groups; events 2; start; after 1; "
		"some all 0; value 1 1 1000; stop; route msr; no-event core/cycles/ EOPNOTSUPP not a process");
}

TEST(a_pause_ends_the_interval_on_both_routes)
{
	uint64_t paused;

	open_machine(WESTMERE);
	count("UNC_L3_HITS.READ,cycles");
	pass(SECOND);
	ck_assert_int_eq(uncoremsr_session_pause(s), 0);
	paused = uncoremsr_now(um);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(reading(0, 0)->time_ns, paused);
	ck_assert_uint_eq(reading(0, 1)->time_ns, paused);
}

TEST(a_missing_argument_is_named)
{
	open_machine(WESTMERE);
#define EXPECT_NAMED(call, name) \
	ck_assert_int_eq(call, -EINVAL); \
	ck_assert(error_says("'" name "' is NULL"))
	EXPECT_NAMED(uncoremsr_encode(um, UNCOREMSR_ROUTE_AUTO, NULL, NULL, NULL, NULL), "text");
	EXPECT_NAMED(uncoremsr_event_find(um, NULL, NULL, NULL, NULL), "text");
	EXPECT_NAMED(uncoremsr_event_list_set_cpu(um, NULL), "cpu");
	EXPECT_NAMED(uncoremsr_kernel_pmus(um, NULL, NULL), "fn");
	EXPECT_NAMED(uncoremsr_set_sim(um, NULL), "sim");
	EXPECT_NAMED(uncoremsr_session_new(um, NULL), "s");
	EXPECT_NAMED(uncoremsr_region_new(um, "cycles", NULL), "region");
	EXPECT_NAMED(uncoremsr_throttle_new(um, NULL), "t");
	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_MEMORY, NULL, "cycles", NULL, NULL), -EINVAL);
	ck_assert(error_says("the routes msr and perf only"));
}

TEST(a_call_that_succeeds_keeps_the_last_error)
{
	struct uncoremsr_region *region;

	open_machine(WESTMERE ",driver=missing");
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "9"), -EINVAL);
	ck_assert_int_eq(uncoremsr_encode(um, UNCOREMSR_ROUTE_AUTO, NULL, "page-faults", NULL, NULL), 1);
	ck_assert(error_says("there is no package 9"));
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "memory-bandwidth,ipc"), 1);
	ck_assert(error_says("there is no package 9"));
	add("{cycles,instructions},UNC_L3_HITS.READ");
	ck_assert(error_says("there is no package 9"));
	ck_assert_int_eq(uncoremsr_region_new(um, "page-faults", &region), 0);
	uncoremsr_region_free(region);
	ck_assert(error_says("there is no package 9"));
	um->m.access->has_files = true;
	um->m.access->root = "/nowhere";
	ck_assert_ptr_nonnull(uncoremsr_leases(um));
	ck_assert(error_says("there is no package 9"));
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	add("UNC_L3_HITS.READ");
	start();
	ck_assert(error_says("there is no package 9"));
}

/* To evaluate a metric, sums are computed again. Readings that were returned before must not change. */
TEST(a_metric_does_not_change_a_returned_sum)
{
	const struct uncoremsr_reading *r[2];
	struct uncoremsr_reading before[2];

	open_machine(WITH_KERNEL);
	add("{cycles,instructions}");
	ck_assert_int_eq(uncoremsr_session_add_metric(s, "ipc"), 1);
	ck_assert_uint_eq(num_events(s), 2);
	start();
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	for (size_t i = 0; i < ARRAY_SIZE(r); i++) {
		r[i] = i ? everywhere(0) : reading(0, 0);
		ck_assert_uint_gt(value_of(r[i]), 0);
		before[i] = *r[i];
	}
	ck_assert_int_eq(metric_reading(0, 0)->status, UNCOREMSR_OK);
	ck_assert_int_eq(metric_reading(2, 0)->status, UNCOREMSR_OK);
	for (size_t i = 0; i < ARRAY_SIZE(r); i++)
		ck_assert_mem_eq(r[i], &before[i], sizeof(before[i]));
}

TEST(a_session_may_be_started_again_and_leaves_no_descriptors)
{
	open_machine(WITH_KERNEL ",perf_limit=70,70");
	play_on(__func__, "route perf; add cycles; route msr; add UNC_L3_HITS.READ");
	for (unsigned round = 0; round < 5; round++) {
		play_on(__func__, "start; no-start EBUSY ; no-event cycles EBUSY ; only packages 0 EBUSY; "
			"only cpus 0 EBUSY");
		ck_assert_int_eq(uncoremsr_session_add_metric(s, "ipc"), -EBUSY);
		play_on(__func__, "after 1; value 0 1 1000; total 0 1 1000; total core0 0 45000000*124; stop; stop; "
			"value 0 1 1000; after 0 EINVAL");
	}
}

/* ---- a program that counts its own events ---- */

/* Open a region on the live kernel. False if the kernel does not permit counting. */
static bool open_region(struct uncoremsr_region **r, const char *events)
{
	int err;

	sim = NULL;
	s = NULL;
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_msg(!uncoremsr_open(um), "%s", uncoremsr_error(um)->message);
	err = uncoremsr_region_new(um, events, r);
	if (!err)
		return true;
	printf("# skipped: %s\n", uncoremsr_error(um)->message);
	ck_assert_ptr_null(*r);
	return false;
}

static void touch(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *fresh = aligned_alloc(page, pages * page);

	ck_assert_ptr_nonnull((void *)fresh);
	for (size_t i = 0; i < pages; i++)
		fresh[i * page] = 1;
	free((void *)fresh);
}

TEST(a_region_counts_what_happens_in_it_and_nothing_else)
{
	struct uncoremsr_region *r;
	uint64_t faults[3];

	if (!open_region(&r, "page-faults:u,task-clock:u"))
		return;
	ck_assert_ptr_nonnull(uncoremsr_region_count(r, 1));
	ck_assert_str_eq(uncoremsr_region_count(r, 0)->name, "page-faults:u");
	ck_assert_ptr_null(uncoremsr_region_count(r, 2));
	ck_assert_int_eq(uncoremsr_region_end(r), -EINVAL);
	/* In the second pass the pages are touched outside of the region, so the count must not change. */
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(i == 1 ? 0 : uncoremsr_region_begin(r), 0);
		touch(4096);
		ck_assert_int_eq(i == 1 ? 0 : uncoremsr_region_end(r), 0);
		faults[i] = uncoremsr_region_count(r, 0)->count;
	}
	/* With large pages there may be only one page fault. */
	ck_assert_uint_ge(faults[0], 1);
	ck_assert_uint_gt(uncoremsr_region_count(r, 1)->count, 0);
	ck_assert_uint_eq(faults[1], faults[0]);
	ck_assert_uint_gt(faults[2], faults[1]);
	uncoremsr_region_free(r);
}

TEST(a_region_of_a_simulated_machine_has_its_counts)
{
	struct uncoremsr_region *r;

	open_machine(WESTMERE);
	ck_assert_int_eq(uncoremsr_region_new(um, "no-such-event", &r), -ENOENT);
	ck_assert_ptr_null(r);
	ck_assert_msg(!uncoremsr_region_new(um, "cycles", &r), "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_region_begin(r), 0);
	pass(SECOND);
	ck_assert_int_eq(uncoremsr_region_end(r), 0);
	pass(SECOND);
	ck_assert_uint_gt(uncoremsr_region_count(r, 0)->count, CYCLES(7) / 2);
	ck_assert_uint_le(uncoremsr_region_count(r, 0)->count, CYCLES(0));
	uncoremsr_region_free(r);
}

TEST(a_region_in_which_no_event_counts_is_refused_with_the_reason)
{
	struct uncoremsr_region *r;

	open_machine(WITH_KERNEL);
	ck_assert_int_eq(uncoremsr_region_new(um, "uncore/event=8/", &r), -EINVAL);
	ck_assert(error_says("cannot tell processes apart"));
	open_machine(WESTMERE ",perf_fail=cpu EACCES");
	ck_assert_int_eq(uncoremsr_region_new(um, "cycles", &r), -EACCES);
	ck_assert(error_says("cycles"));
	ck_assert_int_eq(uncoremsr_region_new(um, "cycles,page-faults", &r), 0);
	ck_assert_int_eq(uncoremsr_region_begin(r), 0);
	ck_assert_int_eq(uncoremsr_region_end(r), 0);
	ck_assert_uint_eq(uncoremsr_region_count(r, 0)->count, UINT64_MAX);
	ck_assert_uint_ne(uncoremsr_region_count(r, 1)->count, UINT64_MAX);
	uncoremsr_region_free(r);
}

/* A metric uses an event that the session already has only if the event's modifiers do not change what is counted. */
TEST(events_with_other_modifiers_are_not_used_for_a_metric)
{
	static const struct { const char *modifiers; size_t events; } rows[] = {
		{ "", 2 }, { ":H", 2 }, { ":uk", 4 }, { ":uh", 4 }, { ":kh", 4 }, { ":I", 4 }, { ":G", 4 }, { ":GH", 4 },
		{ ":D", 4 }, { ":e", 4 }, { ":p", 4 },
	};
	char events[64];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		open_machine(WITH_KERNEL);
		snprintf(events, sizeof(events), "{cycles,instructions}%s", rows[i].modifiers);
		add(events);
		ck_assert_int_eq(uncoremsr_session_add_metric(s, "ipc"), 1);
		ck_assert_msg(num_events(s) == rows[i].events, "%s: %zu", events, num_events(s));
	}
}

SUITE(front)
