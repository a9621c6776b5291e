/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks at trees of plain files: information from the kernel, and open files. */
#include <unistd.h>

#include "suite.h"
#include "throttle_tree.h"

FIXTURE(.setup = setup, .teardown = teardown)

TEST(counts_are_followed_in_files_that_stay_open)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "7\n", "thermal_throttle/core_throttle_count");
	put_cpu(1, "0\n", "thermal_throttle/core_throttle_count");
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_str_eq(verdict(0, 1), "ok");
	ck_assert_uint_eq(find_cause(subject(0, 0), "core-thermal")->count, 7);
	put_cpu(1, "1\n", "thermal_throttle/core_throttle_count");
	look();
	ck_assert_str_eq(verdict(0, 0), "was-throttled");
	ck_assert_str_eq(verdict(0, 1), "throttled");
	look();
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
}

TEST(a_count_that_restarted_is_no_difference)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "9\n", "thermal_throttle/core_throttle_count");
	look_at_tree(0);
	put_cpu(0, "3\n", "thermal_throttle/core_throttle_count");
	look();
	ck_assert_str_eq(causes_now(), "");
	put_cpu(0, "nonsense\n", "thermal_throttle/core_throttle_count");
	uncoremsr_throttle_look(t);
	ck_assert_str_eq(verdict(0, 0), "cannot-tell");
}

/* When a CPU comes back online, its counts begin at 0 again, and its files are new ones. */
TEST(a_cpu_that_was_offline_has_no_difference)
{
	char path[256];

	put_processor(0x3f, FLAGS);
	put_cpu(1, "9\n", "thermal_throttle/core_throttle_count");
	look_at_tree(0);
	path_of(path, sizeof(path), "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count");
	ck_assert_int_eq(unlink(path), 0);
	put("sys/devices/system/cpu/online", "0\n");
	uncoremsr_throttle_look(t);
	ck_assert_str_eq(verdict(0, 1), "gone");
	put_cpu(1, "3\n", "thermal_throttle/core_throttle_count");
	put("sys/devices/system/cpu/online", "0-1\n");
	look();
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
	ck_assert_str_eq(causes_now(), "");
}

TEST(a_frequency_limit_by_firmware_is_distinguished_from_one_by_software)
{
	put_processor(0x3f, FLAGS);
	put_cpu(0, "2600000\n", "cpufreq/cpuinfo_max_freq");
	put_cpu(0, "1200000\n", "cpufreq/bios_limit");
	put_cpu(0, "1200000\n", "cpufreq/scaling_max_freq");
	put_cpu(1, "2600000\n", "cpufreq/cpuinfo_max_freq");
	put_cpu(1, "2600000\n", "cpufreq/bios_limit");
	put_cpu(1, "2000000\n", "cpufreq/scaling_max_freq");
	put_cpu(1, "0\n", "thermal_throttle/core_throttle_count");
	look_at_tree(0);
	ck_assert_str_eq(verdict(0, 0), "throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 0), "firmware"));
	ck_assert_str_eq(verdict(0, 1), "cannot-tell"); /* the tree has no registers */
	ck_assert_ptr_null(find_cause(subject(0, 1), "firmware"));
	ck_assert_ptr_null(subject(0, 1)->causes[0]);
	ck_assert_str_eq(policies(0, 0), "");
	ck_assert_str_eq(policies(0, 1), "scaling_max_freq 2000000/2600000 cpu1/cpufreq/scaling_max_freq");
}

TEST(temperatures_and_alarms_of_coretemp_are_used_without_registers)
{
	put_processor(0x3f, FLAGS);
	put("sys/class/hwmon/hwmon0/name", "acpitz\n");
	put("sys/class/hwmon/hwmon3/name", "coretemp\n");
	put("sys/class/hwmon/hwmon3/temp1_label", "Package id 0\n");
	put("sys/class/hwmon/hwmon3/temp1_input", "71000\n");
	put("sys/class/hwmon/hwmon3/temp1_crit_alarm", "0\n");
	put("sys/class/hwmon/hwmon3/temp3_label", "Core 1\n");
	put("sys/class/hwmon/hwmon3/temp3_input", "-5000\n");
	put("sys/class/hwmon/hwmon3/temp3_crit_alarm", "1\n");
	look_at_tree(0);
	ck_assert_double_eq(subject(0, -1)->temperature, 71);
	ck_assert_double_eq(subject(0, 1)->temperature, -5);
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 1), "critical-temperature"));
}

#define PLR "sys/kernel/debug/tpmi-0000:00:03.1/plr/domain0/status"

TEST(limit_reasons_in_tpmi_are_those_of_their_cpus)
{
	put_processor(0xad, FLAGS);
	put(PLR, "cpus POWER\ncpu0 POWER POWER_PKG_PL1_MSR_TPMI\ncpu1 none\n");
	look_at_tree(1u << UNCOREMSR_CAUSE_POWER_LIMIT | 1u << UNCOREMSR_CAUSE_VR_THERMAL |
		 1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL | 1u << UNCOREMSR_CAUSE_OTHER);
	ck_assert_str_eq(verdict(0, 0), "cannot-tell"); /* the tree has no register 0x19c */
	ck_assert_int_eq(state_of(subject(0, 0), "vr-thermal"), -1);
	ck_assert_int_eq(find_cause(subject(0, 0), "power-limit")->decides, 0);
	put(PLR, "cpus POWER\ncpu0 POWER POWER_PKG_PL1_MSR_TPMI\ncpu1 PLATFORM PLATFORM_PROCHOT\n");
	look();
	ck_assert_str_eq(verdict(0, 1), "throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 1), "prochot-external"));
	look();
	ck_assert_str_eq(verdict(0, 1), "was-throttled");
	/* A line of the PLR file has names of groups (POWER, RAS) and reasons in them. A group without a reason is
	 * itself a reason; with a reason, only the reason is used. */
	put(PLR, "cpus POWER\ncpu0 POWER RAS POWER_PKG_PL1_MSR_TPMI\ncpu1 PLATFORM PLATFORM_PROCHOT\n");
	look();
	ck_assert_str_eq(verdict(0, 0), "throttled");
	ck_assert_ptr_nonnull(find_cause(subject(0, 0), "other"));
	ck_assert_ptr_null(find_cause(subject(0, 1), "other"));
	put(PLR, "");
	uncoremsr_throttle_look(t);
	ck_assert(is_open(subject(0, 1), "vr-thermal", UNCOREMSR_REASON_FILE_FAILED));
}

TEST(registers_of_an_unknown_processor_are_not_read)
{
	put_processor(0x3f, FLAGS);
	put("proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9\n");
	put_register(0, 0x19c, 0x88340001);
	open_tree();
	ck_assert_int_eq(uncoremsr_throttle_look(t), -ENODATA);
	ck_assert(is_open(subject(0, 0), "registers", UNCOREMSR_REASON_NO_CPUID));
}

TEST(a_status_register_of_all_zeros_is_not_believed)
{
	put_processor(0x3f, FLAGS);
	put_register(0, 0x19c, 0);
	put_register(1, 0x19c, 0x88340000);
	look_at_tree(HEAT);
	ck_assert_str_eq(verdict(0, 0), "cannot-tell");
	ck_assert(is_open(subject(0, 0), "core-thermal", UNCOREMSR_REASON_ALL_ZEROS));
	ck_assert_str_eq(verdict(0, 1), "ok");
}

SUITE(throttle_tree)
