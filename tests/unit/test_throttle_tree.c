/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncoremsr_throttle_look() on trees of plain files: what the files of the kernel show, and how long they are open. */
#include "suite.h"
#include "throttle_tree.h"

FIXTURE(.setup = setup, .teardown = teardown)

#define COUNT "thermal_throttle/core_throttle_count"

static const struct story stories[] = {
	{ "counts are followed in files that stay open", NULL,
	  "processor 0x3f; cpu 0 " COUNT " 7; cpu 1 " COUNT " 0; tree heat; verdict 0 0 was-throttled; verdict 0 1 ok; "
	  "counted 0 0 core-thermal 7; cpu 1 " COUNT " 1; look; verdict 0 0 was-throttled; verdict 0 1 throttled; "
	  "look; "
	  "verdict 0 1 was-throttled" },
	{ "a count that restarted is no difference", NULL,
	  "processor 0x3f; cpu 0 " COUNT " 9; tree; cpu 0 " COUNT " 3; look; causes; cpu 0 " COUNT " nonsense; "
	  "look any; "
	  "verdict 0 0 cannot-tell" },
	/* When a CPU comes back online, its counts begin at 0 again, and the kernel has created new files. */
	{ "a cpu that was offline has no difference", NULL,
	  "processor 0x3f; cpu 1 " COUNT " 9; tree; drop sys/devices/system/cpu/cpu1/" COUNT "; "
	  "put sys/devices/system/cpu/online 0; look any; verdict 0 1 gone; cpu 1 " COUNT " 3; "
	  "put sys/devices/system/cpu/online 0-1; look; verdict 0 1 was-throttled; causes" },
	{ "a frequency limit by firmware is distinguished from one by software", NULL,
	  "processor 0x3f; cpu 0 cpufreq/cpuinfo_max_freq 2600000; cpu 0 cpufreq/bios_limit 1200000; "
	  "cpu 0 cpufreq/scaling_max_freq 1200000; cpu 1 cpufreq/cpuinfo_max_freq 2600000; "
	  "cpu 1 cpufreq/bios_limit 2600000; cpu 1 cpufreq/scaling_max_freq 2000000; cpu 1 " COUNT " 0; tree; "
	  "verdict 0 0 throttled; cause 0 0 firmware; verdict 0 1 cannot-tell; no-cause 0 1; policies 0 0; "
	  "policies 0 1 scaling_max_freq 2000000/2600000 cpu1/cpufreq/scaling_max_freq" },
	{ "temperatures and alarms of coretemp are used without registers", NULL,
	  "processor 0x3f; put sys/class/hwmon/hwmon0/name acpitz; put sys/class/hwmon/hwmon3/name coretemp; "
	  "put sys/class/hwmon/hwmon3/temp1_label Package id 0; put sys/class/hwmon/hwmon3/temp1_input 71000; "
	  "put sys/class/hwmon/hwmon3/temp1_crit_alarm 0; put sys/class/hwmon/hwmon3/temp3_label Core 1; "
	  "put sys/class/hwmon/hwmon3/temp3_input -5000; put sys/class/hwmon/hwmon3/temp3_crit_alarm 1; tree; "
	  "celsius 0 - 71; celsius 0 1 -5; verdict 0 1 was-throttled; cause 0 1 critical-temperature" },
	{ "a status register of all zeros is not believed", NULL,
	  "processor 0x3f; register 0 0x19c 0; register 1 0x19c 0x88340000; tree heat; verdict 0 0 cannot-tell; "
	  "open 0 0 core-thermal ALL_ZEROS; verdict 0 1 ok" },
};

TEST_STORIES(causes_are_found_in_the_files_of_the_kernel, play_tree, stories)

#define PLR "sys/kernel/debug/tpmi-0000:00:03.1/plr/domain0/status"

TEST(limit_reasons_in_tpmi_apply_to_the_cpu_of_their_line)
{
	put_processor(0xad, FLAGS);
	put(PLR, "cpus POWER\ncpu0 POWER POWER_PKG_PL1_MSR_TPMI\ncpu1 none\n");
	look_at_tree(1u << UNCOREMSR_CAUSE_POWER_LIMIT | 1u << UNCOREMSR_CAUSE_VR_THERMAL |
		 1u << UNCOREMSR_CAUSE_PROCHOT_EXTERNAL | 1u << UNCOREMSR_CAUSE_OTHER);
	ck_assert_str_eq(verdict(0, 0), "cannot-tell");
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

SUITE(throttle_tree)
