/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session does not disturb other users of its registers: the kernel's watchdog, and programs that use other bits of
 * shared registers.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <stdio.h>
#include <string.h>

#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"

enum { GLOBAL = 0x391, SEL0 = 0x3c0 };

FIXTURE(.teardown = close_machine)

/* ---- counters that others use ---- */

/* A counter of another program must be logged once, with the number of other units whose counter is in use. */
#define USED_ON(cpus, told) \
	"route msr; only cpus " cpus "; start core/event=0xc0,umask=0x0/; logged 1 is counted by counter; logged some " told

static const struct story stories[] = {
	{ "a counter of one unit is logged", "skylake-sp-2s", USED_ON("0", "its selector was off\n") },
	{ "a counter of two units is logged once", "skylake-sp-2s", USED_ON("0,1", "on 1 other unit as well\n") },
	{ "a counter of three units is logged once", "skylake-sp-2s", USED_ON("0,1,2", "on 2 other units as well\n") },
	{ "a counter of four units is logged once", "skylake-sp-2s", USED_ON("0-3", "on 3 other units as well\n") },
	/* Another program uses counter 0 of cbo1 on package 0; package 1 has no cbo4. */
	{ "each counter that units use is logged on its own line", "haswell-ep-2s",
	  "write 0 0xe11 0x400034; start cbo/event=0x37,umask=0x1/; logged 2 is counted by counter; "
	  "logged some is counted by counter 0 (selector 0xe01); "
	  "logged some on 9 other units as well; logged some is counted by counter 1 (selector 0xe12)" },
	/* The counters of an L3 cache are reached only through CPUs that share the cache (CPUs 4 to 7 and 12 to 15). */
	{ "the unit of a cache stays on a cpu of that cache", "zen-1s",
	  "start l3/event=0x4,umask=0xff/; units 0 2; through 0 0; unit-on 0 1 4; online 4 0; after 1; "
	  "logged 1 went offline; through 0 0; unit-on 0 0 0; unit-on 0 1 5; stop" },
	{ "another program's enable bit stays set when a turn ends", "nehalem-1s",
	  "write 0 0x3c7 0x4000aa; write 0 0x391 0x80; add {0:1,1:1,2:1,3:1}; start {4:1,5:1,6:1,7:1}; "
	  "read 0 0x391 0x8f; "
	  "pass 1; rotate; read 0 0x391 0x8f; pass 1; rotate; after 1; disturbed 0; stop; read 0 0x391 0x80" },
};

TEST_STORIES(other_programs_keep_their_bits_and_counters, play_session, stories)

/* ---- bits of a gate ---- */

static uint64_t always; /* bits that were set in every word written to the gate */

static int note_gate(struct um_access *access, unsigned cpu, uint32_t msr, uint64_t v)
{
	if (msr == GLOBAL)
		always &= v;
	return true_ops->write(access, cpu, msr, v);
}

static void record_writes(void)
{
	spy_on()->write = note_gate;
	always = UINT64_MAX;
}

static void expect_always(uint64_t bits)
{
	stop_spying();
	ck_assert_uint_eq(always & bits, bits);
}

/* Package 1 has the odd CPUs. On package 1 another program uses counter 7 or counter 0. */
TEST_EACH(another_programs_bit_stays_when_a_package_comes_back, 2)
{
	const unsigned theirs = _i ? 0 : 7, ours = _i ? 1 : 0, all = 1u << theirs | 1u << ours;

	open_stepped("westmere-2s", "");
	play_on(__func__, "write 1 0x3c%u 0x4000aa; write 1 0x391 %u; start 0x1d:0x1,clockticks; read 1 0x391 0x1%08x; "
		"online 1-23/2 0; after 1 ENXIO; online 5 1", theirs, 1u << theirs, all);
	record_writes();
	play_on(__func__, "after 1");
	expect_always(UINT64_C(1) << theirs);
	play_on(__func__, "read 5 0x391 0x1%08x; read 5 0x3c%u 0x4000aa; stop; read 5 0x391 %u; read 5 0x3c%u 0; "
		"read 0 0x391 0", all, theirs, 1u << theirs, ours);
}

/* ---- the kernel's watchdog ---- */

static const char *file, *text;

static ssize_t read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	if (strcmp(path, file))
		return true_ops->read_text(a, path, buf, size);
	return snprintf(buf, size, "%s\n", text);
}

/* The watchdog uses the fixed counter of cycles (0x38d bits 7:4) or a general counter, with an interrupt. */
static void open_watched(const char *machine, const char *on)
{
	open_stepped(machine, "");
	file = "proc/sys/kernel/nmi_watchdog";
	text = on;
	spy_on()->read_text = read_text;
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
}

TEST_EACH(the_watchdog_is_named_if_it_is_on, 2)
{
	bool on = _i == 1;

	open_watched("skylake-sp-2s", on ? "1" : "0");
	play_on(__func__, "only cpus 0; write 0 0x38d 0xb0");
	for (uint32_t sel = 0x186; sel < 0x18e; sel++)
		if (rd_err(sim, 0, sel) == 0)
			poke(0, sel, 0x53003c);
	play_on(__func__, "add core/cycles/; no-start EBUSY %s; hints core/event=0x3c/ counts the same on a general "
		"counter",
		on ? "the kernel's NMI watchdog holds a counter of each CPU" : "in use by another program");
	ck_assert_int_eq(strstr(uncoremsr_error(um)->hint, "nmi_watchdog=0") != NULL, on);
	ck_assert_int_eq(strstr(uncoremsr_error(um)->message, "watchdog") != NULL, on);
}

TEST(without_another_counter_for_the_event_only_the_watchdog_can_give_way)
{
	open_watched("skylake-sp-2s", "1");
	play_on(__func__, "only cpus 0; write 0 0x38d 0xb00; add core/ref-cycles/; no-start EBUSY ref-cycles is in use; "
		"hints switch the NMI watchdog off for the measurement (sysctl kernel.nmi_watchdog=0)");
}

TEST(the_watchdog_is_never_blamed_for_an_uncore_counter)
{
	open_watched("westmere-2s", "1");
	play_on(__func__, "only packages 0; write 0 0x395 1; add clockticks; "
		"no-start EBUSY the fixed counter is in use by another program; hints uncore-info shows");
	ck_assert_ptr_null(strstr(uncoremsr_error(um)->message, "watchdog"));
}

/* ---- msr-safe ---- */

static int list_safe(struct um_access *a, const char *path, int (*fn)(void *user, const char *name), void *user)
{
	return strncmp(path, "dev/cpu/", 8) ? true_ops->list(a, path, fn, user) : fn(user, "msr_safe");
}

/* Lockdown does not apply to msr-safe, so sessions still use registers. */
TEST_EACH(lockdown_concerns_the_driver_msr_but_not_msr_safe, 2)
{
	struct um_access_ops *ops;

	open_stepped("westmere-2s,kernel_uncore=yes", "");
	ops = spy_on();
	file = "sys/kernel/security/lockdown";
	text = "none [integrity] confidentiality";
	ops->read_text = read_text;
	if (_i)
		ops->list = list_safe;
	play_on(__func__, "start 0x82:0x1; event 0 %s", _i ? "msr" : "perf");
}

SUITE(beside)
