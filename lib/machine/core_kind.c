/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What CPUID says about one CPU (SDM volume 2A, instruction CPUID), and what follows from it. The
 * rules of the kernel are those of Linux arch/x86/events/intel/core.c, intel_pmu_init().
 */
#include <errno.h>
#include <string.h>

#include "machine/core_kind.h"
#include "uarch/uarch.h"

enum { EAX, EBX, ECX, EDX };

#define LEAF_1_ECX_PDCM (1u << 15)   /* register 0x345 exists */
#define LEAF_1_EDX_DS (1u << 21)
#define LEAF_7_EDX_ARCH_LBR (1u << 19)
#define CAPABILITY_FULL_WIDTH (1ull << 13) /* of register 0x345 */

/* Largest period of a counter if a write sets only 32 bits, which are sign-extended. */
#define PERIOD_31_BITS 0x7fffffffull

/* Are these E-cores that Linux counts with the PMU cpu_lowpower? Linux counts all other E-cores with cpu_atom. */
static bool is_low_power(const struct um_core_kind *k)
{
	/* find_hybrid_pmu_for_cpu() in Linux arch/x86/events/intel/core.c; native model 2 is Crestmont. */
	return k->id.family == 6 && k->id.model == 0xc5 && k->pub.type == UNCOREMSR_CORE_TYPE_E &&
	       k->pub.native_model == 2;
}

void um_core_kind_init(struct um_core_kind *k)
{
	memset(k, 0, sizeof(*k));
	memset(&k->pub, 0xff, sizeof(k->pub));
	k->pub.size = sizeof(k->pub);
	k->pub.cpus = k->pub.vendor = k->pub.brand = k->pub.uarch = k->pub.uarch_title = NULL;
}

static bool read_leaf(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(*regs));
	return a->ops->cpuid(a, cpu, leaf, subleaf, regs) == 0;
}

static void set_leaf_0xa(struct um_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;

	if (!l->present)
		return;
	k->pub.leaf_0xa_version = l->version;
	k->pub.leaf_0xa_general_counters = l->general;
	k->pub.leaf_0xa_general_width = l->general_width;
	k->pub.leaf_0xa_event_bits = l->event_bits;
	k->pub.leaf_0xa_events_absent = l->events_absent;
	k->pub.leaf_0xa_fixed_counters = l->fixed;
	k->pub.leaf_0xa_fixed_width = l->fixed_width;
	k->pub.leaf_0xa_fixed_mask = l->fixed_mask;
	k->pub.leaf_0xa_anythread_deprecated = l->anythread_deprecated;
	k->pub.leaf_0xa_eax = l->regs[EAX];
	k->pub.leaf_0xa_ebx = l->regs[EBX];
	k->pub.leaf_0xa_ecx = l->regs[ECX];
	k->pub.leaf_0xa_edx = l->regs[EDX];
}

static void read_leaf_0x23(struct um_core_kind *k, struct um_access *a, unsigned cpu)
{
	uint32_t regs[4], subleaves;

	if (!read_leaf(a, cpu, 0x23, 0, regs) || !regs[EAX])
		return;
	subleaves = regs[EAX];
	k->pub.leaf_0x23_subleaves = subleaves;
	k->pub.leaf_0x23_flags = regs[EBX];
	k->pub.leaf_0x23_slots = regs[ECX];
	if ((subleaves & 1u << 1) && read_leaf(a, cpu, 0x23, 1, regs) && regs[EAX]) {
		k->pub.leaf_0x23_general = regs[EAX];
		k->pub.leaf_0x23_fixed = regs[EBX];
	}
	if ((subleaves & 1u << 3) && read_leaf(a, cpu, 0x23, 3, regs))
		k->pub.leaf_0x23_events = regs[EAX];
}

static bool read_levels(struct um_core_kind *k, struct um_access *a, unsigned cpu, uint32_t leaf)
{
	for (uint32_t i = 0; i < UM_CORE_LEVELS; i++) {
		uint32_t regs[4];

		if (!read_leaf(a, cpu, leaf, i, regs) || !(regs[ECX] & 0xff00))
			break;
		if (i == 0 && !(regs[EBX] & 0xffff))
			break;
		k->levels[i] = (struct uncoremsr_core_level){
			.size = sizeof(k->levels[i]), .type = (enum uncoremsr_level)(regs[ECX] >> 8 & 0xff),
			.shift = regs[EAX] & 0x1f, .cpus = regs[EBX] & 0xffff,
		};
		k->num_levels = i + 1;
	}
	if (k->num_levels)
		k->pub.topology_leaf = leaf;
	return k->num_levels > 0;
}

static void read_newer_leaves(struct um_core_kind *k, struct um_access *a, unsigned cpu, uint32_t max_leaf)
{
	uint32_t regs[4], seven[4] = { 0 };

	if (max_leaf >= 7)
		read_leaf(a, cpu, 7, 0, seven);
	k->pub.hybrid = (seven[EDX] & UM_LEAF_7_EDX_HYBRID) != 0;
	if (max_leaf >= 0x1a && read_leaf(a, cpu, 0x1a, 0, regs) && regs[EAX]) {
		k->pub.type = regs[EAX] >> 24;
		k->pub.native_model = regs[EAX] & 0xffffff;
		k->pub.core_type = is_low_power(k) ? UNCOREMSR_CORE_TYPE_LOW_POWER : (int)k->pub.type;
	}
	/* Bit n of leaf 0x1C EAX 7:0: an LBR depth of 8 * (n + 1) can be chosen. */
	if (max_leaf >= 0x1c && (seven[EDX] & LEAF_7_EDX_ARCH_LBR) &&
	    read_leaf(a, cpu, 0x1c, 0, regs) && (regs[EAX] & 0xff))
		k->pub.lbr_depth = 8u * (32u - (unsigned)__builtin_clz(regs[EAX] & 0xff));
	if (max_leaf >= 0x23)
		read_leaf_0x23(k, a, cpu);
	if (!(max_leaf >= 0x1f && read_levels(k, a, cpu, 0x1f)) && max_leaf >= 0xb)
		read_levels(k, a, cpu, 0xb);
}

/*
 * On the first hybrid parts leaf 0xA reports only the counters that both kinds of cores have. The big cores have two
 * general counters and one fixed counter more, which Linux adds. On later parts leaf 0x23 reports them.
 */
static bool is_alder_or_raptor(const struct um_core_kind *k)
{
	static const uint8_t models[] = { 0x97, 0x9a, 0xb7, 0xba, 0xbf };

	return k->id.family == 6 && k->pub.hybrid == 1 &&
	       memchr(models, k->id.model, sizeof(models)) != NULL;
}

static void set_counters(struct um_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	bool more = is_alder_or_raptor(k) && k->pub.type == UNCOREMSR_CORE_TYPE_P;
	uint64_t general = um_low_mask(l->general + (more ? 2 : 0));
	uint64_t fixed = l->fixed_mask | (more ? 1u << 3 : 0);
	enum uncoremsr_counters_from from = more ? UNCOREMSR_COUNTERS_FROM_MODEL
						 : UNCOREMSR_COUNTERS_FROM_LEAF_0XA;

	if (k->pub.leaf_0x23_general != UINT64_MAX) {
		general = k->pub.leaf_0x23_general;
		fixed = k->pub.leaf_0x23_fixed;
		from = UNCOREMSR_COUNTERS_FROM_LEAF_0X23;
	} else if (!l->present || !l->version) {
		return;
	}
	k->pub.general_mask = general;
	k->pub.fixed_mask = fixed;
	k->pub.counters_from = from;
}

/*
 * The numbers that Linux prints about the core PMU at boot. For versions 2 to 4 Linux assumes at least three fixed
 * counters, whatever leaf 0xA says, except in a guest. If leaf 0xA has fewer than seven event bits, Linux does not use
 * the PMU.
 */
static void set_boot_line(struct um_core_kind *k)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;
	uint64_t general = k->pub.general_mask;
	uint64_t fixed = k->pub.fixed_mask;

	if (!l->present || !l->version || l->event_bits < 7 || strcmp(k->id.vendor, "GenuineIntel") != 0)
		return;
	if (l->version > 1 && l->version < 5 && k->id.hypervisor != 1)
		fixed |= 7;
	k->pub.boot_version = l->version;
	k->pub.boot_width = l->general_width;
	k->pub.boot_general = (unsigned)__builtin_popcountll(general);
	k->pub.boot_value_mask = um_low_mask(l->general_width);
	k->pub.boot_fixed = (unsigned)__builtin_popcountll(fixed);
	k->pub.boot_event_mask = general | fixed << 32;
}

static void set_full_width(struct um_core_kind *k, bool wide)
{
	k->pub.full_width = wide;
	if (k->pub.boot_version != UINT64_MAX)
		k->pub.boot_max_period = wide ? k->pub.boot_value_mask >> 1
				      : PERIOD_31_BITS;
}

void um_core_kind_set_capabilities(struct um_core_kind *k, uint64_t value)
{
	k->pub.capabilities = value;
	k->pub.lbr_format = value & 0x3f;
	if (k->pub.debug_store == 1)
		k->pub.pebs_format = value >> 8 & 0xf;
	set_full_width(k, value & CAPABILITY_FULL_WIDTH);
}

static enum uncoremsr_event_state event_state(const struct um_core_kind *k, unsigned bit)
{
	const struct um_leaf_0xa *l = &k->id.leaf_0xa;

	if (k->pub.leaf_0x23_events != UINT64_MAX)
		return k->pub.leaf_0x23_events >> bit & 1 ? UNCOREMSR_EVENT_PRESENT : UNCOREMSR_EVENT_ABSENT;
	if (!l->present || !l->version || bit >= l->event_bits)
		return UNCOREMSR_EVENT_NOT_LISTED;
	return l->events_absent >> bit & 1 ? UNCOREMSR_EVENT_ABSENT : UNCOREMSR_EVENT_PRESENT;
}

void um_core_kind_set_events(struct um_core_kind *k)
{
	for (unsigned bit = 0; bit < UM_ARCH_EVENTS; bit++) {
		struct uncoremsr_core_event *e = &k->events[bit];

		*e = (struct uncoremsr_core_event){ .size = sizeof(*e), .bit = bit, .state = event_state(k, bit) };
		e->name = um_arch_event(bit, &e->event_select, &e->unit_mask);
	}
}

int um_core_kind_read(struct um_core_kind *k, struct um_access *a, unsigned cpu)
{
	uint32_t zero[4], one[4];

	um_core_kind_init(k);
	if (um_identity_read_cpuid(&k->id, a, cpu) < 0 ||
	    !read_leaf(a, cpu, 0, 0, zero) || !read_leaf(a, cpu, 1, 0, one))
		return -ENODATA;
	k->pub.family = k->id.family;
	k->pub.model = k->id.model;
	k->pub.stepping = k->id.stepping;
	k->pub.hypervisor = k->id.hypervisor;
	k->pub.debug_store = (one[EDX] & LEAF_1_EDX_DS) != 0;
	set_leaf_0xa(k);
	read_newer_leaves(k, a, cpu, zero[EAX]);
	set_counters(k);
	set_boot_line(k);
	/* Full-width writes are reported by register 0x345. If CPUID says that the register does not exist, there are
	 * no full-width writes. */
	k->has_capabilities = (one[ECX] & LEAF_1_ECX_PDCM) != 0;
	if (!k->has_capabilities)
		set_full_width(k, false);
	return 0;
}

bool um_core_kind_same(const struct um_core_kind *x, const struct um_core_kind *y)
{
	const struct uncoremsr_core_kind *a = &x->pub, *b = &y->pub;

	return a->family == b->family && a->model == b->model && a->stepping == b->stepping &&
	       a->type == b->type && a->native_model == b->native_model && a->leaf_0xa_eax == b->leaf_0xa_eax &&
	       a->leaf_0xa_ebx == b->leaf_0xa_ebx && a->leaf_0xa_ecx == b->leaf_0xa_ecx &&
	       a->leaf_0xa_edx == b->leaf_0xa_edx && a->leaf_0x23_subleaves == b->leaf_0x23_subleaves &&
	       a->leaf_0x23_slots == b->leaf_0x23_slots && a->leaf_0x23_general == b->leaf_0x23_general &&
	       a->leaf_0x23_fixed == b->leaf_0x23_fixed && a->leaf_0x23_events == b->leaf_0x23_events &&
	       strcmp(x->id.vendor, y->id.vendor) == 0;
}
