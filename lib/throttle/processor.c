/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of the processor that matter for throttling. */
#include <string.h>

#include "machine/thermal_gates.h"
#include "throttle/throttle.h"

enum { EAX };

/* CPUID is asked on each CPU, because kinds of cores may differ; /proc/cpuinfo only once, for its first CPU. */
unsigned um_throttle_gates(struct uncoremsr_throttle *t, unsigned cpu)
{
	const struct um_machine *m = &t->um->m;

	if (um_machine_has_cpuid(m))
		return um_cpu_gates(m, t->model, cpu);
	if (!t->flag_gates)
		t->flag_gates = um_cpuinfo_gates(m, t->model);
	return t->flag_gates;
}

/* Leaf 0x16 EAX: the base frequency in MHz (Skylake and later; 0: not given). */
static double base_hz(struct uncoremsr_throttle *t)
{
	const struct um_identity *id = &t->um->m.id;
	uint32_t regs[4] = { 0 };

	if (strcmp(id->vendor, "GenuineIntel") == 0)
		um_machine_leaf(&t->um->m, t->um->m.topo.online.cpus[0], 0x16, regs);
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
