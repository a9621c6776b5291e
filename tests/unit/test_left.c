/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions on a device that fails. A session restores all registers or reports which it could not restore, and a later
 * repair restores those.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "failing.h"
#include "uarch/uarch.h"
#include "suite.h"
#include "uncoremsr/leases.h"

/* Open the machine with a lease directory. After @left accesses, @times accesses fail; if @left is negative, none. */
static void join(long left, long times, int error)
{
	reopen_in_root();
	fail_after(left, times, error);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
}

static void leave(void)
{
	uncoremsr_session_free(s);
	uncoremsr_free(um);
	s = NULL;
	um = NULL;
}

/* ---- registers that were not restored ---- */

static struct image before, after;
static const struct um_uarch *table;
static unsigned second_cpu; /* a CPU of package 1; 0 if the machine has only one package */
static bool busy; /* another program counts on Westmere's counters 0 to 5 (0x3b0 to 0x3b5) */

static void take_registers(struct image *image)
{
	image->num = 0;
	for (unsigned cpu = 0; cpu <= second_cpu; cpu += second_cpu ? second_cpu : 1) {
		take_image(image, table, cpu);
		take_image(image, &um_core_registers, cpu);
	}
	for (size_t i = 0; busy && i < image->num; i++)
		if (image->regs[i].msr >= 0x3b0 && image->regs[i].msr <= 0x3b5)
			image->regs[i].value = 0;
}

/* May a session write @v on a Westmere, if another program uses the counters 0 to 5? */
static bool is_ours(uint32_t msr, uint64_t v)
{
	switch (msr) {
	case 0x391: /* the other program's six enable bits stay set */
		return !(v & ~UINT64_C(0x1000000ff)) && (v & 0x3f) == 0x3f;
	case 0x394: case 0x3b6: case 0x3b7: /* counters that the session may use */
		return v < UINT64_C(1) << 48;
	case 0x395:
		return v <= 1;
	case 0x3c6: case 0x3c7: /* selectors that the session may write */
		return !(v & ~UINT64_C(0xffd6ffff));
	default:
		return false;
	}
}

/* Expect a message with advice for each register that was not restored. Returns their number. */
static unsigned expect_named(const char *story)
{
	unsigned num = 0;
	char name[24];

	for (size_t i = 0; i < after.num; i++) {
		const char *line = logged;

		/* IA32_A_PMCn are the same counters as IA32_PMCn. */
		if (before.regs[i].value == after.regs[i].value ||
		    (after.regs[i].msr >= 0x4c1 && after.regs[i].msr <= 0x4ca))
			continue;
		num++;
		snprintf(name, sizeof(name), "(0x%x) was not", after.regs[i].msr);
		line = strstr(line, name);
		ck_assert_msg(line && strstr(line, "uncore-doctor --repair"), "%s: 0x%x is left, and not "
		      "named in\n%.3000s", story, after.regs[i].msr, logged);
	}
	return num;
}

/* All registers are restored. The log may name a register as not restored only if that register could not be read. */
static void expect_cautious(const char *story)
{
	const char *line = logged;

	while ((line = strstr(line, "was not put back: ")) != NULL) {
		line += strlen("was not put back: ");
		ck_assert_msg(strstr(line, ": reading ") && strstr(line, ": reading ") < strchr(line, '\n'),
		      "%s: all is back, but\n%.2000s", story, line);
	}
}

static bool started;

static bool live(const char *events)
{
	uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR);
	if (!strncmp(events, "core", 4))
		uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0");
	else if (!second_cpu)
		uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "0");
	started = uncoremsr_session_add(s, events) > 0 && !uncoremsr_session_start(s);
	if (!started)
		return true;
	pass(SECOND);
	uncoremsr_session_rotate(s);
	pass_and_read(SECOND);
	return uncoremsr_session_stop(s) != 0;
}

#define BUSY ",busy=0,1,2,3,4,5"

static const struct {
	const char *machine, *events;
	unsigned second_cpu;
	long most; /* maximum number of consecutive failures; 0 means MOST_TIMES */
} machines[] = {
	{ "westmere-2s", "0x1d:0x1,clockticks", 1, 0 },
	{ "nehalem-1s", "0x1d:0x1,0x1d:0x2,0x1d:0x4,0x1d:0x8,0x1d:0x10,0x1d:0x20,0x1d:0x40,0x1d:0x80,0x1e:0x1", 0, 0 },
	{ "sandybridge-1s", "cbo1/event=0x34,umask=0x88/,arb/event=0x81,umask=0x1/", 0, 0 },
	{ "ivybridge-ep-2s", "cbo1/event=0x35,umask=0x1,filter_opc=0x182/", 0, 0 },
	{ "haswell-ep-2s", "sbox1/event=0x2,umask=0x1/,pcu/event=0xb,filter_band0=0xc/,ubox/clockticks/", 0, 0 },
	{ "skylake-sp-2s", "cha3/event=0x50,umask=0x1/,iio1/event=0x83,umask=0x4,ch_mask=0xff,fc_mask=0x7/", 0, 0 },
	{ "sapphire-rapids-2s", "ubox/event=0x42,umask=0x8/", 0, 0 },
	{ "nehalem-ex-4s", "sbox1/event=0x0,match=0x1,mask=0x1/,wbox/clockticks/,ubox/event=0x2/", 0, 0 },
	{ "zen-1s", "df/event=0x7,umask=0x38/", 0, 0 },
	{ "haswell-ep-2s", "cbo1/event=0x35,umask=0x1,filter_opc=0x182/,cbo1/event=0x35,umask=0x1,"
	  "filter_opc=0x180/", 0, 1 },
	{ "skylake-sp-2s", "core/event=0xb1,umask=0x1/,core/instructions/", 0, 0 },
	{ "haswell-ep-2s", "core/event=0xb1,umask=0x1/,core/instructions/", 0, 0 },
	{ "westmere-2s" BUSY, "0x1d:0x1,0x1d:0x2,0x1d:0x4,clockticks", 1, 0 },
};

/* The library does not retry after EPERM. */
static const int errors[] = { -EIO, -EPERM, -ENODATA };
enum { MOST_TIMES = 7, ERRORS = ARRAY_SIZE(errors) };

FIXTURE(.setup = make_root, .teardown = close_in_root)

/* Each test has one machine and one error, and tries every number of consecutive failures. */
TEST_EACH(registers_that_a_failing_device_left_are_named_and_repaired, ERRORS * ARRAY_SIZE(machines))
{
	const char *machine = machines[_i / ERRORS].machine, *events = machines[_i / ERRORS].events;
	const long most = machines[_i / ERRORS].most ? machines[_i / ERRORS].most : MOST_TIMES;
	bool told;
	unsigned left_something = 0;
	char what[192], story[256];

	busy = strstr(machine, BUSY);
	snprintf(what, sizeof(what), "%s,clock=stepped,start=0x1234", machine);
	for (long times = 1; times <= most; times += times > 3 ? 3 : 1)
		for (long op = draw_first(4), more = 1; more; op += draw_step(4)) {
			snprintf(story, sizeof(story), "%s %s: %s after=%ld times=%ld", machine, events,
				 strerror(-errors[_i % ERRORS]), op, times);
			sim = sim_or_fail(what);
			logged[0] = '\0';
			join(op, times, errors[_i % ERRORS]);
			table = uarch_of(um);
			second_cpu = machines[_i / ERRORS].second_cpu;
			take_registers(&before);
			spy.claimed = busy ? is_ours : NULL;
			told = live(events);
			more = !spy.left;
			ck_assert_msg(!spy.foreign, "%s: it wrote registers of the other program", story);
			leave();
			take_registers(&after);
			if (expect_named(story)) {
				left_something++;
				ck_assert_msg(told, "%s: registers are not restored, but no call failed", story);
				ck_assert_msg(started || times > 1, "%s: the start failed without restoring all",
					      story);
			} else {
				expect_cautious(story);
			}
			/* The journal also has records for registers that could not be read. */
			if (strstr(logged, "was not put back")) {
				join(-1, 0, 0);
				ck_assert_msg(uncoremsr_repair(um, NULL, NULL) >= 0, "%s: %s", story,
				      uncoremsr_error(um)->message);
				leave();
				take_registers(&after);
				expect_image(&before, &after, story);
			}
			uncoremsr_sim_free(sim);
			sim = NULL;
		}
	ck_assert(left_something || most == 1);
}

/* ---- failures that the option fail= of the simulated machine causes ---- */

/* A register whose writes always fail is unchanged, so nothing has to be restored. */
TEST(registers_that_were_never_written_are_not_named)
{
	static const unsigned registers[] = { 0x391, 0x394, 0x395, 0x3b0, 0x3c0 };
	char what[160];

	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		snprintf(what, sizeof(what), "westmere-2s,clock=stepped,start=0x1234,fail=write 0x%x EIO",
			 registers[i]);
		sim = sim_or_fail(what);
		logged[0] = '\0';
		second_cpu = 1;
		busy = false;
		join(-1, 0, 0);
		table = uarch_of(um);
		take_registers(&before);
		ck_assert_msg(live("0x1d:0x1,clockticks"), "%s", what);
		leave();
		take_registers(&after);
		expect_image(&before, &after, what);
		ck_assert_msg(!strstr(logged, "was not put back"), "%s: %s", what, logged);
		join(-1, 0, 0);
		ck_assert_int_eq(uncoremsr_repair(um, NULL, NULL), 0);
		leave();
		uncoremsr_sim_free(sim);
		sim = NULL;
	}
}

SUITE(left)
