/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What this processor is, as far as throttling goes. */
#include <string.h>

#include "throttle/throttle.h"

enum { EAX, EBX, ECX, EDX };

/* Zeros when there is no such leaf: an answer beyond the highest leaf is that of another one. */
static void read_leaf(struct uncoremsr_throttle *t, unsigned cpu, uint32_t leaf, uint32_t regs[4])
{
	struct um_access *a = t->um->m.access;
	uint32_t zero[4];

	memset(regs, 0, 4 * sizeof(*regs));
	if (a->ops->cpuid(a, cpu, 0, 0, zero) < 0 || zero[EAX] < leaf)
		return;
	if (a->ops->cpuid(a, cpu, leaf, 0, regs) < 0)
		memset(regs, 0, 4 * sizeof(*regs));
}

/* As Linux names these bits (arch/x86/include/asm/cpufeatures.h); it has no name for ECMD. */
static unsigned gates_of_flags(struct uncoremsr_throttle *t)
{
	static const struct {
		const char *flag;
		unsigned gate;
	} flags[] = {
		{ "acpi", UM_GATE_ACPI }, { "tm2", UM_GATE_TM2 },   { "dtherm", UM_GATE_DTS },
		{ "pln", UM_GATE_PLN },   { "pts", UM_GATE_PTM },   { "hwp", UM_GATE_HWP },
		{ "hfi", UM_GATE_HFI },   { "aperfmperf", UM_GATE_APERF },
	};
	unsigned open = t->model->has & UM_HAS_NO_FORCEPR ? 0 : UM_GATE_FORCEPR;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (um_cpuinfo_flag(t->um->m.access, flags[i].flag))
			open |= flags[i].gate;
	return open;
}

/* Of each CPU, as kinds of cores may differ; proc/cpuinfo is asked for its first one, once. */
unsigned um_throttle_gates(struct uncoremsr_throttle *t, unsigned cpu)
{
	uint32_t one[4], six[4];

	if (strcmp(t->um->m.id.source, "cpuid") != 0) {
		if (!t->flag_gates)
			t->flag_gates = gates_of_flags(t);
		return t->flag_gates;
	}
	read_leaf(t, cpu, 1, one);
	read_leaf(t, cpu, 6, six);
	return um_thermal_gates(t->model, one, six);
}

/* Leaf 0x16 EAX: the base frequency in MHz (Skylake and later; 0: not given). */
static double base_hz(struct uncoremsr_throttle *t)
{
	const struct um_identity *id = &t->um->m.id;
	uint32_t regs[4] = { 0 };

	if (strcmp(id->vendor, "GenuineIntel") == 0)
		read_leaf(t, t->um->m.topo.online.cpus[0], 0x16, regs);
	if (regs[EAX] & 0xffff)
		return (regs[EAX] & 0xffff) * 1e6;
	return um_thermal_brand_hz(id->brand);
}

void um_throttle_identify(struct uncoremsr_throttle *t)
{
	const struct um_identity *id = &t->um->m.id;

	t->guest = id->hypervisor == 1;
	if (!id->source || t->guest)
		return;
	t->model = um_thermal_find(id->vendor, id->family, id->model);
	t->base_hz = base_hz(t);
}
