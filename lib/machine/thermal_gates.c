/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "machine/cpuinfo.h"
#include "machine/thermal_gates.h"

enum { EAX, EBX, ECX, EDX };

void um_machine_leaf(const struct um_machine *m, unsigned cpu, uint32_t leaf, uint32_t regs[4])
{
	struct um_access *a = m->access;
	uint32_t zero[4];

	memset(regs, 0, 4 * sizeof(*regs));
	if (a->ops->cpuid(a, cpu, 0, 0, zero) < 0 || zero[EAX] < leaf)
		return;
	if (a->ops->cpuid(a, cpu, leaf, 0, regs) < 0)
		memset(regs, 0, 4 * sizeof(*regs));
}

/* Flags are Linux's names for these CPUID bits (arch/x86/include/asm/cpufeatures.h); Linux has none for ECMD. */
unsigned um_cpuinfo_gates(const struct um_machine *m, const struct um_thermal_model *model)
{
	static const struct {
		const char *flag;
		unsigned gate;
	} flags[] = {
		{ "acpi", UM_GATE_ACPI }, { "tm2", UM_GATE_TM2 },   { "dtherm", UM_GATE_DTS },
		{ "pln", UM_GATE_PLN },   { "pts", UM_GATE_PTM },   { "hwp", UM_GATE_HWP },
		{ "hfi", UM_GATE_HFI },   { "aperfmperf", UM_GATE_APERF },
	};
	unsigned open = model->has & UM_HAS_NO_FORCEPR ? 0 : UM_GATE_FORCEPR;
	char text[UM_CPUINFO_SIZE];

	if (um_cpuinfo_block(m->access, text))
		return open;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (um_cpuinfo_flag(text, flags[i].flag) == 1)
			open |= flags[i].gate;
	return open;
}

bool um_machine_has_cpuid(const struct um_machine *m)
{
	return m->id.source && strcmp(m->id.source, "cpuid") == 0;
}

bool um_cpu_is_hybrid(const struct um_machine *m, unsigned cpu)
{
	uint32_t seven[4];

	um_machine_leaf(m, cpu, 7, seven);
	return seven[EDX] & UM_LEAF_7_EDX_HYBRID;
}

bool um_cpu_gates(const struct um_machine *m, const struct um_thermal_model *model, unsigned cpu, unsigned *gates)
{
	uint32_t one[4], six[4];

	um_machine_leaf(m, cpu, 1, one);
	um_machine_leaf(m, cpu, 6, six);
	*gates = um_thermal_gates(model, one, six);
	return one[EAX] != 0; /* EAX of leaf 1 has family and model, so it is never 0 */
}

unsigned um_machine_gates(const struct um_machine *m, const struct um_thermal_model *model)
{
	unsigned open = 0, of_cpu;

	if (!um_machine_has_cpuid(m))
		return um_cpuinfo_gates(m, model);
	for (size_t i = 0; i < m->topo.online.num; i++) {
		(void)um_cpu_gates(m, model, m->topo.online.cpus[i], &of_cpu);
		open |= of_cpu;
	}
	return open;
}
