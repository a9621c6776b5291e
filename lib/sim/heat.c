/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel tells about heat: the interrupt counts of drivers/thermal/intel/therm_throt.c,
 * the sensors of drivers/hwmon/coretemp.c and k10temp.c, and the HSMP driver's PROCHOT status.
 */
#include "sim/files.h"
#include "sim/thermal.h"

#define UNUSED __attribute__((unused))
#define SHOW(name) \
	void um_sim_show_##name(struct uncoremsr_sim *sim UNUSED, unsigned cpu UNUSED, \
				struct um_sim_text *t)
#define EXISTS(name) bool um_sim_has_##name(const struct uncoremsr_sim *sim, unsigned cpu UNUSED)

static void print(struct um_sim_text *t, uint64_t number)
{
	um_sim_print(t, "%llu\n", (unsigned long long)number);
}

/* ---- counts: the own sensor only, and times from one interrupt to the other ---- */

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
EXISTS(package_count) { return um_sim_has_core_count(sim, cpu) && um_sim_has(sim, UM_SIM_PKG); }

/* ---- sensors ---- */

static bool any_online(const struct uncoremsr_sim *sim, unsigned of, bool core)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		if (um_sim_online(sim, cpu) && sim->cpus[cpu].package == sim->cpus[of].package &&
		    (!core || sim->cpus[cpu].core == sim->cpus[of].core))
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
		any_online(sim, cpu, false);
}

EXISTS(package_sensor)
{
	return um_sim_has_sensors(sim, cpu) && (um_sim_has(sim, UM_SIM_PKG) || is_amd(sim));
}

/* k10temp knows no limits of these processors. */
EXISTS(package_limit) { return um_sim_has_package_sensor(sim, cpu) && !is_amd(sim); }
EXISTS(core_sensor)
{
	return um_sim_has(sim, UM_SIM_DTS | UM_SIM_READOUT) && any_online(sim, cpu, true);
}

/* HSMP is there on servers from Zen 3 on, when its driver is loaded. */
EXISTS(hsmp) { return sim->hsmp && is_amd(sim) && any_online(sim, cpu, false); }

/* AMD throttles itself at 95 degrees; k10temp's Tctl has no offset here. */
static unsigned limit(const struct uncoremsr_sim *sim)
{
	return is_amd(sim) ? 95 : sim->part->target;
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

SHOW(package_label)
{
	if (is_amd(sim))
		um_sim_print(t, "Tctl\n");
	else
		um_sim_print(t, "Package id %d\n", um_sim_package_of(sim, cpu).package);
}

/* coretemp shows the sticky bit 5 of the register, whatever has been cleared or preset there. */
static void print_alarm(struct uncoremsr_sim *sim, struct um_sim_text *t, unsigned cpu,
			uint32_t msr)
{
	uint64_t status = 0;

	um_sim_thermal_read(sim, cpu, msr, &status);
	print(t, status >> 5 & 1);
}

SHOW(core_alarm) { print_alarm(sim, t, cpu, 0x19c); }
SHOW(package_alarm) { print_alarm(sim, t, cpu, 0x1b1); }

SHOW(prochot_status)
{
	print(t, um_sim_causes(sim, um_sim_package_of(sim, cpu), sim->now) >> UM_SIM_PROCHOT & 1);
}
