/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters that stand still, are full, switched off or used by another program, and dies that go offline and
 * come back: what cannot be measured is unknown with a reason, never 0.
 *
 * Uses internal headers, because it intercepts register accesses.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/access.h"
#include "machine.h"
#include "suite.h"
#include "uncoremsr/leases.h"


/* ---- another program has frozen everything ---- */

enum { SPR_GLOBAL = 0x2ff0, SPR_CHA0 = 0x2002, SPR_BOX0 = 0x2000 };

FIXTURE(.teardown = close_in_root)

TEST(a_freeze_in_the_middle_is_noticed)
{
	count_on("sapphire-rapids-2s", "cha0/event=0x50,umask=0x4/");
	ck_assert_uint_eq(value(0, 0), 200000);
	poke(0, SPR_GLOBAL, 1);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_disturbed(s), 1);
	expect_unknown(reading(0, 0), UNCOREMSR_DISTURBED, "bit 0 of 0x2ff0 is set");
	ck_assert_uint_eq(value(1, 0), 200000);
}

static void set_package_1(const char *on)
{
	for (unsigned cpu = 8; cpu < 32; cpu = cpu == 15 ? 24 : cpu + 1)
		set_online(cpu, on);
}

TEST(a_package_that_comes_online_frozen_stays_unknown_until_unfrozen)
{
	open_stepped("sapphire-rapids-2s", "");
	count("cha0/event=0x50,umask=0x4/");
	set_package_1("0");
	ck_assert_int_eq(pass_and_read(SECOND), -ENXIO);
	set_package_1("1");
	poke(8, SPR_GLOBAL, 1);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), -EBUSY);
		expect_unknown(reading(1, 0), UNCOREMSR_FAILED, "frozen by another program");
		ck_assert_uint_eq(value(0, 0), 200000);
	}
	poke(8, SPR_GLOBAL, 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(1, 0), 200000);
}

TEST(free_running_counters_are_read_whatever_is_frozen)
{
	open_stepped("sapphire-rapids-2s", "");
	poke(0, SPR_GLOBAL, 1);
	count("iio_free_running/bw_in_port0/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
}

TEST(a_core_pmu_that_stands_still_after_an_overflow_is_unknown)
{
	open_core("icelake-sp-2s", "0,1");
	poke(0, 0x391, UINT64_C(1) << 59); /* sets bit 59 (CTR_FRZ) of 0x38e */
	count("core/instructions/");
	ck_assert_int_eq(pass_and_read(SECOND), -EBUSY);
	expect_unknown(reading(0, 0), UNCOREMSR_FAILED, "bit 59 of IA32_PERF_GLOBAL_STATUS (0x38e)");
}

/* ---- memory controllers ---- */

enum { UMC0_CTR0 = 0xc0010801u };

TEST(a_full_memory_counter_gives_no_number)
{
	open_stepped("genoa-1s", "");
	count("umc/event=0xa/");
	poke(0, UMC0_CTR0, (UINT64_C(1) << 48) - 10);
	/* The counter stays full, so the second reading is unknown, too. */
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), 0);
		expect_unknown(reading(0, 0), UNCOREMSR_WRAPPED, "umc0: the counter was full and has stopped");
		expect_unknown(total_reading(0, 0), UNCOREMSR_WRAPPED, "full");
	}
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, UMC0_CTR0), 0x1234); /* restored */
}

/* ---- AMD: what CPUID says ---- */

#define NO_DF_NO_L3 ",leaf=0x80000001 0 0x00a10f11 0x40000000 0x64c237ff 0x2fd3fbff"
#define NO_L3 ",leaf=0x80000001 0 0x00a10f11 0x40000000 0x65c237ff 0x2fd3fbff"

TEST_EACH(a_fabric_without_perfmon_2_has_four_counters, 2)
{
	static const char *const leaves[] = {
		",leaf=0x80000022 0 0 0 0 0",
		",leaf=0x80000000 0 0x80000021 0x68747541 0x444d4163 0x69746e65",
	};
	uint64_t v;

	open_stepped("genoa-1s", leaves[_i]);
	ck_assert_int_ne(uncoremsr_sim_rdmsr(sim, 0, 0xc0010248u, &v), 0); /* DF_PERF_CTL4: only 0 to 3 exist */
	count("df/event=0x7,umask=0x38/,df/event=0x47,umask=0x38/,df/event=0x87,umask=0x38/,"
	      "df/event=0xc7,umask=0x38/,df/event=0x107,umask=0x38/");
	ck_assert_uint_eq(uncoremsr_session_state(s)->turns, 2);
	ck_assert_uint_eq(peek(0, 0xc0010240u), UINT64_C(0x403807));
	/* The selectors keep Zen 4's layout: bits 13:8 of the event are bits 37:32 (Zen 1 to 3: 60:59, 35:32). */
	next_session();
	count("df/event=0x1007/");
	ck_assert_uint_eq(peek(0, 0xc0010240u), UINT64_C(0x1000400007));
}

TEST(no_memory_controller_is_assumed_without_perfmon_2)
{
	open_stepped("genoa-1s", ",leaf=0x80000022 0 0 0 0 0");
	expect_no_event("umc/event=0xa/", -ENODEV, "reports no counters of umc");
}

TEST(counters_that_cpuid_denies_are_absent_with_the_reason)
{
	open_stepped("genoa-1s", NO_L3);
	add("l3/event=0x4,umask=0xff/");
	expect_start(-ENODEV, "l3: switched off by firmware or a hypervisor (CPUID 0x80000001 ECX bit 28)", "");
	next_session();
	count("df/event=0x7,umask=0x38/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 4000000);
	close_machine();
	open_stepped("genoa-1s", NO_DF_NO_L3);
	add("df/event=0x7,umask=0x38/");
	expect_start(-ENODEV, "ECX bit 24", "");
}

/* ---- bits that nobody has ever set ---- */

TEST_EACH(a_unit_mask_of_the_pcu_may_set_only_the_occupancy_bits, 2)
{
	static const char *const machines[] = { "skylake-sp-2s", "icelake-sp-2s" };

	open_stepped(machines[_i], "");
	for (unsigned bit = 0; bit < 6; bit++) {
		char text[64];

		snprintf(text, sizeof(text), "pcu/event=0x80,umask=0x%x/", 0x40u | 1u << bit);
		expect_no_event(text, -EINVAL, "reserved bits");
	}
	count("pcu/event=0x80,umask=0x40/,pcu/event=0x80,umask=0xc0/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 2400000000);
	ck_assert_uint_eq(value(0, 1), 1600000000);
}

/* ---- dies ---- */

TEST(units_of_dies_know_their_die)
{
	open_stepped("cascadelake-ap-1s", "");
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "0"), 0); /* package 0 has both dies */
	count("cha3/event=0x50,umask=0x1/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(num_units(s, 0), 2);
	for (int die = 0; die < 2; die++) {
		const struct uncoremsr_unit *u = uncoremsr_session_unit(s, 0, (size_t)die);

		ck_assert_int_eq(u->package->die, die);
		ck_assert_int_eq(u->package->id, 0);
		ck_assert_str_eq(u->name, "cha3");
		ck_assert_int_eq(u->cpu, 4 * die);
	}
	ck_assert_uint_eq(value(1, 0), 32 * 400000);
	next_session();
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, "1"), -EINVAL);
}

static void die_1(const char *value)
{
	static const unsigned cpus[] = { 4, 5, 6, 7, 12, 13, 14, 15 };

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
		set_online(cpus[i], value);
}

TEST(a_die_without_any_cpu_is_lost_and_the_other_goes_on)
{
	count_on("cascadelake-ap-1s", "cha/event=0x50,umask=0x1/");
	die_1("0");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(pass_and_read(SECOND), -ENXIO);
		ck_assert_uint_eq(value(0, 0), 400000 * 36);
		expect_unknown(reading(1, 0), UNCOREMSR_LOST, "");
	}
	die_1("1");
	ck_assert_int_eq(pass_and_read(SECOND), 0); /* the interval in which the die came back */
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 400000 * 36);
	ck_assert_uint_eq(value(1, 0), 400000 * (8 * 28 + 36));
}

TEST(a_die_that_is_offline_at_the_start_is_not_counted)
{
	count_on("cascadelake-ap-1s,offline=4-7,offline=12-15", "cha/event=0x50,umask=0x1/");
	ck_assert_uint_eq(uncoremsr_session_state(s)->packages, 1);
	ck_assert_uint_eq(value(0, 0), 400000 * 36);
}

TEST(one_node_of_a_package_that_is_lost_makes_the_sum_unknown)
{
	static const unsigned cpus_of_node_1[] = { 2, 3, 10, 11 };

	open_stepped("naples-1s", "");
	count("df/event=0x7,umask=0x38/");
	for (size_t i = 0; i < ARRAY_SIZE(cpus_of_node_1); i++)
		set_online(cpus_of_node_1[i], "0");
	ck_assert_int_eq(pass_and_read(SECOND), -ENXIO);
	expect_unknown(reading(0, 0), UNCOREMSR_LOST, "df1");
	for (size_t n = 0; n < 4; n++)
		ck_assert_uint_eq(uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_UNIT, n, UNCOREMSR_INTERVAL)->value,
				  n == 1 ? UINT64_MAX : (n + 1) * 4000000);
}

/* ---- leases of dies ---- */

TEST(each_die_has_leases_of_its_own)
{
	const struct uncoremsr_leases *leases;

	make_root();
	open_stepped("cascadelake-ap-1s", "");
	use_root();
	count("cha2/event=0x50,umask=0x1/");
	leases = leases_of(um);
	for (int die = 0; die < 2; die++)
		ck_assert_int_eq(leases->list[die]->die, die);
	ck_assert_ptr_null(leases->list[2]);
	/* If all counters of one die are in use, the session still counts on the other die. */
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	for (uint32_t n = 0; n < 4; n++)
		poke(4, 0xe21 + n, 0x400150);
	next_session();
	count("cha2/event=0x50,umask=0x1/");
	ck_assert_int_eq(pass_and_read(SECOND), -EBUSY);
	ck_assert_str_eq(uncoremsr_error(um)->message, "package 0 die 1 cha2: no free counter: 1 needed at the "
			 "same time, 0 of 4 free");
	ck_assert_uint_eq(value(0, 0), 3 * 400000);
	expect_unknown(reading(1, 0), UNCOREMSR_FAILED, "no free counter");
}

/* ---- the core PMU beside the kernel's watchdog ---- */

enum { FIXED_CONTROL = 0x38d, CORE_SEL0 = 0x186 };

/*
 * The event is not moved to a general counter automatically: general counters are programmed in another way, and
 * groups of metrics rely on the fixed counter.
 */
TEST(if_the_watchdog_uses_the_cycle_counter_an_alternative_is_named)
{
	open_core("skylake-sp-2s", "0");
	poke(0, FIXED_CONTROL, 0xb0); /* cycles, with an interrupt */
	add("core/cycles/,core/instructions/");
	expect_start(-EBUSY, "cpu0: the fixed counter of cycles is in use by another program",
		     "core/event=0x3c/ counts the same on a general counter");
	ck_assert_uint_eq(peek(0, FIXED_CONTROL), 0xb0);
	next_session();
	ck_assert_int_eq(uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_MSR), 0);
	ck_assert_int_eq(uncoremsr_session_only(s, UNCOREMSR_ONLY_CPUS, "0"), 0);
	count("core/event=0x3c/,core/instructions/");
	ck_assert_int_eq(pass_and_read(SECOND), 0);
	ck_assert_uint_eq(value(0, 0), 2000000000);
	ck_assert_uint_eq(value(0, 1), 1500000000);
	ck_assert_uint_eq(peek(0, FIXED_CONTROL), 0xb3);
	ck_assert_int_eq(uncoremsr_session_stop(s), 0);
	ck_assert_uint_eq(peek(0, FIXED_CONTROL), 0xb0);
	ck_assert_uint_eq(peek(0, CORE_SEL0), 0);
}

/* Skylake-SP with SMT: each thread has four of the core's eight counters (CPUID leaf 0xA). */
TEST(only_the_free_counters_of_this_cpu_are_reported)
{
	open_core("skylake-sp-2s", "0");
	for (uint32_t n = 0; n < 4; n++)
		poke(0, CORE_SEL0 + n, 0x4300c0);
	add("core/event=0x3c/");
	expect_start(-EBUSY, "cpu0: no free counter: 1 needed at the same time, 0 of 4 free", "");
}

/* ---- looking at all counters ---- */

static unsigned long looks;

static ssize_t spy_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	looks++;
	return true_ops->read_text(a, path, buf, size);
}

static int spy_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	looks++;
	return true_ops->cpuid(a, cpu, leaf, subleaf, regs);
}

TEST_EACH(listing_all_counters_looks_up_the_units_once_per_cpu, 2)
{
	static const char *const pmus[] = { "l3", "df" };
	const struct uncoremsr_package *p;
	const struct uncoremsr_pmu *pmu;
	const struct uncoremsr_counters *counters;
	struct um_access_ops *spy;
	unsigned seen = 0;

	open_stepped("naples-1s", "");
	spy = spy_on();
	spy->read_text = spy_text;
	spy->cpuid = spy_cpuid;
	p = uncoremsr_package(um, 0);
	for (size_t i = 0; (pmu = uncoremsr_pmu(um, NULL, i)) && strcmp(pmu->name, pmus[_i]); i++)
		;
	looks = 0;
	counters = uncoremsr_counters(um, p, pmu);
	for (size_t i = 0; counters && counters->list[i]; i++)
		seen += counters->list[i]->state == UNCOREMSR_COUNTER_FREE;
	stop_spying();
	ck_assert_int_eq((int)seen, 4 * pmu->general_counters);
	ck_assert_uint_le(looks, 16 + 4); /* at most once per CPU to find the units, and once per unit */
	ck_assert_uint_eq(counters->units, 4);
}

SUITE(box_trouble)
