/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files about CPUs and the system. Formats: Linux drivers/base/cpu.c, arch/x86/kernel/cpu/proc.c. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "sim/kernel.h"
#include "sim/parse.h"
#include "sim/registers.h"
#include "sim/search.h"
#include "sim/trouble.h"

#define TEST(name) \
	static bool name(const struct uncoremsr_sim *sim, unsigned cpu, const void *of UM_SIM_UNUSED)

TEST(is_online) { return um_sim_online(sim, cpu); }
TEST(is_offline) { return !um_sim_online(sim, cpu); } /* the kernel also lists numbers without a CPU */
TEST(is_possible) { return cpu < sim->num_cpus; }
TEST(is_present) { return sim->cpus[cpu].present; }

/* ---- CPUs ---- */

#define CPU_DIR "sys/devices/system/cpu"

static int store_cpu_online(struct uncoremsr_sim *sim, unsigned cpu, const char *text)
{
	if (strcmp(text, "0") && strcmp(text, "1"))
		return -EINVAL;
	um_sim_kernel_hotplug(sim, cpu, text[0] == '1');
	return 0;
}

static void offer_cpu(struct um_sim_search *s, unsigned cpu)
{
	const struct um_sim_cpu *c = &s->sim->cpus[cpu];

	if ((cpu || s->sim->cpu0_hotplug) && um_sim_enter(s, CPU_DIR "/cpu%u", cpu) && um_sim_offer(s, "online")) {
		um_sim_print(s, "%d\n", c->online);
		s->store = store_cpu_online;
		s->cpu = cpu;
	}
	if (!c->online)
		return;
	if (um_sim_enter(s, CPU_DIR "/cpu%u/topology", cpu)) {
		um_sim_offer_line(s, "physical_package_id", "%d", s->sim->cpus[cpu].package);
		um_sim_offer_line(s, "die_id", "%u", c->die);
		um_sim_offer_line(s, "core_id", "%u", c->core_id);
		um_sim_offer_sharing(s, "package_cpus_list", UM_SIM_PER_PACKAGE, cpu);
		um_sim_offer_sharing(s, "core_siblings_list", UM_SIM_PER_PACKAGE, cpu);
		um_sim_offer_sharing(s, "die_cpus_list", UM_SIM_PER_DIE, cpu);
		um_sim_offer_sharing(s, "core_cpus_list", UM_SIM_PER_CORE, cpu);
		um_sim_offer_sharing(s, "thread_siblings_list", UM_SIM_PER_CORE, cpu);
	}
	if (s->sim->max_khz && um_sim_enter(s, CPU_DIR "/cpu%u/cpufreq", cpu)) {
		um_sim_offer_line(s, "cpuinfo_max_freq", "%llu", (unsigned long long)s->sim->max_khz);
		um_sim_offer_line(s, "scaling_driver", "intel_pstate");
	}
	/* Files about the L3 cache exist only if the description gives the cache's id. */
	if (c->l3 != UM_SIM_AS_DIE && um_sim_enter(s, CPU_DIR "/cpu%u/cache/index3", cpu)) {
		um_sim_offer_line(s, "id", "%u", c->l3);
		um_sim_offer_line(s, "level", "3");
		um_sim_offer_sharing(s, "shared_cpu_list", UM_SIM_PER_L3, cpu);
	}
	um_sim_cpu_heat_files(s, cpu);
}

void um_sim_cpu_files(struct um_sim_search *s)
{
	unsigned cpu = 0, last = s->sim->num_cpus - 1;
	const char *number;

	if (!um_sim_enter(s, CPU_DIR))
		return;
	if (um_starts_with(s->rest, "cpu")) {
		number = s->rest + strlen("cpu");
		if (um_read_decimal(&number, last, &cpu))
			last = cpu;
	}
	um_sim_offer_cpus(s, "online", is_online, NULL);
	um_sim_offer_cpus(s, "offline", is_offline, NULL);
	um_sim_offer_cpus(s, "present", is_present, NULL);
	um_sim_offer_cpus(s, "possible", is_possible, NULL);
	um_sim_offer_line(s, "kernel_max", "%u", UM_SIM_MAX_CPUS - 1);
	for (; cpu <= last; cpu++)
		if (s->sim->cpus[cpu].present)
			offer_cpu(s, cpu);
}

/* ---- the system ---- */

/* CPUID registers hold text with the first character in the lowest byte. */
static void put_text(char *to, uint32_t reg)
{
	memcpy(to, &(uint32_t){ htole32(reg) }, sizeof(reg));
}

static void print_identity(struct um_sim_search *s, unsigned cpu)
{
	const struct uncoremsr_sim *sim = s->sim;
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
	um_sim_print(s, "vendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: %s\n"
		     "stepping\t: %u\n", vendor, family, model, brand, r[0] & 0xf);
}

/* Format of cpuinfo on POWER: Linux arch/powerpc/kernel/setup-common.c, show_cpuinfo(); platforms/powernv/setup.c. */
static void print_power(struct um_sim_search *s)
{
	const struct uncoremsr_sim *sim = s->sim;
	unsigned pvr = (unsigned)sim->pvr;
	bool power10 = pvr >> 16 == 0x80;
	const char *brand = *sim->brand ? sim->brand : "simulated";

	for (unsigned i = 0; i < sim->num_cpus; i++)
		if (um_sim_online(sim, i))
			um_sim_print(s, "processor\t: %u\ncpu\t\t: %s\nclock\t\t: %llu.%06lluMHz\n"
				     "revision\t: %u.%u (pvr %04x %04x)\n\n", i,
				     power10 ? "POWER10, altivec supported" : "POWER9, altivec supported",
				     (unsigned long long)sim->tsc_hz / 1000000,
				     (unsigned long long)sim->tsc_hz % 1000000, pvr >> 8 & 0xf, pvr & 0xff,
				     pvr >> 16, pvr & 0xffff);
	um_sim_print(s, "timebase\t: 512000000\nplatform\t: PowerNV\nmodel\t\t: %s\n"
		     "machine\t\t: PowerNV %s\nfirmware\t: OPAL\nMMU\t\t: Radix\n", brand, brand);
}

static void print_cpuinfo(struct um_sim_search *s)
{
	const struct uncoremsr_sim *sim = s->sim;

	if (sim->pvr) {
		print_power(s);
		return;
	}
	for (unsigned i = 0; i < sim->num_cpus; i++) {
		unsigned siblings = 0;

		if (!um_sim_online(sim, i))
			continue;
		for (unsigned other = 0; other < sim->num_cpus; other++)
			siblings += um_sim_online(sim, other) && um_sim_shares(sim, UM_SIM_PER_PACKAGE, other, i);
		um_sim_print(s, "processor\t: %u\n", i);
		print_identity(s, i);
		um_sim_print(s, "cpu MHz\t\t: %llu.%03llu\n", (unsigned long long)sim->tsc_hz / 1000000,
			     (unsigned long long)sim->tsc_hz / 1000 % 1000);
		um_sim_print(s, "physical id\t: %d\nsiblings\t: %u\ncore id\t\t: %u\n"
			     "cpu cores\t: %u\n", sim->cpus[i].package, siblings,
			     sim->cpus[i].core_id, um_sim_num_cores(sim, i, true));
		um_sim_print(s, "flags\t\t: fpu tsc msr apic%s\n\n",
			     um_sim_cpuid_register(sim, i, 1, 2) >> 31 ? " hypervisor" : "");
	}
}

static void print_devices(struct um_sim_search *s)
{
	um_sim_print(s, "Character devices:\n  1 mem\n  4 tty\n 10 misc\n");
	if (s->sim->driver != UM_SIM_DRIVER_MISSING)
		um_sim_print(s, "202 cpu/msr\n");
	if (!s->sim->pvr)
		um_sim_print(s, "203 cpu/cpuid\n");
	um_sim_print(s, "\nBlock devices:\n  8 sd\n");
}

static int store_clock(struct uncoremsr_sim *sim, unsigned cpu UM_SIM_UNUSED, const char *text)
{
	uint64_t ns;

	if (text[0] != '+' || !um_sim_number(text + 1, UINT64_MAX, &ns))
		return -EINVAL;
	return um_sim_advance(sim, ns) ? 0 : -EINVAL;
}

void um_sim_system_files(struct um_sim_search *s)
{
	static const char *const writes[] = { "default", "on", "off" };
	/* The file lists all modes, the current one in brackets (Linux security/lockdown/lockdown.c). */
	static const char *const modes[] = {
		"[none] integrity confidentiality", "none [integrity] confidentiality",
		"none integrity [confidentiality]",
	};
	struct uncoremsr_sim *sim = s->sim;

	if (sim->driver != UM_SIM_DRIVER_MISSING && um_sim_enter(s, "sys/module/msr/parameters"))
		um_sim_offer_line(s, "allow_writes", "%s", writes[sim->writes_allowed]);
	if (sim->lockdown >= 0 && um_sim_enter(s, "sys/kernel/security"))
		um_sim_offer_line(s, "lockdown", "%s", modes[sim->lockdown]);
	if (um_sim_enter(s, "proc")) {
		if (um_sim_offer(s, "cpuinfo"))
			print_cpuinfo(s);
		if (um_sim_offer(s, "devices"))
			print_devices(s);
	}
	if (um_sim_enter(s, "sim")) {
		um_sim_offer_line(s, "name", "%s", sim->name);
		um_sim_offer_line(s, "title", "%s", sim->title);
		um_sim_offer_line(s, "slept", "%llu", (unsigned long long)sim->slept);
		if (um_sim_offer(s, "clock")) {
			um_sim_print(s, "%s %llu\n", sim->stepped ? "stepped" : "real",
				     (unsigned long long)um_sim_clock(sim));
			s->store = store_clock;
		}
	}
}
