/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cores that run slower than requested, and packages that inherit the causes and verdicts of their cores. */
#include "judged.h"
#include "suite.h"

FIXTURE(.setup = make_handle, .teardown = free_handle)

/* ---- the clock ---- */

/* The base ratio is in 0xce bits 15:8, in steps of 133.33 MHz on Nehalem and Westmere, later of 100 MHz. */
TEST(the_base_clock_is_in_steps_of_its_generation)
{
	static const struct { unsigned has; uint64_t base; } steps[] = {
		{ UM_HAS_NEHALEM, 2666666666 }, { 0, 2000000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		begin(steps[i].has);
		read_as(package, UM_ROLE_PLATFORM_INFO, 0, 0xff0014ff);
		read_as(core, UM_ROLE_MPERF, 1000, 2000);
		read_as(core, UM_ROLE_APERF, 1000, 1500);
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->pub.frequency, steps[i].base / 2);
		/* If APERF has decreased, the CPU was offline and its counters were reset, so the clock is unknown. */
		read_as(core, UM_ROLE_APERF, 1000, 10);
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->pub.frequency, UM_ABSENT);
	}
	begin(0);
	watcher.base_hz = 3e9; /* the base clock from the processor's name is preferred */
	read_as(package, UM_ROLE_PLATFORM_INFO, 0, 0x1400);
	read_as(core, UM_ROLE_MPERF, 0, 1000);
	read_as(core, UM_ROLE_APERF, 0, 1000);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->pub.frequency, 3000000000);
}

/*
 * Judge a core that runs at @percent of its base clock of 2 GHz and is busy for the share @busy of the time. Its
 * requested ratio was 20 and is @wanted now; its actual ratio was @before and is @now.
 */
static const struct uncoremsr_cause *run(unsigned percent, double busy, unsigned wanted,
					 unsigned before, unsigned now)
{
	begin(0);
	read_as(package, UM_ROLE_PLATFORM_INFO, 0, 20 << 8);
	read_as(core, UM_ROLE_MPERF, 0, (uint64_t)(2e9 * busy));
	read_as(core, UM_ROLE_APERF, 0, (uint64_t)(2e9 * busy * percent / 100));
	read_as(core, UM_ROLE_PERF_CTL, 20 << 8, wanted << 8);
	read_as(core, UM_ROLE_PERF_STATUS, before << 8, now << 8);
	um_judge_all(&watcher);
	return cause_of(core, UNCOREMSR_CAUSE_FIRMWARE);
}

TEST(firmware_is_blamed_if_a_busy_core_is_slower_than_requested)
{
	const struct uncoremsr_cause *c = run(60, 1, 20, 12, 12);

	ck_assert(c && c->decides && holds(c));
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_FREQUENCY), 1200000000);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_FREQUENCY), 2000000000);
	ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_RATIO), 12);
	ck_assert_int_eq(of(core, UNCOREMSR_FINDING_RATIO), 20);
	c = run(60, 1, 20, 12, 20);
	ck_assert(c && c->decides && happened(c));
	/* The limits are 95 % of the requested clock, and 10 % busy time. */
	ck_assert_ptr_null(run(95, 1, 20, 12, 12));
	ck_assert_ptr_nonnull(run(94, 1, 20, 12, 12));
	ck_assert_ptr_null(run(60, 0.09, 20, 12, 12));
	ck_assert_ptr_nonnull(run(60, 0.1, 20, 12, 12));
	/* Not slow: a core whose request has just changed, that runs as requested, or that only lacks turbo. */
	ck_assert_ptr_null(run(60, 1, 21, 12, 12));
	ck_assert_ptr_null(run(60, 1, 20, 20, 20));
	ck_assert_ptr_null(run(100, 1, 30, 20, 20));
	/*
	 * If a value is missing at the previous or the present reading, nothing is known about the time between the
	 * readings.
	 */
	for (int role = 0; role < UM_NUM_ROLES; role++) {
		if (!core->sources[role].known)
			continue;
		for (int had = 0; had < 2; had++) {
			run(60, 1, 20, 12, 12);
			core->explained = false;
			core->sources[role].known = had;
			core->sources[role].had = !had;
			um_judge_all(&watcher);
			ck_assert_msg(!cause_of(core, UNCOREMSR_CAUSE_FIRMWARE), "role %d", role);
		}
	}
}

/* 0x198 and 0x199 have the ratio in bits 15:8, on Nehalem and Westmere in bits 7:0. */
TEST(every_bit_of_a_ratio_is_decoded)
{
	for (unsigned bit = 0; bit < 8; bit++)
		for (int nehalem = 0; nehalem < 2; nehalem++) {
			unsigned now = 1u << bit;

			begin(nehalem ? UM_HAS_NEHALEM : 0);
			read_as(package, UM_ROLE_PLATFORM_INFO, 0, 255 << 8);
			watcher.base_hz = 2e9;
			read_as(core, UM_ROLE_MPERF, 0, 2000000000);
			read_as(core, UM_ROLE_APERF, 0, 1000000000);
			read_as(core, UM_ROLE_PERF_CTL, nehalem ? 0xff : 0xff00, nehalem ? 0xff : 0xff00);
			read_as(core, UM_ROLE_PERF_STATUS, 0, nehalem ? 0xff00 | now : 0xff00ff | now << 8);
			um_judge_all(&watcher);
			ck_assert_int_eq(amount(core, UNCOREMSR_FINDING_RATIO), now);
			ck_assert_int_eq(of(core, UNCOREMSR_FINDING_RATIO), 255);
		}
}

/* 0xce bits 15:8 are the base ratio. A core is slow only below its base ratio, whatever ratio was requested. */
TEST(every_bit_of_the_base_ratio_is_decoded)
{
	for (unsigned base = 2; base < 256; base++)
		for (unsigned below = 0; below < 2; below++) {
			unsigned now = base - below;

			begin(0);
			watcher.base_hz = 2e9;
			read_as(package, UM_ROLE_PLATFORM_INFO, 0, 0xff00ff | base << 8);
			read_as(core, UM_ROLE_MPERF, 0, 2000000000);
			read_as(core, UM_ROLE_APERF, 0, 1000000000);
			read_as(core, UM_ROLE_PERF_CTL, 255 << 8, 255 << 8);
			read_as(core, UM_ROLE_PERF_STATUS, now << 8, now << 8);
			um_judge_all(&watcher);
			ck_assert_msg(!cause_of(core, UNCOREMSR_CAUSE_FIRMWARE) == !below, "%u of %u", now, base);
		}
}

/* Without a base clock the frequency is unknown, so a slow clock could not be noticed. */
TEST(without_a_base_clock_a_slow_clock_could_not_be_noticed)
{
	run(60, 1, 20, 20, 20);
	ck_assert_uint_ne(core->pub.could_show & 1u << UNCOREMSR_CAUSE_FIRMWARE, 0);
	for (int role = 0; role < UM_NUM_ROLES; role++) {
		if (!core->sources[role].known)
			continue;
		core->sources[role].had = false;
		um_judge_all(&watcher);
		ck_assert_uint_eq(core->pub.could_show & 1u << UNCOREMSR_CAUSE_FIRMWARE, 0);
		core->sources[role].had = true;
	}
	package->sources[UM_ROLE_PLATFORM_INFO].known = false;
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->pub.frequency, UM_ABSENT);
	ck_assert_uint_eq(core->pub.could_show & 1u << UNCOREMSR_CAUSE_FIRMWARE, 0);
	/* The processor's name has a base clock, but no base ratio. */
	run(60, 1, 20, 12, 12);
	watcher.base_hz = 2e9;
	core->explained = package->sources[UM_ROLE_PLATFORM_INFO].known = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
}

/* 80 GHz is accepted; 150 GHz is impossible, so another program must have overwritten a count. */
TEST(an_impossibly_high_clock_is_unknown)
{
	run(4000, 1, 20, 20, 20);
	ck_assert_uint_eq(core->pub.frequency, UINT64_C(80000000000));
	run(7500, 1, 20, 20, 20);
	ck_assert_uint_eq(core->pub.frequency, UM_ABSENT);
}

/*
 * Judge an AMD core that is always busy and runs at half of its base clock. Its requested P-state was @before and is
 * @now. A P-state other than 0, or an unknown one, explains the slow clock.
 */
static const struct uncoremsr_cause *ordered(unsigned before, unsigned now)
{
	begin(UM_HAS_AMD);
	watcher.base_hz = 2e9;
	read_as(core, UM_ROLE_MPERF, 0, 2000000000);
	read_as(core, UM_ROLE_APERF, 0, 1000000000);
	read_as(core, UM_ROLE_PSTATE_ASKED, before, now);
	um_judge_all(&watcher);
	return cause_of(core, UNCOREMSR_CAUSE_FIRMWARE);
}

/* The limits are 90 % busy time, and 95 % of the base clock. */
TEST(an_amd_core_is_slow_only_below_the_limit)
{
	static const struct { uint64_t mperf, aperf; bool slow; } edges[] = {
		{ 2000000000, 1900000000, false }, { 2000000000, 1899999000, true },
		{ 1800000000, 900000000, true }, { 1799999000, 900000000, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(edges); i++) {
		ordered(0, 0);
		read_as(core, UM_ROLE_MPERF, 0, edges[i].mperf);
		read_as(core, UM_ROLE_APERF, 0, edges[i].aperf);
		core->explained = false;
		um_judge_all(&watcher);
		ck_assert_msg(!cause_of(core, UNCOREMSR_CAUSE_FIRMWARE) == !edges[i].slow, "%zu", i);
	}
}

TEST(an_amd_core_is_slow_only_if_pstate_0_was_always_requested)
{
	ck_assert_ptr_nonnull(ordered(0, 0));
	ck_assert_ptr_null(ordered(0, 1));
	ck_assert_ptr_null(ordered(2, 0));
	ck_assert_ptr_null(ordered(4, 4));
	/* Only bits 2:0 of 0xc0010062 are the requested P-state. */
	ck_assert_ptr_nonnull(ordered(8, 8));
	ordered(0, 0);
	core->sources[UM_ROLE_PSTATE_ASKED].had = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
	core->sources[UM_ROLE_PSTATE_ASKED].had = true;
	core->sources[UM_ROLE_PSTATE_ASKED].known = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
}

/* Does a question about the clock of an AMD core stay open? Its P-state 0 has 2 GHz and is requested. */
static bool riddle(uint64_t mperf, uint64_t mperf_now, uint64_t aperf, uint64_t aperf_now)
{
	begin(UM_HAS_AMD);
	model.family = 0x17;
	read_as(core, UM_ROLE_PSTATE_0, 0, UINT64_C(1) << 63 | 8 << 8 | 80);
	read_as(core, UM_ROLE_PSTATE_ASKED, 0, 0);
	read_as(core, UM_ROLE_MPERF, mperf, mperf_now);
	read_as(core, UM_ROLE_APERF, aperf, aperf_now);
	um_judge_all(&watcher);
	for (size_t i = 0; i < core->num_questions; i++)
		if (core->questions[i].cause == UNCOREMSR_CAUSE_FIRMWARE)
			return true;
	return false;
}

/*
 * If neither APERF nor MPERF changes, the core slept. If only one of the two changes, or both have always been 0, the
 * registers do not work.
 */
TEST(a_sleeping_core_leaves_no_question_open)
{
	ck_assert(!riddle(1000, 1000, 900, 900));
	ck_assert(!riddle(1000, 2000, 900, 1900));
	ck_assert(riddle(1000, 2000, 900, 900));
	ck_assert(riddle(1000, 1000, 900, 1900));
	ck_assert(riddle(0, 0, 0, 0));
	ck_assert(!riddle(1000, 10, 900, 9));
	/* On AMD families whose P-state 0 may be boosted, the base clock is not derived from P-state 0. */
	model.family = 0x15;
	core->sources[UM_ROLE_MPERF].known = false;
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->pub.frequency, UM_ABSENT);
	for (size_t i = 0; i < core->num_questions; i++)
		ck_assert_uint_ne(core->questions[i].cause, UNCOREMSR_CAUSE_FIRMWARE);
}

static const struct uncoremsr_cause *inherited(enum uncoremsr_cause_kind cause)
{
	const struct uncoremsr_cause *c = cause_of(package, cause), *from = cause_of(core, cause);

	ck_assert(c && from);
	ck_assert_int_eq(c->inherited, 1);
	ck_assert_int_eq(package->pub.verdict, core->pub.verdict);
	ck_assert_uint_eq(package->num_evidence, 1);
	ck_assert_int_eq(package->evidence[0].pub.core, 3);
	return c;
}

TEST(a_package_without_a_status_could_show_the_causes_that_its_cores_could_show)
{
	inherits = true;
	begin(0);
	core->core = 3;
	read_as(core, UM_FILE_CORE_COUNT, 7, 7);
	um_judge_all(&watcher);
	ck_assert_uint_eq(core->pub.could_show, 1u << UNCOREMSR_CAUSE_CORE_THERMAL);
	ck_assert_uint_eq(package->pub.could_show, core->pub.could_show);
	core->sources[UM_FILE_CORE_COUNT].known = false;
	um_judge_all(&watcher);
	ck_assert_uint_eq(package->pub.could_show, 0);
}

TEST(a_package_without_a_status_has_the_causes_of_its_cores)
{
	const struct uncoremsr_cause *c;

	inherits = true;
	run(60, 1, 20, 12, 12);
	core->core = 3;
	um_judge_all(&watcher);
	c = inherited(UNCOREMSR_CAUSE_FIRMWARE);
	ck_assert(holds(c) && c->decides && !c->logged && !log_bit(c));
	run(60, 1, 20, 12, 20);
	core->core = 3;
	um_judge_all(&watcher);
	c = inherited(UNCOREMSR_CAUSE_FIRMWARE);
	ck_assert(happened(c) && c->decides);

	begin(0);
	core->core = 3;
	read_as(core, UM_FILE_CRIT_ALARM, 0, 1);
	um_judge_all(&watcher);
	c = inherited(UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE);
	ck_assert(!holds(c) && !happened(c) && c->logged && log_bit(c) && c->decides);

	begin(0);
	core->core = 3;
	read_as(core, UM_FILE_CORE_COUNT, 7, 9);
	read_as(core, UM_FILE_CORE_TIME, 100, 350);
	core->sources[UM_FILE_CORE_TIME].known = false;
	um_judge_all(&watcher);
	c = inherited(UNCOREMSR_CAUSE_CORE_THERMAL);
	ck_assert(happened(c) && c->logged && !log_bit(c) && c->decides);

	begin(0);
	um_judge_all(&watcher);
	ck_assert_uint_eq(package->num_causes, 0);
}

/* With more cores than room for evidence, the causes of every core are still included. */
TEST(a_package_counts_the_causes_of_all_of_its_cores)
{
	enum { CORES = UM_MAX_EVIDENCE + 3 };
	static struct um_subject many[1 + CORES];

	for (unsigned cold = 0; cold < 2; cold++) {
		begin(0);
		watcher.subjects = many;
		watcher.num_subjects = watcher.num_listed = 1 + CORES - cold;
		many[0] = (struct um_subject){
			.core = -1, .die = -1, .num = CORES - cold, .watcher = &watcher,
		};
		for (int i = 0; i < CORES; i++) {
			many[1 + i] = *core;
			many[1 + i].of = &many[0];
			many[1 + i].core = i;
			many[1 + i].sources[UM_FILE_HSMP_PROCHOT] = (struct um_gauge){
				.value = 1, .known = true, .had = true,
			};
		}
		um_judge_all(&watcher);
		ck_assert_int_eq(cause_of(&many[0], UNCOREMSR_CAUSE_PROCHOT_EXTERNAL)->inherited, CORES - cold);
		ck_assert_uint_eq(many[0].num_evidence, UM_MAX_EVIDENCE);
		for (unsigned i = 0; i < UM_MAX_EVIDENCE; i++)
			ck_assert_int_eq(many[0].evidence[i].pub.core, i);
	}
}

TEST(with_hwp_no_ratio_was_requested)
{
	run(60, 1, 20, 12, 12);
	core->gates = UM_GATE_HWP;
	core->explained = core->explained_before = false;
	um_judge_all(&watcher);
	core->explained = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
	/* The processor could choose the clock, but the operating system did not enable that (0x770 bit 0). */
	read_as(package, UM_ROLE_PM_ENABLE, 0, 0);
	core->explained = core->explained_before = false;
	um_judge_all(&watcher);
	ck_assert_ptr_nonnull(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
	read_as(package, UM_ROLE_PM_ENABLE, 1, 1);
	core->explained = core->explained_before = false;
	um_judge_all(&watcher);
	ck_assert_ptr_null(cause_of(core, UNCOREMSR_CAUSE_FIRMWARE));
}

SUITE(judged_clock)
