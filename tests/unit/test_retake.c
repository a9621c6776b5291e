/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Another program or a suspend changes registers of a running session. That interval is disturbed; once no other
 * program uses the registers, they are programmed again, and later intervals are exact.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <errno.h>

#include "access/access.h"
#include "machine.h"
#include "steps.h"
#include "suite.h"

enum { SEL0 = 0x3c0, GLOBAL = 0x391 };

#define RATE ",rate=0x1d:0x1=1000,"

FIXTURE(.teardown = close_machine)

#define TAKEN_8 \
	"foreign=0x3c0:0x400103:at=1.5,foreign=0x3c1:0x400103:at=1.5,foreign=0x3c2:0x400103:at=1.5," \
	"foreign=0x3c3:0x400103:at=1.5,foreign=0x3c4:0x400103:at=1.5,foreign=0x3c5:0x400103:at=1.5," \
	"foreign=0x3c6:0x400103:at=1.5,foreign=0x3c7:0x400103:at=1.5"
#define AS_BEFORE "; stop; read 0 0x3c0 0; read 0 0x391 0"
#define ALL_NINE \
	"value 0 0 1000; value 0 1 1000; value 0 2 1000; value 0 3 1000; value 0 4 1000; value 0 5 1000; " \
	"value 0 6 1000; value 0 7 1000; value 0 8 1000"
#define PCU ",rate=pcu:0xb:0=1000"
#define BAND "start pcu/event=0xb,filter_band0=0xc/; "

static const struct story stories[] = {
	{ "a selector that was cleared counts again in the next interval",
	  "westmere-2s" RATE "foreign=0x3c0:0:at=1.5:package=0", "start 0x1d:0x1; each odoo 1000; value 1 0 1000; "
	  "logged some W package 0: counters that another program or a suspend changed are free again" AS_BEFORE },
	{ "an enable bit that was cleared is set again", "westmere-2s" RATE "foreign=0x391:0:at=1.5",
	  "start 0x1d:0x1; each odoo 1000" AS_BEFORE },
	/* While the gate is closed, none of our counters can count. Nothing has to be restored. */
	{ "a gate that is closed stays closed while another program uses the counter",
	  "sandybridge-1s,foreign=0x700:0x400103:at=1.5,foreign=0x391:0:at=1.5",
	  "add cbo0/event=0x34,umask=0x88/; counter 0 0; start; after 1; read 0 0x391 0x20000000; after 1; "
	  "read 0 0x391 0; after 1; read 0 0x391 0; after 1; read 0 0x391 0; "
	  "unknown 0 0 disturbed another program changed selector 0x700; stop; read 0 0x700 0x400103" },
	/* A suspend to memory resets the gate, the selector and the counter. */
	{ "registers that were all reset count again",
	  "westmere-2s" RATE "foreign=0x391:0:at=1.5,foreign=0x3c0:0:at=1.5,foreign=0x3b0:0:at=1.5",
	  "start 0x1d:0x1; each odoo 1000" AS_BEFORE },
	/* The user requested this counter for the event. The session does not change the other program's selector. */
	{ "a counter taken back gets the other program's last values at the end",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c0:0x103:at=3.5,foreign=0x3b0:77:at=3.6",
	  "add 0x1d:0x1; counter 0 0; start; each odd 1000; read 0 0x3c0 0x400103; each doo 1000; "
	  "stop; read 0 0x3c0 0x103; read 0 0x3b0 77" },
	{ "a counter that was taken is replaced by a free one",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5:package=0",
	  "start 0x1d:0x1; each o 1000; on 0 0 0; after 1; unknown 0 0 disturbed; on 0 0 0; "
	  "logged some another program took counter 0: now counted on counter 1; logged 0 are free again; "
	  "each ooo 1000; on 0 0 1; on 1 0 0; stop; read 0 0x3c0 0x400103; read 0 0x3c1 0; "
	  "read 0 0x391 1" },
	/*
	 * In MSR_UNCORE_FIXED_CTR_CTRL, the interrupt bit shows that another program uses the counter. The uncore has
	 * no second fixed counter.
	 */
	{ "a fixed counter that was taken is not replaced", "westmere-2s,foreign=0x395:0x5:at=1.5:package=0",
	  "start clockticks; after 1; after 1; unknown 0 0 disturbed; after 1; unknown 0 0 disturbed; read 0 0x3c0 0; "
	  "logged 0 now counted on counter; stop; read 0 0x395 5" },
	/* The gate stays open for the other program. Counters of other units are no replacement. */
	{ "a replacement counter belongs to the same unit", "sandybridge-1s,foreign=0x700:0x400103:at=1.5",
	  "add cbo0/event=0x34,umask=0x88/,cbo1/event=0x34,umask=0x88/; counter 1 1; start; repeat 4 after 1; "
	  "on 0 0 1; field 0 0x701 22 1 1; stop EBUSY" },
	/*
	 * Later the other program uses the replacement counter, too, and still needs the enable bit of the first
	 * counter.
	 */
	{ "a counter that is still taken keeps its enable bit",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5:package=0,foreign=0x3c1:0x400103:at=3.5:package=0",
	  "start 0x1d:0x1; repeat 6 after 1; on 0 0 2; value 0 0 1000; field 0 0x391 0 7 7; stop; "
	  "field 0 0x391 0 7 3" },
	{ "the log says why a counter is no replacement",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5:package=0,foreign=0x3c1:0x400103:at=1.5:package=0,"
	  "foreign=0x391:0x3:at=1.5:package=0", "start 0x1d:0x1; each od 1000; "
	  "logged some counter 1 is in use by another "
	  "program (selector 0x3c1 holds 0x400103, global enable bit on); "
	  "logged some another program took counter 0: now counted on counter 2" },
	{ "changes of several counters are one message",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c1:0:at=3.5",
	  "start 0x1d:0x1; each odod 1000; logged some now counted on counter 1 (and 1 more); after 1; "
	  "logged some  and 1 more: counters that another program or a suspend changed are free again; stop" },
	/* Another program uses the first counter, then the second. A free first counter is used again. */
	{ "a counter that the other program releases can be used again",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c0:0:at=2.5,foreign=0x3c1:0x400103:at=3.5,"
	  "foreign=0x3c1:0:at=5.5", "start 0x1d:0x1; each ododoo 1000; on 0 0 0" AS_BEFORE "; read 0 0x3c1 0" },
	/* The other program uses all eight counters; the first counter that becomes free is used. */
	{ "without a free counter the first one released is used",
	  "nehalem-1s" RATE TAKEN_8 ",foreign=0x3c5:0:at=3.5",
	  "start 0x1d:0x1; each odddoo 1000; on 0 0 5; stop; read 0 0x3c5 0; read 0 0x3c0 0x400103" },
	/*
	 * Intel PCM leaves its counters enabled when it ends. The selector is checked six times: the first check finds
	 * the change, and five find none.
	 */
	{ "an abandoned counter is taken again once it no longer changes",
	  "westmere-2s" RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x391:0xff:at=1.5",
	  "add 0x1d:0x1; counter 0 0; start; each o 1000; read 0 0x3c0 0x40011d; "
	  "each d 0; read 0 0x3c0 0x400103; unknown 0 0 disturbed another program changed selector 0x3c0; "
	  "each dddd 0; read 0 0x3c0 0x400103; each d 0; read 0 0x3c0 0x40011d; each oo 1000; read 0 0x3c0 0x40011d; "
	  "logged 2 the program that wrote it seems to have ended; "
	  "stop; read 0 0x3c0 0x400103; read 0 0x391 0xff" },
	{ "if all counters are abandoned, the event's own counter is taken again", "nehalem-1s" RATE TAKEN_8,
	  "start 0x1d:0x1; each oddddddoo 1000; on 0 0 0; stop; read 0 0x3c0 0x400103; read 0 0x3c1 0x400103; "
	  "read 0 0x3c2 0x400103; read 0 0x3c3 0x400103; read 0 0x3c4 0x400103; read 0 0x3c5 0x400103; "
	  "read 0 0x3c6 0x400103; read 0 0x3c7 0x400103" },
	/* As long as the selector changes, another program is running, so the counter is not used. */
	{ "a counter that is still changed is not taken again",
	  "nehalem-1s" RATE "foreign=0x3c0:0x400103:at=1.5,foreign=0x3c0:0x400104:at=5.5,foreign=0x3c0:0x400103:at=9.5",
	  "add 0x1d:0x1; counter 0 0; start; after 1; after 1; read 0 0x3c0 0x400103; repeat 3 after 1; "
	  "read 0 0x3c0 0x400103; after 1; read 0 0x3c0 0x400104; repeat 3 after 1; read 0 0x3c0 0x400104; "
	  "after 1; read 0 0x3c0 0x400103; repeat 4 after 1; read 0 0x3c0 0x400103; after 1; read 0 0x3c0 0x40011d" },
	/* Five checks may take less than a second; the counter must also be unchanged for some seconds. */
	{ "with short intervals an abandoned counter is not taken early",
	  "nehalem-1s" RATE "foreign=0x3c0:0x400103:at=0.95",
	  "add 0x1d:0x1; counter 0 0; start; repeat 10 after 0.1; read 0 0x3c0 0x400103; repeat 49 after 0.1; "
	  "read 0 0x3c0 0x400103; after 0.1; read 0 0x3c0 0x40011d; repeat 10 after 0.1; read 0 0x3c0 0x40011d" },
	{ "an abandoned filter is set again once it no longer changes", "haswell-ep-2s" PCU ",foreign=0x715:0x5:at=1.5",
	  BAND "after 1; status 0 0 ok; each dddddd 0; unknown 0 0 disturbed filter 0x715; after 1; status 0 0 ok; "
	  "after 1; status 0 0 ok; read 0 0x715 0xc; stop; read 0 0x715 0x5" },
	/* A box without enable bits in its control register: a counter runs as soon as its selector is written. */
	{ "a counter of a box can be replaced too",
	  "haswell-ep-2s,rate=cbo:0x37:0x1=1000,foreign=0xe01:0x400103:at=1.5",
	  "start cbo0/event=0x37,umask=0x1/; each odoo 1000; on 0 0 1; "
	  "stop EBUSY; " /* another program counts, so the box stays unfrozen */
	  "read 0 0xe01 0x400103; read 0 0xe02 0" },
	{ "a counter that cannot be restored is not taken again",
	  "westmere-2s" RATE "keeps=0x3c0:0x90000,foreign=0x3c0:0x90407:at=1.5:package=0",
	  "start 0x1d:0x1; each od 1000; after 1; unknown 0 0 failed its bits 0x90000 could not be put back; "
	  "value 1 0 1000; stop; read 0 0x3c0 0x90407" },
	/* A box reset clears its selectors and counters (uncore guide of the E5 v3, PMON_BOX_CTL). */
	{ "a box that was reset counts again", "haswell-ep-2s,rate=pcu:0x80:0=1000,foreign=0x710:0x3:at=1.5",
	  "start pcu/event=0x80/; each odoo 1000; stop; read 0 0x711 0; read 0 0x710 0" },
	/*
	 * Another program may freeze a box only to read its counters, so a closed gate is opened only at the second
	 * check.
	 */
	{ "a gate that stays closed is opened after another check",
	  "sandybridge-1s,rate=cbo:0x34:0x88=1000,foreign=0x391:0:at=1.5",
	  "start cbo/event=0x34,umask=0x88/; each oddoo 10000" },
	{ "a filter that was cleared is set again", "haswell-ep-2s" PCU ",foreign=0x715:0:at=1.5",
	  BAND "after 1; status 0 0 ok; after 1; unknown 0 0 disturbed filter 0x715; after 1; status 0 0 ok; after 1; "
	  "status 0 0 ok; read 0 0x715 0xc; stop; read 0 0x715 0" },
	{ "another program's filter is left alone", "haswell-ep-2s" PCU ",foreign=0x715:0x5:at=1.5,foreign=0x715:0:at=3.5",
	  BAND "after 1; watch 0x0-0xffffffff; after 1; unknown 0 0 disturbed filter 0x715; after 1; "
	  "unknown 0 0 disturbed filter 0x715; writes 0; read 0 0x715 0x5; after 1; "
	  "unknown 0 0 disturbed filter 0x715; after 1; status 0 0 ok; after 1; status 0 0 ok" },
	/*
	 * The check finds that the enable bit is cleared. The register must be read before the bit can be set again.
	 * The read fails, so nothing is written until the next check.
	 */
	{ "a register that cannot be read is not programmed again yet",
	  "westmere-2s" RATE "foreign=0x391:0:at=1.5:package=0",
	  "only packages 0; start 0x1d:0x1; after 1; deny read 0x391 EIO 1 1; watch 0x0-0xffffffff; after 1; writes 0; "
	  "unknown 0 0 disturbed; after 1; unknown 0 0 disturbed; after 1; value 0 0 1000" AS_BEFORE },
	{ "two events share the only filter of a box", "haswell-ep-2s" PCU,
	  "start pcu/event=0xb,filter_band0=0xc/,pcu/event=0xb,filter_band0=0xc,thresh=1/; after 1; value 0 0 1000; "
	  "read 0 0x715 0xc; stop; read 0 0x715 0" },
	/* There are two turns in a second; registers that are cleared in one turn are programmed in the next turn. */
	{ "events that take turns are programmed again too", "nehalem-1s" RATE "foreign=0x3c0:0:at=1.2,"
	  "foreign=0x391:0:at=1.2",
	  "repeat 9 add 0x1d:0x1; start; pass 0.5; rotate; pass 0.5; rotate; after 0; " ALL_NINE "; "
	  "pass 0.5; rotate; pass 0.5; rotate; after 0; pass 0.5; rotate; pass 0.5; rotate; after 0; " ALL_NINE "; "
	  "pass 0.5; rotate; pass 0.5; rotate; after 0; " ALL_NINE },
};

TEST_STORIES(registers_that_others_change_are_programmed_again, play_session, stories)

static unsigned writes_left;
static bool has_failed;

static int fail_to_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	if (writes_left) {
		writes_left--;
		return true_ops->write(a, cpu, msr, v);
	}
	has_failed = true;
	return -EIO;
}

static const struct { const char *machine, *keys, *events; } beginners[] = {
	{ "westmere-2s", ",rate=0x1d:0x1=1000,foreign=0x3c0:0:at=1.5:package=0,"
	  "foreign=0x391:0:at=1.5:package=0", "0x1d:0x1,0x1d:0x1" },
	{ "haswell-ep-2s", ",rate=pcu:0xb:0=1000,foreign=0x711:0:at=1.5:package=0,foreign=0x715:0:at=1.5:package=0",
	  "pcu/event=0xb,filter_band0=0xc/,pcu/event=0xb,filter_band0=0xc/" },
	{ "sandybridge-1s", ",rate=cbo:0x34:0x88=1000,foreign=0x391:0:at=1.5,foreign=0x700:0:at=1.5",
	  "cbo0/event=0x34,umask=0x88/,cbo0/event=0x34,umask=0x88/" },
};

/* If any write fails when a counter is programmed again, the event is unknown until the next check, and then
 * counts. */
TEST_EACH(if_programming_again_fails_it_is_tried_at_the_next_check, ARRAY_SIZE(beginners))
{
	unsigned n = 0;

	for (bool all = false; !all; n++) {
		open_stepped(beginners[_i].machine, beginners[_i].keys);
		count(beginners[_i].events);
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		spy_on()->write = fail_to_write;
		writes_left = n;
		has_failed = false;
		pass_and_read(SECOND);
		stop_spying();
		all = !has_failed;
		play_on(__func__, "unknown 0 0 disturbed; after 1 any");
		if (!all)
			ck_assert_int_ne(reading(0, 0)->status, UNCOREMSR_OK);
		play_on(__func__, "after 1; value 0 0 1000; value 0 1 1000; stop");
	}
	ck_assert_uint_gt(n, 4);
}

static unsigned selector_writes;

static int note_gate(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	uint64_t gate = 0;

	if (cpu == 0 && msr == SEL0) {
		selector_writes++;
		ck_assert_int_eq(true_ops->read(a, cpu, GLOBAL, &gate), 0);
		ck_assert_msg(!(gate & 1), "0x%llx is written while the counter may run", (unsigned long long)v);
	}
	return true_ops->write(a, cpu, msr, v);
}

/* The counter must be disabled while it is programmed; otherwise it would count before its start value is set. */
TEST(a_counter_stands_still_while_it_is_programmed_again)
{
	open_stepped("westmere-2s", RATE "foreign=0x3c0:0:at=1.5:package=0");
	count("0x1d:0x1,0x1d:0x1");
	spy_on()->write = note_gate;
	selector_writes = 0;
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		ck_assert_uint_eq(peek(0, GLOBAL), 3);
	}
	stop_spying();
	ck_assert_uint_eq(selector_writes, 1);
	ck_assert_uint_eq(value(0, 0), 1000);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
}

SUITE(retake)
