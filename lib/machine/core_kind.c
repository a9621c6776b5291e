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
#define CORE_TYPE_P 0x40u

static bool read_leaf(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		      uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(*regs));
	return a->ops->cpuid(a, cpu, leaf, subleaf, regs) == 0;
}

/* Bit n of sub-leaf 0 EAX tells that sub-leaf n is valid. */
static void read_leaf_0x23(struct um_leaf_0x23 *l, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4];

	if (!read_leaf(a, cpu, 0x23, 0, regs) || !regs[EAX])
		return;
	l->present = true;
	l->subleaves = regs[EAX];
	l->flags = regs[EBX];
	l->slots = regs[ECX];
	if ((l->subleaves & 1u << 1) && read_leaf(a, cpu, 0x23, 1, regs)) {
		l->has_counters = regs[EAX] != 0;
		l->general_mask = regs[EAX];
		l->fixed_mask = regs[EBX];
	}
	if ((l->subleaves & 1u << 3) && read_leaf(a, cpu, 0x23, 3, regs)) {
		l->has_events = true;
		l->events = regs[EAX];
	}
}

const char *um_core_level_name(unsigned type)
{
	static const char *const names[] = {
		NULL, "SMT", "core", "module", "tile", "die", "die group",
	};

	return type < ARRAY_SIZE(names) ? names[type] : NULL;
}

static bool read_levels(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu,
			uint32_t leaf)
{
	for (uint32_t i = 0; i < UM_CORE_LEVELS; i++) {
		struct um_core_level *level = &k->levels[i];
		uint32_t regs[4];

		if (!read_leaf(a, cpu, leaf, i, regs) || !(regs[ECX] & 0xff00))
			break;
		if (i == 0 && !(regs[EBX] & 0xffff))
			break;
		level->type = regs[ECX] >> 8 & 0xff;
		level->shift = regs[EAX] & 0x1f;
		level->cpus = regs[EBX] & 0xffff;
		k->num_levels = i + 1;
	}
	if (k->num_levels)
		k->topology_leaf = leaf;
	return k->num_levels > 0;
}

/* What only CPUs with these leaves have. */
static void read_newer(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu,
		       uint32_t max_leaf)
{
	uint32_t regs[4], seven[4] = { 0 };

	if (max_leaf >= 7)
		read_leaf(a, cpu, 7, 0, seven);
	k->hybrid = (seven[EDX] & LEAF_7_EDX_HYBRID) != 0;
	if (max_leaf >= 0x1a && read_leaf(a, cpu, 0x1a, 0, regs))
		k->leaf_0x1a = regs[EAX];
	if (max_leaf >= 0x1c && (seven[EDX] & LEAF_7_EDX_ARCH_LBR) &&
	    read_leaf(a, cpu, 0x1c, 0, regs))
		k->lbr_depths = regs[EAX] & 0xff;
	if (max_leaf >= 0x23)
		read_leaf_0x23(&k->leaf_0x23, a, cpu);
	if (max_leaf >= 0x1f && read_levels(k, a, cpu, 0x1f))
		return;
	if (max_leaf >= 0xb)
		read_levels(k, a, cpu, 0xb);
}

static uint64_t low_mask(uint32_t n)
{
	return n >= 64 ? UINT64_MAX : (1ull << n) - 1;
}

/*
 * On these hybrid parts leaf 0xA tells what both kinds have; the big cores have two general counters
 * and one fixed counter more, which Linux adds. Later parts tell it in leaf 0x23.
 */
static bool is_alder_or_raptor(const struct uncoremsr_core_kind *k)
{
	static const uint8_t models[] = { 0x97, 0x9a, 0xb7, 0xba, 0xbf };

	return k->id.family == 6 && k->hybrid &&
	       memchr(models, k->id.model, sizeof(models)) != NULL;
}

static void find_counters(struct uncoremsr_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	bool more = is_alder_or_raptor(k) && k->leaf_0x1a >> 24 == CORE_TYPE_P;

	if (k->leaf_0x23.has_counters) {
		k->general_mask = k->leaf_0x23.general_mask;
		k->fixed_mask = k->leaf_0x23.fixed_mask;
		k->counters_from = "leaf 0x23";
	} else if (l->present && l->version) {
		k->general_mask = low_mask(l->general + (more ? 2 : 0));
		k->fixed_mask = l->fixed_mask | (more ? 1u << 3 : 0);
		k->counters_from = more ? "model: leaf 0xA tells what both kinds of core have"
					: "leaf 0xA";
	}
}

/*
 * Versions 2 to 4 have at least three fixed counters for Linux, whatever EDX says, except in a guest;
 * with fewer than seven event bits it takes the PMU for unusable.
 */
static void find_boot_line(struct uncoremsr_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	uint64_t fixed = k->fixed_mask;

	if (!l->present || !l->version || l->event_bits < 7 ||
	    strcmp(k->id.vendor, "GenuineIntel") != 0)
		return;
	if (l->version > 1 && l->version < 5 && k->id.hypervisor != 1)
		fixed |= 7;
	k->boot = (struct um_boot_line){
		.valid = true,
		.version = l->version,
		.width = l->general_width,
		.general = (uint32_t)__builtin_popcountll(k->general_mask),
		.fixed = (uint32_t)__builtin_popcountll(fixed),
		.value_mask = low_mask(l->general_width),
		.event_mask = k->general_mask | fixed << 32,
	};
}

int um_core_kind_read(struct uncoremsr_core_kind *k, struct um_access *a, unsigned cpu)
{
	uint32_t zero[4], one[4];

	memset(k, 0, sizeof(*k));
	k->capabilities = k->caps_branches = k->caps_max_precise = -1;
	um_identity_read(&k->id, a, cpu);
	if (!k->id.source || strcmp(k->id.source, "cpuid") != 0 ||
	    !read_leaf(a, cpu, 0, 0, zero) || !read_leaf(a, cpu, 1, 0, one))
		return -ENODATA;
	k->signature = one[EAX];
	k->debug_store = (one[EDX] & LEAF_1_EDX_DS) != 0;
	k->has_capabilities = (one[ECX] & LEAF_1_ECX_PDCM) != 0;
	read_newer(k, a, cpu, zero[EAX]);
	find_counters(k);
	find_boot_line(k);
	return 0;
}

bool um_core_kind_same(const struct uncoremsr_core_kind *x, const struct uncoremsr_core_kind *y)
{
	const struct um_leaf_0x23 *l = &x->leaf_0x23, *m = &y->leaf_0x23;

	return x->signature == y->signature && x->leaf_0x1a == y->leaf_0x1a &&
	       strcmp(x->id.vendor, y->id.vendor) == 0 &&
	       x->id.leaf_0xa.present == y->id.leaf_0xa.present &&
	       memcmp(x->id.leaf_0xa.regs, y->id.leaf_0xa.regs, sizeof(x->id.leaf_0xa.regs)) == 0 &&
	       l->subleaves == m->subleaves && l->general_mask == m->general_mask &&
	       l->fixed_mask == m->fixed_mask && l->events == m->events && l->slots == m->slots;
}
