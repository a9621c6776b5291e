/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "access/cpuid_insn.h"

#include <errno.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

/* Large enough for any kernel's mask; sched_getaffinity() refuses a smaller one with EINVAL. */
enum { MAX_CPUS = 1 << 16 };

struct moved {
	cpu_set_t *before, *target;
	size_t size;
	bool done;
};

static void move_to(struct moved *m, unsigned cpu)
{
	m->size = CPU_ALLOC_SIZE(MAX_CPUS);
	m->done = false;
	m->before = CPU_ALLOC(MAX_CPUS);
	m->target = CPU_ALLOC(MAX_CPUS);
	if (!m->before || !m->target || cpu >= MAX_CPUS ||
	    sched_getaffinity(0, m->size, m->before) < 0)
		return;
	CPU_ZERO_S(m->size, m->target);
	CPU_SET_S(cpu, m->size, m->target);
	m->done = sched_setaffinity(0, m->size, m->target) == 0;
}

static void move_back(struct moved *m)
{
	if (m->done)
		sched_setaffinity(0, m->size, m->before);
	CPU_FREE(m->before);
	CPU_FREE(m->target);
}

int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	struct moved m;

	move_to(&m, cpu);
	__cpuid_count(leaf, subleaf, regs[0], regs[1], regs[2], regs[3]);
	move_back(&m);
	return 0;
}

#else

int um_cpuid_insn(unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	(void)cpu, (void)leaf, (void)subleaf, (void)regs;
	return -ENOENT;
}

#endif
