/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPUs that come online while a session counts through registers: their registers are checked before any is
 * changed.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "suite.h"

#define SKYLAKE "skylake-sp-2s,clock=stepped"
#define CYCLES "core/event=0x3c,umask=0/"

enum { FIXED_CONTROL = 0x38d, SEL0 = 0x186, LATE = 3 };

static void begin(const char *machine, const char *cores, const char *events)
{
	open_machine(machine);
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	if (cores)
		ck_assert_int_ge(uncoremsr_session_only(s, UNCOREMSR_ONLY_CORES, cores), 1);
	count(events);
}

static const struct uncoremsr_reading *last_unit(size_t event)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_UNIT, num_units(s, event) - 1, UNCOREMSR_INTERVAL);
}

FIXTURE(.teardown = close_machine)

/* What another program uses on the new CPU, where a thread has four counters. */
static const struct {
	const char *name, *events;
	int counter; /* requested for the first event; -1: any */
	struct held { uint32_t msr; uint64_t value; } theirs[2];
	const char *why;
} taken[] = {
	/* IA32_FIXED_CTR_CTRL: counter 1 counts cycles of both modes. */
	{ "the fixed counter", "core/cycles/", -1, { { FIXED_CONTROL, 0x30 } },
	  "the fixed counter of cycles is in use by another program" },
	{ "the requested counter", CYCLES, 2, { { SEL0 + 2, 0x4300c0 } }, "counter 2 is in use by another program" },
	{ "counters of a group", "{" CYCLES ",core/event=0xc0,umask=0/,core/event=0xc4,umask=0/}", -1,
	  { { SEL0 + 1, 0x4300c0 }, { SEL0 + 2, 0x4300c0 } },
	  "no free counter: 3 needed at the same time, 2 of 4 free" },
	{ "counters of single events, which would need more turns",
	  CYCLES ",core/event=0xc0,umask=0/,core/event=0xc4,umask=0/", -1,
	  { { SEL0 + 1, 0x4300c0 }, { SEL0 + 2, 0x4300c0 } },
	  "fewer counters are free than on the CPUs that were online at the start" },
};

TEST_EACH(counters_in_use_on_a_new_cpu_are_not_taken, ARRAY_SIZE(taken))
{
	const struct held *theirs = taken[_i].theirs;

	open_machine(SKYLAKE ",offline=3");
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	add(taken[_i].events);
	ck_assert(taken[_i].counter < 0 || !uncoremsr_session_set_counter(s, 0, (unsigned)taken[_i].counter));
	start();
	set_online(LATE, "1");
	for (size_t i = 0; i < 2 && theirs[i].msr; i++)
		poke(LATE, theirs[i].msr, theirs[i].value);
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	expect_unknown(last_unit(0), UNCOREMSR_FAILED, taken[_i].why);
	for (int stopped = 0; stopped < 2; stopped++) {
		for (size_t i = 0; i < 2 && theirs[i].msr; i++)
			ck_assert_msg(peek(LATE, theirs[i].msr) == theirs[i].value, "%s", taken[_i].name);
		ck_assert_uint_eq(peek(LATE, SEL0), 0);
		ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	}
}

/* ---- a CPU that cannot be opened ---- */

static int open_error;

static int fail_to_open(struct um_access *a, unsigned cpu, bool for_writing)
{
	return cpu == LATE ? open_error : true_ops->open_cpu(a, cpu, for_writing);
}

static void come_closed(int err)
{
	struct um_access_ops *spy;

	spy = spy_on();
	spy->open_cpu = fail_to_open;
	open_error = err;
	set_online(LATE, "1");
	pass_and_read(SECOND);
	stop_spying();
}

TEST(a_cpu_that_goes_offline_again_at_once_is_waited_for)
{
	begin(SKYLAKE ",offline=3", NULL, CYCLES);
	come_closed(-ENXIO);
	ck_assert_ptr_null(strstr(logged, "not counted"));
	ck_assert_ptr_null(strstr(logged, "CPU 3 is online"));
	ck_assert_uint_eq(num_units(s, 0), 15);
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	ck_assert_uint_eq(num_units(s, 0), 16);
	ck_assert_uint_gt(value_of(last_unit(0)), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

TEST(a_new_cpu_without_permission_is_reported_and_left_alone)
{
	begin(SKYLAKE ",offline=3", NULL, CYCLES);
	come_closed(-EACCES);
	ck_assert_ptr_nonnull(strstr(logged, "W not counted: "));
	ck_assert_uint_eq(num_units(s, 0), 16);
	pass_and_read(SECOND);
	expect_unknown(last_unit(0), UNCOREMSR_FAILED, "no permission on the device node");
	ck_assert_uint_eq(peek(LATE, SEL0), 0);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* ---- kinds of cores ---- */

static int64_t units_of(size_t event)
{
	return uncoremsr_session_reading(s, event, UNCOREMSR_PLACE_CORES, 0, UNCOREMSR_INTERVAL)->units;
}

/* CPUs 0 to 15 are P-cores, 16 to 23 E-cores: a missing E-core must not make a sum of P-cores incomplete. */
TEST(a_requested_cpu_is_part_of_the_sums_of_its_kind_of_core)
{
	begin("alderlake-hybrid,clock=stepped,offline=20", "0,16,20", "cpu_core/cycles/,cpu_atom/cycles/");
	pass_and_read(SECOND);
	ck_assert_int_eq(units_of(1), 2);
	set_online(20, "1");
	pass_and_read(SECOND);
	pass_and_read(SECOND);
	ck_assert_int_eq(units_of(0), 1);
	ck_assert_int_eq(units_of(1), 2);
	ck_assert_uint_eq(uncoremsr_session_reading(s, 1, UNCOREMSR_PLACE_CORES, 0, UNCOREMSR_INTERVAL)->units_known,
			  2);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

/* CPUs are added in the order in which they come online, which need not be that of their numbers. */
TEST(cpus_that_come_online_in_any_order_are_all_counted)
{
	begin(SKYLAKE ",offline=2,3", "2,3", CYCLES);
	set_online(3, "1");
	pass_and_read(SECOND);
	set_online(2, "1");
	for (int i = 0; i < 2; i++)
		pass_and_read(SECOND);
	ck_assert_int_eq(units_of(0), 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(uncoremsr_session_unit(s, 0, i)->cpu, i ? 3 : 2);
		ck_assert_uint_gt(value_of(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, i,
								     UNCOREMSR_INTERVAL)), 0);
	}
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

SUITE(arrived)
