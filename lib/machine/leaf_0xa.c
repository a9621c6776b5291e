/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPUID leaf 0xA, the core PMU (SDM volume 2A, instruction CPUID; volume 3B, chapter 20). */
#include <string.h>

#include "machine/machine.h"

enum { EAX, EBX, ECX, EDX };

#define ANYTHREAD_DEPRECATED (1u << 15) /* bit of EDX */

/* Architectural events in the order of their bits, here and in leaf 0x23 sub-leaf 3. */
static const struct arch_event {
	char name[32];
	uint8_t event, umask;
} arch_events[] = {
	{ "unhalted core cycles", 0x3c, 0x00 },
	{ "instructions retired", 0xc0, 0x00 },
	{ "unhalted reference cycles", 0x3c, 0x01 },
	{ "last-level cache references", 0x2e, 0x4f },
	{ "last-level cache misses", 0x2e, 0x41 },
	{ "branch instructions retired", 0xc4, 0x00 },
	{ "branch mispredicts retired", 0xc5, 0x00 },
	{ "top-down slots", 0xa4, 0x01 },
	{ "top-down backend bound", 0xa4, 0x02 },
	{ "top-down bad speculation", 0x73, 0x00 },
	{ "top-down frontend bound", 0x9c, 0x01 },
	{ "top-down retiring", 0xc2, 0x02 },
	{ "LBR inserts", 0xe4, 0x01 },
};
_Static_assert(ARRAY_SIZE(arch_events) == UM_ARCH_EVENTS, "UM_ARCH_EVENTS is the number of names above");

const char *um_arch_event(unsigned bit, unsigned *event, unsigned *umask)
{
	if (bit >= ARRAY_SIZE(arch_events))
		return NULL;
	*event = arch_events[bit].event;
	*umask = arch_events[bit].umask;
	return arch_events[bit].name;
}

/* Bits @hi:@lo of @v. */
static uint32_t bits(uint32_t v, unsigned hi, unsigned lo)
{
	return (v >> lo) & ((1u << (hi - lo + 1)) - 1);
}

static uint32_t low_mask(uint32_t n)
{
	return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

uint32_t um_arch_events(const struct um_leaf_0xa *l)
{
	return l && l->present ? low_mask(l->event_bits) & ~l->events_absent : low_mask(7);
}

/*
 * Fixed counters (from version 2): counter i exists when i < EDX[4:0], or from version 5 when
 * ECX[i] is 1. Both are needed: ECX may have holes (0x77 on new small cores), and a Rocket Lake
 * is known that reports version 5 with ECX 0.
 */
static void decode_fixed(struct um_leaf_0xa *l, const uint32_t regs[4])
{
	l->fixed_mask = low_mask(bits(regs[EDX], 4, 0));
	if (l->version >= 5)
		l->fixed_mask |= regs[ECX];
	l->fixed = (uint32_t)__builtin_popcount(l->fixed_mask);
	l->fixed_width = bits(regs[EDX], 12, 5);
}

void um_leaf_0xa_decode(struct um_leaf_0xa *l, const uint32_t regs[4])
{
	memset(l, 0, sizeof(*l));
	l->present = true;
	l->version = bits(regs[EAX], 7, 0);
	l->general = bits(regs[EAX], 15, 8);
	l->general_width = bits(regs[EAX], 23, 16);
	l->event_bits = bits(regs[EAX], 31, 24);
	l->events_absent = regs[EBX] & low_mask(l->event_bits);
	if (l->version >= 2)
		decode_fixed(l, regs);
	/* Defined for version 5, but Goldmont Plus sets the bit with version 4. So do not check the version. */
	l->anythread_deprecated = (regs[EDX] & ANYTHREAD_DEPRECATED) != 0;
	memcpy(l->regs, regs, sizeof(l->regs));
}
