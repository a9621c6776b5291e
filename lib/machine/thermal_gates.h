/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of throttling registers: bits of enum um_thermal_gate. */
#ifndef UM_THERMAL_GATES_H
#define UM_THERMAL_GATES_H

#include "machine/machine.h"
#include "uarch/thermal.h"

/* Read a CPUID leaf; zeros if it does not exist (beyond the highest leaf the processor would return another one). */
void um_machine_leaf(const struct um_machine *m, unsigned cpu, uint32_t leaf, uint32_t regs[4]);
/* Does CPUID say that the processor has several kinds of cores? False also if CPUID cannot be read on this CPU. */
bool um_cpu_is_hybrid(const struct um_machine *m, unsigned cpu);
/* The throttling registers of a CPU, from CPUID. False: its CPUID cannot be read. */
bool um_cpu_gates(const struct um_machine *m, const struct um_thermal_model *model, unsigned cpu, unsigned *gates);
/* The throttling registers of the first CPU in proc/cpuinfo, for machines whose CPUID cannot be read. */
unsigned um_cpuinfo_gates(const struct um_machine *m, const struct um_thermal_model *model);
bool um_machine_has_cpuid(const struct um_machine *m);
unsigned um_machine_gates(const struct um_machine *m, const struct um_thermal_model *model);

#endif
