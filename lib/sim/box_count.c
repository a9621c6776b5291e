/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When the counters of a box run, and what they count meanwhile. */
#include "sim/box.h"

#define BIT UM_SIM_BIT
#define FIXED_EN BIT(22)         /* of a fixed counter's control, clients and servers */
#define SERVER_FRZ BIT(8)
#define SERVER_FRZ_EN BIT(16)
#define CLIENT_EN BIT(29)
#define CLIENT_FREEZE_ON_OVERFLOW BIT(31)
#define EX_EN_ALL BIT(28)
#define EX_FRZ_ALL BIT(31)
#define EX_W_FIXED 31            /* bit of the W-box control */

unsigned um_sim_num_counters(const struct um_sim_pmu *p)
{
	return p->num_general + p->pmu->num_fixed;
}

uint64_t um_sim_counter_limit(const struct um_sim_pmu *p, unsigned index)
{
	unsigned width = index < p->num_general ? p->pmu->general_width
						: p->pmu->fixed[index - p->num_general].width;

	return UM_SIM_BITS(width - 1, 0);
}

uint32_t um_sim_box_base(const struct um_sim_counting *c)
{
	return um_pmu_msr(c->pmu->pmu, &c->pmu->pmu->selector.reg, c->unit, 0);
}

uint64_t um_sim_box_plain(const struct um_sim_counting *c, uint32_t msr)
{
	const struct um_sim_boxes *b = c->sim->boxes;
	const struct um_sim_box_reg *r = um_sim_box_find(b, msr);
	const struct um_sim_pmu *p;

	if (!r || r->role != UM_SIM_ROLE_PLAIN)
		return 0;
	p = &b->pmus[r->pmu];
	return p->units[c->copy * p->num_units + r->unit].plain[r->index];
}

/* ---- does it run ---- */

static struct um_sim_global *global_of(const struct um_sim_counting *c)
{
	struct um_sim_boxes *b = c->sim->boxes;
	uint32_t msr = c->pmu->type->global ? c->pmu->type->global : b->family->global;
	const struct um_sim_box_reg *r = msr ? um_sim_box_find(b, msr) : NULL;

	return r && r->role == UM_SIM_ROLE_GLOBAL ? &b->globals[r->index] : NULL;
}

static uint64_t global_value(const struct um_sim_counting *c)
{
	const struct um_sim_global *g = global_of(c);

	return g ? g->value[c->copy] : 0;
}

static bool has_control(const struct um_sim_pmu *p)
{
	for (unsigned i = 0; i < p->pmu->num_gates; i++)
		if (p->pmu->gates[i].of_unit)
			return true;
	return false;
}

static bool is_fixed(const struct um_sim_counting *c)
{
	return c->index >= c->pmu->num_general;
}

static uint64_t fixed_control(const struct um_sim_counting *c)
{
	return c->u->fixed_control[c->index - c->pmu->num_general];
}

static bool selector_runs(const struct um_sim_counting *c)
{
	uint64_t s = c->u->selector[c->index];

	return c->pmu->type->enable ? s & c->pmu->type->enable : s != 0;
}

/* A master switch, then a bit per counter: in the box control, for the U-box in C00 itself. */
static bool ex_runs(const struct um_sim_counting *c)
{
	uint64_t global = global_value(c);
	uint64_t control = has_control(c->pmu) ? c->u->control : global;

	if (!(global & EX_EN_ALL) || global & EX_FRZ_ALL)
		return false;
	if (is_fixed(c))
		return control >> EX_W_FIXED & 1 && fixed_control(c) & 1;
	return control >> c->index & 1 && selector_runs(c);
}

static bool client_runs(const struct um_sim_counting *c)
{
	uint64_t enable = has_control(c->pmu) ? c->u->control : global_value(c);

	if (!(enable & CLIENT_EN))
		return false;
	return is_fixed(c) ? fixed_control(c) & FIXED_EN : selector_runs(c);
}

static bool server_runs(const struct um_sim_counting *c)
{
	const struct um_sim_boxes *b = c->sim->boxes;
	bool frozen = c->u->control & SERVER_FRZ &&
		(!b->family->old_freeze || c->u->control & SERVER_FRZ_EN);

	if (frozen || b->frozen[c->copy])
		return false;
	return is_fixed(c) ? fixed_control(c) & FIXED_EN : selector_runs(c);
}

static bool spr_runs(const struct um_sim_counting *c)
{
	if (c->u->control & 1 || global_value(c) & c->sim->boxes->family->freeze)
		return false;
	return is_fixed(c) ? fixed_control(c) & FIXED_EN : selector_runs(c);
}

static bool runs(const struct um_sim_counting *c)
{
	if (is_fixed(c) && !c->pmu->pmu->fixed[c->index - c->pmu->num_general].control.msr)
		return true;
	switch (c->sim->boxes->family->style) {
	case UM_SIM_STYLE_EX: return ex_runs(c);
	case UM_SIM_STYLE_CLIENT: return client_runs(c);
	case UM_SIM_STYLE_SERVER: return server_runs(c);
	case UM_SIM_STYLE_SPR: return spr_runs(c);
	case UM_SIM_STYLE_AMD: break;
	}
	return is_fixed(c) || selector_runs(c);
}

/* ---- what it counts ---- */

/* A counter that cannot count an event counts nothing. */
static bool counter_can(const struct um_sim_counting *c, uint64_t selector)
{
	const struct uncoremsr_pmu *p = c->pmu->pmu;

	for (size_t i = 0; i < p->num_constraints; i++) {
		const struct um_constraint *k = &p->constraints[i];

		/* Bits that never get to the hardware only choose the counter. */
		if (!(k->mask & p->selector.not_written) && (selector & k->mask) == k->value &&
		    !(k->counters >> c->index & 1))
			return false;
	}
	return true;
}

static uint64_t umask_of(const struct um_sim_box_type *t, uint64_t selector)
{
	uint64_t ext = t->ext_width ? selector >> t->ext_shift & ((1ull << t->ext_width) - 1) : 0;

	return t->umask ? t->umask(selector) : (selector >> 8 & 0xff) | ext << 8;
}

static um_u128 general_count(const struct um_sim_counting *c, struct um_sim_select *s)
{
	const struct um_sim_box_type *t = c->pmu->type;
	uint64_t sel = c->u->selector[c->index];

	if (!counter_can(c, sel))
		return 0;
	s->event = t->event ? t->event(sel, c->index) : (uint32_t)(sel & 0xff);
	s->umask = umask_of(t, sel);
	if (t->threshold) {
		s->threshold = (unsigned)(sel >> 24 & ((1u << t->threshold) - 1));
		s->edge = sel >> 18 & 1;
		s->invert = sel >> 23 & 1;
	}
	return um_sim_select_count(c->sim, s, c->sim->now);
}

static um_u128 happened(const struct um_sim_counting *c)
{
	const struct um_sim_boxes *b = c->sim->boxes;
	const struct um_sim_copy *copy = &b->copies[c->pmu->pmu->scope].at[c->copy];
	struct um_sim_select s = {
		.pmu = (unsigned)(c->pmu - b->pmus), .counting = c,
		.package = c->sim->packages[copy->package].id,
		.n = (uint64_t)copy->rank * c->pmu->num_units + c->unit,
	};

	if (!is_fixed(c))
		return general_count(c, &s);
	s.name = c->pmu->pmu->fixed[c->index - c->pmu->num_general].event;
	if (um_sim_has_named(c->sim, s.pmu, s.name))
		return um_sim_select_count(c->sim, &s, c->sim->now);
	return um_sim_clock(c->sim, c->sim->now);
}

/* ---- keeping up ---- */

/* Clients: with bit 31 of the global control an overflow clears bit 29, and all counters stop. */
static void overflowed(const struct um_sim_counting *c)
{
	struct um_sim_boxes *b = c->sim->boxes;
	struct um_sim_global *g = global_of(c);

	if (b->family->style != UM_SIM_STYLE_CLIENT || b->freezing || !g ||
	    !(g->value[c->copy] & CLIENT_FREEZE_ON_OVERFLOW))
		return;
	b->freezing = true;
	um_sim_boxes_sync(c->sim);
	b->freezing = false;
	g->value[c->copy] &= ~CLIENT_EN;
}

void um_sim_box_counter_sync(const struct um_sim_counting *c)
{
	struct um_sim_counter *k = &c->u->counter[c->index];
	uint64_t limit = um_sim_counter_limit(c->pmu, c->index);
	um_u128 seen, value;

	if (!runs(c))
		return;
	seen = happened(c);
	if (seen <= k->seen)
		return;
	value = k->value + (seen - k->seen);
	k->seen = seen;
	if (c->pmu->type->quirks & UM_SIM_SATURATES)
		k->value = value > limit ? limit | (limit + 1) : (uint64_t)value;
	else
		k->value = (uint64_t)value & limit;
	if (value > limit)
		overflowed(c);
}

void um_sim_unit_sync(struct um_sim_counting c)
{
	for (c.index = 0; c.index < um_sim_num_counters(c.pmu); c.index++)
		um_sim_box_counter_sync(&c);
}

void um_sim_unit_resume(struct um_sim_counting c)
{
	for (c.index = 0; c.index < um_sim_num_counters(c.pmu); c.index++)
		if (runs(&c))
			c.u->counter[c.index].seen = happened(&c);
}

static void each_unit(struct uncoremsr_sim *sim, void (*fn)(struct um_sim_counting c))
{
	struct um_sim_boxes *b = sim->boxes;

	for (size_t i = 0; i < b->num_pmus; i++) {
		struct um_sim_pmu *p = &b->pmus[i];

		for (unsigned n = 0; n < b->copies[p->pmu->scope].num * p->num_units; n++)
			if (!p->units[n].absent)
				fn((struct um_sim_counting) { .sim = sim, .pmu = p,
				   .u = &p->units[n], .copy = n / p->num_units,
				   .unit = n % p->num_units });
	}
}

void um_sim_boxes_sync(struct uncoremsr_sim *sim)
{
	each_unit(sim, um_sim_unit_sync);
}

void um_sim_boxes_resume(struct uncoremsr_sim *sim)
{
	each_unit(sim, um_sim_unit_resume);
}
