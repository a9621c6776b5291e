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
	struct um_sim_counting c; /* unit of the register, if it has one; c.index: number of the register in the unit */
	uint64_t *content;
};

/* Find the register at an address. False: no box has it. */
static bool find_access(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, struct access *a)
{
	struct um_sim_boxes *b = sim->boxes;
	const struct um_sim_box_reg *r = um_sim_box_find(b, msr);
	struct um_sim_counting c = { .sim = sim };

	if (!r)
		return false;
	c.index = r->index;
	c.copy = sim->cpus[cpu].copy[r->scope];
	if (r->role != UM_SIM_ROLE_GLOBAL) {
		c.pmu = &b->pmus[r->pmu];
		c.copy = sim->cpus[cpu].copy[c.pmu->layout->scope];
		c.unit = r->unit;
		c.u = &c.pmu->units[c.copy * c.pmu->num_units + r->unit];
	}
	*a = (struct access){ .r = r, .c = c };
	switch (r->role) {
	case UM_SIM_ROLE_SELECTOR: a->content = &c.u->selector[r->index]; break;
	case UM_SIM_ROLE_COUNTER: a->content = &c.u->counter[r->index].value; break;
	case UM_SIM_ROLE_CONTROL: a->content = &c.u->control; break;
	case UM_SIM_ROLE_PLAIN: a->content = &c.u->plain[r->index]; break;
	case UM_SIM_ROLE_GLOBAL: a->content = &r->value[c.copy]; break;
	}
	return true;
}

static bool exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	return um_sim_box_find(sim->boxes, msr);
}

static int read_register(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct access a;

	if (!find_access(sim, cpu, msr, &a))
		return 1;
	if (a.r->access == UM_SIM_WO || (a.c.u && a.c.u->absent))
		return -EIO;
	if (a.r->role == UM_SIM_ROLE_GLOBAL)
		um_sim_boxes_follow(sim); /* an overflow may change the global control */
	if (a.r->role == UM_SIM_ROLE_COUNTER)
		um_sim_box_counter_follow(&a.c);
	*value = *a.content;
	/*
	 * A control reads 0: RST bits are strobes, and FRZ and FRZ_EN of Sandy Bridge-EP do not read back (guide, 2.1).
	 */
	if (a.r->role == UM_SIM_ROLE_CONTROL && sim->family->old_freeze)
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

static void write_selector(const struct access *a, uint64_t value)
{
	enum um_sim_style style = a->c.sim->family->style;
	bool server = style == UM_SIM_STYLE_SERVER || style == UM_SIM_STYLE_SPR;

	if (server && value & SEL_RST)
		a->c.u->counter[a->r->index].value = 0;
	/* Nehalem: bit 17 clears the accumulator of an occupancy, which this model does not have. */
	if (server || style == UM_SIM_STYLE_NEHALEM)
		value &= ~SEL_RST;
	if (style == UM_SIM_STYLE_SERVER)
		value &= ~SEL_OCC_RST;
	/* Erratum of Broadwell-EP: the first write does not store the event select and the unit mask. */
	if (a->c.pmu->type->quirks & UM_SIM_SELECT_TWICE && !(a->c.u->armed & BIT(a->r->index)))
		*a->content = value & ~0xffffull;
	else
		*a->content = value;
	a->c.u->armed &= ~BIT(a->r->index);
	a->c.u->armed |= value ? BIT(a->r->index) : 0;
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

static void write_control(const struct access *a, uint64_t value, uint64_t kept)
{
	struct um_sim_control k = um_sim_control(a->c.sim->family->style, a->c.pmu->layout);

	a->c.u->written = value;
	if (value & k.reset_selectors)
		clear_selectors(&a->c);
	if (value & k.reset_counters)
		clear_counters(&a->c);
	*a->content = value & (k.stays | kept);
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

	um_sim_boxes_follow(sim);
	for (const struct um_sim_box_reg *r = b->regs; r < b->regs + b->num_regs; r++)
		for (unsigned cpu = 0; cpu < sim->num_cpus && (r->access != UM_SIM_RO || !r->valid); cpu++) {
			struct access a;

			if (!sim->cpus[cpu].present || !find_access(sim, cpu, r->msr, &a))
				continue;
			*a.content = 0;
		}
	if (b->frozen)
		memset(b->frozen, 0, sim->copies[sim->family->scope].num * sizeof(*b->frozen));
	um_sim_boxes_begin(sim);
}

/* Do what the strobe bits in @value trigger; @value is written to the global control. Returns it without these bits. */
static uint64_t strobe(struct uncoremsr_sim *sim, unsigned copy, uint64_t value)
{
	const struct um_sim_family *f = sim->family;

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

/* Restart counting after a write: of the unit, or of all counters after a write to a global register. */
static void begin(const struct access *a)
{
	if (a->r->role == UM_SIM_ROLE_GLOBAL)
		um_sim_boxes_begin(a->c.sim);
	else
		um_sim_unit_begin(a->c);
}

static int write_register(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	uint64_t kept = um_sim_kept_bits(sim, msr), fresh;
	struct access a, before;

	if (!find_access(sim, cpu, msr, &a))
		return 1;
	if (a.r->access == UM_SIM_RO || (a.c.u && a.c.u->absent) || value & ~(a.r->valid | kept))
		return -EIO;
	if (a.r->role == UM_SIM_ROLE_CONTROL && a.c.pmu->type->quirks & UM_SIM_CONTROL_BY_BITS) {
		fresh = value & ~a.c.u->written;
		if (fresh & (fresh - 1))
			return -EIO;
	}
	if (a.r->role == UM_SIM_ROLE_GLOBAL)
		um_sim_boxes_follow(sim);
	else
		um_sim_unit_follow(a.c);
	if (a.r->role == UM_SIM_ROLE_SELECTOR && a.r->index < a.c.pmu->num_general)
		write_selector(&a, value);
	else if (a.r->role == UM_SIM_ROLE_CONTROL)
		write_control(&a, value, kept);
	else if (a.r->role == UM_SIM_ROLE_COUNTER)
		*a.content = value & (um_sim_counter_bits(a.c.pmu, a.r->index) | kept);
	else if (a.r->access == UM_SIM_W1C)
		*a.content &= ~value;
	else
		*a.content = msr == sim->family->global ? strobe(sim, a.c.copy, value) : value;
	if (a.r->access == UM_SIM_WO && find_access(sim, cpu, msr - 1, &before))
		*before.content &= ~value;
	begin(&a);
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
	*a.content = a.r->role == UM_SIM_ROLE_COUNTER ? value & um_sim_counter_bits(a.c.pmu, a.r->index) : value;
	if (a.r->role == UM_SIM_ROLE_CONTROL)
		a.c.u->written = value;
	begin(&a);
	return 0;
}

/* The key busy=: another program already counts an event of the workload (read-tracker allocations). */
static void occupy(const struct um_sim_counting *c)
{
	c->u->selector[c->index] = c->index < c->pmu->num_general ? BIT(22) | 0x0103
								  : um_sim_fixed_enable(UM_SIM_STYLE_NEHALEM);
	um_sim_box_global(c->sim->boxes, c->sim->family->global)->value[c->copy] |= um_sim_counter_bit(c);
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
