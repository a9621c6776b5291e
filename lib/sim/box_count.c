/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When the counters of a box run, and what they count. */
#include "sim/box.h"

#define BIT UM_SIM_BIT
#define SERVER_FRZ BIT(8)
#define SERVER_FRZ_EN BIT(16)
#define CLIENT_EN BIT(29)
#define CLIENT_FREEZE_ON_OVERFLOW BIT(31)
#define EX_EN_ALL BIT(28)
#define NEHALEM_CHANGED BIT(63)

/* Value of the plain register @msr in the package, die or core of counter @c; 0 if there is no such register. */
static uint64_t plain_register(const struct um_sim_counting *c, uint32_t msr)
{
	const struct um_sim_boxes *b = c->sim->boxes;
	const struct um_sim_box_reg *r = um_sim_box_find(b, msr);
	const struct um_sim_box_pmu *p;

	if (!r || r->role != UM_SIM_ROLE_PLAIN)
		return 0;
	p = &b->pmus[r->pmu];
	return p->units[c->copy * p->num_units + r->unit].plain[r->index];
}

/* ---- whether a counter runs ---- */

/* The global control of a counter; NULL: there is none. */
static const struct um_sim_box_reg *global_of(const struct um_sim_counting *c)
{
	return um_sim_box_global(c->sim->boxes, c->pmu->type->global ?: c->sim->family->global);
}

static uint64_t global_value(const struct um_sim_counting *c)
{
	const struct um_sim_box_reg *g = global_of(c);

	return g ? g->value[c->copy] : 0;
}

static bool is_fixed(const struct um_sim_counting *c)
{
	return c->index >= c->pmu->num_general;
}

uint64_t um_sim_counter_bit(const struct um_sim_counting *c)
{
	return !is_fixed(c) ? BIT(c->index) : c->sim->family->style == UM_SIM_STYLE_EX ? BIT(31) : BIT(32);
}

/* Are the enable bits outside the counter's own selector (or fixed control) set? */
static bool switched_on(const struct um_sim_counting *c)
{
	const struct um_sim_family *f = c->sim->family;
	uint64_t control = c->u->control, global;
	bool has_control = c->pmu->layout->control;

	switch (f->style) {
	case UM_SIM_STYLE_NEHALEM: return global_value(c) & um_sim_counter_bit(c);
	case UM_SIM_STYLE_EX:
		/* C00 has the master enable and the U-box's enable bit. Other enable bits are in box controls. */
		global = global_value(c);
		return global & EX_EN_ALL && !(global & f->freeze) &&
			(has_control ? control : global) & um_sim_counter_bit(c);
	case UM_SIM_STYLE_CLIENT: return (has_control ? control : global_value(c)) & CLIENT_EN;
	case UM_SIM_STYLE_SERVER:
		return !c->sim->boxes->frozen[c->copy] && !(control & SERVER_FRZ &&
			(!f->old_freeze || control & SERVER_FRZ_EN));
	case UM_SIM_STYLE_SPR: return !(control & 1) && !(global_value(c) & f->freeze);
	case UM_SIM_STYLE_AMD: break;
	}
	return true;
}

static bool runs(const struct um_sim_counting *c)
{
	enum um_sim_style style = c->sim->family->style;
	uint64_t word = c->u->selector[c->index], enable = c->pmu->type->enable;

	if (is_fixed(c)) {
		if (!c->pmu->layout->fixed[c->index - c->pmu->num_general].control || style == UM_SIM_STYLE_AMD)
			return true;
		enable = um_sim_fixed_enable(style);
	}
	return (enable ? word & enable : word) && switched_on(c);
}

/* ---- what a counter counts ---- */

static bool counter_can(const struct um_sim_counting *c, uint64_t selector)
{
	const struct um_sim_layout *l = c->pmu->layout;

	for (size_t i = 0; i < l->num_only; i++)
		if ((selector & l->only[i].mask) == l->only[i].event && !(l->only[i].counters >> c->index & 1))
			return false;
	return true;
}

/* ---- filters ---- */

#define NODE_UMASK 0x40u /* unit mask bit: match the node */

static uint64_t field(const struct um_sim_counting *c, struct um_sim_field f)
{
	const struct um_sim_layout *l = c->pmu->layout;
	uint64_t filter = plain_register(c, l->selector + um_sim_unit_offset(l, c->unit) + f.offset);

	return (filter & UM_SIM_BITS(f.high, f.low)) >> f.low;
}

/*
 * An R-box has six events per port, each with a register or byte of its own: IPERF 0 and 1, low and high byte of QLX,
 * two sets of XBR match registers. While this is 0, the event counts nothing.
 */
struct um_sim_second um_sim_ex_port(unsigned unit, unsigned event)
{
	unsigned port = event / 6 + 4 * unit;
	uint32_t qlx = port < 4 ? 0xe0c + port : 0xe2c + port - 4;
	uint32_t xbr = 4 * port + (port < 4 ? 0 : 0x10);
	uint64_t whole = UM_SIM_BITS(31, 0);

	switch (event % 6) {
	case 0: return (struct um_sim_second) { 0xe04 + port, whole };
	case 1: return (struct um_sim_second) { 0xe24 + port, whole };
	case 2: return (struct um_sim_second) { qlx, UM_SIM_BITS(7, 0) };
	case 3: return (struct um_sim_second) { qlx, UM_SIM_BITS(15, 8) };
	case 4: return (struct um_sim_second) { 0xe60 + xbr, whole };
	default: return (struct um_sim_second) { 0xe70 + xbr, whole };
	}
}

/* Event 0 counts transactions that pass the match registers; it needs bit 63 of the match configuration. */
struct um_sim_second um_sim_ex_match(unsigned unit)
{
	return (struct um_sim_second) { unit ? 0xe58 : 0xe48, BIT(63) };
}

static bool second_passes(const struct um_sim_counting *c, struct um_sim_second second)
{
	return plain_register(c, second.msr) & second.bits;
}

#define PCU_RATIO 24

static bool special_passes(const struct um_sim_counting *c, const struct um_sim_filter *f, uint64_t selector)
{
	unsigned band = (uint8_t)selector - 0xbu;

	switch (f->special) {
	/* Events B to E each have a byte in the filter, and count while the frequency ratio is at least that byte. */
	case UM_SIM_FILTER_BANDS:
		return band > 3 || (field(c, f->bands) >> band * 8 & 0xff) <= PCU_RATIO;
	case UM_SIM_FILTER_EX_MATCH:
		return (uint8_t)selector || second_passes(c, um_sim_ex_match(c->unit));
	case UM_SIM_FILTER_EX_PORTS:
		return second_passes(c, um_sim_ex_port(c->unit, selector >> 1 & 0x1f));
	case UM_SIM_FILTER_FIELDS: break;
	}
	return true;
}

/* Thread id of devices, opcodes of their full and partial writes. All other transactions come from thread 0. */
enum { DEVICES = 0x3e, DEVICES_WRITE = 0x1c8, DEVICES_WRITE_PART = 0x180 };

/* Do the filters of the unit let any transaction pass? Opcodes that the filters select are added to @s. */
static bool passes(const struct um_sim_counting *c, struct um_sim_selection *s)
{
	const struct um_sim_filter *f = c->pmu->type->filter;
	uint64_t selector = c->u->selector[c->index], opcode;
	uint64_t thread = f && selector & f->thread_enable ? field(c, f->thread) : 0;
	uint8_t event = (uint8_t)selector;
	bool tor = event == 0x35 || event == 0x36;
	bool lookup = f && f->state.high && event == f->lookup;

	if (!f)
		return true;
	for (int i = 0; i < 2; i++)
		if (f->choose[i] && !(selector & f->choose[i]))
			return false;
	if (!special_passes(c, f, selector) ||
	    (thread && thread != DEVICES) ||
	    (lookup && !field(c, f->state)) ||
	    (f->node.high && (tor || lookup || event == 0x37) && s->umask & NODE_UMASK &&
	     !field(c, f->node)))
		return false;
	if (!tor || !f->opcode[0].high || (f->opcode_by_umask && !(s->umask & 1)))
		return !thread;
	for (int i = 0; i < 2; i++)
		if (f->tor[i].high && !field(c, f->tor[i]))
			return false;
	if (f->all_opcodes.high && field(c, f->all_opcodes))
		return true;
	for (int i = 0; i < 2; i++)
		if (f->opcode[i].high && (opcode = field(c, f->opcode[i])))
			s->opcodes[s->num_opcodes++] = opcode;
	if (thread)
		return s->num_opcodes == 1 && (s->opcodes[0] == DEVICES_WRITE || s->opcodes[0] == DEVICES_WRITE_PART);
	return s->num_opcodes || !f->opcode_by_umask;
}

static um_u128 happened(const struct um_sim_counting *c)
{
	const struct um_sim_boxes *b = c->sim->boxes;
	const struct um_sim_box_type *t = c->pmu->type;
	const struct um_sim_copy *copy = &c->sim->copies[c->pmu->layout->scope].at[c->copy];
	struct um_sim_selection s = {
		.pmu = (unsigned)(c->pmu - b->pmus),
		.package = c->sim->cpus[copy->first_cpu].package,
		.n = (uint64_t)copy->rank * c->pmu->num_units + c->unit,
	};
	uint64_t selector;

	if (is_fixed(c)) {
		s.name = c->pmu->layout->fixed[c->index - c->pmu->num_general].name;
		return um_sim_counts_named(c->sim, s.pmu, s.name)
			? um_sim_count(c->sim, &s, c->sim->now)
			: um_sim_ticks(c->sim->uncore_hz, c->sim->now);
	}
	selector = c->u->selector[c->index];
	if (!counter_can(c, selector))
		return 0;
	um_sim_select(&s, selector);
	s.threshold = (unsigned)(selector >> 24 & ((1u << t->threshold) - 1));
	if (!t->threshold)
		s.edge = s.invert = false;
	s.event = um_sim_event_of(t, selector, c->index);
	s.umask = um_sim_umask_of(t, selector);
	s.blocked = !passes(c, &s);
	return um_sim_count(c->sim, &s, c->sim->now);
}

/* ---- updating counters ---- */

/* On clients, if bit 31 of the global control is set, an overflow clears bit 29: all counters stop. */
static void overflowed(const struct um_sim_counting *c)
{
	struct um_sim_boxes *b = c->sim->boxes;
	const struct um_sim_box_reg *g = global_of(c);

	if (c->sim->family->style != UM_SIM_STYLE_CLIENT || b->freezing || !g ||
	    !(g->value[c->copy] & CLIENT_FREEZE_ON_OVERFLOW))
		return;
	b->freezing = true;
	um_sim_each_unit(c->sim, um_sim_unit_follow);
	b->freezing = false;
	g->value[c->copy] &= ~CLIENT_EN;
}

/* Set the counter's overflow status, if the processor or the box has a status register. */
static void mark_wrap(const struct um_sim_counting *c)
{
	const struct um_sim_box_reg *status = um_sim_box_global(c->sim->boxes, c->sim->family->status);
	const struct um_sim_layout *l = c->pmu->layout;

	if (status)
		status->value[c->copy] |= um_sim_counter_bit(c) | NEHALEM_CHANGED;
	for (size_t i = 0; i < l->num_plain && !is_fixed(c); i++)
		if (l->plain[i].access == UM_SIM_W1C ||
		    (l->plain[i].access == UM_SIM_RO && i + 1 < l->num_plain &&
		     l->plain[i + 1].access == UM_SIM_WO))
			c->u->plain[i] |= BIT(c->index);
}

void um_sim_box_counter_follow(const struct um_sim_counting *c)
{
	struct um_sim_counter *k = &c->u->counter[c->index];
	uint64_t limit = um_sim_counter_limit(c->pmu, c->index);

	if (!runs(c) || !um_sim_counter_follow(k, happened(c), limit))
		return;
	if (c->pmu->type->quirks & UM_SIM_SATURATES)
		k->value = um_sim_counter_bits(c->pmu, c->index);
	mark_wrap(c);
	overflowed(c);
}

void um_sim_unit_follow(struct um_sim_counting c)
{
	for (c.index = 0; c.index < c.pmu->num_counters; c.index++)
		um_sim_box_counter_follow(&c);
}

void um_sim_unit_begin(struct um_sim_counting c)
{
	for (c.index = 0; c.index < c.pmu->num_counters; c.index++)
		if (runs(&c))
			c.u->counter[c.index].seen = happened(&c);
}

void um_sim_each_unit(struct uncoremsr_sim *sim, void (*fn)(struct um_sim_counting c))
{
	struct um_sim_boxes *b = sim->boxes;

	for (size_t i = 0; i < b->num_pmus; i++) {
		struct um_sim_box_pmu *p = &b->pmus[i];

		for (unsigned n = 0; n < sim->copies[p->layout->scope].num * p->num_units; n++)
			if (!p->units[n].absent)
				fn((struct um_sim_counting) { .sim = sim, .pmu = p, .u = &p->units[n],
				   .copy = n / p->num_units, .unit = n % p->num_units });
	}
}
