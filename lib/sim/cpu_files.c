/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files about CPUs and the system. Formats: Linux drivers/base/cpu.c, arch/x86/kernel/cpu/proc.c. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "sim/file_table.h"
#include "sim/kernel.h"
#include "sim/parse.h"
#include "sim/registers.h"
#include "sim/trouble.h"

void um_sim_print_cpus(const struct uncoremsr_sim *sim, struct um_sim_text *t, um_sim_cpu_test *test, unsigned of)
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

#define TEST(name) \
	static bool name(const struct uncoremsr_sim *sim, unsigned cpu, unsigned of UM_SIM_UNUSED)
#define SAME(what) (sim->cpus[cpu].what == sim->cpus[of].what)

TEST(is_online) { return um_sim_online(sim, cpu); }
TEST(is_offline) { return !um_sim_online(sim, cpu); } /* true also for unused numbers, as in the kernel's list */
TEST(is_present) { return sim->cpus[cpu].present; }
TEST(in_package) { return um_sim_online(sim, cpu) && SAME(package); }
TEST(in_die) { return in_package(sim, cpu, of) && SAME(die); }
TEST(in_core) { return um_sim_online(sim, cpu) && SAME(core); }
TEST(in_l3) { return um_sim_online(sim, cpu) && SAME(l3); }

SHOW(online) { um_sim_print_cpus(sim, t, is_online, 0); }
SHOW(offline) { um_sim_print_cpus(sim, t, is_offline, 0); }
SHOW(present) { um_sim_print_cpus(sim, t, is_present, 0); }
SHOW(package_cpus) { um_sim_print_cpus(sim, t, in_package, cpu); }
SHOW(die_cpus) { um_sim_print_cpus(sim, t, in_die, cpu); }
SHOW(core_cpus) { um_sim_print_cpus(sim, t, in_core, cpu); }
SHOW(l3_cpus) { um_sim_print_cpus(sim, t, in_l3, cpu); }
SHOW(l3_id) { um_sim_print(t, "%u\n", sim->cpus[cpu].l3); }
SHOW(max_khz) { um_sim_print(t, "%llu\n", (unsigned long long)sim->max_khz); }
SHOW(cpufreq_driver) { um_sim_print(t, "intel_pstate\n"); }
SHOW(three) { um_sim_print(t, "3\n"); }
SHOW(kernel_max) { um_sim_print(t, "%u\n", UM_SIM_MAX_CPUS - 1); }
SHOW(cpu_online) { um_sim_print(t, "%d\n", sim->cpus[cpu].online); }
SHOW(package) { um_sim_print(t, "%d\n", um_sim_package_id(sim, cpu)); }
SHOW(die) { um_sim_print(t, "%u\n", sim->cpus[cpu].die); }
SHOW(core) { um_sim_print(t, "%u\n", sim->cpus[cpu].core_id); }
SHOW(allow_writes)
{
	static const char *const words[] = { "default", "on", "off" };

	um_sim_print(t, "%s\n", words[sim->writes_allowed]);
}

SHOW(name) { um_sim_print(t, "%s\n", sim->name); }
SHOW(title) { um_sim_print(t, "%s\n", sim->title ? sim->title : ""); }

SHOW(possible)
{
	if (sim->num_cpus > 1)
		um_sim_print(t, "0-%u\n", sim->num_cpus - 1);
	else
		um_sim_print(t, "0\n");
}

/* The file lists all modes, the current one in brackets (Linux security/lockdown/lockdown.c). */
SHOW(lockdown)
{
	static const char *const modes[] = { "none", "integrity", "confidentiality" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		um_sim_print(t, (int)i == sim->lockdown ? "%s[%s]" : "%s%s", i ? " " : "", modes[i]);
	um_sim_print(t, "\n");
}

SHOW(clock)
{
	um_sim_print(t, "%s %llu\n", sim->stepped ? "stepped" : "real",
		     (unsigned long long)um_sim_clock(sim));
}

SHOW(slept)
{
	um_sim_print(t, "%llu\n", (unsigned long long)sim->slept);
}

SHOW(devices)
{
	um_sim_print(t, "Character devices:\n  1 mem\n  4 tty\n 10 misc\n");
	if (sim->driver != UM_SIM_DRIVER_MISSING)
		um_sim_print(t, "202 cpu/msr\n");
	if (!sim->pvr)
		um_sim_print(t, "203 cpu/cpuid\n");
	um_sim_print(t, "\nBlock devices:\n  8 sd\n");
}

/* CPUID registers hold text with the first character in the lowest byte. */
static void put_text(char *to, uint32_t reg)
{
	memcpy(to, &(uint32_t){ htole32(reg) }, sizeof(reg));
}

static void print_identity(const struct uncoremsr_sim *sim, unsigned cpu, struct um_sim_text *t)
{
	uint32_t r[4], family, model;
	char vendor[13] = "", brand[49] = "";

	um_sim_cpuid(sim, cpu, 0, 0, r);
	put_text(vendor, r[1]);
	put_text(vendor + 4, r[3]);
	put_text(vendor + 8, r[2]);
	for (uint32_t i = 0; i < 3; i++) {
		um_sim_cpuid(sim, cpu, 0x80000002 + i, 0, r);
		for (unsigned n = 0; n < 4; n++)
			put_text(brand + i * 16 + n * 4, r[n]);
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

/*
 * Format of cpuinfo on POWER: Linux arch/powerpc/kernel/setup-common.c, show_cpuinfo(), and platforms/powernv/setup.c.
 */
static void print_power(const struct uncoremsr_sim *sim, struct um_sim_text *t)
{
	unsigned pvr = (unsigned)sim->pvr;
	bool power10 = pvr >> 16 == 0x80;

	for (unsigned i = 0; i < sim->num_cpus; i++)
		if (um_sim_online(sim, i))
			um_sim_print(t, "processor\t: %u\ncpu\t\t: %s\nclock\t\t: %llu.%06lluMHz\n"
				     "revision\t: %u.%u (pvr %04x %04x)\n\n", i,
				     power10 ? "POWER10, altivec supported" : "POWER9, altivec supported",
				     (unsigned long long)sim->tsc_hz / 1000000,
				     (unsigned long long)sim->tsc_hz % 1000000, pvr >> 8 & 0xf, pvr & 0xff,
				     pvr >> 16, pvr & 0xffff);
	um_sim_print(t, "timebase\t: 512000000\nplatform\t: PowerNV\nmodel\t\t: %s\n"
		     "machine\t\t: PowerNV %s\nfirmware\t: OPAL\nMMU\t\t: Radix\n",
		     sim->brand ? sim->brand : "simulated", sim->brand ? sim->brand : "simulated");
}

SHOW(cpuinfo)
{
	if (sim->pvr) {
		print_power(sim, t);
		return;
	}
	for (unsigned i = 0; i < sim->num_cpus; i++) {
		unsigned siblings = 0;

		if (!um_sim_online(sim, i))
			continue;
		for (unsigned other = 0; other < sim->num_cpus; other++)
			siblings += in_package(sim, other, i);
		um_sim_print(t, "processor\t: %u\n", i);
		print_identity(sim, i, t);
		um_sim_print(t, "cpu MHz\t\t: %llu.%03llu\n",
			     (unsigned long long)sim->tsc_hz / 1000000,
			     (unsigned long long)sim->tsc_hz / 1000 % 1000);
		um_sim_print(t, "physical id\t: %d\nsiblings\t: %u\ncore id\t\t: %u\n"
			     "cpu cores\t: %u\n",
			     um_sim_package_id(sim, i), siblings,
			     sim->cpus[i].core_id, um_sim_num_cores(sim, sim->cpus[i].package, true));
		um_sim_print(t, "flags\t\t: fpu tsc msr apic%s\n\n",
			     um_sim_cpuid_register(sim, i, 1, 2) >> 31 ? " hypervisor" : "");
	}
}

static bool has_switch(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return cpu || sim->cpu0_hotplug;
}

/* Does the CPU have files about its L3 cache? Only if it is online and the description gives the id of its L3. */
static bool has_l3(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_online(sim, cpu) && sim->cpus[cpu].l3 != UM_SIM_AS_DIE;
}

static bool has_cpufreq(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return um_sim_online(sim, cpu) && sim->max_khz;
}

static bool has_driver(const struct uncoremsr_sim *sim, unsigned cpu UM_SIM_UNUSED)
{
	return sim->driver != UM_SIM_DRIVER_MISSING;
}

static bool has_lockdown(const struct uncoremsr_sim *sim, unsigned cpu UM_SIM_UNUSED)
{
	return sim->lockdown >= 0;
}

static int store_cpu_online(struct uncoremsr_sim *sim, unsigned cpu, const char *text)
{
	if (strcmp(text, "0") && strcmp(text, "1"))
		return -EINVAL;
	um_sim_kernel_hotplug(sim, cpu, text[0] == '1');
	return 0;
}

static int store_clock(struct uncoremsr_sim *sim, unsigned cpu UM_SIM_UNUSED, const char *text)
{
	uint64_t ns;

	if (text[0] != '+' || !um_sim_number(text + 1, UINT64_MAX, &ns))
		return -EINVAL;
	return um_sim_advance(sim, ns) ? 0 : -EINVAL;
}

#define CPU_DIR "sys/devices/system/cpu/"
#define TOPOLOGY(name, show) { CPU_DIR "cpu#/topology/" name, show, um_sim_online, NULL }
#define L3(name, show) { CPU_DIR "cpu#/cache/index3/" name, show, has_l3, NULL }

const struct um_sim_file um_sim_cpu_files[] = {
	{ CPU_DIR "online", show_online, NULL, NULL },
	{ CPU_DIR "offline", show_offline, NULL, NULL },
	{ CPU_DIR "present", show_present, NULL, NULL },
	{ CPU_DIR "possible", show_possible, NULL, NULL },
	{ CPU_DIR "kernel_max", show_kernel_max, NULL, NULL },
	{ CPU_DIR "cpu#/online", show_cpu_online, has_switch, store_cpu_online },
	TOPOLOGY("physical_package_id", show_package),
	TOPOLOGY("die_id", show_die),
	TOPOLOGY("core_id", show_core),
	TOPOLOGY("package_cpus_list", show_package_cpus),
	TOPOLOGY("core_siblings_list", show_package_cpus),
	TOPOLOGY("die_cpus_list", show_die_cpus),
	TOPOLOGY("core_cpus_list", show_core_cpus),
	TOPOLOGY("thread_siblings_list", show_core_cpus),
	{ CPU_DIR "cpu#/cpufreq/cpuinfo_max_freq", show_max_khz, has_cpufreq, NULL },
	{ CPU_DIR "cpu#/cpufreq/scaling_driver", show_cpufreq_driver, has_cpufreq, NULL },
	L3("id", show_l3_id),
	L3("level", show_three),
	L3("shared_cpu_list", show_l3_cpus),
	{ NULL, NULL, NULL, NULL },
};

const struct um_sim_file um_sim_system_files[] = {
	{ "sys/module/msr/parameters/allow_writes", show_allow_writes, has_driver, NULL },
	{ "sys/kernel/security/lockdown", show_lockdown, has_lockdown, NULL },
	{ "proc/cpuinfo", show_cpuinfo, NULL, NULL },
	{ "proc/devices", show_devices, NULL, NULL },
	{ "sim/name", show_name, NULL, NULL },
	{ "sim/title", show_title, NULL, NULL },
	{ "sim/slept", show_slept, NULL, NULL },
	{ "sim/clock", show_clock, NULL, store_clock },
	{ NULL, NULL, NULL, NULL },
};
