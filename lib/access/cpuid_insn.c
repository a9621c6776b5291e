/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "access/access.h"

#include <errno.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <sched.h>

/* Large enough for any kernel's mask; sched_getaffinity() refuses a smaller one with EINVAL. */
enum { MAX_CPUS = 1 << 16 };

int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	cpu_set_t before[MAX_CPUS / CPU_SETSIZE], target[MAX_CPUS / CPU_SETSIZE] = { 0 };
	bool moved = false;

	if (cpu < MAX_CPUS && sched_getaffinity(0, sizeof(before), before) == 0) {
		CPU_SET_S(cpu, sizeof(target), target);
		moved = sched_setaffinity(0, sizeof(target), target) == 0;
	}
	__cpuid_count(leaf, subleaf, regs[0], regs[1], regs[2], regs[3]);
	if (moved)
		sched_setaffinity(0, sizeof(before), before);
	return 0;
}

#else

int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	(void)cpu, (void)leaf, (void)subleaf, (void)regs;
	return -ENOENT;
}

#endif
