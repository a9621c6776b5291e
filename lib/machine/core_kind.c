/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What CPUID says about one CPU (SDM volume 2A, instruction CPUID), and what follows from it. The
 * rules of the kernel are those of Linux arch/x86/events/intel/core.c, intel_pmu_init().
 */
#include <errno.h>
#include <string.h>

#include "machine/core_kind.h"

enum { EAX, EBX, ECX, EDX };

#define LEAF_1_ECX_PDCM (1u << 15)   /* register 0x345 exists */
#define LEAF_1_EDX_DS (1u << 21)
#define LEAF_7_EDX_HYBRID (1u << 15)
#define LEAF_7_EDX_ARCH_LBR (1u << 19)
#define CAPABILITY_FULL_WIDTH (1ull << 13) /* of register 0x345 */

/* Largest period of a counter if a write takes only 32 bits, sign-extended. */
#define PERIOD_31_BITS 0x7fffffffull

_Static_assert(UM_CORE_NUMBERS <= 64, "the set of known numbers has 64 bits");

void um_core_kind_set(struct uncoremsr_core_kind *k, enum uncoremsr_core_number what, uint64_t v)
{
	k->numbers[what] = v;
	k->known |= 1ull << what;
}

static bool knows(const struct uncoremsr_core_kind *k, enum uncoremsr_core_number what)
{
	return k->known >> what & 1;
}

static bool read_leaf(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		      uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(*regs));
	return a->ops->cpuid(a, cpu, leaf, subleaf, regs) == 0;
}

static void set_leaf_0xa(struct uncoremsr_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	/* In the order of the enum. */
	const uint32_t values[] = {
		l->version, l->general, l->general_width, l->event_bits, l->events_absent,
		l->fixed, l->fixed_width, l->fixed_mask, l->anythread_deprecated,
		l->regs[EAX], l->regs[EBX], l->regs[ECX], l->regs[EDX],
	};

	for (unsigned i = 0; l->present && i < ARRAY_SIZE(values); i++)
		um_core_kind_set(k, UNCOREMSR_CORE_0XA_VERSION + i, values[i]);
}

static void read_leaf_0x23(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4], subleaves;

	if (!read_leaf(a, cpu, 0x23, 0, regs) || !regs[EAX])
		return;
	subleaves = regs[EAX];
	um_core_kind_set(k, UNCOREMSR_CORE_0X23_SUBLEAVES, subleaves);
	um_core_kind_set(k, UNCOREMSR_CORE_0X23_FLAGS, regs[EBX]);
	um_core_kind_set(k, UNCOREMSR_CORE_0X23_SLOTS, regs[ECX]);
	if ((subleaves & 1u << 1) && read_leaf(a, cpu, 0x23, 1, regs) && regs[EAX]) {
		um_core_kind_set(k, UNCOREMSR_CORE_0X23_GENERAL, regs[EAX]);
		um_core_kind_set(k, UNCOREMSR_CORE_0X23_FIXED, regs[EBX]);
	}
	if ((subleaves & 1u << 3) && read_leaf(a, cpu, 0x23, 3, regs))
		um_core_kind_set(k, UNCOREMSR_CORE_0X23_EVENTS, regs[EAX]);
}

static bool read_levels(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu,
			uint32_t leaf)
{
	for (uint32_t i = 0; i < UM_CORE_LEVELS; i++) {
		uint32_t regs[4];

		if (!read_leaf(a, cpu, leaf, i, regs) || !(regs[ECX] & 0xff00))
			break;
		if (i == 0 && !(regs[EBX] & 0xffff))
			break;
		k->levels[i] = (struct um_core_level){
			regs[ECX] >> 8 & 0xff, regs[EAX] & 0x1f, regs[EBX] & 0xffff,
		};
		k->num_levels = i + 1;
	}
	if (k->num_levels)
		um_core_kind_set(k, UNCOREMSR_CORE_TOPOLOGY_LEAF, leaf);
	return k->num_levels > 0;
}

/* Properties that only CPUs with certain leaves have. */
static void read_newer_leaves(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu,
			      uint32_t max_leaf)
{
	uint32_t regs[4], seven[4] = { 0 };

	if (max_leaf >= 7)
		read_leaf(a, cpu, 7, 0, seven);
	um_core_kind_set(k, UNCOREMSR_CORE_HYBRID, (seven[EDX] & LEAF_7_EDX_HYBRID) != 0);
	if (max_leaf >= 0x1a && read_leaf(a, cpu, 0x1a, 0, regs) && regs[EAX]) {
		um_core_kind_set(k, UNCOREMSR_CORE_TYPE, regs[EAX] >> 24);
		um_core_kind_set(k, UNCOREMSR_CORE_NATIVE_MODEL, regs[EAX] & 0xffffff);
	}
	/* Bit n of leaf 0x1C EAX 7:0: a depth of 8 * (n + 1) can be chosen. */
	if (max_leaf >= 0x1c && (seven[EDX] & LEAF_7_EDX_ARCH_LBR) &&
	    read_leaf(a, cpu, 0x1c, 0, regs) && (regs[EAX] & 0xff))
		um_core_kind_set(k, UNCOREMSR_CORE_LBR_DEPTH,
				 8u * (32u - (unsigned)__builtin_clz(regs[EAX] & 0xff)));
	if (max_leaf >= 0x23)
		read_leaf_0x23(k, a, cpu);
	if (!(max_leaf >= 0x1f && read_levels(k, a, cpu, 0x1f)) && max_leaf >= 0xb)
		read_levels(k, a, cpu, 0xb);
}

static uint64_t low_mask(uint32_t n)
{
	return n >= 64 ? UINT64_MAX : (1ull << n) - 1;
}

/*
 * On the first hybrid parts leaf 0xA reports only the counters that both kinds of cores have. The big cores have two
 * general counters and one fixed counter more, which Linux adds. On later parts leaf 0x23 reports them.
 */
static bool is_alder_or_raptor(const struct uncoremsr_core_kind *k)
{
	static const uint8_t models[] = { 0x97, 0x9a, 0xb7, 0xba, 0xbf };

	return k->id.family == 6 && k->numbers[UNCOREMSR_CORE_HYBRID] &&
	       memchr(models, k->id.model, sizeof(models)) != NULL;
}

static void set_counters(struct uncoremsr_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	bool more = is_alder_or_raptor(k) && k->numbers[UNCOREMSR_CORE_TYPE] == UM_CORE_TYPE_P;
	uint64_t general = low_mask(l->general + (more ? 2 : 0));
	uint64_t fixed = l->fixed_mask | (more ? 1u << 3 : 0);
	enum uncoremsr_counters_from from = more ? UNCOREMSR_COUNTERS_FROM_MODEL
						 : UNCOREMSR_COUNTERS_FROM_LEAF_0XA;

	if (knows(k, UNCOREMSR_CORE_0X23_GENERAL)) {
		general = k->numbers[UNCOREMSR_CORE_0X23_GENERAL];
		fixed = k->numbers[UNCOREMSR_CORE_0X23_FIXED];
		from = UNCOREMSR_COUNTERS_FROM_LEAF_0X23;
	} else if (!l->present || !l->version) {
		return;
	}
	um_core_kind_set(k, UNCOREMSR_CORE_GENERAL_MASK, general);
	um_core_kind_set(k, UNCOREMSR_CORE_FIXED_MASK, fixed);
	um_core_kind_set(k, UNCOREMSR_CORE_COUNTERS_FROM, from);
}

/*
 * For versions 2 to 4 Linux assumes at least three fixed counters, whatever EDX says, except in a guest. If the leaf
 * has fewer than seven event bits, Linux does not use the PMU.
 */
static void set_boot_line(struct uncoremsr_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	uint64_t general = k->numbers[UNCOREMSR_CORE_GENERAL_MASK];
	uint64_t fixed = k->numbers[UNCOREMSR_CORE_FIXED_MASK];

	if (!l->present || !l->version || l->event_bits < 7 ||
	    strcmp(k->id.vendor, "GenuineIntel") != 0)
		return;
	if (l->version > 1 && l->version < 5 && k->id.hypervisor != 1)
		fixed |= 7;
	um_core_kind_set(k, UNCOREMSR_CORE_BOOT_VERSION, l->version);
	um_core_kind_set(k, UNCOREMSR_CORE_BOOT_WIDTH, l->general_width);
	um_core_kind_set(k, UNCOREMSR_CORE_BOOT_GENERAL, (unsigned)__builtin_popcountll(general));
	um_core_kind_set(k, UNCOREMSR_CORE_BOOT_VALUE_MASK, low_mask(l->general_width));
	um_core_kind_set(k, UNCOREMSR_CORE_BOOT_FIXED, (unsigned)__builtin_popcountll(fixed));
	um_core_kind_set(k, UNCOREMSR_CORE_BOOT_EVENT_MASK, general | fixed << 32);
}

static void set_full_width(struct uncoremsr_core_kind *k, bool wide)
{
	um_core_kind_set(k, UNCOREMSR_CORE_FULL_WIDTH, wide);
	if (knows(k, UNCOREMSR_CORE_BOOT_VALUE_MASK))
		um_core_kind_set(k, UNCOREMSR_CORE_BOOT_MAX_PERIOD,
				 wide ? k->numbers[UNCOREMSR_CORE_BOOT_VALUE_MASK] >> 1
				      : PERIOD_31_BITS);
}

void um_core_kind_set_capabilities(struct uncoremsr_core_kind *k, uint64_t value)
{
	um_core_kind_set(k, UNCOREMSR_CORE_CAPABILITIES, value);
	um_core_kind_set(k, UNCOREMSR_CORE_LBR_FORMAT, value & 0x3f);
	if (k->numbers[UNCOREMSR_CORE_DEBUG_STORE])
		um_core_kind_set(k, UNCOREMSR_CORE_PEBS_FORMAT, value >> 8 & 0xf);
	set_full_width(k, value & CAPABILITY_FULL_WIDTH);
}

int um_core_kind_read(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu)
{
	uint32_t zero[4], one[4];

	memset(k, 0, sizeof(*k));
	if (um_identity_read_cpuid(&k->id, a, cpu) < 0 ||
	    !read_leaf(a, cpu, 0, 0, zero) || !read_leaf(a, cpu, 1, 0, one))
		return -ENODATA;
	um_core_kind_set(k, UNCOREMSR_CORE_FAMILY, (unsigned)k->id.family);
	um_core_kind_set(k, UNCOREMSR_CORE_MODEL, (unsigned)k->id.model);
	um_core_kind_set(k, UNCOREMSR_CORE_STEPPING, (unsigned)k->id.stepping);
	um_core_kind_set(k, UNCOREMSR_CORE_HYPERVISOR, (unsigned)k->id.hypervisor);
	um_core_kind_set(k, UNCOREMSR_CORE_DEBUG_STORE, (one[EDX] & LEAF_1_EDX_DS) != 0);
	set_leaf_0xa(k);
	read_newer_leaves(k, a, cpu, zero[EAX]);
	set_counters(k);
	set_boot_line(k);
	/* Only register 0x345 tells. If CPUID says that the register does not exist, the answer is no. */
	k->has_capabilities = (one[ECX] & LEAF_1_ECX_PDCM) != 0;
	if (!k->has_capabilities)
		set_full_width(k, false);
	return 0;
}

bool um_core_kind_same(const struct uncoremsr_core_kind *x, const struct uncoremsr_core_kind *y)
{
	static const enum uncoremsr_core_number what[] = {
		UNCOREMSR_CORE_FAMILY, UNCOREMSR_CORE_MODEL, UNCOREMSR_CORE_STEPPING,
		UNCOREMSR_CORE_TYPE, UNCOREMSR_CORE_NATIVE_MODEL, UNCOREMSR_CORE_0XA_EAX,
		UNCOREMSR_CORE_0XA_EBX, UNCOREMSR_CORE_0XA_ECX, UNCOREMSR_CORE_0XA_EDX,
		UNCOREMSR_CORE_0X23_SUBLEAVES, UNCOREMSR_CORE_0X23_SLOTS,
		UNCOREMSR_CORE_0X23_GENERAL, UNCOREMSR_CORE_0X23_FIXED, UNCOREMSR_CORE_0X23_EVENTS,
	};

	for (size_t i = 0; i < ARRAY_SIZE(what); i++)
		if (knows(x, what[i]) != knows(y, what[i]) ||
		    x->numbers[what[i]] != y->numbers[what[i]])
			return false;
	return strcmp(x->id.vendor, y->id.vendor) == 0;
}
