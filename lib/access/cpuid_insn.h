/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UM_CPUID_INSN_H
#define UM_CPUID_INSN_H

#include <stdint.h>

/*
 * The CPUID instruction on @cpu. The calling thread moves there for the moment and back; where it
 * may not (affinity restricted), the answer comes from the CPU it is on. -ENOENT: not an x86.
 */
int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

#endif
