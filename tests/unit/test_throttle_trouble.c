/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Throttling with unreadable registers and files, or with excluded causes; clearing of log bits. */
#include <errno.h>

#include "suite.h"
#include "throttle_steps.h"

#define WSM "westmere-2s,clock=stepped,throttle=none"
#define HSW "haswell-ep-2s,clock=stepped,throttle=none"
#define SKX "skylake-sp-2s,clock=stepped,throttle=none"
#define ICX "icelake-sp-2s,clock=stepped,throttle=none"
#define CLX "cascadelake-ap-1s,clock=stepped,throttle=none"
#define ZEN "zen-1s,clock=stepped,throttle=none"

static uint64_t peek(unsigned cpu, uint32_t msr)
{
	uint64_t v = 0;

	ck_assert_int_eq(uncoremsr_sim_rdmsr(sim, cpu, msr, &v), 0);
	return v;
}

FIXTURE(.teardown = close_machine)

/* ---- causes, logs and unanswered questions ---- */

#define NO_SELECTOR \
	"read 0 0x3c0 0; read 0 0x3c1 0; read 0 0x3c2 0; read 0 0x3c3 0; read 0 0x3c4 0; read 0 0x3c5 0; " \
	"read 0 0x3c6 0; read 0 0x3c7 0; read 0 0x391 0"

static const struct story stories[] = {
	{ "logged power and current limits are evidence and no verdict", SKX ",set=0x19c:0x2800:cpu=0",
	  "look; verdict 0 0 ok; cause 0 0 power-limit logged,!decides; cause 0 0 current-limit logged,!decides" },
	{ "logs of normal turbo operation are no cause", HSW ",set=0x690:0xe400e400",
	  "look; read 0 0x690 0xe400e400; no-cause 0 -" },
	/* At the third reading the episode is over, and only the log bit shows the cause. */
	{ "an episode between two readings is throttling", HSW ",throttle=prochot-external:for=1:phase=12",
	  "look; after 10; verdict 0 - ok; "
	  "after 10; verdict 0 - throttled; cause 0 - prochot-external now,logged,between; "
	  "after 10; verdict 0 - was-throttled" },
	{ "kernel counts show episodes whose log bits the kernel cleared",
	  HSW ",throttle=core-thermal:core=1:for=2:phase=12,kernel_clears=yes",
	  "look; after 10; after 10; cause 0 1 core-thermal now; share 0 1 core-thermal 0.2" },
	{ "the share of a power limit is its share of the time", HSW ",throttle=power-limit:for=5:phase=10",
	  "after 8; after 10; share 0 - power-limit 0.5" },
	{ "without access the kernel's counts are used", HSW ",open=EACCES",
	  "look; verdict 0 0 cannot-tell; state 0 0 core-thermal answered; open 0 0 prochot-external NO_ACCESS; "
	  "lacks access; "
	  "machine " HSW ",driver=missing,throttle=core-thermal:core=0:for=10:every=10; "
	  "after 25; verdict 0 0 was-throttled; overall was-throttled; lacks access" },
	{ "without access and kernel counts nothing is known", WSM ",open=EACCES,kernel_thermal=no",
	  "look EACCES; class access; verdict 0 0 cannot-tell; verdict 0 - cannot-tell" },
	/* Causes that this processor cannot show do not change the verdict, but are listed with the package. */
	{ "causes that a family cannot show are listed", WSM,
	  "look; verdict 0 - ok; lacks none; " /* the cores of package 0 are ok */
	  "open 0 - package-thermal NO_PACKAGE_STATUS; open 0 - power-limit NO_POWER_REGISTERS; "
	  "open 0 - dimm-thermal NEEDS_COUNTING; state 0 - power-limit not-visible; "
	  "state 0 - dimm-thermal needs-counting; state 0 - core-thermal answered; no-question 0 0; "
	  "machine nehalem-1s,clock=stepped; look; open 0 - dimm-thermal NO_EVENT; "
	  "state 0 - dimm-thermal not-visible" },
	{ "causes in tpmi are not visible without the driver",
	  "granite-rapids-2s,clock=stepped,throttle=none,throttle=vr-thermal",
	  "look; overall ok; open 0 - vr-thermal TPMI_ONLY; "
	  "machine granite-rapids-2s,clock=stepped,throttle=none,throttle=vr-thermal package=1,plr=yes; "
	  "look; state 0 - vr-thermal answered; verdict 1 1 was-throttled; " /* PLR bits are sticky */
	  "verdict 0 1 ok" },
	{ "a cause that is unknown on one die is unknown on the package", CLX ",fail=read 0x1b1 EIO cpu=4",
	  "look; verdict 0 - cannot-tell; open 0 - critical-temperature READ_FAILED; "
	  "machine " CLX ",fail=read 0x1b1 EIO cpu=1; look; verdict 0 - ok" },
	/* Only the second die has a log bit, so only its register is written. */
	{ "the logs of each die are cleared", CLX ",set=0x1b1:0x88280002:cpu=4",
	  "look; verdict 0 - was-throttled; clear 1; field 4 0x1b1 1 1 0" },
	/*
	 * A slow clock is no throttling if it was requested by a slower P-state, or if the hardware chooses the clock
	 * (CPPC). If the base clock is unknown, it is unknown whether the clock is slow.
	 */
	{ "on amd a slow clock that was requested is no throttling", ZEN ",throttle=core-thermal core=3,"
	  "set=0xc0010062:1",
	  "look; after 1; verdict 0 3 ok; "
	  "machine " ZEN ",throttle=core-thermal core=3,set=0xc00102b1:1; look; after 1; verdict 0 3 ok; "
	  "open 0 - firmware AMD_CPPC; state 0 - firmware not-visible; "
	  "machine " ZEN ",throttle=core-thermal core=3,set=0xc0010064:0; look; after 1; verdict 0 3 cannot-tell; "
	  "hertz 0 3 -; open 0 3 firmware AMD_NO_BASE" },
	{ "on amd the first reading asks nothing about the clock", ZEN ",throttle=core-thermal core=3",
	  "look; state 0 0 firmware answered; state 0 1 firmware answered; "
	  "state 0 2 firmware answered; state 0 3 firmware answered; state 0 4 firmware answered; "
	  "state 0 5 firmware answered; state 0 6 firmware answered; state 0 7 firmware answered" },
	{ "a processor that ignores prochot is reported", HSW ",set=0x1fc:0x4005c",
	  "look; open 0 - prochot-external PROCHOT_IGNORED; state 0 - prochot-external not-visible; overall ok; "
	  /* On Westmere bit 0 of 0x1fc has another meaning. */
	  "machine " WSM "; look; state 0 - prochot-external answered" },
	/* CPUs 9 and 21 are core 3 of package 1. */
	{ "other cpus replace offline ones and lost cores are dropped",
	  HSW ",throttle=core-thermal:core=0:every=1000:for=1:phase=1",
	  "after 3; verdict 1 3 ok; through 1 3 9; "
	  /* CPU 21 was not read before, so it is unknown whether its clock was slow in the interval. */
	  "online 9 0; after 10; through 1 3 21; verdict 1 3 cannot-tell; open 1 3 firmware NOT_READ_BEFORE; "
	  "after 10; verdict 1 3 ok; causes; "
	  "online 21 0; after 10; verdict 1 3 gone; "
	  "online 9,21 1; after 10; verdict 1 3 ok; causes; verdict 0 0 was-throttled" },
	{ "counting uses only the free counters", WSM ",throttle=dimm-thermal:for=5:phase=10,busy=0-5",
	  "option counting 1; look; after 20; cause 0 - dimm-thermal; "
	  "machine " WSM ",throttle=dimm-thermal:for=5:phase=10,busy=0-7; "
	  "option counting 1; look; after 20; no-cause 0 - dimm-thermal; open 0 - dimm-thermal NO_COUNTERS" },
	{ "counting continues when its cpu goes offline", WSM ",throttle=dimm-thermal:for=5:phase=20",
	  "option counting 1; look; after 10; through 1 - 1; online 1 0; after 5; after 10; verdict 1 - throttled; "
	  "causes dimm-thermal" },
	/* A log bit that is set again after a clear shows an event since the previous reading. */
	{ "after clearing the log starts anew with a known time", HSW ","
	  "throttle=prochot-external:for=1:every=10:phase=5",
	  "after 7; clear 16; after 10; verdict 0 - throttled; after 2; cause 0 - prochot-external our-clear" },
	/* Log bits of the kernel's thresholds and of normal turbo limits are not cleared. */
	{ "clearing resets only log bits that indicate a cause",
	  HSW ",set=0x19c:0x28a:cpu=0,set=0x690:0xe0010000:cpu=0",
	  "look; verdict 0 0 was-throttled; trace; clear 2; traced 20 2; field 0 0x19c 0 0xffff 0x280; "
	  "read 0 0x690 0xe0000000; look; verdict 0 0 ok; verdict 0 - ok; trace; clear 0; traced 16 0" },
	{ "registers without log bits are not cleared", ZEN,
	  "clear EOPNOTSUPP; machine " HSW ",hypervisor=yes; clear EOPNOTSUPP; "
	  "machine " HSW ",set=0x19c:0x8:cpu=0,fail=write:0x19c:EPERM; clear EPERM; says 0x19c" },
	/* Linux's driver amd_hsmp reads PROCHOT from the mailbox of AMD's servers; only servers have a mailbox. */
	{ "an amd server is asked through its mailbox driver", ZEN ",hsmp=no",
	  "look; open 0 - prochot-external NO_HSMP; state 0 - prochot-external open; verdict 0 - cannot-tell; "
	  "verdict 0 3 ok; lacks access; "
	  "machine " ZEN ",hsmp=yes; look; state 0 - prochot-external answered; overall ok; "
	  "machine naples-1s,clock=stepped,throttle=none; look; state 0 - prochot-external not-visible; overall ok" },
	{ "a cause that was left out is neither reported nor unknown", ZEN ",hsmp=no",
	  "without prochot-external; look; overall ok; lacks none; state 0 - prochot-external not-asked; "
	  /* PROCHOT, an excluded cause, slows the clock. The slow clock must not be reported as unexplained. */
	  "machine " HSW ",throttle=prochot-external; without prochot-external; look; after 1; overall ok; causes; "
	  "machine " ZEN "; without prochot-external,firmware; look ENODATA; verdict 0 - cannot-tell" },
	{ "a log bit alone gives the verdict was-throttled with its evidence", WSM ",set=0x19c:0x8:cpu=2",
	  "look; verdict 0 1 was-throttled; cause 0 1 prochot-external !now,logged,decides,log-cleared; "
	  "evidence 0 1 prochot-external 0 IA32_THERM_STATUS 0x19c=0x8 0x8 PROCHOT_LOG core -1; read 2 0x19c 8" },
	/* The unit is 2^-n W, where n is in bits 3:0 of 0x606 (SDM volume 3, "RAPL interfaces"). */
	{ "the power limits in force are in watts",
	  HSW ",throttle=power-limit,set=0x606:0xa0e03,set=0x610:0x83e8000082f8",
	  "after 1; evidence 0 - power-limit 2 power-limits 95000000 of 125000000 mask 0x800000008000" },
	{ "the frequency is the average between two readings", SKX ",throttle=core-thermal:for=100:phase=5",
	  "look; hertz 0 0 -; after 5; hertz 0 0 2090000000 2110000000; after 5; hertz 0 0 800000001 1799999999" },
	{ "a register that faults is unknown and the others still count", HSW ",fail=read:0x19c:EIO:cpu=0",
	  "look; verdict 0 0 cannot-tell; overall cannot-tell; lacks unsupported; "
	  "state 0 0 core-thermal answered; "
	  "open 0 0 prochot-external READ_FAILED; state 0 0 prochot-external open; "
	  "question 0 0 EIO 0x19c IA32_THERM_STATUS; state 0 1 prochot-external answered; verdict 0 1 ok; "
	  "machine " HSW ",kernel_thermal=no,fail=read:0x19c:EIO:cpu=0; look; open 0 0 core-thermal READ_FAILED" },
	{ "in a guest everything is unknown and nothing is read", HSW ",hypervisor=yes",
	  "trace; look ENODATA; class unsupported; says virtual machine; subjects 14; verdict 0 0 cannot-tell; "
	  "open 0 0 any GUEST; traced 0 0" },
	{ "with the option kernel-only no register is read", WSM ",throttle=prochot-external",
	  "option kernel-only 1; option counting 1; trace; look; traced 0 0; verdict 0 0 cannot-tell; "
	  "lacks unsupported; state 0 0 core-thermal answered; open 0 0 prochot-external KERNEL_ONLY; "
	  "open 0 - dimm-thermal KERNEL_ONLY; clear EINVAL" },
	/* 127 degrees below a target of 96 or 126 are -31 and -1. The value -1 must not be mistaken for "unknown". */
	{ "a temperature below zero is valid", WSM ",set=0x19c:0x887f0000:cpu=0",
	  "look; celsius 0 0 -31; machine " WSM ",set=0x19c:0x887f0000:cpu=0,set=0x1a2:0x7e0000:cpu=0; look; "
	  "celsius 0 0 -1" },
	{ "with an absurd target the degrees below the limit are still known", HSW ",set=0x1a2:0",
	  "look; celsius 0 0 -; below 0 0 40" },
	{ "on amd a busy core below the clock of pstate 0 is throttled", ZEN ",throttle=core-thermal core=3",
	  "look; after 1; verdict 0 2 ok; hertz 0 2 2450000000; verdict 0 3 throttled; cause 0 3 firmware now,decides; "
	  "evidence 0 3 firmware 0 frequency 1715000000 of 2450000000 mask 0xffffffffffffffff" },
	/*
	 * The registers that uncoremsr_throttle_look() reads. Per core: 0x19c 0x19a 0x198 0x199 0xe7 0xe8; per package:
	 * 0x1b1 0x1fc 0x690 0x610 0x613 0x61b 0x34. There are 12 cores and 2 packages.
	 */
	{ "each core and each package is read once", HSW, "look; subjects 14; trace; look; traced 86 0" },
	{ "counting shows throttled dimms and restores everything",
	  WSM ",throttle=dimm-thermal:for=5:phase=10,start=12345",
	  NO_SELECTOR "; option counting 1; after 5; after 10; cause 0 - dimm-thermal now; "
	  "share 0 - dimm-thermal 0.01; after 10; causes; state 0 - dimm-thermal answered; unwatch; " NO_SELECTOR },
};

TEST_STORIES(a_look_reports_present_and_unknown_causes, play_throttle, stories)

/* Registers for AMD's effective clock: reads fail, return 0, or always return the same value. */
static const struct { const char *keys, *reason; } blinded[] = {
	{ "fail=read 0xe7 EIO", "READ_FAILED" }, { "fail=read 0xe8 EIO", "READ_FAILED" },
	{ "fail=read 0xc0010061 EIO", "READ_FAILED" }, { "fail=read 0xc0010062 EIO", "READ_FAILED" },
	{ "fail=read 0xc0010064 EIO", "READ_FAILED" }, { "silent=0xc0010064", "AMD_NO_BASE" },
	{ "silent=0xc0010061-0xc0010066", "ALL_ZEROS" }, { "silent=0xe7-0xe8", "STANDS_STILL" },
	{ "silent=0xe7", "STANDS_STILL" }, { "silent=0xe8", "STANDS_STILL" },
};

TEST_EACH(on_amd_a_clock_that_cannot_be_judged_is_an_open_question, ARRAY_SIZE(blinded))
{
	char steps[160];
	int len = snprintf(steps, sizeof(steps), "machine " ZEN ",%s; look; after 1; verdict 0 - ok", blinded[_i].keys);

	ck_assert_uint_lt((size_t)len, sizeof(steps));
	play_steps(&throttle_steps, blinded[_i].keys, steps);
	for (int core = 0; core < 8; core++) {
		len = snprintf(steps, sizeof(steps), "open 0 %d firmware %s; verdict 0 %d cannot-tell", core,
			       blinded[_i].reason, core);
		ck_assert_uint_lt((size_t)len, sizeof(steps));
		play_steps(&throttle_steps, blinded[_i].keys, steps);
	}
}

/* If a package has no status register, could_show must have the causes in its cores' status registers. */
TEST(a_subject_lists_the_causes_that_it_could_have_shown)
{
	const unsigned bits = 1u << UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE | 1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL |
			      1u << UNCOREMSR_CAUSE_CORE_THERMAL;

	look_at(WSM);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(uncoremsr_throttle_subject(t, i)->could_show & bits, bits);
}

/* ---- packages of several dies ---- */

TEST(each_die_of_a_package_is_read)
{
	static const char *const hot[] = { "package-thermal", "prochot-external", "vr-thermal" };
	const struct uncoremsr_cause *c;
	char machine[128];

	for (int die = 0; die < 2; die++)
		for (size_t i = 0; i < sizeof(hot) / sizeof(hot[0]); i++) {
			snprintf(machine, sizeof(machine), CLX ",throttle=%s die=%d", hot[i], die);
			look_at(machine);
			ck_assert_str_eq(verdict(0, -1), "throttled");
			c = find_cause(subject(0, -1), hot[i]);
			ck_assert(c && is_now(c));
			ck_assert_int_eq(c->die, die);
			ck_assert_uint_eq(c->evidence[0]->value & 0xffff,
					 peek(die ? 4 : 0, (uint32_t)c->evidence[0]->msr) & 0xffff);
			ck_assert_ptr_null(subject(0, -1)->causes[1]);
		}
}

TEST(a_package_could_show_only_causes_that_each_of_its_dies_could_show)
{
	static const char *const machines[] = { CLX, CLX ",fail=read 0x1b1 EIO cpu=4" };
	const unsigned critical = 1u << UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE;
	const unsigned smi = 1u << UNCOREMSR_CAUSE_SMI, power = 1u << UNCOREMSR_CAUSE_POWER_LIMIT;

	for (size_t i = 0; i < 2; i++) {
		look_at(machines[i]);
		pass(1);
		look();
		ck_assert_uint_eq(subject(0, -1)->could_show & (critical | smi | power),
				  (i ? 0 : critical) | smi | power);
	}
}

/* ---- clearing ---- */

/* ---- functions in every state ---- */

/*
 * uncoremsr_throttle_clear() also updates the list of online CPUs. A new subject has no verdict before the next call of
 * uncoremsr_throttle_look(), but its lists are valid.
 */
TEST(subjects_found_by_a_clear_have_lists_and_no_verdict)
{
	const struct uncoremsr_subject *s;
	size_t num = 0;

	open_machine(HSW);
	look();
	play_steps(&throttle_steps, __func__, "online 9 0");
	ck_assert_int_ge(uncoremsr_throttle_clear(t, NULL, NULL), 0);
	for (; (s = uncoremsr_throttle_subject(t, num)); num++) {
		ck_assert_uint_eq(s->size, sizeof(*s));
		ck_assert(s->causes && s->policies && s->questions);
		ck_assert_int_eq(s->verdict, UNCOREMSR_VERDICT_UNKNOWN);
	}
	ck_assert_uint_gt(num, 2);
	look();
	ck_assert_int_ne(subject(0, -1)->verdict, UNCOREMSR_VERDICT_UNKNOWN);
}

TEST(before_the_first_look_there_is_no_answer)
{
	const struct uncoremsr_throttle_state *state;

	open_machine(HSW);
	state = uncoremsr_throttle_state(t);
	ck_assert(state->time == UINT64_MAX && state->interval == UINT64_MAX && state->cleared_at == UINT64_MAX);
	ck_assert_int_eq(state->verdict, UNCOREMSR_VERDICT_UNKNOWN);
	ck_assert(!state->events && state->lacks == UNCOREMSR_ERROR_NONE);
	ck_assert_ptr_null(uncoremsr_throttle_subject(t, 0));
	ck_assert_int_eq(uncoremsr_throttle_set(t, (enum uncoremsr_throttle_option)99, 1), -EINVAL);
	ck_assert_int_eq(uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_WITHOUT, 1 << UNCOREMSR_CAUSE_REGISTERS),
			 -EINVAL);
	ck_assert_int_eq(uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_WITHOUT, -1), -EINVAL);
	ck_assert_int_eq(uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_KERNEL_ONLY, 1), 0);
	look();
	ck_assert_int_eq(uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_KERNEL_ONLY, 0), -EBUSY);
}

SUITE(throttle_trouble)
