/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The core PMU of every logical CPU, as CPUID leaves 0xA and 0x23 describe it (Intel SDM volume 3,
 * "Architectural performance monitoring", and volume 4). A CPU whose leaf 0xA is empty has none.
 * Fixed counters are numbered after the general ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/counter.h"
#include "sim/register_bank.h"
#include "sim/workload.h"

#define BIT UM_SIM_BIT
#define BITS UM_SIM_BITS
#define COUNTERS_FROZEN BIT(59) /* bit of the global status */

enum { GENERAL = 10, NUM_FIXED = 7, COUNTERS = GENERAL + NUM_FIXED, FIXED_REFERENCE = 2 };

struct um_sim_core {
	unsigned version, cpu;
	uint64_t present;            /* counters that exist, as bits of the global control */
	uint64_t limit, fixed_limit; /* widths of general and fixed counters, as masks */
	bool any_thread, full_width, has_capabilities;
	uint64_t selector[GENERAL], fixed_control, global, status, capabilities;
	struct um_sim_counter counter[COUNTERS];
};

/* ---- counters that a CPU has ---- */

static uint32_t low_bits(uint32_t n)
{
	return n > 31 ? UINT32_MAX : (1u << n) - 1;
}

static uint64_t mask_of_width(uint32_t width)
{
	return !width ? 0 : width > 63 ? UINT64_MAX : BIT(width) - 1;
}

static void find_counters(const struct uncoremsr_sim *sim, struct um_sim_core *c, uint32_t max_leaf)
{
	uint32_t a[4], r[4], general, fixed;

	um_sim_cpuid(sim, c->cpu, 0xa, 0, a);
	c->version = a[0] & 0xff;
	general = low_bits(a[0] >> 8 & 0xff);
	fixed = c->version < 2 ? 0 : low_bits(a[3] & 0x1f) | (c->version > 4 ? a[2] : 0);
	/* Core 2 and Bonnell report too few fixed counters; the kernel assumes at least three in versions 2 to 4. */
	if (c->version >= 2 && c->version <= 4)
		fixed |= 7;
	c->limit = mask_of_width(a[0] >> 16 & 0xff);
	c->fixed_limit = mask_of_width(a[3] >> 5 & 0xff);
	if (!c->fixed_limit)
		c->fixed_limit = c->limit;
	c->any_thread = c->version >= 3 && !(a[3] & 1u << 15);
	if (max_leaf >= 0x23) {
		if (um_sim_cpuid_register(sim, c->cpu, 0x23, 0) & 2) {
			um_sim_cpuid(sim, c->cpu, 0x23, 1, r);
			general = r[0];
			fixed = r[1];
		}
	/* On hybrid parts leaf 0xA reports only what all cores have. P-cores of Alder and Raptor Lake have eight
	 * general and four fixed counters (Linux intel_pmu_init()). Newer parts report them in leaf 0x23. */
	} else if (max_leaf >= 0x1a && um_sim_cpuid_register(sim, c->cpu, 7, 3) & 1u << 15 &&
		   um_sim_cpuid_register(sim, c->cpu, 0x1a, 0) >> 24 == 0x40) {
		general |= low_bits(8);
		fixed |= low_bits(4);
	}
	c->present = (uint64_t)(fixed & low_bits(NUM_FIXED)) << 32 | (general & low_bits(GENERAL));
}

/* The default workload of the cores. Each CPU has its own rate of instructions, so that CPUs can be told apart. */
static int add_workload(struct uncoremsr_sim *sim)
{
#define EVENT(code, unit_mask, per_second, per_cpu) { .pmu = "core", .event = code, .umask = unit_mask, \
	.rate = per_second, .spread = per_cpu, .inc = 1, .burst = 1, .when = { .package = -1 } }
	static const struct um_sim_event events[] = {
		EVENT(0x3c, 0x00, 2000000000, 0),
		EVENT(0x3c, 0x01, 100000000, 0),
		EVENT(0xc0, 0x00, 1500000000, 1000000),
		EVENT(0x2e, 0x4f, 8000000, 1000),
		EVENT(0x2e, 0x41, 1200000, 1000),
		EVENT(0xc4, 0x00, 300000000, 1000),
		EVENT(0xc5, 0x00, 4500000, 1000),
		EVENT(0xb1, 0x01, 700000000, 1000),
	}, slots[] = { /* only on CPUs with a fixed counter for slots */
		EVENT(0xa4, 0x01, 8000000000, 0),
		EVENT(0xa4, 0x02, 2000000000, 0),
		EVENT(0x73, 0x00, 500000000, 0),
		EVENT(0x9c, 0x01, 1500000000, 0),
		EVENT(0xc2, 0x02, 4000000000, 0),
	};
	int err = 0;

	for (size_t i = 0; i < sim->num_events; i++)
		if (!strcmp(sim->events[i].pmu, "core"))
			return 0;
	for (size_t i = 0; i < ARRAY_SIZE(events) && !err; i++)
		err = ARRAY_APPEND(sim->events, sim->num_events, events[i]);
	for (size_t i = 0; i < ARRAY_SIZE(slots) && sim->cores[0].present & BIT(32 + 3) && !err; i++)
		err = ARRAY_APPEND(sim->events, sim->num_events, slots[i]);
	return err;
}

static int create(struct uncoremsr_sim *sim)
{
	sim->cores = calloc(sim->num_cpus, sizeof(*sim->cores));
	if (!sim->cores)
		return -ENOMEM;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		struct um_sim_core *c = &sim->cores[cpu];
		uint32_t max_leaf;

		if (!sim->cpus[cpu].present)
			continue;
		c->cpu = cpu;
		max_leaf = um_sim_cpuid_register(sim, cpu, 0, 0);
		if (max_leaf < 0xa)
			continue;
		find_counters(sim, c, max_leaf);
		if (!c->limit)
			c->version = 0;
		c->global = c->present & UINT32_MAX;
		c->has_capabilities = um_sim_cpuid_register(sim, cpu, 1, 2) & 1u << 15; /* PDCM */
		/* Full-width writes came with Sandy Bridge, the first processor with CPUID leaf 0xD. */
		c->full_width = c->has_capabilities && max_leaf >= 0xd;
		c->capabilities = c->full_width ? BIT(13) : 0;
	}
	return add_workload(sim);
}

static void destroy(struct uncoremsr_sim *sim)
{
	free(sim->cores);
}

/* ---- counting ---- */

static uint64_t global_bit(unsigned index)
{
	return BIT(index < GENERAL ? index : 32 + index - GENERAL);
}

/* The four control bits of a fixed counter: OS, USR, any thread, PMI. */
static unsigned fixed_field(const struct um_sim_core *c, unsigned index)
{
	return c->fixed_control >> 4 * (index - GENERAL) & 0xf;
}

static bool runs(const struct um_sim_core *c, unsigned index)
{
	bool enabled = index < GENERAL ? c->selector[index] & BIT(22) : fixed_field(c, index) & 3;

	return enabled && !(c->version >= 4 && c->status & COUNTERS_FROZEN) &&
		(c->version < 2 || c->global & global_bit(index));
}

/* What a counter would have counted since time 0; a quarter of all events happens in kernel mode. */
static um_u128 happened(const struct uncoremsr_sim *sim, const struct um_sim_core *c, unsigned index)
{
	/* Selector words of the fixed counters' events; 0 for reference cycles, which have the rate of the TSC */
	static const uint32_t fixed_events[NUM_FIXED] = {
		0x00c0, 0x003c, 0, 0x01a4, 0x0073, 0x019c, 0x02c2,
	};
	struct um_sim_selection s = { .pmu = UM_SIM_CORE_PMU, .package = sim->cpus[c->cpu].package, .n = c->cpu };
	bool general = index < GENERAL;
	uint64_t selector = general ? c->selector[index] : fixed_events[index - GENERAL];
	bool os = general ? selector >> 17 & 1 : fixed_field(c, index) & 1;
	bool usr = general ? selector >> 16 & 1 : fixed_field(c, index) & 2;
	um_u128 all;

	um_sim_select(&s, selector);
	all = index == GENERAL + FIXED_REFERENCE ? um_sim_ticks(sim->tsc_hz, sim->now)
						 : um_sim_count(sim, &s, sim->now);
	return (os ? all / 4 : 0) + (usr ? all - all / 4 : 0);
}

static void follow_all(const struct uncoremsr_sim *sim, struct um_sim_core *c)
{
	for (unsigned i = 0; i < COUNTERS; i++)
		if (runs(c, i) && um_sim_counter_follow(&c->counter[i], happened(sim, c, i),
							i < GENERAL ? c->limit : c->fixed_limit))
			c->status |= global_bit(i);
}

static void begin_all(const struct uncoremsr_sim *sim, struct um_sim_core *c)
{
	for (unsigned i = 0; i < COUNTERS; i++)
		if (runs(c, i))
			c->counter[i].seen = happened(sim, c, i);
}

/* ---- registers ---- */

enum kind { NONE, COUNTER, ALIAS, SELECTOR, FIXED, CAPABILITIES, FIXED_CONTROL, STATUS, GLOBAL,
	    STATUS_RESET, STATUS_SET, INUSE };

static const struct range {
	uint32_t msr;
	unsigned count;
	enum kind kind;
	unsigned version; /* first version that has the register */
} ranges[] = {
	{ 0x0c1, 8, COUNTER, 1 }, { 0x186, 8, SELECTOR, 1 }, { 0x309, NUM_FIXED, FIXED, 2 },
	{ 0x345, 1, CAPABILITIES, 1 }, { 0x38d, 1, FIXED_CONTROL, 2 }, { 0x38e, 1, STATUS, 2 },
	{ 0x38f, 1, GLOBAL, 2 }, { 0x390, 1, STATUS_RESET, 2 }, { 0x391, 1, STATUS_SET, 4 },
	{ 0x392, 1, INUSE, 4 }, { 0x4c1, 8, ALIAS, 1 },
};

/* Bits that a write may set; a write that sets another bit faults. */
static uint64_t valid_bits(const struct um_sim_core *c, enum kind kind)
{
	uint64_t bits = 0;

	switch (kind) {
	case COUNTER: return UINT64_MAX; /* the upper half is ignored */
	case ALIAS: return c->limit;
	case SELECTOR: return BITS(31, 0) & ~(c->any_thread ? 0 : BIT(21));
	case FIXED: return c->fixed_limit;
	case FIXED_CONTROL:
		for (unsigned i = 0; i < NUM_FIXED; i++)
			if (c->present & BIT(32 + i))
				bits |= (c->any_thread ? 0xfull : 0xbull) << (4 * i);
		return bits;
	case GLOBAL: return c->present;
	/* Status bits: 55 trace, 58 LBR, 59 counters frozen, 60 SGX, 61 uncore, 62 DS, 63 changed */
	case STATUS_RESET: return c->present | BITS(63, 58) | BIT(55);
	case STATUS_SET: return c->present | BITS(62, 58) | BIT(55);
	default: return 0; /* read only */
	}
}

static bool find(struct uncoremsr_sim *sim, struct um_sim_register *r)
{
	struct um_sim_core *c = &sim->cores[r->cpu];
	const struct range *range = ranges;
	unsigned index;

	while (range < ranges + ARRAY_SIZE(ranges) &&
	       (r->msr - range->msr >= range->count || c->version < range->version))
		range++;
	if (range == ranges + ARRAY_SIZE(ranges))
		return false;
	index = r->msr - range->msr + (range->kind == FIXED ? GENERAL : 0);
	r->row = range;
	r->absent = range->kind == CAPABILITIES ? !c->has_capabilities : range->kind <= FIXED &&
		(!(c->present & global_bit(index)) || (range->kind == ALIAS && !c->full_width));
	r->valid = valid_bits(c, range->kind);
	switch (range->kind) {
	case COUNTER:
	case ALIAS:
	case FIXED: r->content = &c->counter[index].value; break;
	case SELECTOR: r->content = &c->selector[index]; break;
	case CAPABILITIES: r->content = &c->capabilities; break;
	case FIXED_CONTROL: r->content = &c->fixed_control; break;
	case STATUS: r->content = &c->status; break;
	case GLOBAL: r->content = &c->global; break;
	default: break;
	}
	return true;
}

/*
 * Register 0x392. A general counter is in use if its selector has an event, even without EN; a fixed counter is in use
 * if OS or USR is set. Bit 63 is set if any counter has PMI enabled.
 */
static uint64_t in_use(const struct um_sim_core *c)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < COUNTERS; i++) {
		bool general = i < GENERAL;

		if (general ? c->selector[i] & 0xff : fixed_field(c, i) & 3)
			used |= global_bit(i);
		if (general ? c->selector[i] & BIT(20) : fixed_field(c, i) & 8)
			used |= BIT(63);
	}
	return used;
}

static uint64_t read_register(struct uncoremsr_sim *sim, const struct um_sim_register *r)
{
	const struct range *range = r->row;
	struct um_sim_core *c = &sim->cores[r->cpu];

	follow_all(sim, c);
	return r->content ? *r->content : range->kind == INUSE ? in_use(c) : 0;
}

static int write_register(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value)
{
	const struct range *range = r->row;
	struct um_sim_core *c = &sim->cores[r->cpu];

	follow_all(sim, c);
	if (range->kind == COUNTER) /* a write stores 32 bits and sign-extends them (SDM, "Full-width writes") */
		value = (uint64_t)(int64_t)(int32_t)(uint32_t)value & c->limit;
	if (r->content)
		*r->content = value;
	else if (range->kind == STATUS_RESET)
		c->status &= ~value;
	else
		c->status |= value;
	begin_all(sim, c);
	return 0;
}

static void preset(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value)
{
	struct um_sim_core *c = &sim->cores[r->cpu];

	*r->content = value;
	c->full_width = c->capabilities >> 13 & 1;
	begin_all(sim, c);
}

static void clear(struct uncoremsr_sim *sim)
{
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		struct um_sim_core *c = &sim->cores[cpu];

		memset(c->selector, 0, sizeof(c->selector));
		memset(c->counter, 0, sizeof(c->counter));
		c->fixed_control = c->global = c->status = 0;
	}
}

const struct um_sim_register_bank um_sim_core_bank = {
	.create = create, .clear = clear, .destroy = destroy, .find = find,
	.read = read_register, .write = write_register, .preset = preset,
};
