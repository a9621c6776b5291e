/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPUs that go offline and online, with the same rule on both routes. If a CPU was requested, or was online
 * at the start, sums are incomplete while it is offline. A CPU that nobody requested is part of sums from the
 * time it comes online.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "uncoremsr/names.h"
#include "suite.h"

#define SKYLAKE "skylake-sp-2s,clock=stepped"
#define EVENT "core/event=0x3c,umask=0/"
#define HYBRID "alderlake-hybrid,clock=stepped"

static const int routes[] = { UNCOREMSR_ROUTE_MSR, UNCOREMSR_ROUTE_PERF };
enum { ROUTES = 2 };

static void begin(const char *machine, int route, const char *cores, const char *events)
{
	open_machine(machine);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)route), 0);
	if (cores)
		ck_assert_int_ge(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, cores), 1);
	count(events);
}

/* Status of a reading as a user sees it: "ok, 7 of 8". */
static const char *status_of(const struct uncoremsr_reading *r)
{
	static char text[64];
	int64_t known = r->units_known;
	int64_t of = r->units;
	const char *word = r->word;

	if (known > 0 && known < of)
		snprintf(text, sizeof(text), "%s, %d of %d", word, (int)known, (int)of);
	else
		snprintf(text, sizeof(text), "%s", word);
	return text;
}

static void expect_cores(const char *status)
{
	pass_and_read(SECOND);
	ck_assert_str_eq(status_of(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_CORES, 0, UNCOREMSR_INTERVAL)),
			 status);
}

static void expect_packages(const char *first, const char *second)
{
	pass_and_read(SECOND);
	ck_assert_str_eq(status_of(reading(0, 0)), first);
	ck_assert_str_eq(status_of(reading(1, 0)), second);
}

static void expect_noted(const char *note, unsigned num)
{
	ck_assert_msg(times(note) == num, "'%s' %u times in:\n%s", note, times(note), logged);
}

FIXTURE(.teardown = close_machine)

/* A CPU after the last online one can be requested; one that does not exist is refused. */
TEST_EACH(any_present_cpu_can_be_requested, ROUTES)
{
	begin(SKYLAKE ",offline=8-15", routes[_i], "0,12", EVENT);
	expect_noted("W CPU 12 is offline: left out", 1);
	expect_cores("ok, 1 of 2");
	set_online(9, "1");
	set_online(12, "1");
	expect_cores("ok, 1 of 2");
	expect_cores("ok");
	expect_noted("CPU 9", 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, "16"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "there is no CPU 16"));
}

/* The machine has 16 CPUs; these sets of them are offline. */
static const char *const away[] = { "", ",offline=15", ",offline=3", ",offline=3,14" };

TEST_EACH(the_highest_valid_cpu_is_the_last_present_one, ARRAY_SIZE(away))
{
	char what[128];

	snprintf(what, sizeof(what), SKYLAKE "%s", away[_i]);
	open_machine(what);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, "15"), 1);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, "16"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->message, "there is no CPU 16"));
	ck_assert_str_eq(uncoremsr_error(um)->hint, "CPUs are 0 to 15");
}

TEST_EACH(if_it_is_the_only_cpu_the_reading_is_unknown_until_it_comes_online, ROUTES)
{
	begin(SKYLAKE ",offline=3,hotplug=3 on at=1.5", routes[_i], "3", EVENT);
	expect_cores("offline");
	expect_cores("offline");
	expect_cores("ok");
	ck_assert_uint_gt(value_of(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_CORES, 0, UNCOREMSR_INTERVAL)), 0);
}

TEST_EACH(a_cpu_that_was_not_requested_joins_its_package_when_it_comes_online, ROUTES)
{
	begin(SKYLAKE ",offline=3,hotplug=3 on at=1.5", routes[_i], NULL, EVENT);
	expect_noted("W CPU 3 is offline: left out", 1);
	ck_assert_uint_eq(num_units(s, 0), 15);
	expect_packages("ok", "ok");
	ck_assert_uint_eq(reading(0, 0)->units, 7);
	expect_packages("ok, 7 of 8", "ok");
	expect_packages("ok", "ok");
	ck_assert_uint_eq(reading(0, 0)->units, 8);
	ck_assert_uint_eq(num_units(s, 0), 16);
	set_online(3, "0");
	expect_packages("ok, 7 of 8", "ok");
	ck_assert_int_eq(uncoremsr_session_unit(s, 0, 15)->cpu, 3);
	ck_assert_int_eq(uncoremsr_session_unit(s, 0, 15)->core, 3);
}

/* CPUs come online on both packages; the order of units that exist already does not change. */
TEST_EACH(several_cpus_come_online_one_after_the_other, ROUTES)
{
	begin(SKYLAKE ",offline=8-15", routes[_i], NULL, EVENT ",core/event=0xc0,umask=0/");
	set_online(13, "1");
	expect_packages("ok", "ok, 4 of 5");
	set_online(8, "1");
	set_online(9, "1");
	expect_packages("ok, 4 of 6", "ok");
	expect_packages("ok", "ok");
	ck_assert_uint_eq(num_units(s, 0), 11);
	ck_assert_uint_eq(num_units(s, 1), 11);
	ck_assert_int_eq(uncoremsr_session_unit(s, 1, 8)->cpu, 13);
	ck_assert_int_eq(uncoremsr_session_unit(s, 1, 9)->cpu + uncoremsr_session_unit(s, 1, 10)->cpu, 8 + 9);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

TEST_EACH(a_cpu_of_a_package_that_was_not_chosen_is_not_counted, ROUTES)
{
	open_machine(SKYLAKE ",offline=3,12");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, (enum uncoremsr_route)routes[_i]), 0);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "1"), 0);
	count(EVENT);
	set_online(3, "1");
	set_online(12, "1");
	pass_and_read(SECOND);
	ck_assert_str_eq(status_of(reading(0, 0)), "ok, 7 of 8");
	expect_noted("CPU 3 is online", 0);
	expect_noted("not counted: ", 0);
	expect_noted("package 1: CPU 12 is online", 1);
	ck_assert_uint_eq(num_units(s, 0), 8);
}

TEST_EACH(a_package_that_was_offline_at_the_start_is_not_counted, ROUTES)
{
	begin(SKYLAKE ",offline=4-7,12-15", routes[_i], NULL, EVENT);
	ck_assert_uint_eq(uncoremsr_session_state(s)->packages, 1);
	set_online(4, "1");
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	expect_noted("CPU 4 is online, in a package that was not there at the start: not counted", 1);
	ck_assert_str_eq(status_of(reading(0, 0)), "ok");
}

TEST_EACH(a_cpu_that_goes_offline_is_missing_from_that_interval_on, ROUTES)
{
	begin(SKYLAKE ",hotplug=3 off at=1.5,hotplug=3 on at=3.5", routes[_i], NULL, EVENT);
	expect_packages("ok", "ok");
	expect_packages("ok, 7 of 8", "ok");
	expect_noted("W CPU 3 went offline", 1);
	expect_packages("ok, 7 of 8", "ok");
	expect_packages("ok, 7 of 8", "ok");
	expect_noted("W package 0: CPU 3 is online", 1);
	expect_packages("ok", "ok");
	expect_noted("CPU 3 went offline", 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* The package can be read through any online CPU, also through one that was offline before. */
TEST(a_package_is_read_through_any_cpu_that_is_online)
{
	char machine[256] = "nehalem-1s,clock=stepped,rate=0x1d:0x1=1000,hotplug=0 off at=1.5,"
			    "hotplug=0 on at=2.5";
	size_t len = strlen(machine);

	for (unsigned cpu = 1; cpu < 8; cpu++)
		len += (size_t)snprintf(machine + len, sizeof(machine) - len, ",hotplug=%u off at=3.5", cpu);
	begin(machine, UNCOREMSR_ROUTE_MSR, NULL, "0x1d:0x1");
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(value(0, 0), 1000);
	}
	expect_noted("CPU 0 went offline, going on through CPU 1", 1);
	expect_noted("CPU 1 went offline, going on through CPU 0", 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

static unsigned seen_cpus; /* bit n: general counters of CPU n were read */

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
	spy->batch_read = NULL; /* so that reads come one by one */
	for (int i = 0; i < 3; i++) {
		seen_cpus = 0;
		pass_and_read(SECOND);
	}
	stop_spying();
	ck_assert_uint_eq(seen_cpus, 0xfe);
	expect_noted("CPU 0 went offline, going on through CPU 1", 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), -ENXIO); /* CPU 0's registers can be restored only when it
							      * is online again */
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

/* The registers keep counting while all CPUs are offline. They are switched off first, so that all counters
 * begin at the same time. */
TEST(a_package_that_comes_back_is_switched_off_before_it_counts_again)
{
	struct um_access_ops *spy;
	char machine[1024] = "westmere-2s,clock=stepped";

	for (unsigned cpu = 1; cpu < 24; cpu += 2)
		for (int on = 0; on < 2; on++)
			snprintf(machine + strlen(machine), sizeof(machine) - strlen(machine),
				 ",hotplug=%u %s at=%s", cpu, on ? "on" : "off", on ? "2.5" : "1.5");
	begin(machine, UNCOREMSR_ROUTE_MSR, NULL, "0x8:0x1");
	expect_packages("ok", "ok");
	expect_packages("ok", "lost");
	spy = spy_on();
	spy->write = spy_write;
	num_enables = 0;
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	stop_spying();
	ck_assert_uint_eq(num_enables, 2);
	ck_assert_uint_eq(enables[0], 0);
	ck_assert_uint_eq(enables[1], 1);
	expect_packages("ok", "ok");
}

/* One message each time the package comes back, however many boxes are counted. */
TEST(a_package_that_comes_back_is_reported_once)
{
	begin("haswell-ep-2s,clock=stepped", UNCOREMSR_ROUTE_MSR, NULL, "cbo/event=0x37,umask=0x1/");
	for (unsigned nth = 1; nth <= 2; nth++) {
		for (unsigned cpu = 6; cpu < 24; cpu = cpu == 11 ? 18 : cpu + 1)
			set_online(cpu, "0");
		expect_packages("ok", "lost");
		expect_packages("ok", "lost");
		for (unsigned cpu = 6; cpu < 24; cpu = cpu == 11 ? 18 : cpu + 1)
			set_online(cpu, "1");
		pass_and_read(SECOND);
		expect_packages("ok", "ok");
		expect_noted(" is online", nth);
	}
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* The CPU is online at both ends of the interval, but the kernel has closed its events. */
TEST(a_cpu_that_was_offline_within_an_interval_is_missing_in_it)
{
	begin(SKYLAKE ",hotplug=3 off at=1.2,hotplug=3 on at=1.4", UNCOREMSR_ROUTE_PERF, NULL,
	      "{" EVENT ",instructions}");
	expect_packages("ok", "ok");
	expect_packages("ok, 7 of 8", "ok");
	expect_packages("ok", "ok");
	ck_assert_str_eq(status_of(reading(0, 1)), "ok");
}

/* The reading must say offline, not that the device failed. */
TEST(a_cpu_that_goes_between_read_and_check_is_offline)
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
			offline += !strcmp(status_of(r), "ok, 1 of 2");
		}
		expect_noted("CPU 3 went offline", 1);
		close_machine();
	}
	ck_assert_uint_gt(offline, 8);
	open_machine(SKYLAKE);
}

TEST(registers_of_a_cpu_that_came_online_are_restored)
{
	static const uint32_t regs[] = { 0x186, 0xc1, 0x30a, 0x38d, 0x38f, 0x187, 0xc2 };
	uint64_t before[ARRAY_SIZE(regs)];

	open_machine(SKYLAKE ",offline=3");
	set_online(3, "1");
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		before[i] = peek(3, regs[i]);
	set_online(3, "0");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	count(EVENT ",core/cycles/");
	set_online(3, "1");
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	ck_assert_uint_ne(peek(3, 0x186) & 0x400000, 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		ck_assert_msg(peek(3, regs[i]) == before[i], "0x%x", regs[i]);
}

/* With more events than counters, a CPU that comes online takes part in the turns. */
TEST(events_take_turns_on_a_cpu_that_came_online_too)
{
	begin(SKYLAKE ",offline=3", UNCOREMSR_ROUTE_MSR, NULL,
	      EVENT ",core/event=0xc0,umask=0/,core/event=0xc4,umask=0/,core/event=0xc5,umask=0/,"
	      "core/event=0x2e,umask=0x41/,core/event=0x2e,umask=0x4f/,core/event=0xd1,umask=1/,"
	      "core/event=0xd1,umask=2/,core/event=0xd1,umask=4/");
	ck_assert_uint_gt(uncoremsr_session_state(s)->turns, 1);
	set_online(3, "1");
	for (unsigned i = 0; i < 12; i++) {
		pass(SECOND / 4);
		ck_assert_int_eq(uncoremsr_session_rotate(s), 0);
		if (i % 4 == 3)
			ck_assert_int_eq(uncoremsr_session_read(s), 0);
	}
	for (size_t e = 0; uncoremsr_session_event(s, e); e++)
		ck_assert_str_eq(status_of(reading(0, e)), "ok");
	ck_assert_uint_eq(reading(0, 0)->units, 8);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* CPU 3 is a P-core, so the sum of the E-cores is complete without it. */
TEST(a_cpu_of_another_kind_is_not_part_of_the_sum)
{
	begin(HYBRID ",offline=3", UNCOREMSR_ROUTE_MSR, NULL, "cpu_core/cycles/,cpu_atom/cycles/");
	pass_and_read(SECOND);
	set_online(3, "1");
	pass_and_read(SECOND);
	ck_assert_str_eq(status_of(reading(0, 0)), "ok, 15 of 16");
	ck_assert_str_eq(status_of(reading(0, 1)), "ok");
	pass_and_read(SECOND);
	ck_assert_uint_eq(reading(0, 0)->units_known, 16);
	ck_assert_uint_eq(reading(0, 1)->units_known, 8);
}

/* A metric has the number of known CPUs of its least known event. */
TEST(a_metric_says_how_many_cpus_it_knows)
{
	static const char *const lists[] = {
		"[{\"EventName\":\"EV.A\",\"EventCode\":\"0xc0\"},{\"EventName\":\"EV.B\",\"EventCode\":\"0x3c\"}]",
		"[{\"MetricName\":\"per-cycle\",\"BriefDescription\":\"x\",\"MetricExpr\":\"EV.A / EV.B\"},{}]",
	};
	const struct uncoremsr_metric_reading *r;

	open_machine(SKYLAKE ",hotplug=3 off at=1.5");
	if (without_lists(add_event_list(um, lists[0]) && add_event_list(um, lists[1])))
		return;
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

/* On the register route, only the requested CPUs are programmed, whichever packages they are in. */
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
	expect_cores("ok");
}

/* ---- all cores of a kind ---- */

/* CPUs 0 to 15 are P-cores, 16 to 23 E-cores. */
static const struct {
	int route;
	const char *off, *why;
	size_t unknown, counted; /* numbers of events */
	unsigned comes;
} kinds[] = {
	{ UNCOREMSR_ROUTE_MSR, ",offline=16-23", "no CPU of the kind cpu_atom is online", 1, 0, 18 },
	{ UNCOREMSR_ROUTE_PERF, ",offline=16-23", "no CPU of the kind cpu_atom is online", 1, 0, 18 },
	{ UNCOREMSR_ROUTE_MSR, ",offline=0-15", "no CPU of the kind cpu_core is online", 0, 1, 2 },
	{ UNCOREMSR_ROUTE_PERF, ",offline=0-15", "no CPU of the kind cpu_core is online", 0, 1, 2 },
};

TEST_EACH(a_kind_of_core_without_cpus_is_unknown_until_one_comes_online, ARRAY_SIZE(kinds))
{
	char machine[64];

	snprintf(machine, sizeof(machine), HYBRID "%s", kinds[_i].off);
	begin(machine, kinds[_i].route, NULL, "cpu_core/cycles/,cpu_atom/cycles/");
	pass_and_read(SECOND);
	expect_unknown(reading(0, kinds[_i].unknown), UNCOREMSR_OFFLINE, kinds[_i].why);
	ck_assert_uint_gt(value_of(reading(0, kinds[_i].counted)), 0);
	set_online(kinds[_i].comes, "1");
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	for (size_t k = 0; k < 2; k++)
		ck_assert_uint_gt(value_of(reading(0, k)), 0);
	ck_assert_uint_eq(num_units(s, kinds[_i].unknown), 1);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

SUITE(hotplug)
