/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of the kernel about heat: the interrupt counts of drivers/thermal/intel/therm_throt.c,
 * the sensors of drivers/hwmon/coretemp.c and k10temp.c, and the HSMP driver's PROCHOT status.
 */
#include <string.h>

#include "sim/file_table.h"
#include "sim/registers.h"
#include "sim/throttling.h"

#define EXISTS(name) static bool has_##name(const struct uncoremsr_sim *sim, unsigned cpu)

static void print(struct um_sim_text *t, uint64_t number)
{
	um_sim_print(t, "%llu\n", (unsigned long long)number);
}

/* ---- thermal interrupts of the core's or package's own sensor: number, total and longest time ---- */

static struct um_sim_past core_past(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_past(sim, um_sim_core_of(sim, cpu), UM_SIM_CORE_THERMAL);
}

static struct um_sim_past package_past(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_past(sim, um_sim_package_of(sim, cpu), UM_SIM_PACKAGE_THERMAL);
}

SHOW(core_count) { print(t, core_past(sim, cpu).begun); }
SHOW(core_total) { print(t, core_past(sim, cpu).total_ns / 1000000); }
SHOW(core_max) { print(t, core_past(sim, cpu).max_ns / 1000000); }
SHOW(package_count) { print(t, package_past(sim, cpu).begun); }
SHOW(package_total) { print(t, package_past(sim, cpu).total_ns / 1000000); }
SHOW(package_max) { print(t, package_past(sim, cpu).max_ns / 1000000); }

EXISTS(core_count) { return um_sim_kernel_counts(sim) && um_sim_online(sim, cpu); }
EXISTS(package_count) { return has_core_count(sim, cpu) && um_sim_has(sim, UM_SIM_PKG); }

/* ---- sensors ---- */

static bool any_online(const struct uncoremsr_sim *sim, unsigned of, enum um_sim_scope scope)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		if (um_sim_online(sim, cpu) && um_sim_shares(sim, scope, cpu, of))
			return true;
	return false;
}

static bool is_amd(const struct uncoremsr_sim *sim)
{
	return um_sim_has(sim, UM_SIM_AMD_PSTATE);
}

EXISTS(sensors)
{
	return (um_sim_has(sim, UM_SIM_DTS | UM_SIM_READOUT) || is_amd(sim)) &&
		any_online(sim, cpu, UM_SIM_PER_NODE);
}

EXISTS(package_sensor)
{
	return has_sensors(sim, cpu) && (um_sim_has(sim, UM_SIM_PKG) || is_amd(sim));
}

/* k10temp (AMD) shows no limits. */
EXISTS(package_limit) { return has_package_sensor(sim, cpu) && !is_amd(sim); }
EXISTS(core_sensor)
{
	return um_sim_has(sim, UM_SIM_DTS | UM_SIM_READOUT) && any_online(sim, cpu, UM_SIM_PER_CORE);
}

EXISTS(coretemp) { return has_sensors(sim, cpu) && !is_amd(sim); }
EXISTS(amd_sensor) { return has_sensors(sim, cpu) && is_amd(sim); }

static bool has_other_sensor(const struct uncoremsr_sim *sim, unsigned cpu UM_SIM_UNUSED)
{
	return um_sim_has(sim, UM_SIM_DTS | UM_SIM_READOUT);
}

/* The file exists if the HSMP driver is loaded (key hsmp); the driver is for AMD servers from Zen 3 on. */
EXISTS(hsmp) { return sim->hsmp && is_amd(sim) && any_online(sim, cpu, UM_SIM_PER_NODE); }

/* AMD throttles itself at 95 degrees; k10temp's Tctl has no offset here. */
static unsigned limit(const struct uncoremsr_sim *sim)
{
	return is_amd(sim) ? 95 : sim->processor->target;
}

static void print_input(const struct uncoremsr_sim *sim, struct um_sim_text *t,
			struct um_sim_subject s)
{
	print(t, (limit(sim) - um_sim_below(sim, s)) * 1000);
}

SHOW(sensor_name) { um_sim_print(t, "%s\n", is_amd(sim) ? "k10temp" : "coretemp"); }
SHOW(package_input) { print_input(sim, t, um_sim_package_of(sim, cpu)); }
SHOW(core_input) { print_input(sim, t, um_sim_core_of(sim, cpu)); }
SHOW(core_label) { um_sim_print(t, "Core %u\n", sim->cpus[cpu].core_id); }
SHOW(crit) { print(t, limit(sim) * 1000); }
SHOW(max) { print(t, (limit(sim) - 10) * 1000); }

/* The label has the number of the die (Linux drivers/hwmon/coretemp.c). */
SHOW(package_label)
{
	if (is_amd(sim))
		um_sim_print(t, "Tctl\n");
	else
		um_sim_print(t, "Package id %u\n", sim->cpus[cpu].copy[UM_SIM_PER_NODE]);
}

SHOW(numa_node) { um_sim_print(t, "%u\n", sim->cpus[cpu].copy[UM_SIM_PER_NODE]); }
SHOW(other_name) { um_sim_print(t, "acpitz\n"); }

static bool is_in_node(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return um_sim_online(sim, cpu) && um_sim_shares(sim, UM_SIM_PER_NODE, cpu, of);
}

SHOW(node_cpus) { um_sim_print_cpus(sim, t, is_in_node, cpu); }

/* The alarm is bit 5 of the register, as in coretemp. The bit is sticky, can be cleared, and set= can preset it. */
static void print_alarm(struct uncoremsr_sim *sim, struct um_sim_text *t, unsigned cpu,
			uint32_t msr)
{
	uint64_t status = 0;

	um_sim_register_read(sim, cpu, msr, &status);
	print(t, status >> 5 & 1);
}

SHOW(core_alarm) { print_alarm(sim, t, cpu, 0x19c); }
SHOW(package_alarm) { print_alarm(sim, t, cpu, 0x1b1); }

SHOW(prochot_status)
{
	print(t, um_sim_causes(sim, um_sim_package_of(sim, cpu), sim->now) >> UM_SIM_PROCHOT & 1);
}

/* ---- POWER: what its on-chip controller did (Linux drivers/cpufreq/powernv-cpufreq.c) ---- */

EXISTS(occ) { return sim->pvr && um_sim_online(sim, cpu); }

static void print_begun(const struct uncoremsr_sim *sim, struct um_sim_text *t, unsigned cpu,
			enum um_sim_cause cause)
{
	print(t, um_sim_past(sim, um_sim_package_of(sim, cpu), cause).begun);
}

SHOW(powercap) { print_begun(sim, t, cpu, UM_SIM_POWER); }
SHOW(overtemp) { print_begun(sim, t, cpu, UM_SIM_PACKAGE_THERMAL); }
SHOW(supply_fault) { print_begun(sim, t, cpu, UM_SIM_PROCHOT); }
SHOW(overcurrent) { print_begun(sim, t, cpu, UM_SIM_CURRENT); }
SHOW(occ_reset) { print_begun(sim, t, cpu, UM_SIM_FIRMWARE); }

/* ---- limit reasons in memory ---- */

EXISTS(plr) { return um_sim_has(sim, UM_SIM_PLR) && any_online(sim, cpu, UM_SIM_PER_NODE); }

/* Names of limit reasons: the coarse group and the exact reason (Linux drivers/platform/x86/intel/plr_tpmi.c). */
static const struct { enum um_sim_cause cause; const char *group, *exact; } limit_reasons[] = {
	{ UM_SIM_CURRENT, "CURRENT", NULL },
	{ UM_SIM_POWER, "POWER", "POWER_PKG_PL1_MSR_TPMI" },
	{ UM_SIM_CORE_THERMAL, "THERMAL", "THERMAL_PER_CORE" },
	{ UM_SIM_PROCHOT, "PLATFORM", "PLATFORM_PROCHOT" },
	{ UM_SIM_VR, "PLATFORM", "PLATFORM_HOT_VR" },
	{ UM_SIM_OTHER, "RAS", NULL },
};

/* Print the reasons that have held since the start (the bits are sticky): first each group once, then exact reasons. */
static void print_reasons(const struct uncoremsr_sim *sim, struct um_sim_text *t, unsigned cpu)
{
	struct um_sim_subject s = um_sim_core_of(sim, cpu);
	const char *last = "";
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(limit_reasons); i++) {
		if (!um_sim_logged(sim, 0, limit_reasons[i].cause, s))
			continue;
		any = true;
		if (strcmp(limit_reasons[i].group, last))
			um_sim_print(t, " %s", limit_reasons[i].group);
		last = limit_reasons[i].group;
	}
	for (size_t i = 0; i < ARRAY_SIZE(limit_reasons); i++)
		if (limit_reasons[i].exact && um_sim_logged(sim, 0, limit_reasons[i].cause, s))
			um_sim_print(t, " %s", limit_reasons[i].exact);
	um_sim_print(t, any ? "" : " none");
}

SHOW(plr)
{
	for (unsigned i = 0; i < sim->num_cpus; i++) {
		if (!um_sim_online(sim, i) || sim->cpus[i].package != sim->cpus[cpu].package)
			continue;
		um_sim_print(t, "cpu%u", i);
		print_reasons(sim, t, i);
		um_sim_print(t, "\n");
	}
}

#define OCC(name, show) \
	{ "sys/devices/system/cpu/cpu#/cpufreq/throttle_stats/" name, show, has_occ, NULL }
#define THROTTLE(name, show, exists) \
	{ "sys/devices/system/cpu/cpu#/thermal_throttle/" name, show, exists, NULL }
#define HWMON(name, show, exists) { "sys/class/hwmon/hwmon!/" name, show, exists, NULL }

const struct um_sim_file um_sim_heat_files[] = {
	THROTTLE("core_throttle_count", show_core_count, has_core_count),
	THROTTLE("core_throttle_max_time_ms", show_core_max, has_core_count),
	THROTTLE("core_throttle_total_time_ms", show_core_total, has_core_count),
	THROTTLE("package_throttle_count", show_package_count, has_package_count),
	THROTTLE("package_throttle_max_time_ms", show_package_max, has_package_count),
	THROTTLE("package_throttle_total_time_ms", show_package_total, has_package_count),
	{ "sys/class/hwmon/hwmon0/name", show_other_name, has_other_sensor, NULL },
	HWMON("name", show_sensor_name, has_sensors),
	HWMON("device/numa_node", show_numa_node, has_amd_sensor),
	{ "sys/devices/platform/coretemp.^/hwmon/hwmon!/name", show_sensor_name, has_coretemp, NULL },
	{ "sys/devices/system/node/node^/cpulist", show_node_cpus, has_amd_sensor, NULL },
	HWMON("temp1_label", show_package_label, has_package_sensor),
	HWMON("temp1_input", show_package_input, has_package_sensor),
	HWMON("temp1_max", show_max, has_package_limit),
	HWMON("temp1_crit", show_crit, has_package_limit),
	HWMON("temp1_crit_alarm", show_package_alarm, has_package_limit),
	HWMON("temp%_label", show_core_label, has_core_sensor),
	HWMON("temp%_input", show_core_input, has_core_sensor),
	HWMON("temp%_max", show_max, has_core_sensor),
	HWMON("temp%_crit", show_crit, has_core_sensor),
	HWMON("temp%_crit_alarm", show_core_alarm, has_core_sensor),
	OCC("powercap", show_powercap),
	OCC("overtemp", show_overtemp),
	OCC("supply_fault", show_supply_fault),
	OCC("overcurrent", show_overcurrent),
	OCC("occ_reset", show_occ_reset),
	{ "sys/devices/platform/AMDI0097:0@/prochot_status", show_prochot_status, has_hsmp, NULL },
	{ "sys/kernel/debug/tpmi-0000:0@:03.1/plr/domain0/status", show_plr, has_plr, NULL },
	{ NULL, NULL, NULL, NULL },
};
