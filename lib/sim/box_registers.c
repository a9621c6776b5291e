/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What reading and writing a register of a box does. */
#include <errno.h>
#include <string.h>

#include "sim/box.h"
#include "sim/register_bank.h"

#define BIT UM_SIM_BIT
#define SEL_RST BIT(17)          /* servers: writing 1 clears the counter; reads 0 */
#define SEL_OCC_RST BIT(16)      /* Knights Landing: writing 1 clears the queue occupancy; reads 0 */

/* An access to a register. */
struct access {
	const struct um_sim_box_reg *r;
	struct um_sim_counting c; /* unit of the register; c.index: number of the register in the unit */
	uint64_t *global;         /* content of a global register; NULL: the register belongs to a unit */
};

/* Find the register at an address. False: no box has it. */
static bool find_access(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, struct access *a)
{
	struct um_sim_boxes *b = sim->boxes;
	struct um_sim_box_pmu *p;
	unsigned copy;

	a->r = b ? um_sim_box_find(b, msr) : NULL;
	if (!a->r)
		return false;
	a->global = NULL;
	if (a->r->value) {
		a->global = &a->r->value[sim->cpus[cpu].copy[a->r->scope]];
		return true;
	}
	p = &b->pmus[a->r->pmu];
	copy = sim->cpus[cpu].copy[p->layout->scope];
	a->c = (struct um_sim_counting) { .sim = sim, .pmu = p, .copy = copy, .unit = a->r->unit,
		.u = &p->units[copy * p->num_units + a->r->unit], .index = a->r->index };
	return true;
}

static bool exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	return sim->boxes && um_sim_box_find(sim->boxes, msr);
}

static uint64_t *place(const struct access *a)
{
	struct um_sim_unit *u = a->c.u;

	switch (a->r->role) {
	case UM_SIM_ROLE_SELECTOR: return &u->selector[a->r->index];
	case UM_SIM_ROLE_CONTROL: return &u->control;
	case UM_SIM_ROLE_FIXED_CONTROL: return &u->fixed_control[a->r->index];
	case UM_SIM_ROLE_PLAIN: return &u->plain[a->r->index];
	default: return &u->counter[a->r->index].value;
	}
}

static bool is_counter(const struct access *a)
{
	return a->r->role == UM_SIM_ROLE_COUNTER || a->r->role == UM_SIM_ROLE_FIXED_COUNTER ||
	       a->r->role == UM_SIM_ROLE_FREE_RUNNING;
}

/* The bits that a counter can have. */
static uint64_t counter_bits(const struct access *a)
{
	uint64_t limit = um_sim_counter_limit(a->c.pmu, a->r->index);

	return a->c.pmu->type->quirks & UM_SIM_SATURATES ? limit | (limit + 1) : limit;
}

static int read_register(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct access a;

	if (!find_access(sim, cpu, msr, &a))
		return 1;
	if (a.r->access == UM_SIM_WO)
		return -EIO;
	if (a.global) {
		um_sim_boxes_follow(sim); /* first, because an overflow may change the global control */
		*value = *a.global;
		return 0;
	}
	if (a.c.u->absent)
		return -EIO;
	if (is_counter(&a))
		um_sim_box_counter_follow(&a.c);
	*value = *place(&a);
	/*
	 * A control reads 0: RST bits are strobes, and FRZ and FRZ_EN of Sandy Bridge-EP do not read back (guide, 2.1).
	 */
	if (a.r->role == UM_SIM_ROLE_CONTROL && sim->boxes->family->old_freeze)
		*value = 0;
	return 0;
}

/* ---- writing ---- */

static void clear_selectors(const struct um_sim_counting *c)
{
	memset(c->u->selector, 0, c->pmu->num_general * sizeof(*c->u->selector));
	c->u->armed = 0;
}

static void clear_counters(const struct um_sim_counting *c)
{
	for (unsigned i = 0; i < c->pmu->num_general; i++)
		c->u->counter[i].value = 0;
}

static uint64_t kept(const struct access *a)
{
	return um_sim_kept_bits(a->c.sim, a->r->msr);
}

static int write_selector(const struct access *a, uint64_t value)
{
	const struct um_sim_box_type *t = a->c.pmu->type;
	enum um_sim_style style = a->c.sim->boxes->family->style;
	bool server = style == UM_SIM_STYLE_SERVER || style == UM_SIM_STYLE_SPR;

	if (value & ~(t->valid | kept(a)))
		return -EIO;
	if (server && value & SEL_RST)
		a->c.u->counter[a->r->index].value = 0;
	/* Nehalem: bit 17 clears the accumulator of an occupancy, which this model does not have. */
	if (server || style == UM_SIM_STYLE_NEHALEM)
		value &= ~SEL_RST;
	if (style == UM_SIM_STYLE_SERVER)
		value &= ~SEL_OCC_RST;
	/* Erratum of Broadwell-EP: the first write does not store the event select and the unit mask. */
	if (t->quirks & UM_SIM_SELECT_TWICE && !(a->c.u->armed & BIT(a->r->index)))
		a->c.u->selector[a->r->index] = value & ~0xffffull;
	else
		a->c.u->selector[a->r->index] = value;
	a->c.u->armed &= ~BIT(a->r->index);
	a->c.u->armed |= value ? BIT(a->r->index) : 0;
	return 0;
}

/* Ignore bits above the counter's width, because sources differ about the width of some clocks. */
static int write_counter(const struct access *a, uint64_t value)
{
	uint64_t bits = counter_bits(a);

	if (value & ~(a->r->role == UM_SIM_ROLE_FIXED_COUNTER ? UM_SIM_BITS(47, 0) : bits))
		return -EIO;
	a->c.u->counter[a->r->index].value = value & bits;
	return 0;
}

/* Box controls by style. On EX the control has a bit for each counter instead (um_sim_control()). */
static const struct um_sim_control controls[] = {
	[UM_SIM_STYLE_SERVER] = { BIT(17) | BIT(16) | BIT(8) | BIT(1) | BIT(0), BIT(0), BIT(1),
				  BIT(17) | BIT(16) | BIT(8) },
	[UM_SIM_STYLE_SPR] = { BIT(9) | BIT(8) | BIT(0), BIT(8), BIT(9), BIT(0) },
	[UM_SIM_STYLE_CLIENT] = { BIT(29), 0, 0, BIT(29) },
	[UM_SIM_STYLE_AMD] = { 0, 0, 0, 0 }, /* AMD has no box control */
};

struct um_sim_control um_sim_control(enum um_sim_style style, const struct um_sim_layout *l)
{
	struct um_sim_control k = { 0, 0, 0, 0 };

	if (style != UM_SIM_STYLE_EX)
		return controls[style];
	k.valid = k.stays = UM_SIM_BITS(l->num - 1, 0) | (l->num_fixed ? BIT(31) : 0);
	return k;
}

static int write_control(const struct access *a, uint64_t value)
{
	struct um_sim_control k = um_sim_control(a->c.sim->boxes->family->style, a->c.pmu->layout);
	uint64_t fresh = value & ~a->c.u->written;

	if (value & ~(k.valid | kept(a)) ||
	    (a->c.pmu->type->quirks & UM_SIM_CONTROL_BY_BITS && fresh & (fresh - 1)))
		return -EIO;
	a->c.u->written = value;
	if (value & k.reset_selectors)
		clear_selectors(&a->c);
	if (value & k.reset_counters)
		clear_counters(&a->c);
	a->c.u->control = value & (k.stays | kept(a));
	return 0;
}

static int write_unit(const struct access *a, uint64_t value)
{
	switch (a->r->role) {
	case UM_SIM_ROLE_SELECTOR: return write_selector(a, value);
	case UM_SIM_ROLE_COUNTER:
	case UM_SIM_ROLE_FIXED_COUNTER: return write_counter(a, value);
	case UM_SIM_ROLE_CONTROL: return write_control(a, value);
	case UM_SIM_ROLE_FIXED_CONTROL:
		if (value & ~(um_sim_fixed_valid(a->c.sim->boxes->family->style) | kept(a)))
			return -EIO;
		break;
	case UM_SIM_ROLE_PLAIN:
		if (a->r->access == UM_SIM_RO || value & ~(a->r->valid | kept(a)))
			return -EIO;
		if (a->r->access == UM_SIM_W1C)
			value = *place(a) & ~value;
		else if (a->r->access == UM_SIM_WO && a->r->index)
			place(a)[-1] &= ~value;
		break;
	case UM_SIM_ROLE_FREE_RUNNING:
	case UM_SIM_ROLE_GLOBAL: return -EIO;
	}
	*place(a) = value;
	return 0;
}

/* Nehalem-EX RST_ALL: reset selectors, general counters, controls and plain registers of all boxes of the package. */
static void reset_all(struct uncoremsr_sim *sim, unsigned copy)
{
	struct um_sim_boxes *b = sim->boxes;

	for (size_t i = 0; i < b->num_pmus; i++) {
		struct um_sim_box_pmu *p = &b->pmus[i];

		for (unsigned n = 0; n < p->num_units; n++) {
			struct um_sim_counting c = { .sim = sim, .pmu = p, .copy = copy, .unit = n,
				.u = &p->units[copy * p->num_units + n] };

			clear_selectors(&c);
			clear_counters(&c);
			c.u->control = 0;
			memset(c.u->plain, 0, p->layout->num_plain * sizeof(*c.u->plain));
		}
	}
}

/* A suspend clears all registers, except read-only ones with a content, which the firmware sets again. */
static void clear(struct uncoremsr_sim *sim)
{
	struct um_sim_boxes *b = sim->boxes;

	if (!b)
		return;
	um_sim_boxes_follow(sim);
	for (const struct um_sim_box_reg *r = b->regs; r < b->regs + b->num_regs; r++)
		for (unsigned cpu = 0; cpu < sim->num_cpus && (r->access != UM_SIM_RO || !r->valid); cpu++) {
			struct access a;

			if (!sim->cpus[cpu].present || !find_access(sim, cpu, r->msr, &a))
				continue;
			*(a.global ? a.global : place(&a)) = 0;
		}
	memset(b->frozen, 0, sim->copies[b->family->scope].num * sizeof(*b->frozen));
	um_sim_boxes_begin(sim);
}

/* Do what the strobe bits in @value trigger; @value is written to the global control. Returns it without these bits. */
static uint64_t strobe(struct uncoremsr_sim *sim, unsigned copy, uint64_t value)
{
	const struct um_sim_family *f = sim->boxes->family;

	if (f->style == UM_SIM_STYLE_EX) {
		if (value & BIT(29))
			reset_all(sim, copy);
		return value & ~BIT(29);
	}
	if (f->style != UM_SIM_STYLE_SERVER)
		return value;
	if (value & (f->freeze | f->unfreeze))
		sim->boxes->frozen[copy] = value & f->freeze;
	return value & ~(f->freeze | f->unfreeze);
}

static int write_register(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	const struct um_sim_boxes *b = sim->boxes;
	struct access a;
	unsigned copy;
	bool control;
	int err;

	if (!find_access(sim, cpu, msr, &a))
		return 1;
	if (!a.global) {
		if (a.c.u->absent)
			return -EIO;
		um_sim_unit_follow(a.c);
		err = write_unit(&a, value);
		um_sim_unit_begin(a.c);
		return err;
	}
	control = b->family->global == msr;
	if (a.r->access == UM_SIM_RO || value & ~(a.r->valid | um_sim_kept_bits(sim, msr)))
		return -EIO;
	um_sim_boxes_follow(sim);
	copy = sim->cpus[cpu].copy[a.r->scope];
	*a.global = control ? strobe(sim, copy, value) : value;
	if (a.r->access == UM_SIM_WO)
		um_sim_box_global(b, msr - 1)->value[copy] &= ~value;
	um_sim_boxes_begin(sim);
	return 0;
}

/* ---- the start ---- */

static int preset(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct access a;

	if (!find_access(sim, cpu, msr, &a))
		return 1;
	if (a.r->access == UM_SIM_WO)
		return -EINVAL;
	if (a.global) {
		*a.global = value;
		um_sim_boxes_begin(sim);
		return 0;
	}
	*place(&a) = is_counter(&a) ? value & counter_bits(&a) : value;
	if (a.r->role == UM_SIM_ROLE_CONTROL)
		a.c.u->written = value;
	um_sim_unit_begin(a.c);
	return 0;
}

/* The key busy=: another program already counts an event of the workload (read-tracker allocations). */
static void occupy(const struct um_sim_counting *c)
{
	if (c->index < c->pmu->num_general)
		c->u->selector[c->index] = BIT(22) | 0x0103;
	else
		c->u->fixed_control[0] = um_sim_fixed_enable(UM_SIM_STYLE_NEHALEM);
	um_sim_box_global(c->sim->boxes, c->sim->boxes->family->global)->value[c->copy] |= um_sim_counter_bit(c);
}

static void reset_unit(struct um_sim_counting c)
{
	uint64_t salt = (uint64_t)(c.pmu - c.sim->boxes->pmus) << 40 | (uint64_t)(c.u - c.pmu->units) << 8;

	for (c.index = 0; c.index < c.pmu->num_counters; c.index++) {
		c.u->counter[c.index].value = um_sim_garbage(c.sim, salt | c.index,
							     um_sim_counter_limit(c.pmu, c.index));
		if (c.index < ARRAY_SIZE(c.sim->busy) && c.sim->busy[c.index])
			occupy(&c);
	}
}

static void reset(struct uncoremsr_sim *sim)
{
	um_sim_each_unit(sim, reset_unit);
	um_sim_boxes_begin(sim);
}

const struct um_sim_register_bank um_sim_box_bank = {
	.create = um_sim_boxes_create, .reset = reset, .clear = clear, .destroy = um_sim_boxes_destroy,
	.exists = exists, .read = read_register, .write = write_register, .preset = preset,
};
