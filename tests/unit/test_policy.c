/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits set by software are reported with their files, and do not change the verdict. */
#include "suite.h"
#include "throttle_tree.h"

/* Make a tree in which the kernel has counted no throttling. */
static void put_calm(void)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "0\n", "thermal_throttle/core_throttle_count");
	put_cpu(1, "0\n", "thermal_throttle/core_throttle_count");
}

static void put_frequencies(unsigned cpu, const char *highest, const char *ceiling, const char *limit)
{
	put_cpu(cpu, highest, "cpufreq/cpuinfo_max_freq");
	put_cpu(cpu, ceiling, "cpufreq/scaling_max_freq");
	if (limit)
		put_cpu(cpu, limit, "cpufreq/bios_limit");
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(a_policy_does_not_change_the_verdict_and_is_shown_once_if_all_cores_share_it)
{
	put_calm();
	put_frequencies(0, "3900000\n", "1600000\n", NULL);
	put_frequencies(1, "3900000\n", "1600000\n", NULL);
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "ok");
	ck_assert_str_eq(policies(0, 1), "scaling_max_freq 1600000/3900000 cpu1/cpufreq/scaling_max_freq");
	ck_assert_str_eq(policies(0, -1), "scaling_max_freq 1600000/3900000 cpu0/cpufreq/scaling_max_freq x2");
	put_cpu(1, "2000000\n", "cpufreq/scaling_max_freq");
	look();
	ck_assert_str_eq(policies(0, -1),
			 "scaling_max_freq 1600000/3900000 cpu0/cpufreq/scaling_max_freq x1, "
			 "scaling_max_freq 2000000/3900000 cpu1/cpufreq/scaling_max_freq x1");
	put_cpu(0, "3900000\n", "cpufreq/scaling_max_freq");
	put_cpu(1, "3900000\n", "cpufreq/scaling_max_freq");
	look();
	ck_assert_str_eq(policies(0, -1), "");
}

/* acpi-cpufreq shows turbo as 1 MHz above the nominal frequency. */
TEST(turbo_that_acpi_leaves_out_is_policy_and_not_the_firmware_slowing_down)
{
	put_calm();
	put_frequencies(0, "2801000\n", "2801000\n", "2800000\n");
	put_frequencies(1, "2801000\n", "2801000\n", "2801000\n");
	look_at_tree(0);
	ck_assert_str_eq(verdict(0, 0), "cannot-tell"); /* the tree has no registers */
	ck_assert_str_eq(causes_now(), "");
	ck_assert_str_eq(policies(0, 0), "no_turbo 2800000/2801000 cpu0/cpufreq/bios_limit");
	ck_assert_str_eq(policies(0, 1), "");
	/* scaling_max_freq follows ACPI's limit, so the policy is reported once. */
	put_cpu(0, "2800000\n", "cpufreq/scaling_max_freq");
	look();
	ck_assert_str_eq(policies(0, 0), "no_turbo 2800000/2801000 cpu0/cpufreq/bios_limit");
	put_cpu(0, "1200000\n", "cpufreq/bios_limit");
	put_cpu(0, "1200000\n", "cpufreq/scaling_max_freq");
	look();
	ck_assert_str_eq(verdict(0, 0), "throttled");
	ck_assert_str_eq(causes_now(), "firmware");
	ck_assert_str_eq(policies(0, 0), "");
}

/* Since Linux 5.11, the highest frequency is that of turbo, but the table of frequencies ends below it. */
TEST(a_table_of_frequencies_that_ends_below_turbo_is_no_limit)
{
	put_calm();
	put_frequencies(0, "3400000\n", "2250000\n", "2250000\n");
	put_cpu(0, "2250000 1500000 \n", "cpufreq/scaling_available_frequencies");
	put_frequencies(1, "3400000\n", "1500000\n", "2250000\n");
	put_cpu(1, "2250000 1500000 \n", "cpufreq/scaling_available_frequencies");
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "ok");
	ck_assert_str_eq(policies(0, 0), "");
	ck_assert_str_eq(policies(0, 1), "scaling_max_freq 1500000/2250000 cpu1/cpufreq/scaling_max_freq");
}

TEST(switches_of_the_machine_are_policy_of_every_package_and_core)
{
	put_calm();
	put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	put("sys/devices/system/cpu/intel_pstate/max_perf_pct", "100\n");
	put("sys/devices/system/cpu/cpufreq/boost", "1\n");
	look_at_tree(HEAT);
	ck_assert_str_eq(policies(0, -1), "");
	put("sys/devices/system/cpu/intel_pstate/max_perf_pct", "40\n");
	look();
	ck_assert_str_eq(policies(0, -1), "max_perf_pct 40/100 intel_pstate/max_perf_pct");
	ck_assert_str_eq(policies(0, 1), "max_perf_pct 40/100 intel_pstate/max_perf_pct");
	put("sys/devices/system/cpu/intel_pstate/max_perf_pct", "100\n");
	put("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	look();
	ck_assert_str_eq(policies(0, -1), "no_turbo 1 intel_pstate/no_turbo");
	put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	put("sys/devices/system/cpu/cpufreq/boost", "0\n");
	look();
	ck_assert_str_eq(policies(0, 0), "no_turbo 0 cpufreq/boost");
	ck_assert_str_eq(verdict(0, 0), "ok");
}

TEST(turbo_may_be_off_on_one_core)
{
	put_calm();
	put_cpu(0, "1\n", "cpufreq/boost");
	put_cpu(1, "0\n", "cpufreq/boost");
	look_at_tree(0);
	ck_assert_str_eq(policies(0, 0), "");
	ck_assert_str_eq(policies(0, 1), "no_turbo 0 cpu1/cpufreq/boost");
	ck_assert_str_eq(policies(0, -1), "no_turbo 0 cpu1/cpufreq/boost x1");
}

#define RAPL "sys/class/powercap/intel-rapl"

static void put_zone(const char *zone, const char *name, const char *enabled)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/powercap/%s/name", zone);
	put(path, name);
	snprintf(path, sizeof(path), "sys/class/powercap/%s/enabled", zone);
	put(path, enabled);
}

static void put_limit(const char *zone, int constraint, const char *name, const char *limit, const char *most)
{
	const char *const what[] = { "name", "power_limit_uw", "max_power_uw" };
	const char *const text[] = { name, limit, most };
	char path[128];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "sys/class/powercap/%s/constraint_%d_%s", zone, constraint, what[i]);
		put(path, text[i]);
	}
}

/* A limit above the design power for a short time is usual, and the highest possible limit is no policy. */
TEST(a_power_limit_below_the_design_power_is_policy)
{
	put_calm();
	put(RAPL "/enabled", "1\n");
	put_zone("intel-rapl:0", "package-0\n", "1\n");
	put_limit("intel-rapl:0", 0, "long_term\n", "95000000\n", "95000000\n");
	put_limit("intel-rapl:0", 1, "short_term\n", "118000000\n", "250000000\n");
	put_zone("intel-rapl:0:1", "dram\n", "0\n");
	put_limit("intel-rapl:0:1", 0, "long_term\n", "10000000\n", "30000000\n");
	look_at_tree(HEAT);
	ck_assert_str_eq(policies(0, -1), "");
	put(RAPL ":0/constraint_0_power_limit_uw", "60000000\n");
	look();
	ck_assert_str_eq(policies(0, -1), "rapl_power_limit 60000000/95000000 "
			 "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw");
	ck_assert_str_eq(subject(0, -1)->policies[0]->name, "package-0");
	ck_assert_str_eq(policies(0, 1), "rapl_power_limit 60000000/95000000 "
			 "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw");
	put(RAPL ":0/constraint_0_power_limit_uw", "95000000\n");
	put(RAPL ":0:1/enabled", "1\n");
	look();
	ck_assert_str_eq(policies(0, -1), "rapl_power_limit 10000000/30000000 "
			 "/sys/class/powercap/intel-rapl:0:1/constraint_0_power_limit_uw");
	ck_assert_str_eq(subject(0, -1)->policies[0]->name, "dram");
	put(RAPL ":0/constraint_1_power_limit_uw", "80000000\n");
	put(RAPL ":0:1/enabled", "0\n");
	look();
	ck_assert_str_eq(policies(0, -1), "rapl_power_limit 80000000/95000000 "
			 "/sys/class/powercap/intel-rapl:0/constraint_1_power_limit_uw");
	ck_assert_str_eq(verdict(0, 0), "ok");
}

TEST(a_power_limit_is_that_of_its_package)
{
	put_calm();
	put_cpu(1, "1\n", "topology/physical_package_id");
	put_cpu(0, "0\n", "topology/core_siblings_list");
	put_cpu(1, "1\n", "topology/core_siblings_list");
	put_zone("intel-rapl:0", "package-1-die-0\n", "1\n");
	put_limit("intel-rapl:0", 0, "long_term\n", "60000000\n", "95000000\n");
	put_zone("intel-rapl:1", "psys\n", "1\n");
	put_limit("intel-rapl:1", 0, "long_term\n", "90000000\n", "120000000\n");
	look_at_tree(0);
	/* A limit of a domain that is not a package applies to the whole machine. */
	ck_assert_str_eq(policies(0, -1), "rapl_power_limit 90000000/120000000 "
			 "/sys/class/powercap/intel-rapl:1/constraint_0_power_limit_uw");
	ck_assert_str_eq(policies(1, -1), "rapl_power_limit 60000000/95000000 "
			 "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw, "
			 "rapl_power_limit 90000000/120000000 "
			 "/sys/class/powercap/intel-rapl:1/constraint_0_power_limit_uw");
}

/* ---- POWER ---- */

#define STATS "cpufreq/throttle_stats/"

TEST(limits_by_the_on_chip_controller_of_power_are_reported)
{
	static const char *const files[] = {
		"powercap", "overtemp", "supply_fault", "overcurrent", "occ_reset",
	};

	put("proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n"
	    "revision\t: 2.2 (pvr 004e 1202)\n\nplatform\t: PowerNV\n");
	for (unsigned cpu = 0; cpu < 2; cpu++)
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			put_cpu(cpu, "0\n", STATS "%s", files[i]);
	look_at_tree(0);
	ck_assert_str_eq(verdict(0, -1), "ok");
	ck_assert_str_eq(verdict(0, 1), "ok");
	ck_assert(!is_open(subject(0, -1), "registers", -1));
	ck_assert_int_eq(state_of(subject(0, -1), "core-thermal"), UNCOREMSR_QUESTION_NOT_VISIBLE);
	/* Power capping in the past is normal operation; power capping now is throttling. */
	put_cpu(0, "2\n", STATS "powercap");
	put_cpu(0, "1\n", STATS "overtemp");
	look();
	ck_assert_str_eq(verdict(0, -1), "throttled");
	ck_assert_str_eq(causes_now(), "package-thermal power-limit");
	look();
	ck_assert_str_eq(verdict(0, -1), "was-throttled");
	ck_assert_int_eq(find_cause(subject(0, -1), "power-limit")->decides, 0);
	ck_assert_uint_eq(find_cause(subject(0, -1), "package-thermal")->count, 1);
	put_cpu(0, "0\n", STATS "overtemp");
	put_cpu(0, "1\n", STATS "supply_fault");
	look();
	ck_assert_str_eq(find_cause(subject(0, -1), "prochot-external")->evidence[0]->detail, "power supply failure");
	ck_assert_str_eq(find_cause(subject(0, -1), "prochot-external")->evidence[0]->name,
			 "/sys/devices/system/cpu/cpu0/" STATS "supply_fault");
}

SUITE(policy)
