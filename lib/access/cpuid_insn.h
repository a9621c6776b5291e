/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UM_CPUID_INSN_H
#define UM_CPUID_INSN_H

#include <stdint.h>

/*
 * Execute CPUID on @cpu. The calling thread moves to @cpu and back. If its CPU affinity does not allow @cpu, CPUID is
 * executed on the CPU where the thread runs. -ENOENT: not an x86.
 */
int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

#endif
