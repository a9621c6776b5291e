/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What reading and writing a register of a box does. */
#include <errno.h>
#include <string.h>

#include "sim/box.h"

#define BIT UM_SIM_BIT
#define SEL_RST BIT(17)          /* servers: clears the counter, reads 0 */
#define SEL_OCC_RST BIT(16)      /* Knights Landing: clears the queue occupancy, reads 0 */
#define FIXED_VALID (BIT(22) | BIT(20))

/* An access to a register of a unit. */
struct access {
	struct um_sim_counting c; /* index: of the register */
	const struct um_sim_box_reg *r;
};

static struct access access_to(struct uncoremsr_sim *sim, const struct um_sim_box_reg *r,
			       unsigned cpu)
{
	struct um_sim_pmu *p = &sim->boxes->pmus[r->pmu];
	unsigned copy = sim->boxes->copies[p->pmu->scope].of_cpu[cpu];

	return (struct access) { { .sim = sim, .pmu = p, .copy = copy, .unit = r->unit,
		.u = &p->units[copy * p->num_units + r->unit], .index = r->index }, r };
}

static uint64_t *global_place(struct uncoremsr_sim *sim, const struct um_sim_box_reg *r,
			      unsigned cpu)
{
	struct um_sim_global *g = &sim->boxes->globals[r->index];

	return &g->value[sim->boxes->copies[g->scope].of_cpu[cpu]];
}

static bool is_global_control(const struct uncoremsr_sim *sim, uint32_t msr)
{
	return sim->boxes->family->global == msr;
}

bool um_sim_box_exists(const struct uncoremsr_sim *sim, uint32_t msr)
{
	return sim->boxes && um_sim_box_find(sim->boxes, msr);
}

/* ---- reading ---- */

/* RST bits are strobes; on Sandy Bridge-EP FRZ and FRZ_EN cannot be read either (guide, 2.1). */
static uint64_t control_reads(const struct um_sim_family *f, uint64_t control)
{
	return f->old_freeze ? 0 : control;
}

int um_sim_box_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct um_sim_box_reg *r = sim->boxes ? um_sim_box_find(sim->boxes, msr) : NULL;
	struct access a;

	if (!r)
		return 1;
	if (r->reg && r->reg->access == UM_REG_WO)
		return -EIO;
	if (r->role == UM_SIM_ROLE_GLOBAL) {
		um_sim_boxes_sync(sim); /* an overflow may have frozen it */
		*value = *global_place(sim, r, cpu);
		return 0;
	}
	a = access_to(sim, r, cpu);
	if (a.c.u->absent)
		return -EIO;
	switch (r->role) {
	case UM_SIM_ROLE_SELECTOR: *value = a.c.u->selector[r->index]; break;
	case UM_SIM_ROLE_CONTROL:
		*value = control_reads(sim->boxes->family, a.c.u->control);
		break;
	case UM_SIM_ROLE_FIXED_CONTROL: *value = a.c.u->fixed_control[r->index]; break;
	case UM_SIM_ROLE_PLAIN: *value = a.c.u->plain[r->index]; break;
	default:
		um_sim_box_counter_sync(&a.c);
		*value = a.c.u->counter[r->index].value;
		break;
	}
	return 0;
}

/* ---- writing ---- */

static void clear_selectors(const struct um_sim_counting *c)
{
	memset(c->u->selector, 0, c->pmu->num_general * sizeof(*c->u->selector));
	memset(c->u->armed, 0, c->pmu->num_general * sizeof(*c->u->armed));
}

static void clear_counters(const struct um_sim_counting *c)
{
	for (unsigned i = 0; i < c->pmu->num_general; i++)
		c->u->counter[i].value = 0;
}

static int write_selector(const struct access *a, uint64_t value)
{
	const struct um_sim_box_type *t = a->c.pmu->type;
	enum um_sim_style style = a->c.sim->boxes->family->style;
	bool server = style == UM_SIM_STYLE_SERVER || style == UM_SIM_STYLE_SPR;

	if (value & ~t->valid)
		return -EIO;
	if (server && value & SEL_RST)
		a->c.u->counter[a->r->index].value = 0;
	if (server)
		value &= ~SEL_RST;
	if (style == UM_SIM_STYLE_SERVER)
		value &= ~SEL_OCC_RST;
	/* BDX erratum: event and unit mask do not stick the first time. */
	if (t->quirks & UM_SIM_SELECT_TWICE && !a->c.u->armed[a->r->index])
		a->c.u->selector[a->r->index] = value & ~0xffffull;
	else
		a->c.u->selector[a->r->index] = value;
	a->c.u->armed[a->r->index] = value != 0;
	return 0;
}

/* Where sources differ about the width, the upper bits are swallowed. */
static int write_counter(const struct access *a, uint64_t value)
{
	uint64_t limit = um_sim_counter_limit(a->c.pmu, a->r->index);
	bool saturates = a->c.pmu->type->quirks & UM_SIM_SATURATES;

	if (value & ~(limit | a->r->reg->valid))
		return -EIO;
	a->c.u->counter[a->r->index].value = saturates ? value : value & limit;
	return 0;
}

/* What a box control does, by style: bits that exist, the two strobes, bits that stay. */
static const struct control {
	uint64_t valid, reset_selectors, reset_counters, stays;
} controls[] = {
	[UM_SIM_STYLE_SERVER] = { BIT(17) | BIT(16) | BIT(8) | BIT(1) | BIT(0), BIT(0), BIT(1),
				  BIT(17) | BIT(16) | BIT(8) },
	[UM_SIM_STYLE_SPR] = { BIT(9) | BIT(8) | BIT(0), BIT(8), BIT(9), BIT(0) },
	[UM_SIM_STYLE_CLIENT] = { BIT(29), 0, 0, BIT(29) },
};

static int write_ex_control(const struct access *a, uint64_t value)
{
	uint64_t valid = UM_SIM_BITS(a->c.pmu->num_general - 1, 0);

	if (a->c.pmu->pmu->num_fixed)
		valid |= BIT(31);
	if (value & ~valid)
		return -EIO;
	a->c.u->control = value;
	return 0;
}

static int write_control(const struct access *a, uint64_t value)
{
	enum um_sim_style style = a->c.sim->boxes->family->style;
	const struct control *k = &controls[style];
	uint64_t fresh = value & ~a->c.u->written;

	if (style == UM_SIM_STYLE_EX)
		return write_ex_control(a, value);
	if (value & ~k->valid)
		return -EIO;
	if (a->c.pmu->type->quirks & UM_SIM_CONTROL_BY_BITS && fresh & (fresh - 1))
		return -EIO;
	a->c.u->written = value;
	if (value & k->reset_selectors)
		clear_selectors(&a->c);
	if (value & k->reset_counters)
		clear_counters(&a->c);
	a->c.u->control = value & k->stays;
	return 0;
}

static int write_fixed_control(const struct access *a, uint64_t value)
{
	uint64_t valid = a->c.sim->boxes->family->style == UM_SIM_STYLE_EX ? BIT(0) : FIXED_VALID;

	if (value & ~valid)
		return -EIO;
	a->c.u->fixed_control[a->r->index] = value;
	return 0;
}

static int write_plain(const struct access *a, uint64_t value)
{
	const struct um_reg *reg = a->r->reg;

	if (reg->access == UM_REG_RO || (reg->valid && value & ~reg->valid))
		return -EIO;
	a->c.u->plain[a->r->index] = value;
	return 0;
}

static int write_unit(const struct access *a, uint64_t value)
{
	switch (a->r->role) {
	case UM_SIM_ROLE_SELECTOR: return write_selector(a, value);
	case UM_SIM_ROLE_COUNTER:
	case UM_SIM_ROLE_FIXED_COUNTER: return write_counter(a, value);
	case UM_SIM_ROLE_CONTROL: return write_control(a, value);
	case UM_SIM_ROLE_FIXED_CONTROL: return write_fixed_control(a, value);
	case UM_SIM_ROLE_PLAIN: return write_plain(a, value);
	case UM_SIM_ROLE_FREE_RUNNING:
	case UM_SIM_ROLE_GLOBAL: break;
	}
	return -EIO;
}

/* Nehalem-EX RST_ALL: everything of every box of the package. */
static void reset_all(struct uncoremsr_sim *sim, unsigned copy)
{
	struct um_sim_boxes *b = sim->boxes;

	for (size_t i = 0; i < b->num_pmus; i++) {
		struct um_sim_pmu *p = &b->pmus[i];

		for (unsigned n = 0; n < p->num_units; n++) {
			struct um_sim_counting c = { .sim = sim, .pmu = p, .copy = copy, .unit = n,
				.u = &p->units[copy * p->num_units + n] };

			clear_selectors(&c);
			clear_counters(&c);
			c.u->control = 0;
			memset(c.u->plain, 0, p->num_plain * sizeof(*c.u->plain));
		}
	}
}

static void strobe(struct uncoremsr_sim *sim, unsigned copy, uint64_t value)
{
	const struct um_sim_family *f = sim->boxes->family;

	if (f->style == UM_SIM_STYLE_EX && value & BIT(29))
		reset_all(sim, copy);
	if (f->style == UM_SIM_STYLE_SERVER && value & f->freeze)
		sim->boxes->frozen[copy] = true;
	else if (f->style == UM_SIM_STYLE_SERVER && value & f->unfreeze)
		sim->boxes->frozen[copy] = false;
}

static uint64_t strobes(const struct um_sim_family *f)
{
	return f->style == UM_SIM_STYLE_EX ? BIT(29) :
		f->style == UM_SIM_STYLE_SERVER ? f->freeze | f->unfreeze : 0;
}

static int write_global(struct uncoremsr_sim *sim, const struct um_sim_box_reg *r, unsigned cpu,
			uint64_t value)
{
	const struct um_sim_family *f = sim->boxes->family;
	bool control = is_global_control(sim, r->msr);
	uint64_t valid = control ? f->global_valid : r->reg ? r->reg->valid : 0;

	/* Without a row of its own it tells how many units there are. */
	if (!control && (!r->reg || r->reg->access == UM_REG_RO))
		return -EIO;
	if (value & ~valid)
		return -EIO;
	um_sim_boxes_sync(sim);
	if (control) {
		strobe(sim, sim->boxes->copies[sim->boxes->uarch->scope].of_cpu[cpu], value);
		value &= ~strobes(f);
	}
	*global_place(sim, r, cpu) = value;
	um_sim_boxes_resume(sim);
	return 0;
}

int um_sim_box_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	const struct um_sim_box_reg *r = sim->boxes ? um_sim_box_find(sim->boxes, msr) : NULL;
	struct access a;
	int err;

	if (!r)
		return 1;
	if (r->role == UM_SIM_ROLE_GLOBAL)
		return write_global(sim, r, cpu, value);
	a = access_to(sim, r, cpu);
	if (a.c.u->absent)
		return -EIO;
	um_sim_unit_sync(a.c);
	err = write_unit(&a, value);
	um_sim_unit_resume(a.c);
	return err;
}

/* ---- the start ---- */

int um_sim_box_preset(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	const struct um_sim_box_reg *r = sim->boxes ? um_sim_box_find(sim->boxes, msr) : NULL;
	struct access a;

	if (!r)
		return 1;
	if (r->role == UM_SIM_ROLE_GLOBAL) {
		*global_place(sim, r, cpu) = value;
		um_sim_boxes_resume(sim);
		return 0;
	}
	a = access_to(sim, r, cpu);
	switch (r->role) {
	case UM_SIM_ROLE_SELECTOR: a.c.u->selector[r->index] = value; break;
	case UM_SIM_ROLE_CONTROL: a.c.u->control = a.c.u->written = value; break;
	case UM_SIM_ROLE_FIXED_CONTROL: a.c.u->fixed_control[r->index] = value; break;
	case UM_SIM_ROLE_PLAIN: a.c.u->plain[r->index] = value; break;
	default: a.c.u->counter[r->index].value = value; break;
	}
	um_sim_unit_resume(a.c);
	return 0;
}

void um_sim_boxes_reset(struct uncoremsr_sim *sim)
{
	struct um_sim_boxes *b = sim->boxes;

	for (size_t i = 0; b && i < b->num_pmus; i++) {
		struct um_sim_pmu *p = &b->pmus[i];
		unsigned num = um_sim_num_counters(p);

		for (unsigned n = 0; n < b->copies[p->pmu->scope].num * p->num_units; n++)
			for (unsigned k = 0; k < num; k++)
				p->units[n].counter[k].value = um_sim_garbage(sim,
					(uint64_t)i << 40 | (uint64_t)n << 8 | k,
					um_sim_counter_limit(p, k));
	}
	if (b)
		um_sim_boxes_resume(sim);
}
