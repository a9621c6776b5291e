/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPUs that come online while a session counts through registers: their registers are checked before any is
 * changed.
 */
#include "machine.h"
#include "steps.h"
#include "suite.h"

#define CYCLES "core/event=0x3c,umask=0/"
#define THREE CYCLES ",core/event=0xc0,umask=0/,core/event=0xc4,umask=0/"
#define LATE "skylake-sp-2s,offline=3"
/* Bring CPU 3 online and play the steps @writes. CPU 3 must then have no value, with the reason @why. */
#define FOUND_IN_USE(writes, why) "online 3 1; " writes "after 1 any; after 1 any; unit 0 cpu3 failed " why "; "
/* Counters 1 and 2 of CPU 3. A thread has four counters. */
#define TWO_TAKEN "write 3 0x187 0x4300c0; write 3 0x188 0x4300c0; "
#define TWO_KEPT \
	"read 3 0x187 0x4300c0; read 3 0x188 0x4300c0; read 3 0x186 0; stop; " \
	"read 3 0x187 0x4300c0; read 3 0x188 0x4300c0; read 3 0x186 0"

static const struct story stories[] = {
	/* IA32_FIXED_CTR_CTRL (0x38d): counter 1 counts cycles in user and kernel mode. */
	{ "the fixed counter is not taken if another program uses it", LATE,
	  "route msr; start core/cycles/; "
	  FOUND_IN_USE("write 3 0x38d 0x30; ", "the fixed counter of cycles is in use by another program")
	  "read 3 0x38d 0x30; read 3 0x186 0; stop; read 3 0x38d 0x30; read 3 0x186 0" },
	{ "the requested counter is not taken if another program uses it", LATE,
	  "route msr; add " CYCLES "; counter 0 2; start; "
	  FOUND_IN_USE("write 3 0x188 0x4300c0; ", "counter 2 is in use by another program")
	  "read 3 0x188 0x4300c0; read 3 0x186 0; stop; read 3 0x188 0x4300c0; read 3 0x186 0" },
	{ "a group needs enough free counters", LATE, "route msr; start {" THREE "}; "
	  FOUND_IN_USE(TWO_TAKEN, "no free counter: 3 needed at the same time, 2 of 4 free") TWO_KEPT },
	{ "a cpu with fewer free counters does not get more turns", LATE, "route msr; start " THREE "; "
	  FOUND_IN_USE(TWO_TAKEN, "fewer counters are free than on the CPUs that were online at the start") TWO_KEPT },
	{ "a cpu that goes offline again at once is tried again later", LATE ",open=ENXIO:cpu=3:times=1",
	  "route msr; start " CYCLES "; online 3 1; after 1 any; logged 0 not counted; logged 0 CPU 3 is online; "
	  "units 0 15; after 1 any; after 1 any; units 0 16; unit 0 cpu3 2000000000; stop" },
	{ "a new cpu without permission is reported and left alone", LATE ",open=EACCES:cpu=3:times=1",
	  "route msr; start " CYCLES "; online 3 1; after 1 any; logged some W not counted: ; units 0 16; after 1 any; "
	  "unit 0 cpu3 failed no permission on the device node; read 3 0x186 0; stop" },
	/* CPUs 0 to 15 are P-cores, 16 to 23 E-cores: a missing E-core must not make a sum of P-cores incomplete. */
	{ "a requested cpu is part of the sums of its kind of core", "alderlake-hybrid,offline=20",
	  "route msr; only cores 0,16,20; start cpu_core/cycles/,cpu_atom/cycles/; after 1 any; "
	  "known cores0 1 ok, 1 of 2; "
	  "online 20 1; after 1 any; after 1 any; known cores0 0 ok, 1 of 1; known cores0 1 ok, 2 of 2; stop" },
	{ "cpus that come online in any order are all counted", "skylake-sp-2s,offline=2,3",
	  "route msr; only cores 2,3; start " CYCLES "; online 3 1; after 1 any; online 2 1; after 1 any; after 1 any; "
	  "known cores0 0 ok, 2 of 2; unit-on 0 0 2; unit-on 0 1 3; unit 0 cpu2 2000000000; unit 0 cpu3 2000000000; "
	  "stop" },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(a_cpu_that_comes_online_is_checked_before_it_counts, play_session, stories)

SUITE(arrived)
