/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which registers and files are read, and which causes they can show. */
#include "throttle/throttle.h"

/*
 * On real hardware a thermal status (resolution field), clock ratio or HWP level is never 0.
 *
 * POWER (UM_OF_CHIP): how often the on-chip controller lowered the highest frequency, and why; the same on all CPUs
 * of a chip (Linux Documentation/ABI/testing/sysfs-devices-system-cpu, drivers/cpufreq/powernv-cpufreq.c).
 */
#define COUNT(where, text, why) \
	.asked = UM_ASKED_NEXT, .of = UM_OF_##where, .is = UM_IS_COUNT, .name = text, .cause = UNCOREMSR_CAUSE_##why
#define TIME(where, text) .of = UM_OF_##where, .is = UM_IS_TIME, .name = text
#define NUMBER(text) .of = UM_OF_CORE, .name = text
#define OCC(text, why) COUNT(CHIP, "cpufreq/throttle_stats/" text, why)
#define ALARM { .of = UM_OF_DEVICE, .is = UM_IS_LOG, .cause = UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, .decides = true }

const struct um_source um_sources[UM_NUM_SOURCES] = {
	[UM_ROLE_CORE_STATUS] = { .nonzero = UINT64_MAX, .asked = UM_ASKED_NEXT },
	[UM_ROLE_CLOCK_MODULATION] = { .asked = UM_ASKED_NEXT },
	[UM_ROLE_PERF_STATUS] = { .nonzero = 0xffff },
	[UM_ROLE_PERF_CTL] = { .nonzero = 0xffff },
	[UM_ROLE_HWP_CAPABILITIES] = { .nonzero = 0xff00 },
	[UM_ROLE_MPERF] = { .grows = true },
	[UM_ROLE_APERF] = { .grows = true },
	[UM_ROLE_PSTATE_LIMIT] = { .nonzero = 0xffff, .asked = UM_ASKED_NEXT },
	[UM_ROLE_PSTATE_0] = { .constant = true },
	[UM_ROLE_PACKAGE_STATUS] = { .nonzero = UINT64_MAX, .asked = UM_ASKED_NEXT },
	[UM_ROLE_PM_ENABLE] = { .constant = true },
	[UM_ROLE_TARGET] = { .constant = true },
	[UM_ROLE_LIMITS] = { .asked = UM_ASKED_NEXT },
	/* Limit reasons of the parts that the cores share. */
	[UM_ROLE_GRAPHICS_LIMITS] = { .asked = UM_ASKED_GRAPHICS },
	[UM_ROLE_RING_LIMITS] = { .asked = UM_ASKED_RING },
	[UM_ROLE_UNITS] = { .constant = true },
	/* Counters of the time lost to a power limit. Where such a counter exists, no other register answers questions
	 * about that cause. */
	[UM_ROLE_PACKAGE_PERF] = { .grows = true, .asked = UM_ASKED_FIRST },
	[UM_ROLE_DRAM_PERF] = { .grows = true, .asked = UM_ASKED_FIRST },
	[UM_ROLE_CORES_PERF] = { .grows = true },
	[UM_ROLE_SMI] = { .grows = true, .asked = UM_ASKED_NEXT },
	[UM_ROLE_PLATFORM_INFO] = { .constant = true, .nonzero = 0xff00 },

	[UM_FILE_CORE_COUNT] = { COUNT(CORE, "thermal_throttle/core_throttle_count", CORE_THERMAL), .decides = true },
	[UM_FILE_CORE_TIME] = { TIME(CORE, "thermal_throttle/core_throttle_total_time_ms") },
	[UM_FILE_BIOS_LIMIT] = { NUMBER("cpufreq/bios_limit") },
	[UM_FILE_CEILING] = { NUMBER("cpufreq/scaling_max_freq") },
	[UM_FILE_HIGHEST] = { NUMBER("cpufreq/cpuinfo_max_freq") },
	[UM_FILE_BOOST] = { NUMBER("cpufreq/boost") },
	[UM_FILE_PACKAGE_COUNT] =
		{ COUNT(PACKAGE, "thermal_throttle/package_throttle_count", PACKAGE_THERMAL), .decides = true },
	[UM_FILE_PACKAGE_TIME] = { TIME(PACKAGE, "thermal_throttle/package_throttle_total_time_ms") },
	[UM_FILE_HSMP_PROCHOT] = { .asked = UM_ASKED_NEXT, .of = UM_OF_DEVICE, .is = UM_IS_FLAG,
				   .cause = UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, .decides = true },
	[UM_FILE_OCC_POWERCAP] = { OCC("powercap", POWER_LIMIT), .detail = "power cap" },
	[UM_FILE_OCC_OVERTEMP] = { OCC("overtemp", PACKAGE_THERMAL), .decides = true },
	[UM_FILE_OCC_SUPPLY] =
		{ OCC("supply_fault", PROCHOT_EXTERNAL), .decides = true, .detail = "power supply failure" },
	[UM_FILE_OCC_OVERCURRENT] = { OCC("overcurrent", CURRENT_LIMIT) },
	[UM_FILE_OCC_RESET] = { OCC("occ_reset", FIRMWARE), .decides = true, .detail = "on-chip controller reset" },
	[UM_FILE_CRIT_ALARM] = ALARM, ALARM, ALARM, ALARM,
};

unsigned um_shows(const struct um_subject *s, int source)
{
	const struct um_thermal_reg *row = s->sources[source].row;

	if (row)
		return um_thermal_shows(row, s->gates);
	return source >= UM_NUM_ROLES && um_sources[source].asked ? 1u << um_sources[source].cause : 0;
}
