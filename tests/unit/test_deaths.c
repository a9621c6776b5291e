/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sessions that die at any register operation: a repair restores everything. */
#include <check.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lease_users.h"
#include "draw.h"
#include "suite.h"

/* A killed session is left by siglongjmp(), so its memory leaks. LeakSanitizer must not report that. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable() ((void)0)
#define __lsan_enable() ((void)0)
#endif

/* Run a whole session: start, three changes of turns, a read, stop. */
static void live(struct user *u, const char *events)
{
	if (uncoremsr_session_add(u->s, events) < 0 || uncoremsr_session_start(u->s))
		return;
	for (int i = 0; i < 3; i++) {
		uncoremsr_sim_advance(sim, SECOND / 10);
		uncoremsr_session_rotate(u->s);
	}
	uncoremsr_session_read(u->s);
	uncoremsr_session_stop(u->s);
}

/* If not NULL: count through registers, and only on these CPUs. */
static const char *core_cpus;

/* Kill the session at operation @k. False if it ended before that. */
static bool kill_at(struct user *u, const char *events, long k)
{
	join(u);
	if (core_cpus && (uncoremsr_session_set(u->s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR) ||
			  uncoremsr_session_only(u->s, UNCOREMSR_ONLY_CPUS, core_cpus)))
		ck_abort_msg("%s", uncoremsr_error(u->um)->message);
	u->left = k;
	__lsan_disable();
	if (sigsetjmp(u->death, 0)) {
		__lsan_enable();
		bury(u);
		return true;
	}
	live(u, events);
	__lsan_enable();
	leave(u);
	return false;
}

FIXTURE(.setup = setup, .teardown = teardown)

/*
 * Events that need closed gates, filters, units that count as soon as their selector is written, or counters
 * whose gate bits the kernel keeps set; with more events than counters, so that they take turns.
 */
static const struct {
	const char *machine, *uarch, *cpus, *events;
	unsigned second_cpu;
} box_loads[] = {
	{ "sandybridge-1s", "sandybridge", NULL,
	  "cbo1/event=0x34,umask=0x88/,cbo1/event=0x34,umask=0x81/,cbo1/event=0x22,umask=0x41/,"
	  "arb/event=0x81,umask=0x1/,clock/UNC_CLOCK.SOCKET/", 0 },
	{ "haswell-ep-2s", "haswell-ep", "0",
	  "{cbo1/event=0x35,umask=0x1,filter_opc=0x182/,cbo1/event=0x37,umask=0x1/},"
	  "{cbo1/event=0x35,umask=0x1,filter_opc=0x180/},"
	  "{cbo1/event=0x34,umask=0x11,filter_state=0x1/},{cbo1/event=0x34,umask=0x11,filter_state=0x2/},"
	  "sbox0/event=0x2,umask=0x1/", 0 },
	{ "sapphire-rapids-2s", "sapphirerapids", "0",
	  "cha7/event=0x50,umask=0x1/,cha7/event=0x50,umask=0x2/,cha7/event=0x50,umask=0x4/,"
	  "cha7/event=0x34,umask=0x3/,cha7/event=0x34,umask=0x11/,ubox/clockticks/", 0 },
	{ "nehalem-ex-4s", "nehalem-ex", "0",
	  "sbox1/event=0x0,match=0x1,mask=0x2/,wbox/clockticks/,wbox/event=0x4,umask=0x1/,"
	  "ubox/event=0x2/,ubox/event=0x0/", 0 },
	{ "zen-1s", "zen3", NULL, "l3/event=0x4,umask=0xff/,df/event=0x7,umask=0x38/", 4 },
	{ "skylake-sp-2s", "core", "0",
	  "core/instructions/,core/event=0x2e,umask=0x41/,core/event=0xc4/,core/event=0xc5/,"
	  "core/event=0xb1,umask=0x1/,core/event=0x3c/,core/event=0x2e,umask=0x4f/", 0 },
};

TEST_EACH(after_a_kill_at_any_operation_on_boxes_the_next_run_restores_all, ARRAY_SIZE(box_loads))
{
	const struct um_uarch *u = !strcmp(box_loads[_i].uarch, "core")
					   ? &um_core_registers : um_uarch_find(box_loads[_i].uarch);
	static struct image before;
	char what[96];
	long k = draw_first(8);

	ck_assert_ptr_nonnull(u);
	snprintf(what, sizeof(what), "%s,clock=stepped,start=0x1234", box_loads[_i].machine);
	use_machine(what, u, box_loads[_i].second_cpu);
	core_cpus = box_loads[_i].cpus;
	take_all(&before);
	for (bool died = true; died; k += draw_step(8)) {
		logged[0] = '\0';
		died = kill_at(&a, box_loads[_i].events, k);
		join(&c);
		ck_assert_msg(uncoremsr_repair(c.um, NULL, NULL) >= 0, "%s", uncoremsr_error(c.um)->message);
		leave(&c);
		expect_as_before(&before, box_loads[_i].events, k);
	}
	core_cpus = NULL;
	ck_assert_int_gt(k, 40);
}

SUITE(deaths)
