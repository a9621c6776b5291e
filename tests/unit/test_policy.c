/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits set by software are reported with their files, and do not change the verdict. */
#include "suite.h"
#include "throttle_tree.h"

#define COUNT "thermal_throttle/core_throttle_count"
#define CALM "processor 0x3f; cpu 0 " COUNT " 0; cpu 1 " COUNT " 0; "
#define FREQUENCIES(cpu, highest, ceiling) \
	"cpu " cpu " cpufreq/cpuinfo_max_freq " highest "; cpu " cpu " cpufreq/scaling_max_freq " ceiling "; "
#define CPUS "put sys/devices/system/cpu/"
#define RAPL "/sys/class/powercap/intel-rapl:"
#define ZONE(zone, name, on) \
	"put sys/class/powercap/" zone "/name " name "; put sys/class/powercap/" zone "/enabled " on "; "
#define LIMIT(zone, nth, name, limit, most) \
	"put sys/class/powercap/" zone "/constraint_" nth "_name " name "; " \
	"put sys/class/powercap/" zone "/constraint_" nth "_power_limit_uw " limit "; " \
	"put sys/class/powercap/" zone "/constraint_" nth "_max_power_uw " most "; "

static const struct story stories[] = {
	{ "a policy does not change the verdict and is shown once if all cores share it", NULL,
	  CALM FREQUENCIES("0", "3900000", "1600000") FREQUENCIES("1", "3900000", "1600000") "tree heat; "
	  "verdict 0 0 ok; "
	  "policies 0 1 scaling_max_freq 1600000/3900000 cpu1/cpufreq/scaling_max_freq; "
	  "policies 0 - scaling_max_freq 1600000/3900000 cpu0/cpufreq/scaling_max_freq x2; "
	  "cpu 1 cpufreq/scaling_max_freq 2000000; look; "
	  "policies 0 - scaling_max_freq 1600000/3900000 cpu0/cpufreq/scaling_max_freq x1, "
	  "scaling_max_freq 2000000/3900000 cpu1/cpufreq/scaling_max_freq x1; "
	  "cpu 0 cpufreq/scaling_max_freq 3900000; cpu 1 cpufreq/scaling_max_freq 3900000; look; policies 0 -" },
	/* acpi-cpufreq shows turbo as 1 MHz above the nominal frequency. The tree has no registers. */
	{ "turbo that acpi leaves out is policy and not the firmware slowing down", NULL,
	  CALM FREQUENCIES("0", "2801000", "2801000") "cpu 0 cpufreq/bios_limit 2800000; "
	  FREQUENCIES("1", "2801000", "2801000") "cpu 1 cpufreq/bios_limit 2801000; tree; verdict 0 0 cannot-tell; "
	  "causes; "
	  "policies 0 0 no_turbo 2800000/2801000 cpu0/cpufreq/bios_limit; policies 0 1; "
	  /* If scaling_max_freq has the value of ACPI's limit, the limit is reported once. */
	  "cpu 0 cpufreq/scaling_max_freq 2800000; look; "
	  "policies 0 0 no_turbo 2800000/2801000 cpu0/cpufreq/bios_limit; "
	  "cpu 0 cpufreq/bios_limit 1200000; cpu 0 cpufreq/scaling_max_freq 1200000; look; verdict 0 0 throttled; "
	  "causes firmware; policies 0 0" },
	/* Since Linux 5.11, cpuinfo_max_freq includes turbo, but scaling_available_frequencies does not. */
	{ "a table of frequencies that ends below turbo is no limit", NULL,
	  CALM FREQUENCIES("0", "3400000", "2250000") "cpu 0 cpufreq/bios_limit 2250000; "
	  "cpu 0 cpufreq/scaling_available_frequencies 2250000 1500000 ; "
	  FREQUENCIES("1", "3400000", "1500000") "cpu 1 cpufreq/bios_limit 2250000; "
	  "cpu 1 cpufreq/scaling_available_frequencies 2250000 1500000 ; tree heat; verdict 0 0 ok; policies 0 0; "
	  "policies 0 1 scaling_max_freq 1500000/2250000 cpu1/cpufreq/scaling_max_freq" },
	{ "switches of the machine are policy of every package and core", NULL,
	  CALM CPUS "intel_pstate/no_turbo 0; " CPUS "intel_pstate/max_perf_pct 100; " CPUS "cpufreq/boost 1; "
	  "tree heat; "
	  "policies 0 -; " CPUS "intel_pstate/max_perf_pct 40; look; "
	  "policies 0 - max_perf_pct 40/100 intel_pstate/max_perf_pct; "
	  "policies 0 1 max_perf_pct 40/100 intel_pstate/max_perf_pct; "
	  CPUS "intel_pstate/max_perf_pct 100; " CPUS "intel_pstate/no_turbo 1; look; "
	  "policies 0 - no_turbo 1 intel_pstate/no_turbo; " CPUS "intel_pstate/no_turbo 0; " CPUS "cpufreq/boost 0; "
	  "look; "
	  "policies 0 0 no_turbo 0 cpufreq/boost; verdict 0 0 ok" },
	{ "turbo may be off on one core", NULL,
	  CALM "cpu 0 cpufreq/boost 1; cpu 1 cpufreq/boost 0; tree; policies 0 0; "
	  "policies 0 1 no_turbo 0 cpu1/cpufreq/boost; policies 0 - no_turbo 0 cpu1/cpufreq/boost x1" },
	/* A short-term limit above the design power is usual, and a limit at its maximum is no policy. */
	{ "a power limit below the design power is policy", NULL,
	  CALM "put sys/class/powercap/intel-rapl/enabled 1; " ZONE("intel-rapl:0", "package-0", "1")
	  LIMIT("intel-rapl:0", "0", "long_term", "95000000", "95000000")
	  LIMIT("intel-rapl:0", "1", "short_term", "118000000", "250000000") ZONE("intel-rapl:0:1", "dram", "0")
	  LIMIT("intel-rapl:0:1", "0", "long_term", "10000000", "30000000") "tree heat; policies 0 -; "
	  "put sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw 60000000; look; "
	  "policies 0 - rapl_power_limit 60000000/95000000 " RAPL "0/constraint_0_power_limit_uw; "
	  "policy 0 - package-0; "
	  "policies 0 1 rapl_power_limit 60000000/95000000 " RAPL "0/constraint_0_power_limit_uw; "
	  "put sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw 95000000; "
	  "put sys/class/powercap/intel-rapl:0:1/enabled 1; look; "
	  "policies 0 - rapl_power_limit 10000000/30000000 " RAPL "0:1/constraint_0_power_limit_uw; policy 0 - dram; "
	  "put sys/class/powercap/intel-rapl:0/constraint_1_power_limit_uw 80000000; "
	  "put sys/class/powercap/intel-rapl:0:1/enabled 0; look; "
	  "policies 0 - rapl_power_limit 80000000/95000000 " RAPL "0/constraint_1_power_limit_uw; verdict 0 0 ok" },
	{ "the design power is that of the first long-term limit that has one", NULL,
	  CALM ZONE("intel-rapl:0", "package-0", "1") LIMIT("intel-rapl:0", "0", "long_term", "60000000", "0")
	  LIMIT("intel-rapl:0", "1", "long_term", "95000000", "95000000") "tree; "
	  "policies 0 - rapl_power_limit 60000000/95000000 " RAPL "0/constraint_0_power_limit_uw" },
	/* A limit of a domain that is not a package applies to the whole machine. */
	{ "a power limit is that of its package", NULL,
	  CALM "cpu 1 topology/physical_package_id 1; cpu 0 topology/core_siblings_list 0; "
	  "cpu 1 topology/core_siblings_list 1; "
	  ZONE("intel-rapl:0", "package-1-die-0", "1") LIMIT("intel-rapl:0", "0", "long_term", "60000000", "95000000")
	  ZONE("intel-rapl:1", "psys", "1") LIMIT("intel-rapl:1", "0", "long_term", "90000000", "120000000") "tree; "
	  "policies 0 - rapl_power_limit 90000000/120000000 " RAPL "1/constraint_0_power_limit_uw; "
	  "policies 1 - rapl_power_limit 60000000/95000000 " RAPL "0/constraint_0_power_limit_uw, "
	  "rapl_power_limit 90000000/120000000 " RAPL "1/constraint_0_power_limit_uw" },
};

FIXTURE(.setup = setup, .teardown = teardown)

TEST_STORIES(limits_by_software_are_policies, play_tree, stories)

/* ---- POWER ---- */

#define STATS "cpufreq/throttle_stats/"
#define STATS_OF(cpu) \
	"cpu " cpu " " STATS "powercap 0; cpu " cpu " " STATS "overtemp 0; cpu " cpu " " STATS "supply_fault 0; " \
	"cpu " cpu " " STATS "overcurrent 0; cpu " cpu " " STATS "occ_reset 0; "

TEST(limits_by_the_on_chip_controller_of_power_processors_are_reported)
{
	play_steps(&tree_steps, __func__,
		   "put proc/cpuinfo processor\t: 0|cpu\t\t: POWER9, altivec supported|revision\t: 2.2 "
		   "(pvr 004e 1202)||platform\t: PowerNV; " STATS_OF("0") STATS_OF("1") "tree; verdict 0 - ok; verdict 0 1 ok; "
		   "state 0 - core-thermal not-visible");
	ck_assert(!is_open(subject(0, -1), "registers", -1));
	play_steps(&tree_steps, __func__,
		   /* Power capping in the past is normal operation; power capping now is throttling. */
		   "cpu 0 " STATS "powercap 2; cpu 0 " STATS "overtemp 1; look; verdict 0 - throttled; "
		   "causes package-thermal power-limit; look; verdict 0 - was-throttled; "
		   "cause 0 - power-limit !decides; "
		   "counted 0 - package-thermal 1; cpu 0 " STATS "overtemp 0; cpu 0 " STATS "supply_fault 1; look");
	ck_assert_str_eq(find_cause(subject(0, -1), "prochot-external")->evidence[0]->detail, "power supply failure");
	ck_assert_str_eq(find_cause(subject(0, -1), "prochot-external")->evidence[0]->name,
			 "/sys/devices/system/cpu/cpu0/" STATS "supply_fault");
}

SUITE(policy)
