/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine is suspended while a session counts. The clock stands still, and registers may be cleared. This interval
 * has no value, whatever the counters contain; later intervals are exact.
 */
#include "machine.h"
#include "steps.h"
#include "suite.h"

#define RATE ",rate=0x1d:0x1=1000"
#define ASLEEP ",suspend=3600:at=1.5"
#define KERNEL ",kernel_uncore=yes" RATE
#define UNKNOWN_TOTAL "total-unknown 0 0 suspended suspended; "
/* Four intervals of one second each; the machine is suspended during the second interval. */
#define GAP(count) \
	"after 1; value 0 0 " count "; after 1; unknown 0 0 suspended suspended for 3600.000 s; " UNKNOWN_TOTAL \
	"after 1; value 0 0 " count "; " UNKNOWN_TOTAL "after 1; value 0 0 " count "; " UNKNOWN_TOTAL \
	"logged some W the machine was suspended for 3600.000 s; "
#define CLEARED "stop; read 0 0x3c0 0; read 0 0x391 0"
/* Nine events share eight counters, so there are two turns in a second. */
#define TURNS "pass 0.5; rotate; pass 0.5; rotate; after 0; "
#define NINE(before, after) \
	before " 0 0 " after "; " before " 0 1 " after "; " before " 0 2 " after "; " before " 0 3 " after "; " \
	before " 0 4 " after "; " before " 0 5 " after "; " before " 0 6 " after "; " before " 0 7 " after "; " \
	before " 0 8 " after "; "

static const struct story stories[] = {
	{ "a counter has a gap and counts again", "westmere-2s" RATE ASLEEP, "start 0x1d:0x1; " GAP("1000") CLEARED },
	/* Gates of units (Sandy Bridge), boxes (Skylake-SP) and packages (Nehalem-EX), and a filter (Haswell-EP). */
	{ "gates of units are opened again", "sandybridge-1s,rate=cbo:0x34:0x88=1000" ASLEEP,
	  "start cbo/event=0x34,umask=0x88/; " GAP("10000") "stop" },
	{ "filters are set again", "haswell-ep-2s,rate=pcu:0xb:0=1000" ASLEEP,
	  "start pcu/event=0xb,filter_band0=0xc/; " GAP("1000") "stop" },
	{ "gates of boxes are opened again", "skylake-sp-2s,rate=pcu:0x80:0=1000" ASLEEP,
	  "start pcu/event=0x80/; " GAP("1000") "stop" },
	{ "gates of packages are opened again", "nehalem-ex-4s,rate=wbox:0x4:0x1=1000" ASLEEP,
	  "start wbox/event=0x4,umask=0x1/; " GAP("1000") "stop" },
	{ "counters without a gate count again", "zen-1s,rate=df:0x187:0x38=1000" ASLEEP,
	  "start df/event=0x187,umask=0x38/; " GAP("1000") "stop" },
	/* Registers keep their contents, but it is unknown whether counters counted during the suspend. */
	{ "kept registers have a gap too", "westmere-2s" RATE ASLEEP ":registers=kept",
	  "start 0x1d:0x1; " GAP("1000") "logged 0 free again; " CLEARED },
	{ "cleared counters count again even if registers are not checked", "westmere-2s" RATE ASLEEP,
	  "unverified; start 0x1d:0x1; " GAP("1000") CLEARED },
	/* Linux does not restore uncore registers on resume. Disabling and enabling the event programs them again. */
	{ "an event of the kernel has a gap too", "westmere-2s" KERNEL ASLEEP,
	  "route perf; start uncore/event=0x1d,umask=0x1/; " GAP("1000") "stop" },
	{ "events that take turns have one gap", "nehalem-1s" RATE ASLEEP,
	  "repeat 9 add 0x1d:0x1; start; " TURNS NINE("value", "1000") TURNS NINE("unknown", "suspended")
	  TURNS NINE("value", "1000") TURNS NINE("value", "1000") "stop" },
	{ "the number of units stays known", "sapphire-rapids-2s,rate=cha:0x35:0x1=1000" ASLEEP,
	  "start cha/event=0x35,umask=1/; " GAP("1830000") "stop; read 0 0x2ffe 0x3c" },
	{ "a read-only number of units stays known", "sandybridge-1s,rate=cbo:0x34:0x88=1000" ASLEEP,
	  "start cbo/event=0x34,umask=0x88/; " GAP("10000") "stop; read 0 0x396 5" },
	{ "a paused session is not programmed again", "westmere-2s" RATE ASLEEP,
	  "start 0x1d:0x1; pass 1; pause; after 1; read 0 0x3c0 0; read 0 0x391 0; stop" },
	/* The clock of a software event stood still, too, so its count is right. */
	{ "a software event has no gap", "westmere-2s" KERNEL ASLEEP,
	  "route perf; start uncore/event=0x1d,umask=0x1/,cpu-clock; after 1; status 0 0 ok; status 0 1 ok; "
	  "total-status 0 1 ok; after 1; status 0 0 suspended; status 0 1 ok; some 0 1; total-status 0 1 ok; "
	  "after 1; status 0 0 ok; status 0 1 ok; some 0 1; total-status 0 1 ok" },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(a_suspend_leaves_a_gap_and_counting_goes_on, play_session, stories)

SUITE(suspend)
