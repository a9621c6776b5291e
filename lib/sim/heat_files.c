/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of the kernel about heat: the interrupt counts of drivers/thermal/intel/therm_throt.c,
 * the sensors of drivers/hwmon/coretemp.c and k10temp.c, and the HSMP driver's PROCHOT status.
 */
#include <stdio.h>
#include <string.h>

#include "sim/registers.h"
#include "sim/search.h"
#include "sim/throttling.h"

static void print(struct um_sim_search *s, uint64_t number)
{
	um_sim_print(s, "%llu\n", (unsigned long long)number);
}

/* ---- files of a CPU ---- */

static void offer_interrupts(struct um_sim_search *s, const char *of, struct um_sim_past past)
{
	if (um_sim_offer(s, "%s_throttle_count", of))
		print(s, past.begun);
	if (um_sim_offer(s, "%s_throttle_max_time_ms", of))
		print(s, past.max_ns / 1000000);
	if (um_sim_offer(s, "%s_throttle_total_time_ms", of))
		print(s, past.total_ns / 1000000);
}

/* Throttling statistics of POWER's on-chip controller (Linux drivers/cpufreq/powernv-cpufreq.c). */
static const struct { const char *name; enum um_sim_cause cause; } power_stats[] = {
	{ "powercap", UM_SIM_POWER }, { "overtemp", UM_SIM_PACKAGE_THERMAL }, { "supply_fault", UM_SIM_PROCHOT },
	{ "overcurrent", UM_SIM_CURRENT }, { "occ_reset", UM_SIM_FIRMWARE },
};

void um_sim_cpu_heat_files(struct um_sim_search *s, unsigned cpu)
{
	struct um_sim_subject core = um_sim_core_of(s->sim, cpu), package = um_sim_package_of(s->sim, cpu);

	if (um_sim_has(s->sim, UM_SIM_COUNTED) &&
	    um_sim_enter(s, "sys/devices/system/cpu/cpu%u/thermal_throttle", cpu)) {
		offer_interrupts(s, "core", um_sim_past(s->sim, core, UM_SIM_CORE_THERMAL));
		if (um_sim_has(s->sim, UM_SIM_PKG))
			offer_interrupts(s, "package", um_sim_past(s->sim, package, UM_SIM_PACKAGE_THERMAL));
	}
	if (s->sim->pvr && um_sim_enter(s, "sys/devices/system/cpu/cpu%u/cpufreq/throttle_stats", cpu))
		for (size_t i = 0; i < ARRAY_SIZE(power_stats); i++)
			if (um_sim_offer(s, "%s", power_stats[i].name))
				print(s, um_sim_past(s->sim, package, power_stats[i].cause).begun);
}

/* ---- sensors ---- */

static bool is_amd(const struct uncoremsr_sim *sim)
{
	return um_sim_has(sim, UM_SIM_AMD_PSTATE);
}

static bool has_core_sensors(const struct uncoremsr_sim *sim)
{
	return um_sim_has(sim, UM_SIM_DTS | UM_SIM_READOUT);
}

/* Files of one temperature sensor, whose status register is @msr. */
static void offer_sensor(struct um_sim_search *s, unsigned number, const char *label, struct um_sim_subject of,
			 unsigned cpu, uint32_t msr)
{
	/* AMD processors throttle at 95 degrees. Here k10temp has no offset of Tctl and no files with limits. */
	unsigned limit = is_amd(s->sim) ? 95 : s->sim->processor->target;
	uint64_t status = 0;

	if (um_sim_offer(s, "temp%u_label", number))
		um_sim_print(s, "%s\n", label);
	if (um_sim_offer(s, "temp%u_input", number))
		print(s, (limit - um_sim_below(s->sim, of)) * 1000);
	if (is_amd(s->sim))
		return;
	if (um_sim_offer(s, "temp%u_max", number))
		print(s, (limit - 10) * 1000);
	if (um_sim_offer(s, "temp%u_crit", number))
		print(s, limit * 1000);
	/* The alarm is the sticky bit 5 of the register, as in coretemp. It can be cleared, and set= can preset it. */
	if (um_sim_offer(s, "temp%u_crit_alarm", number)) {
		um_sim_register_read(s->sim, cpu, msr, &status);
		print(s, status >> 5 & 1);
	}
}

/* The sensors of a node, whose first CPU is @cpu. */
static void offer_sensors(struct um_sim_search *s, unsigned node, unsigned cpu)
{
	const struct um_sim_copies *cores = &s->sim->copies[UM_SIM_PER_CORE];
	char label[32] = "Tctl";

	um_sim_offer_line(s, "name", "%s", is_amd(s->sim) ? "k10temp" : "coretemp");
	if (is_amd(s->sim))
		um_sim_offer_line(s, "device/numa_node", "%u", node);
	else /* the label has the number of the die (Linux drivers/hwmon/coretemp.c) */
		snprintf(label, sizeof(label), "Package id %u", node);
	if (um_sim_has(s->sim, UM_SIM_PKG) || is_amd(s->sim))
		offer_sensor(s, 1, label, um_sim_package_of(s->sim, cpu), cpu, 0x1b1);
	for (unsigned i = 0; has_core_sensors(s->sim) && i < cores->num; i++) {
		unsigned first = cores->at[i].first_cpu, id = s->sim->cpus[first].core_id;

		if (!um_sim_shares(s->sim, UM_SIM_PER_NODE, first, cpu) ||
		    um_sim_first_online(s->sim, UM_SIM_PER_CORE, first) < 0)
			continue;
		snprintf(label, sizeof(label), "Core %u", id);
		offer_sensor(s, id + 2, label, um_sim_core_of(s->sim, first), first, 0x19c);
	}
}

/*
 * Linux numbers sensor folders (hwmon3) in the order in which drivers find devices, so programs must not rely on these
 * numbers. Here they run from the last node to the first, with other folders in between.
 */
static void offer_node(struct um_sim_search *s, unsigned node, unsigned cpu)
{
	unsigned folder = 2 * (s->sim->copies[UM_SIM_PER_NODE].num - node) - 1;

	if (um_sim_enter(s, "sys/class/hwmon/hwmon%u", folder))
		offer_sensors(s, node, cpu);
	if (is_amd(s->sim) && um_sim_enter(s, "sys/devices/system/node/node%u", node))
		um_sim_offer_sharing(s, "cpulist", UM_SIM_PER_NODE, cpu);
	if (!is_amd(s->sim) && um_sim_enter(s, "sys/devices/platform/coretemp.%u/hwmon/hwmon%u", node, folder))
		um_sim_offer_line(s, "name", "coretemp");
}

/* ---- limit reasons in TPMI memory ---- */

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
static void print_reasons(struct um_sim_search *s, unsigned cpu)
{
	struct um_sim_subject core = um_sim_core_of(s->sim, cpu);
	const char *last = "";

	for (size_t i = 0; i < ARRAY_SIZE(limit_reasons); i++) {
		if (!um_sim_logged(s->sim, 0, limit_reasons[i].cause, core))
			continue;
		if (strcmp(limit_reasons[i].group, last))
			um_sim_print(s, " %s", limit_reasons[i].group);
		last = limit_reasons[i].group;
	}
	for (size_t i = 0; i < ARRAY_SIZE(limit_reasons); i++)
		if (limit_reasons[i].exact && um_sim_logged(s->sim, 0, limit_reasons[i].cause, core))
			um_sim_print(s, " %s", limit_reasons[i].exact);
	um_sim_print(s, *last ? "" : " none");
}

static void print_plr(struct um_sim_search *s, unsigned cpu)
{
	const struct uncoremsr_sim *sim = s->sim;

	for (unsigned i = 0; i < sim->num_cpus; i++) {
		if (!um_sim_online(sim, i) || !um_sim_shares(sim, UM_SIM_PER_PACKAGE, i, cpu))
			continue;
		um_sim_print(s, "cpu%u", i);
		print_reasons(s, i);
		um_sim_print(s, "\n");
	}
}

/* Files about the whole package. @cpu is the first CPU of the package's first node. */
static void offer_package(struct um_sim_search *s, unsigned cpu)
{
	unsigned package = s->sim->cpus[cpu].copy[UM_SIM_PER_PACKAGE];

	/* The HSMP driver is for AMD servers from Zen 3 on. */
	if (s->sim->hsmp && is_amd(s->sim) && um_sim_enter(s, "sys/devices/platform/AMDI0097:0%u", package) &&
	    um_sim_offer(s, "prochot_status"))
		print(s, um_sim_causes(s->sim, um_sim_package_of(s->sim, cpu), s->sim->now) >> UM_SIM_PROCHOT & 1);
	if (um_sim_has(s->sim, UM_SIM_PLR) &&
	    um_sim_enter(s, "sys/kernel/debug/tpmi-0000:0%u:03.1/plr/domain0", package) && um_sim_offer(s, "status"))
		print_plr(s, cpu);
}

void um_sim_heat_files(struct um_sim_search *s)
{
	const struct um_sim_copies *nodes = &s->sim->copies[UM_SIM_PER_NODE];

	if (has_core_sensors(s->sim) && um_sim_enter(s, "sys/class/hwmon/hwmon0"))
		um_sim_offer_line(s, "name", "acpitz");
	for (unsigned i = 0; i < nodes->num; i++) {
		unsigned cpu = nodes->at[i].first_cpu;

		if (um_sim_first_online(s->sim, UM_SIM_PER_NODE, cpu) < 0)
			continue;
		if (has_core_sensors(s->sim) || is_amd(s->sim))
			offer_node(s, i, cpu);
		if (um_sim_first_of(s->sim, UM_SIM_PER_PACKAGE, cpu) == cpu)
			offer_package(s, cpu);
	}
}
