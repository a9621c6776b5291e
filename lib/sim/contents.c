/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the machine's files say. Formats: Linux drivers/base/cpu.c, arch/x86/kernel/cpu/proc.c. */
#include <errno.h>
#include <string.h>

#include "sim/perf.h"
#include "uncoremsr/sim.h"

typedef bool cpu_test(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of);

/* A kernel-style list of the CPUs that pass a test, with its line end. */
static void print_list(const struct uncoremsr_sim *sim, struct um_sim_text *t, cpu_test *test,
		       unsigned of)
{
	const char *comma = "";

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		unsigned last = cpu;

		if (!test(sim, cpu, of))
			continue;
		while (last + 1 < sim->num_cpus && test(sim, last + 1, of))
			last++;
		if (last > cpu)
			um_sim_print(t, "%s%u-%u", comma, cpu, last);
		else
			um_sim_print(t, "%s%u", comma, cpu);
		comma = ",";
		cpu = last;
	}
	um_sim_print(t, "\n");
}

static bool is_online(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	(void)of;
	return um_sim_online(sim, cpu);
}

/* Of the possible CPUs; the kernel counts holes in as well. */
static bool is_offline(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return !is_online(sim, cpu, of);
}

static bool is_present(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	(void)of;
	return sim->cpus[cpu].present;
}

static bool in_package(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return um_sim_online(sim, cpu) && sim->cpus[cpu].package == sim->cpus[of].package;
}

static bool in_die(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return in_package(sim, cpu, of) && sim->cpus[cpu].die == sim->cpus[of].die;
}

static bool in_core(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return um_sim_online(sim, cpu) && sim->cpus[cpu].core == sim->cpus[of].core;
}

static bool in_l3(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of)
{
	return um_sim_online(sim, cpu) && sim->cpus[cpu].l3 == sim->cpus[of].l3;
}

#define UNUSED __attribute__((unused))
#define SHOW(name) \
	void um_sim_show_##name(struct uncoremsr_sim *sim UNUSED, unsigned cpu UNUSED, \
				struct um_sim_text *t)

SHOW(online) { print_list(sim, t, is_online, 0); }
SHOW(offline) { print_list(sim, t, is_offline, 0); }
SHOW(present) { print_list(sim, t, is_present, 0); }
SHOW(package_cpus) { print_list(sim, t, in_package, cpu); }
SHOW(die_cpus) { print_list(sim, t, in_die, cpu); }
SHOW(core_cpus) { print_list(sim, t, in_core, cpu); }
SHOW(l3_cpus) { print_list(sim, t, in_l3, cpu); }
SHOW(l3_id) { um_sim_print(t, "%u\n", sim->cpus[cpu].l3); }
SHOW(three) { um_sim_print(t, "3\n"); }
SHOW(kernel_max) { um_sim_print(t, "%u\n", UM_SIM_MAX_CPUS - 1); }
SHOW(cpu_online) { um_sim_print(t, "%d\n", sim->cpus[cpu].online); }
SHOW(package) { um_sim_print(t, "%d\n", sim->packages[sim->cpus[cpu].package].id); }
SHOW(die) { um_sim_print(t, "%u\n", sim->cpus[cpu].die); }
SHOW(core) { um_sim_print(t, "%u\n", sim->cpus[cpu].core_id); }
SHOW(allow_writes) { um_sim_print(t, "%s\n", sim->allow_writes); }
SHOW(name) { um_sim_print(t, "%s\n", sim->name); }
SHOW(max_rate) { um_sim_print(t, "%llu\n", (unsigned long long)um_sim_max_rate(sim)); }
SHOW(title) { um_sim_print(t, "%s\n", sim->title ? sim->title : ""); }

SHOW(possible)
{
	if (sim->num_cpus > 1)
		um_sim_print(t, "0-%u\n", sim->num_cpus - 1);
	else
		um_sim_print(t, "0\n");
}

/* The mode in force stands in brackets (Linux security/lockdown/lockdown.c). */
SHOW(lockdown)
{
	static const char *const modes[] = { "none", "integrity", "confidentiality" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		um_sim_print(t, strcmp(modes[i], sim->lockdown) ? "%s%s" : "%s[%s]", i ? " " : "",
			     modes[i]);
	um_sim_print(t, "\n");
}

SHOW(clock)
{
	um_sim_print(t, "%s %llu\n", sim->stepped ? "stepped" : "real",
		     (unsigned long long)uncoremsr_sim_now(sim));
}

SHOW(devices)
{
	um_sim_print(t, "Character devices:\n  1 mem\n  4 tty\n 10 misc\n");
	if (sim->driver != UM_SIM_DRIVER_MISSING)
		um_sim_print(t, "202 cpu/msr\n");
	um_sim_print(t, "203 cpu/cpuid\n\nBlock devices:\n  8 sd\n");
}

static unsigned count(const struct uncoremsr_sim *sim, cpu_test *test, unsigned of)
{
	unsigned n = 0;

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++)
		n += test(sim, cpu, of);
	return n;
}

/* "cpu cores": cores of the package with a CPU online. */
static unsigned count_cores(const struct uncoremsr_sim *sim, unsigned of)
{
	bool seen[UM_SIM_MAX_CPUS] = { false };
	unsigned n = 0;

	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		if (!in_package(sim, cpu, of) || seen[sim->cpus[cpu].core])
			continue;
		seen[sim->cpus[cpu].core] = true;
		n++;
	}
	return n;
}

static void print_identity(const struct uncoremsr_sim *sim, unsigned cpu, struct um_sim_text *t)
{
	uint32_t r[4], family, model;
	char vendor[13] = "", brand[49] = "";

	um_sim_cpuid(sim, cpu, 0, 0, r);
	memcpy(vendor, &r[1], 4);
	memcpy(vendor + 4, &r[3], 4);
	memcpy(vendor + 8, &r[2], 4);
	for (uint32_t i = 0; i < 3; i++) {
		um_sim_cpuid(sim, cpu, 0x80000002 + i, 0, r);
		memcpy(brand + i * 16, r, 16);
	}
	um_sim_cpuid(sim, cpu, 1, 0, r);
	family = r[0] >> 8 & 0xf;
	model = r[0] >> 4 & 0xf;
	if (family == 6 || family == 15)
		model |= (r[0] >> 16 & 0xf) << 4;
	if (family == 15)
		family += r[0] >> 20 & 0xff;
	um_sim_print(t, "vendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: %s\n"
		     "stepping\t: %u\n", vendor, family, model, brand, r[0] & 0xf);
}

SHOW(cpuinfo)
{
	uint32_t r[4];

	for (unsigned i = 0; i < sim->num_cpus; i++) {
		if (!um_sim_online(sim, i))
			continue;
		um_sim_print(t, "processor\t: %u\n", i);
		print_identity(sim, i, t);
		um_sim_print(t, "cpu MHz\t\t: %llu.%03llu\n",
			     (unsigned long long)sim->tsc_hz / 1000000,
			     (unsigned long long)sim->tsc_hz / 1000 % 1000);
		um_sim_print(t, "physical id\t: %d\nsiblings\t: %u\ncore id\t\t: %u\n"
			     "cpu cores\t: %u\n",
			     sim->packages[sim->cpus[i].package].id, count(sim, in_package, i),
			     sim->cpus[i].core_id, count_cores(sim, i));
		um_sim_cpuid(sim, i, 1, 0, r);
		um_sim_print(t, "flags\t\t: fpu tsc msr apic%s\n\n",
			     r[2] >> 31 ? " hypervisor" : "");
	}
}

bool um_sim_has_switch(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return cpu || sim->cpu0_hotplug;
}

/* Caches are described where they are not one per die. */
bool um_sim_has_l3(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_online(sim, cpu) && sim->cpus[cpu].l3 != UM_SIM_AS_DIE;
}

bool um_sim_has_driver(const struct uncoremsr_sim *sim, unsigned cpu UNUSED)
{
	return sim->driver != UM_SIM_DRIVER_MISSING;
}

bool um_sim_has_lockdown(const struct uncoremsr_sim *sim, unsigned cpu UNUSED)
{
	return sim->lockdown != NULL;
}

int um_sim_store_cpu_online(struct uncoremsr_sim *sim, unsigned cpu, const char *text)
{
	if (strcmp(text, "0") && strcmp(text, "1"))
		return -EINVAL;
	um_sim_perf_online(sim, cpu, text[0] == '1');
	return 0;
}

int um_sim_store_clock(struct uncoremsr_sim *sim, unsigned cpu UNUSED, const char *text)
{
	uint64_t ns;

	if (text[0] != '+' || !um_sim_number(text + 1, UINT64_MAX, &ns))
		return -EINVAL;
	return uncoremsr_sim_advance(sim, ns) ? 0 : -EINVAL;
}
