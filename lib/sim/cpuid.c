/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What CPUID returns, from the description or from a file as "cpuid -r" prints it. */
#include <endian.h>
#include <string.h>

#include "sim/machine.h"

#define INTEL_EBX 0x756e6547u /* "Genu" of leaf 0 */

/* Leaves whose answer depends on ECX; other leaves ignore ECX. */
static const uint32_t indexed[] = {
	0x4, 0x7, 0xb, 0xd, 0xf, 0x10, 0x12, 0x14, 0x17, 0x18, 0x1b, 0x1d, 0x1e, 0x1f, 0x20,
	0x23, 0x24, 0x8000001d, 0x80000020, 0x80000026,
};

static const struct um_cpuid_leaf *find_leaf(const struct uncoremsr_sim *sim, unsigned cpu,
					     uint32_t leaf, uint32_t subleaf)
{
	bool is_indexed = false;

	for (size_t i = 0; i < ARRAY_SIZE(indexed); i++)
		is_indexed |= indexed[i] == leaf;
	for (size_t i = 0; i < sim->cpuid.num; i++) {
		const struct um_cpuid_leaf *l = &sim->cpuid.leaves[i];

		if (l->leaf == leaf && l->subleaf == (is_indexed ? subleaf : 0) && l->cpu == cpu)
			return l;
	}
	return NULL;
}

/* Find a leaf of a CPU. If it has none, use the first CPU's leaves (in a description, those for EVERY_CPU). */
static const struct um_cpuid_leaf *find_for(const struct uncoremsr_sim *sim, unsigned cpu,
					    uint32_t leaf, uint32_t subleaf)
{
	const struct um_cpuid_leaf *l = find_leaf(sim, cpu, leaf, subleaf);

	return l || !sim->cpuid.num ? l : find_leaf(sim, sim->cpuid.leaves[0].cpu, leaf, subleaf);
}

/* Bit positions of the core number and of the package number in an APIC id. */
struct shifts {
	unsigned core, package;
};

/* The thread number takes at least one bit; on Knights Landing it takes two. */
static struct shifts find_shifts(const struct uncoremsr_sim *sim)
{
	struct shifts s = { 1, 0 };
	unsigned bits = 0;

	for (unsigned i = 0; i < sim->num_cpus; i++) {
		while (sim->cpus[i].thread >> s.core)
			s.core++;
		while (sim->cpus[i].core_id >> bits)
			bits++;
	}
	s.package = s.core + bits;
	return s;
}

static uint32_t apic_id(const struct uncoremsr_sim *sim, unsigned cpu)
{
	const struct um_sim_cpu *c = &sim->cpus[cpu];
	struct shifts s = find_shifts(sim);

	return (uint32_t)c->package << s.package | c->core_id << s.core | c->thread;
}

/* Leaf 0xB or 0x1F of a machine made from a description. Subleaf 0: threads of a core; 1: all CPUs of the package. */
static void topology_leaf(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t subleaf, uint32_t regs[4])
{
	unsigned threads = 1, cpus = 0;

	for (unsigned i = 0; i < sim->num_cpus; i++) {
		if (!sim->cpus[i].present || sim->cpus[i].package != sim->cpus[cpu].package)
			continue;
		cpus++;
		if (sim->cpus[i].thread >= threads)
			threads = sim->cpus[i].thread + 1;
	}
	regs[0] = subleaf == 0 ? find_shifts(sim).core : subleaf == 1 ? find_shifts(sim).package : 0;
	regs[1] = subleaf == 0 ? threads : subleaf == 1 ? cpus : 0;
	regs[2] = (subleaf < 2 ? (subleaf + 1) << 8 : 0) | (subleaf & 0xff);
	regs[3] = apic_id(sim, cpu);
}

/* Compute leaves that are implied by the description, but not listed in it. */
static bool derived_leaf(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf,
			 uint32_t subleaf, uint32_t regs[4])
{
	const struct um_cpuid_leaf *zero = find_for(sim, cpu, 0, 0);

	if (sim->cpuid.num && sim->cpuid.leaves[0].cpu != UM_SIM_EVERY_CPU)
		return false;
	if (leaf == 0xb || (leaf == 0x1f && zero && zero->regs[0] >= leaf)) {
		topology_leaf(sim, cpu, subleaf, regs);
		return true;
	}
	if (!*sim->brand)
		return false;
	if (leaf == 0x80000000 && !find_leaf(sim, UM_SIM_EVERY_CPU, leaf, 0)) {
		regs[0] = 0x80000004;
		return true;
	}
	if (leaf < 0x80000002 || leaf > 0x80000004)
		return false;
	memcpy(regs, sim->brand + (leaf - 0x80000002) * 16, 16);
	for (unsigned i = 0; i < 4; i++)
		regs[i] = le32toh(regs[i]);
	return true;
}

/* For a leaf above the highest one, Intel's processors return the highest basic leaf (SDM, CPUID). */
static uint32_t clip(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf)
{
	const struct um_cpuid_leaf *zero = find_for(sim, cpu, 0, 0);
	const struct um_cpuid_leaf *ext = find_for(sim, cpu, 0x80000000, 0);
	uint32_t last_ext = ext ? ext->regs[0] : 0x80000004;

	if (!zero || zero->regs[1] != INTEL_EBX || leaf <= zero->regs[0] || (leaf >= 0x80000000 && leaf <= last_ext))
		return leaf;
	return zero->regs[0];
}

/* On AMD, extended leaves above the highest one return zeros. */
static bool is_beyond(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf)
{
	const struct um_cpuid_leaf *ext = find_for(sim, cpu, 0x80000000, 0);

	return ext && leaf > 0x80000000 && leaf > ext->regs[0];
}

void um_sim_cpuid(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct um_cpuid_leaf *l;

	memset(regs, 0, 4 * sizeof(*regs));
	leaf = clip(sim, cpu, leaf);
	if (is_beyond(sim, cpu, leaf) || derived_leaf(sim, cpu, leaf, subleaf, regs))
		return;
	l = find_for(sim, cpu, leaf, subleaf);
	if (l)
		memcpy(regs, l->regs, sizeof(l->regs));
	if (leaf == 0x8000001e && l && l->cpu == UM_SIM_EVERY_CPU) { /* AMD: APIC id, core id */
		regs[0] = apic_id(sim, cpu);
		regs[1] |= sim->cpus[cpu].core_id & 0xff;
		if (sim->cpus[cpu].node != UM_SIM_AS_DIE)
			regs[2] |= sim->cpus[cpu].node & 0xff;
	}
	if (leaf != 1)
		return;
	if (l && l->cpu == UM_SIM_EVERY_CPU)
		regs[1] = (regs[1] & 0xffffff) | apic_id(sim, cpu) << 24;
	if (sim->hypervisor >= 0)
		regs[2] = (regs[2] & 0x7fffffff) | (uint32_t)sim->hypervisor << 31;
}

uint32_t um_sim_cpuid_register(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, unsigned reg)
{
	uint32_t regs[4];

	um_sim_cpuid(sim, cpu, leaf, 0, regs);
	return regs[reg];
}
