/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Identity from CPUID (SDM volume 2A, instruction CPUID; AMD manual volume 3, appendix E). Values
 * are passed on as the processor gives them: what the kernel corrects for its own use (three fixed
 * counters on early Core 2, the counters of hybrid parts) is not corrected here.
 */
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "machine/cpuinfo.h"
#include "machine/machine.h"

enum { EAX, EBX, ECX, EDX };

#define HYPERVISOR_BIT (1u << 31) /* leaf 1 ECX */
#define PERFMON_V2_LEAF 0x80000022u

static uint32_t bits(uint32_t v, unsigned hi, unsigned lo)
{
	return (v >> lo) & ((1u << (hi - lo + 1)) - 1);
}

/*
 * The extended family is added only if the base family is 0xf. The extended model is used in every family from 6 on, as
 * in Linux arch/x86/lib/cpu.c: Intel's manual names only 6 and 0xf, Zhaoxin uses it in 6 and 7, and AMD never set it in
 * its own family 6.
 */
void um_identity_decode_signature(struct um_identity *id, uint32_t leaf1_eax)
{
	uint32_t base = bits(leaf1_eax, 11, 8);
	uint32_t family = base, model = bits(leaf1_eax, 7, 4);

	if (base == 0xf)
		family += bits(leaf1_eax, 27, 20);
	if (base >= 6)
		model |= bits(leaf1_eax, 19, 16) << 4;
	id->family = (int)family;
	id->model = (int)model;
	id->stepping = (int)bits(leaf1_eax, 3, 0);
}

/* Text from registers, lowest byte first; unprintable characters are not passed on. */
static void copy_text(char *to, const uint32_t *regs, size_t num)
{
	for (size_t i = 0; i < num; i++)
		memcpy(to + i * 4, &(uint32_t){ htole32(regs[i]) }, 4);
	to[num * 4] = '\0';
	for (; *to; to++)
		if (!isprint((unsigned char)*to))
			*to = '?';
}

static void trim(char *text)
{
	size_t len, lead = strspn(text, " ");

	memmove(text, text + lead, strlen(text + lead) + 1);
	for (len = strlen(text); len && text[len - 1] == ' '; len--)
		text[len - 1] = '\0';
}

/* Leaves 0x80000002 to 0x80000004 hold 48 bytes of text. */
static void read_brand(struct um_identity *id, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4], text[3][4];

	if (a->ops->cpuid(a, cpu, 0x80000000, 0, regs) < 0 || regs[EAX] < 0x80000004)
		return;
	for (uint32_t i = 0; i < 3; i++)
		if (a->ops->cpuid(a, cpu, 0x80000002 + i, 0, text[i]) < 0)
			return;
	copy_text(id->brand, text[0], 12);
	trim(id->brand);
}

bool um_amd_counters_read(struct um_amd_counters *n, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4];

	*n = (struct um_amd_counters){ 0 };
	if (a->ops->cpuid(a, cpu, 0x80000000, 0, regs) || regs[EAX] < PERFMON_V2_LEAF ||
	    a->ops->cpuid(a, cpu, PERFMON_V2_LEAF, 0, regs) || !(regs[EAX] & 1))
		return false;
	n->fabric = regs[EBX] >> 10 & 0x3f;
	n->memory = regs[EBX] >> 16 & 0xff;
	n->controllers = regs[ECX];
	return true;
}

/* Read leaves 0 and 1. -ENOENT if leaf 0 contains no vendor, as in a file of zeros. */
static int read_signature(struct um_identity *id, struct um_access *a, unsigned cpu, uint32_t *max_leaf)
{
	uint32_t regs[4], vendor[3];
	int ret = a->ops->cpuid(a, cpu, 0, 0, regs);

	if (ret < 0)
		return ret;
	*max_leaf = regs[EAX];
	vendor[0] = regs[EBX];
	vendor[1] = regs[EDX];
	vendor[2] = regs[ECX];
	if (!vendor[0] || !*max_leaf)
		return -ENOENT;
	ret = a->ops->cpuid(a, cpu, 1, 0, regs);
	if (ret < 0)
		return ret;
	copy_text(id->vendor, vendor, 3);
	um_identity_decode_signature(id, regs[EAX]);
	id->hypervisor = (regs[ECX] & HYPERVISOR_BIT) != 0;
	return 0;
}

int um_identity_read_cpuid(struct um_identity *id, struct um_access *a, unsigned cpu)
{
	uint32_t max_leaf, regs[4];
	int ret;

	memset(id, 0, sizeof(*id));
	id->family = id->model = id->stepping = id->hypervisor = -1;
	ret = read_signature(id, a, cpu, &max_leaf);
	if (ret < 0)
		return ret;
	id->source = "cpuid";
	if (max_leaf >= 0xa && a->ops->cpuid(a, cpu, 0xa, 0, regs) == 0)
		um_leaf_0xa_decode(&id->leaf_0xa, regs);
	read_brand(id, a, cpu);
	return 0;
}

void um_identity_read(struct um_identity *id, struct um_access *a, unsigned cpu)
{
	if (um_identity_read_cpuid(id, a, cpu) < 0 && um_cpuinfo_read(id, a))
		id->source = "cpuinfo";
}

/* ---- leaf 0xA, the core PMU (SDM volume 2A, instruction CPUID; volume 3B, chapter 20) ---- */

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

uint32_t um_arch_events(const struct um_leaf_0xa *l)
{
	return l && l->present ? (uint32_t)um_low_mask(l->event_bits) & ~l->events_absent : 0x7f;
}

/*
 * Fixed counters (from version 2): counter i exists when i < EDX[4:0], or from version 5 when ECX[i] is 1. Both are
 * needed: ECX may have holes (0x77 on new small cores), and one Rocket Lake reports version 5 with ECX 0.
 */
static void decode_fixed(struct um_leaf_0xa *l, const uint32_t regs[4])
{
	l->fixed_mask = (uint32_t)um_low_mask(bits(regs[EDX], 4, 0));
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
	l->events_absent = regs[EBX] & (uint32_t)um_low_mask(l->event_bits);
	if (l->version >= 2)
		decode_fixed(l, regs);
	/* The bit is defined for version 5, but Goldmont Plus sets it with version 4. So do not check the version. */
	l->anythread_deprecated = (regs[EDX] & ANYTHREAD_DEPRECATED) != 0;
	memcpy(l->regs, regs, sizeof(l->regs));
}
