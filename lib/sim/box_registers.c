/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads and writes of box registers, with their side effects. */
#include <string.h>

#include "sim/box.h"
#include "sim/register_bank.h"

#define BIT UM_SIM_BIT
#define SEL_RST BIT(17)          /* servers: writing 1 clears the counter; reads 0 */
#define SEL_OCC_RST BIT(16)      /* Knights Landing: writing 1 clears the queue occupancy; reads 0 */

/* Identify the unit of a register (if it belongs to one) in the package, die or core of @cpu. */
static struct um_sim_counting counting_of(struct uncoremsr_sim *sim, const struct um_sim_box_reg *r, unsigned cpu)
{
	struct um_sim_counting c = {
		.sim = sim, .copy = sim->cpus[cpu].copy[r->scope], .unit = r->unit, .index = r->index,
	};

	if (r->role == UM_SIM_ROLE_GLOBAL)
		return c;
	c.pmu = &sim->boxes->pmus[r->pmu];
	c.copy = sim->cpus[cpu].copy[c.pmu->layout->scope];
	c.u = &c.pmu->units[c.copy * c.pmu->num_units + r->unit];
	return c;
}

static bool find(struct uncoremsr_sim *sim, struct um_sim_register *r)
{
	const struct um_sim_box_reg *reg = um_sim_box_find(sim->boxes, r->msr);
	struct um_sim_counting c;

	if (!reg)
		return false;
	c = counting_of(sim, reg, r->cpu);
	r->row = reg;
	r->absent = c.u && c.u->absent;
	r->write_only = reg->access == UM_SIM_WO;
	r->valid = reg->access == UM_SIM_RO ? 0 : reg->valid;
	switch (reg->role) {
	case UM_SIM_ROLE_SELECTOR: r->content = &c.u->selector[reg->index]; break;
	case UM_SIM_ROLE_COUNTER: r->content = &c.u->counter[reg->index].value; break;
	case UM_SIM_ROLE_CONTROL: r->content = &c.u->control; break;
	case UM_SIM_ROLE_PLAIN: r->content = &c.u->plain[reg->index]; break;
	case UM_SIM_ROLE_GLOBAL: r->content = &reg->value[c.copy]; break;
	}
	return true;
}

static uint64_t read_register(struct uncoremsr_sim *sim, const struct um_sim_register *r)
{
	const struct um_sim_box_reg *reg = r->row;
	struct um_sim_counting c = counting_of(sim, reg, r->cpu);

	if (reg->role == UM_SIM_ROLE_GLOBAL)
		um_sim_each_unit(sim, um_sim_unit_follow); /* an overflow may change the global control */
	if (reg->role == UM_SIM_ROLE_COUNTER)
		um_sim_box_counter_follow(&c);
	/* A box control of Sandy Bridge-EP always reads as 0, even its bits FRZ and FRZ_EN (guide, 2.1). */
	return reg->role == UM_SIM_ROLE_CONTROL && sim->family->old_freeze ? 0 : *r->content;
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

static void write_selector(const struct um_sim_counting *c, uint64_t value)
{
	enum um_sim_style style = c->sim->family->style;
	bool server = style == UM_SIM_STYLE_SERVER || style == UM_SIM_STYLE_SPR;

	if (server && value & SEL_RST)
		c->u->counter[c->index].value = 0;
	/* Nehalem: bit 17 clears the accumulator of an occupancy event, which is not simulated. */
	if (server || style == UM_SIM_STYLE_NEHALEM)
		value &= ~SEL_RST;
	if (style == UM_SIM_STYLE_SERVER)
		value &= ~SEL_OCC_RST;
	/* Erratum of Broadwell-EP: the first write does not store the event select and the unit mask. */
	if (c->pmu->type->quirks & UM_SIM_SELECT_TWICE && !(c->u->armed & BIT(c->index)))
		c->u->selector[c->index] = value & ~0xffffull;
	else
		c->u->selector[c->index] = value;
	c->u->armed &= ~BIT(c->index);
	c->u->armed |= value ? BIT(c->index) : 0;
}

static void write_control(const struct um_sim_counting *c, uint64_t value, uint64_t kept)
{
	struct um_sim_control k = um_sim_control(c->sim->family->style, c->pmu->layout);

	c->u->written = value;
	if (value & k.reset_selectors)
		clear_selectors(c);
	if (value & k.reset_counters)
		clear_counters(c);
	c->u->control = value & (k.stays | kept);
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

/* Does the register report how many units there are? The firmware sets it again after a suspend. */
static bool reports_units(const struct um_sim_boxes *b, const struct um_sim_box_reg *reg)
{
	bool is = reg->access == UM_SIM_RO && reg->valid;

	for (size_t i = 0; i < b->num_pmus && !is; i++)
		is = b->pmus[i].layout->tells == reg->msr;
	return is;
}

static void clear(struct uncoremsr_sim *sim)
{
	struct um_sim_boxes *b = sim->boxes;

	um_sim_each_unit(sim, um_sim_unit_follow);
	for (const struct um_sim_box_reg *reg = b->regs; reg < b->regs + b->num_regs; reg++)
		for (unsigned cpu = 0; cpu < sim->num_cpus && !reports_units(b, reg); cpu++) {
			struct um_sim_register r = { .cpu = cpu, .msr = reg->msr };

			if (sim->cpus[cpu].present && find(sim, &r))
				*r.content = 0;
		}
	if (b->frozen)
		memset(b->frozen, 0, sim->copies[sim->family->scope].num * sizeof(*b->frozen));
	um_sim_each_unit(sim, um_sim_unit_begin);
}

/* Execute the strobe bits of @value, a value for the global control. Returns @value without them. */
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

/* After a write, restart the counters of the unit; after a write to a global register, all counters. */
static void begin(struct um_sim_counting c)
{
	if (c.u)
		um_sim_unit_begin(c);
	else
		um_sim_each_unit(c.sim, um_sim_unit_begin);
}

static int write_register(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value)
{
	const struct um_sim_box_reg *reg = r->row;
	struct um_sim_counting c = counting_of(sim, reg, r->cpu);
	struct um_sim_register before = { .cpu = r->cpu, .msr = r->msr - 1 };
	uint64_t fresh;

	if (reg->role == UM_SIM_ROLE_CONTROL && c.pmu->type->quirks & UM_SIM_CONTROL_BY_BITS) {
		fresh = value & ~c.u->written;
		if (fresh & (fresh - 1))
			return -EIO;
	}
	if (c.u)
		um_sim_unit_follow(c);
	else
		um_sim_each_unit(sim, um_sim_unit_follow);
	if (reg->role == UM_SIM_ROLE_SELECTOR && reg->index < c.pmu->num_general)
		write_selector(&c, value);
	else if (reg->role == UM_SIM_ROLE_CONTROL)
		write_control(&c, value, r->kept);
	else if (reg->role == UM_SIM_ROLE_COUNTER)
		*r->content = value & (um_sim_counter_bits(c.pmu, reg->index) | r->kept);
	else if (reg->access == UM_SIM_W1C)
		*r->content &= ~value;
	else
		*r->content = r->msr == sim->family->global ? strobe(sim, c.copy, value) : value;
	if (reg->access == UM_SIM_WO && find(sim, &before))
		*before.content &= ~value;
	begin(c);
	return 0;
}

/* ---- initial contents ---- */

static void preset(struct uncoremsr_sim *sim, const struct um_sim_register *r, uint64_t value)
{
	const struct um_sim_box_reg *reg = r->row;
	struct um_sim_counting c = counting_of(sim, reg, r->cpu);

	*r->content = reg->role == UM_SIM_ROLE_COUNTER ? value & um_sim_counter_bits(c.pmu, reg->index) : value;
	if (reg->role == UM_SIM_ROLE_CONTROL)
		c.u->written = value;
	begin(c);
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
	um_sim_each_unit(sim, um_sim_unit_begin);
}

const struct um_sim_register_bank um_sim_box_bank = {
	.create = um_sim_boxes_create, .reset = reset, .clear = clear, .destroy = um_sim_boxes_destroy,
	.find = find, .read = read_register, .write = write_register, .preset = preset,
};
