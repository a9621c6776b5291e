/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncoremsr_throttle_look() on machines that change while they are watched, and packages that inherit the verdicts of
 * their cores.
 *
 * Uses internal headers, because it intercepts register accesses.
 */

#include "access/access.h"
#include "draw.h"
#include "suite.h"
#include "throttle_steps.h"

#define WSM "westmere-2s,clock=stepped,throttle=none"
#define NHM "nehalem-1s,clock=stepped,throttle=none"
#define HSW "haswell-ep-2s,clock=stepped,throttle=none"
#define SKX "skylake-sp-2s,clock=stepped,throttle=none"

/* Why a question has no answer; -1 if the question has an answer. */
static int reason_of(const struct uncoremsr_subject *s, const char *word)
{
	const struct uncoremsr_question *q = find_question(s, word, -1);

	return q ? (int)q->reason : -1;
}

#define CALM_HOUR(name) \
	{ "a calm " name " is ok for an hour", name ",clock=stepped,throttle=none", \
	  "option counting 1; look; overall ok; repeat 360 after 10; overall ok; causes" }
/* Firmware limits the clock from 100 to 120 s. uncore-throttle.bats has episodes of all other causes. */
#define HELD_BACK "look; after 90; causes; after 15; causes firmware; verdict 1 0 throttled; cause 1 0 firmware decides; " \
	"after 5; causes firmware; after 15; after 15; causes"

static const struct story stories[] = {
	CALM_HOUR("westmere-2s"), CALM_HOUR("haswell-ep-2s"), CALM_HOUR("skylake-sp-2s"), CALM_HOUR("icelake-sp-2s"),
	CALM_HOUR("zen-1s"), CALM_HOUR("nehalem-1s"),
	{ "firmware is reported on a haswell", HSW ",throttle=firmware for=20 phase=100", HELD_BACK },
	{ "firmware is reported on a skylake", SKX ",throttle=firmware for=20 phase=100", HELD_BACK },
	{ "firmware is reported on an ice lake", "icelake-sp-2s,clock=stepped,throttle=none,throttle=firmware for=20 phase=100",
	  HELD_BACK },
	{ "one device that cannot be opened does not hide others", HSW ",open=ENOENT cpu=2,open=EACCES cpu=4 times=2",
	  "look; repeat 5 after 1; open 0 2 prochot-external NO_ACCESS; state 0 4 prochot-external answered" },
	{ "a register of all ones is not believed",
	  HSW ",set=0x19c:0xffffffffffffffff:cpu=0,set=0x690:0xffffffffffffffff",
	  "look; verdict 0 0 cannot-tell; open 0 0 prochot-external ALL_ONES; verdict 0 - cannot-tell; "
	  "open 0 - vr-thermal ALL_ONES" },
	{ "a package without a status is not ok if one core is unknown",
	  NHM ",kernel_thermal=no,fail=read 0x19c EIO cpu=0",
	  "look; verdict 0 0 cannot-tell; verdict 0 1 ok; verdict 0 - cannot-tell; "
	  "machine " NHM ",kernel_thermal=no,fail=read 0x19c EIO cpu=3,throttle=core-thermal core=1; "
	  "look; verdict 0 3 cannot-tell; verdict 0 - throttled" },
	{ "a package with a status has causes of its own only", HSW ",throttle=core-thermal core=1",
	  "look; verdict 0 1 throttled; verdict 0 - ok; no-cause 0 -" },
	/*
	 * If a slow clock had another cause at the previous reading, firmware is not reported, even if the list of
	 * cores was rebuilt.
	 */
	{ "when a cpu goes offline firmware is not blamed for an explained clock",
	  HSW ",throttle=prochot-external package=0 every=100 for=1 phase=2.5,hotplug=5:off:at=4",
	  "look; causes; after 1; causes; after 1; causes; after 1; causes prochot-external; after 1; causes; "
	  "after 1; causes" },
	/*
	 * The first reading tries to open the devices of 2 packages and 12 cores; each later reading tries one device.
	 */
	{ "a driver that is loaded while watching is noticed", HSW ",open=ENOENT times=20,throttle=prochot-external",
	  "look; repeat 6 after 1; verdict 0 0 cannot-tell; open 0 0 prochot-external NO_ACCESS; after 1; "
	  "verdict 1 0 throttled; "
	  "verdict 1 1 throttled; verdict 1 2 throttled; verdict 1 3 throttled; verdict 1 4 throttled; "
	  "verdict 1 5 throttled; "
	  "state 0 0 prochot-external answered" },
	{ "events are counted as soon as there is access", WSM ",open=ENOENT times=17,throttle=dimm-thermal package=1",
	  "option counting 1; look; open 1 - dimm-thermal NO_COUNTERS; repeat 5 after 1; verdict 0 - ok; "
	  "verdict 1 - throttled; cause 1 - dimm-thermal" },
	{ "a changed reason for no access is reported", HSW ",open=EACCES times=14,open=EPERM",
	  "look; question 0 0 EACCES; repeat 14 after 1; question 0 0 EPERM; question 0 0 CAP_SYS_RAWIO" },
	{ "lost time is reported even if its unit is unknown",
	  HSW ",fail=read 0x606 EIO,throttle=dimm-thermal package=1",
	  "look; after 1; verdict 1 - throttled; cause 1 - dimm-thermal now; share 1 - dimm-thermal -" },
	{ "a register that never worked is not tried again", HSW ",fail=read 0x19c EIO",
	  "look; trace 0x19c; repeat 3 after 1; traced 0 0" },
	{ "a package without a status has the causes of its cores",
	  NHM ",throttle=core-thermal core=1,throttle=critical-temperature core=2,throttle=core-thermal core=3 for=1",
	  "look; after 2; verdict 0 - throttled; causes-of 0 - critical-temperature core-thermal; "
	  "inherited 0 - critical-temperature 1; inherited 0 - core-thermal 2; cores 0 4; "
	  "cause 0 - core-thermal now,logged,decides; inherited 0 1 core-thermal -; "
	  "evidence 0 - core-thermal 0 IA32_THERM_STATUS 0x19c=0x88000003 0x3 THERMAL THERMAL_LOG core 1; "
	  "evidence 0 - core-thermal 1 IA32_THERM_STATUS 0x19c=0x88040002 0x2 THERMAL_LOG core 3; "
	  "evidence 0 - core-thermal 2 none" },
	/* The events cover the first four cores, which have the ids 0, 1, 2 and 8. */
	{ "a core without an event passes its cause to the package",
	  WSM ",throttle=core-thermal core=9 package=0,throttle=core-thermal core=1 package=1",
	  "option counting 1; look; after 1; verdict 0 - throttled; inherited 0 - core-thermal 1; "
	  "verdict 1 - throttled; causes-of 1 - core-thermal; inherited 1 - core-thermal -" },
	/* The last reading reports a hot core, although the counters of the package were disturbed. */
	{ "disturbed counters are unknown since the last valid reading",
	  WSM ",foreign=0x3c0 0x400101 at=3 package=1,throttle=dimm-thermal phase=4 for=9,"
	  "throttle=core-thermal core=0 phase=7 for=9",
	  "option counting 1; look; after 2; verdict 1 - ok; after 2; verdict 0 - ok; verdict 1 - cannot-tell; "
	  "verdict 1 0 ok; open 1 - dimm-thermal EVENT_DISTURBED; since 1 - dimm-thermal 2; no-cause 1 - dimm-thermal; "
	  "after 2; verdict 0 - throttled; verdict 1 - cannot-tell; since 1 - dimm-thermal 4; "
	  "after 2; verdict 1 - throttled" },
	{ "counters that are disturbed at once are unknown since they were started", WSM ",foreign=0x3c1 0x400101 at=1",
	  "option counting 1; look; after 2; open 0 - prochot-external EVENT_DISTURBED; "
	  "since 0 - prochot-external 2; no-cause 0 - prochot-external; after 3; since 0 - prochot-external 5" },
	/* 0x613, 0x61b and 0x34 show throttling only by their growth, which is unknown across a suspend. */
	{ "growth over an interval with a suspend is unknown", SKX ",suspend=10:at=7",
	  "look; after 5; no-question 1 -; after 5; open 1 - dimm-thermal SUSPENDED; open 1 - power-limit SUSPENDED; "
	  "open 1 - smi SUSPENDED; since 1 - dimm-thermal 5; since 1 - power-limit 5; since 1 - smi 5; "
	  "verdict 1 - cannot-tell; after 5; no-question 1 -" },
	{ "the first reading after a failure shows no growth", SKX ",fail=read 0x61b EIO cpu=0 after=2 times=1",
	  "look; state 0 - dimm-thermal answered; after 1; state 0 - dimm-thermal answered; "
	  "after 1; open 0 - dimm-thermal READ_FAILED; since 0 - dimm-thermal 1; "
	  "after 1; open 0 - dimm-thermal NOT_READ_BEFORE; since 0 - dimm-thermal 2; "
	  "after 1; state 0 - dimm-thermal answered" },
	/* When another CPU reads the package's register for the first time, the register has no previous value. */
	{ "a package read through another cpu loses one interval", SKX ",cpu0_hotplug=yes,hotplug=0:off:at=7",
	  "look; after 5; after 5; open 0 - dimm-thermal NOT_READ_BEFORE; since 0 - dimm-thermal 5; "
	  "state 1 - dimm-thermal answered" },
	{ "a question that never had an answer has no time of an answer", WSM,
	  "look; after 1; state 0 - package-thermal not-visible; since 0 - package-thermal -; "
	  "since 0 - dimm-thermal -" },
	{ "events over an interval with a suspend do not prove ok", WSM ",suspend=10:at=3",
	  "option counting 1; look; after 2; verdict 1 - ok; after 2; verdict 1 - cannot-tell; "
	  "open 1 0 firmware SUSPENDED; open 1 - dimm-thermal EVENT_NOT_COUNTED; since 1 - dimm-thermal 2; "
	  "after 2; verdict 1 - ok" },
};

FIXTURE(.teardown = close_machine)

TEST_STORIES(a_machine_that_changes_is_judged_as_the_steps_say, play_throttle, stories)

/* ---- registers without access ---- */

/* The processor has power-limit bits. The reason must be that the bits cannot be read, not that they do not exist. */
TEST(without_access_no_register_is_reported_as_missing)
{
	look_at(HSW ",open=EACCES");
	for (int core = -1; core < 6; core++) {
		const struct uncoremsr_question *q;

		for (size_t i = 0; (q = subject(0, core)->questions[i]); i++)
			ck_assert(q->state != UNCOREMSR_QUESTION_OPEN || q->reason == UNCOREMSR_REASON_NO_ACCESS);
		ck_assert(is_open(subject(0, core), "power-limit", UNCOREMSR_REASON_NO_ACCESS));
	}
}

/* ---- CPUs that go offline or online during uncoremsr_throttle_look() ---- */

static void expect_no_lost_cpu(unsigned after)
{
	const struct uncoremsr_subject *s;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		for (size_t q = 0; s->questions[q]; q++)
			ck_assert_msg(s->questions[q]->reason != UNCOREMSR_REASON_CPU_OFFLINE, "after %u", after);
}

/* CPUs 4 and 16 are core 2 of package 0. */
TEST_EACH(if_a_cpu_goes_offline_during_a_read_another_one_reads_its_core, 2)
{
	const bool both = _i;
	unsigned during = 0;

	for (unsigned after = 1 + draw_first(12); after < 160; after += draw_step(12)) {
		char machine[128];
		int before = 4;
		bool was_there;

		snprintf(machine, sizeof(machine), WSM "%s,hotplug=4:off:after=%u", both ? ",offline=16" : "", after);
		look_at(machine);
		was_there = subject(0, 2) && subject(0, 2)->cpu == 4;
		pass(1);
		for (int i = 0; i < 2; i++) {
			bool is_there;
			int cpu;

			look();
			is_there = subject(0, 2) != NULL;
			cpu = is_there ? subject(0, 2)->cpu : -1;
			/* APERF and MPERF have no previous value if the reading moved to another CPU. */
			ck_assert_str_eq(verdict(0, 2), !is_there ? "gone" : cpu == before || (!i && !was_there)
					 ? "ok" : "cannot-tell");
			ck_assert(!is_there || cpu == before || !is_open(subject(0, 2), "core-thermal", -1));
			before = cpu;
			if (is_there && !both)
				during += was_there && cpu == 16;
			expect_no_lost_cpu(after);
			pass(1);
		}
	}
	ck_assert(both || during);
}

/* Number of episodes that the kernel counted since the previous reading; -1: unknown. */
static int64_t times(const struct uncoremsr_subject *s)
{
	const struct uncoremsr_cause *c = find_cause(s, "core-thermal");

	for (size_t i = 0; c && c->evidence[i]; i++)
		if (c->evidence[i]->finding == UNCOREMSR_FINDING_TIMES)
			return (int64_t)c->evidence[i]->amount;
	return -1;
}

TEST(if_a_cpu_goes_offline_during_a_read_the_others_are_not_affected)
{
	for (unsigned after = 1 + draw_first(12); after < 160; after += draw_step(12)) {
		char machine[192];

		snprintf(machine, sizeof(machine), WSM ",throttle=core-thermal package=0 core=0 every=1 for=0.5,"
			 "fail=read 0x19a EIO,hotplug=4:off:after=%u", after);
		open_machine(machine);
		for (int i = 0; i < 3; i++) {
			look();
			if (i)
				ck_assert_msg(times(subject(0, 0)) == 1, "%u: %d", after, (int)times(subject(0, 0)));
			ck_assert_int_eq(reason_of(subject(0, 0), "clock-modulation"), UNCOREMSR_REASON_READ_FAILED);
			pass(1);
		}
	}
}

static unsigned texts_left;

static void count_text(void)
{
	if (texts_left && !--texts_left)
		ck_assert_int_eq(uncoremsr_sim_file_write(sim, "sys/devices/system/cpu/cpu4/online", "0", 1), 0);
}

static ssize_t spy_read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	count_text();
	return true_ops->read_text(a, path, buf, size);
}

static ssize_t spy_reread_text(struct um_access *a, int handle, char *buf, size_t size)
{
	count_text();
	return true_ops->reread_text(a, handle, buf, size);
}

/*
 * If the online CPUs change while the cores are listed, the next uncoremsr_throttle_look() lists the cores again, even
 * if the same CPUs are online by then.
 */
TEST(a_core_that_goes_offline_during_listing_is_listed_when_it_is_back)
{
	bool all = false;
	unsigned gone = 0;

	for (unsigned n = 1; !all; n++) {
		struct um_access_ops *spy;

		look_at(WSM ",offline=16,hotplug=5:off:at=1");
		pass(1);
		spy = spy_on();
		spy->read_text = spy_read_text;
		if (spy->reread_text)
			spy->reread_text = spy_reread_text;
		texts_left = n;
		look();
		stop_spying();
		all = texts_left > 0;
		gone += !subject(0, 2);
		ck_assert_int_eq(uncoremsr_sim_file_write(sim, "sys/devices/system/cpu/cpu4/online", "1", 1), 0);
		pass_and_look(1);
		ck_assert_str_eq(verdict(0, 2), "ok");
	}
	ck_assert_uint_gt(gone, 1);
}

/* E-cores without a thermal sensor; the first online CPU goes offline after the machine was opened. */
TEST(kinds_of_cores_are_distinguished_although_the_first_cpu_went_offline)
{
	static const char online[] = "sys/devices/system/cpu/cpu1/online";

	for (int i = 0; i < 2; i++) {
		open_machine("alderlake-hybrid,clock=stepped,throttle=none,offline=0,"
			     "leaf=0x6 0 0x4 0 0x1 0 cpus=16-23");
		uncoremsr_throttle_free(t);
		t = NULL;
		if (i)
			ck_assert_int_eq(uncoremsr_sim_file_write(sim, online, "0", 1), 0);
		ck_assert_int_eq(uncoremsr_throttle_new(um, &t), 0);
		look();
		for (unsigned core = 1; core < 16; core++) {
			const struct uncoremsr_subject *who = uncoremsr_throttle_subject(t, core);

			ck_assert_ptr_nonnull(who);
			ck_assert_msg(isnan(who->temperature) == (who->cpu >= 16), "%d: CPU %d", i, who->cpu);
		}
	}
}

SUITE(throttle_watch)
