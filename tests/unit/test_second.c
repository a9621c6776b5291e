/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two descriptions of the same boxes, written from different sources: the tables of lib/uarch, and the simulated
 * machines. second_listed.h says why they differ. The test fails if a difference is not listed, or if a listed
 * difference does not exist.
 *
 * Uses internal headers, because both descriptions are compared line by line.
 */
#include <stdio.h>
#include <string.h>

#include "second_listed.h"
#include "sim/box.h"
#include "sim/machine.h"
#include "suite.h"
#include "uarch/uarch.h"

/* ---- counters ---- */

static void compare_unit(const struct um_sim_layout *l, unsigned unit)
{
	uint32_t by = um_sim_unit_offset(l, unit), step = l->step ? l->step : 1;

	for (unsigned i = 0; i < pmu->num_general && i < l->num; i++) {
		same("selector", um_pmu_msr(pmu, &pmu->selector->reg, unit, i), l->selector + by + i * step);
		same("counter", um_pmu_msr(pmu, pmu->counter, unit, i), l->counter + by + i * step);
	}
	for (unsigned i = 0; i < pmu->num_fixed && i < l->num_fixed; i++) {
		const struct um_fixed *f = &pmu->fixed[i];
		const struct um_sim_fixed *s = &l->fixed[i];
		uint32_t off = s->offsets ? (uint32_t)s->offsets[unit] : by;

		same("fixed counter", um_pmu_msr(pmu, &f->counter, unit, 0), s->counter + off);
		same("fixed control", f->control.msr ? um_pmu_msr(pmu, &f->control, unit, 0) : 0,
		     s->control ? s->control + off : 0);
	}
	for (unsigned i = 0; i < pmu->num_gates; i++)
		if (pmu->gates[i].of_unit)
			same("box control", um_pmu_msr(pmu, &pmu->gates[i].reg, unit, 0),
			     l->control ? l->control + by : 0);
}

static unsigned ones(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits);
}

#define LOW_BITS(n) (UINT64_MAX >> (64 - (n)))

static uint64_t fields_of(const struct um_reg *r)
{
	uint64_t bits = 0;

	for (const struct um_field *f = um_reg_fields(r); *f->name; f++)
		bits |= LOW_BITS(f->width) << f->shift;
	return bits;
}

static void compare_fixed_control(const struct um_fixed *f, enum um_sim_style style)
{
	same("fixed enable", f->enable, um_sim_fixed_enable(style));
	same("bits of the fixed control", f->control.valid, um_sim_fixed_valid(style));
	same("fields of the fixed control", fields_of(&f->control), um_sim_fixed_valid(style));
}

static void compare_counters(const struct um_sim_layout *l, enum um_sim_style style)
{
	unsigned gates = 0;

	for (unsigned i = 0; i < pmu->num_gates; i++)
		gates += pmu->gates[i].of_unit;
	same("units", pmu->units.max ? pmu->units.max : 1, l->max);
	same("counters", pmu->num_general, l->num);
	same("width", pmu->general_width, l->width);
	/* All bits must be writable, because the upper bits of another program's value must be restored. */
	if (pmu->num_general)
		same("bits put back", ones(pmu->counter->write_mask & LOW_BITS(l->width)), l->width);
	same("selectors", pmu->selector->reg.count, l->num);
	same("fixed counters", pmu->num_fixed, l->num_fixed);
	same("box controls", gates, l->control != 0);
	for (unsigned i = 0; i < pmu->num_fixed && i < l->num_fixed; i++) {
		same("fixed width", pmu->fixed[i].width, l->fixed[i].width);
		if (l->fixed[i].control) {
			compare_fixed_control(&pmu->fixed[i], style);
			same("fixed bits put back",
			     ones(pmu->fixed[i].counter.write_mask & LOW_BITS(l->fixed[i].width)),
			     l->fixed[i].width);
		}
		if (strcmp(pmu->fixed[i].event, l->fixed[i].name))
			differ("fixed name", "%s, %s", pmu->fixed[i].event, l->fixed[i].name);
		same("fixed access", pmu->fixed[i].counter.access, l->fixed[i].control ? UM_REG_RW : UM_REG_RO);
	}
	for (unsigned unit = 0; unit < pmu->units.max && unit < l->max; unit++)
		compare_unit(l, unit);
}

static const struct {
	enum um_scope table;
	enum um_sim_scope second;
} scopes[] = {
	{ UM_SCOPE_PACKAGE, UM_SIM_PER_PACKAGE }, { UM_SCOPE_DIE, UM_SIM_PER_DIE },
	{ UM_SCOPE_NODE, UM_SIM_PER_NODE }, { UM_SCOPE_L3, UM_SIM_PER_L3 },
	{ UM_SCOPE_CORE, UM_SIM_PER_CORE },
};

static void same_scope(const char *what, enum um_scope table, enum um_sim_scope second)
{
	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++)
		if (scopes[i].table == table)
			same(what, scopes[i].second, second);
}

static void compare_units(const struct um_sim_family *f, const struct um_sim_layout *l)
{
	static const struct {
		enum um_units_from table;
		enum um_sim_units second;
	} how[] = {
		{ UM_UNITS_ALL, UM_SIM_UNITS_ALL }, { UM_UNITS_CORES, UM_SIM_UNITS_CORES },
		{ UM_UNITS_MSR, UM_SIM_UNITS_MSR }, { UM_UNITS_AMD_UMC, UM_SIM_UNITS_UMC },
	};

	unsigned bits = 0;

	if (pmu->units.from == UM_UNITS_PROBE)
		differ("how many", "those that answer, %u", l->max);
	for (size_t i = 0; i < ARRAY_SIZE(how); i++)
		if (how[i].table == pmu->units.from)
			same("how many", how[i].second, l->units);
	same("register that tells how many", pmu->units.msr, l->tells);
	for (size_t i = 0; l->tells && i < f->num_others; i++)
		if (f->others[i].msr == l->tells) {
			same("bits that tell how many", LOW_BITS(pmu->units.width) <<
			     pmu->units.shift, f->others[i].valid);
			bits++;
		}
	same("registers with bits that tell how many", l->tells != 0, bits);
	same_scope("scope", pmu->scope, l->scope);
	same_scope("scope of selectors", pmu->num_general ? pmu->selector->reg.scope : pmu->scope, l->scope);
	same_scope("scope of counters", pmu->num_general ? pmu->counter->scope : pmu->scope, l->scope);
}

/* ---- registers that only store a value ---- */

static void same_plain(const struct um_reg *r, const struct um_sim_plain *s)
{
	same("access", r->access, s->access == UM_SIM_RO ? UM_REG_RO :
	     s->access == UM_SIM_WO ? UM_REG_WO :
	     s->access == UM_SIM_W1C ? UM_REG_W1C : UM_REG_RW);
	if (s->access != UM_SIM_RO || s->valid) {
		same("valid bits", r->valid, s->valid);
		same("fields", fields_of(r), s->valid);
	}
	if (r->write_mask & ~s->valid || (r->write_mask && s->access == UM_SIM_RO))
		differ("writable bits", "of 0x%x", r->msr);
}

static void compare_plain_row(const struct um_sim_layout *l, const struct um_reg *r)
{
	for (size_t i = 0; i < l->num_plain; i++) {
		const struct um_sim_plain *s = &l->plain[i];

		if (s->msr != r->msr)
			continue;
		same_plain(r, s);
		for (unsigned unit = 0; unit < l->max && unit < pmu->units.max; unit++)
			same("unit of a second register", um_pmu_msr(pmu, r, unit, 0), s->msr +
			     (s->apart ? unit * s->apart : um_sim_unit_offset(l, unit)));
		return;
	}
	differ("second register", "0x%x is in the table only", r->msr);
}

static bool has_plain(uint32_t msr)
{
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (pmu->extras[i].reg.msr == msr)
			return true;
	for (size_t i = 0; i < pmu->num_others; i++)
		if (pmu->others[i].msr == msr)
			return true;
	return false;
}

static void compare_plain(const struct um_sim_layout *l)
{
	for (size_t i = 0; i < pmu->num_extras; i++)
		compare_plain_row(l, &pmu->extras[i].reg);
	for (size_t i = 0; i < pmu->num_others; i++)
		compare_plain_row(l, &pmu->others[i]);
	for (size_t i = 0; i < l->num_plain; i++)
		if (!has_plain(l->plain[i].msr))
			differ("second register", "0x%x is in the simulator only", l->plain[i].msr);
}

/* ---- events ---- */

static uint32_t counters_of(uint64_t word)
{
	uint32_t set = ~0u;

	for (size_t i = 0; i < pmu->num_constraints; i++)
		if (!(pmu->constraints[i].mask & pmu->selector->not_written) &&
		    (word & pmu->constraints[i].mask) == pmu->constraints[i].value)
			set &= pmu->constraints[i].counters;
	return set;
}

static uint32_t second_counters_of(const struct um_sim_layout *l, uint64_t word)
{
	uint32_t set = ~0u;

	for (size_t i = 0; i < l->num_only; i++)
		if ((word & l->only[i].mask) == l->only[i].event)
			set &= l->only[i].counters;
	return set;
}

static const struct um_term *term(const char *name)
{
	for (size_t i = 0; i < pmu->num_terms; i++)
		if (!strcmp(pmu->terms[i].name, name))
			return &pmu->terms[i];
	return NULL;
}

/* Encode @value into the selector bits of the term @t, or of the field @f if @t is NULL. */
static uint64_t put(const struct um_code *f, const struct um_term *t, uint64_t value)
{
	uint64_t word = 0;
	unsigned done = 0;

	if (!t)
		return f->width ? value << f->shift : 0;
	for (unsigned bit = 0; bit < 64; bit++)
		if (t->mask >> bit & 1)
			word |= (value >> done++ & 1) << bit;
	return word;
}

static unsigned width(const struct um_code *f, const struct um_term *t)
{
	return t ? (unsigned)__builtin_popcountll(t->mask) : f->width;
}

/* Encode each bit of event select and unit mask by the table; the simulator must decode the same bit. */
static void compare_event(const struct um_sim_box_type *t)
{
	const struct um_selector *s = pmu->selector;
	const struct um_term *event = term("event"), *umask = term(*s->umask.name ? s->umask.name :
								    "umask");

	/* Skip M-boxes: the event is in one of two fields, chosen by a third field. */
	for (unsigned i = 0; i < width(&s->event, event) && strcmp(s->event.name, "inc_sel"); i++) {
		uint64_t word = put(&s->event, event, 1ull << i);

		same("event select", 1ull << i, um_sim_event_of(t, word, 0));
	}
	for (unsigned i = 0; i < width(&s->umask, umask) && !t->event; i++)
		same("unit mask", 1ull << i, um_sim_umask_of(t, put(&s->umask, umask, 1ull << i)));
}

static void compare_selector(const struct um_sim_layout *l, const struct um_sim_box_type *t)
{
	const struct um_selector *s = pmu->selector;
	const struct um_term *thresh = term("thresh");

	two_sources("source of the selector", s->reg.source, t->from, t->also);
	same("selector bits", s->reg.valid, t->valid);
	same("fields of the selector", fields_of(&s->reg), s->reg.valid);
	same("enable bit", s->enable, t->enable);
	if (s->settable & ~(t->valid | s->not_written) || s->reg.write_mask & ~t->valid)
		differ("settable bits", "0x%llx", (unsigned long long)s->settable);
	/* The term for the threshold has one of three names. */
	thresh = thresh ? thresh : term("cmask");
	thresh = thresh ? thresh : term("threshold");
	same("threshold", thresh ? ones(thresh->mask) : 0, t->threshold);
	if (thresh) {
		same("place of the threshold", (unsigned)__builtin_ctzll(thresh->mask), 24);
		same("edge", term("edge")->mask, UM_SIM_BIT(18));
		same("inversion", term("inv") ? term("inv")->mask : 0, t->valid & UM_SIM_BIT(23));
	}
	compare_event(t);
	for (unsigned code = 0; code < 256; code++) {
		uint32_t all = (1u << l->num) - 1;

		if ((counters_of(code) & all) != (second_counters_of(l, code) & all))
			differ("counters of an event", "0x%x: 0x%x, 0x%x", code,
			       counters_of(code) & all, second_counters_of(l, code) & all);
	}
}

/* ---- filters ---- */

/* The table's term @name must have the same bits of the same register as the simulator's field @f. */
static void same_field(const char *name, const struct um_sim_layout *l, struct um_sim_field f)
{
	const struct um_term *t = term(name);

	if (!f.high)
		return;
	if (!t) {
		differ("filter", "%s is in the simulator only", name);
		return;
	}
	same(name, t->mask, UM_SIM_BITS(f.high, f.low));
	for (size_t i = 0; i < pmu->num_extras; i++)
		if (pmu->extras[i].word == t->word)
			same(name, pmu->extras[i].reg.msr, l->selector + f.offset);
}

static uint64_t bits_of(struct um_sim_field f)
{
	return f.high ? UM_SIM_BITS(f.high, f.low) : 0;
}

/* The terms in @list together must have exactly the bits @bits of the register at @offset from selector 0. */
static void same_bits(const char *list, const struct um_sim_layout *l, uint8_t offset, uint64_t bits)
{
	uint64_t have = 0;

	for (size_t i = 0; i < pmu->num_terms; i++) {
		const struct um_term *t = &pmu->terms[i];

		if (place_in(list, t->name) < 0)
			continue;
		have |= t->mask;
		for (size_t k = 0; k < pmu->num_extras; k++)
			if (pmu->extras[k].word == t->word)
				same(t->name, pmu->extras[k].reg.msr, l->selector + offset);
	}
	same(list, have, bits);
}

/* If an event has no term for the filter field @f, defaults must set all its bits, so that nothing is filtered out. */
static void lets_pass(const char *what, const struct um_sim_layout *l, struct um_sim_field f)
{
	uint64_t have = 0;

	for (size_t i = 0; i < pmu->num_defaults; i++)
		for (size_t k = 0; k < pmu->num_extras; k++)
			if (pmu->extras[k].word == pmu->defaults[i].word &&
			    pmu->extras[k].reg.msr == l->selector + f.offset)
				have |= pmu->defaults[i].value;
	same(what, have & bits_of(f), bits_of(f));
}

static void compare_tor(const struct um_sim_layout *l, const struct um_sim_filter *f)
{
	static const char *const opcodes[] = { "filter_opc0", "filter_opc1" };

	same_bits("filter_rem; filter_loc; filter_local", l, f->tor[0].offset, bits_of(f->tor[0]));
	same_bits("filter_nm; filter_not_nm; filter_nnm", l, f->tor[1].offset, bits_of(f->tor[1]));
	same_bits("filter_all_op", l, f->all_opcodes.offset, bits_of(f->all_opcodes));
	same_bits("filter_opc; filter_opc0; filter_opc1", l, f->opcode[0].offset,
		  bits_of(f->opcode[0]) | bits_of(f->opcode[1]));
	for (int i = 0; i < 2; i++)
		if (term(opcodes[i]))
			same_field(opcodes[i], l, f->opcode[i]);
	lets_pass("remote or local of nothing", l, f->tor[0]);
	lets_pass("near or not of nothing", l, f->tor[1]);
	lets_pass("states of nothing", l, f->state);
}

/* The simulator needs the filter field @f for the selector @word, so rows of the table must write the whole field. */
static void needs(const struct um_sim_field f, const struct um_sim_layout *l, uint64_t word, const char *what)
{
	uint64_t bits = f.high ? UM_SIM_BITS(f.high, f.low) : 0, have = 0;

	for (size_t i = 0; i < pmu->num_extras; i++) {
		const struct um_extra *x = &pmu->extras[i];

		if (x->reg.msr == l->selector + f.offset && !x->only_if_set && (word & x->when_mask) == x->when_value)
			have |= x->mask ? x->mask : x->reg.valid;
	}
	if (bits & ~have)
		differ(what, "0x%llx of +%u is not written for 0x%llx",
		       (unsigned long long)(bits & ~have), f.offset, (unsigned long long)word);
}

/* Event 0xb + n of the power control unit compares with band n, which is byte n of the filter. */
static void compare_bands(const struct um_sim_layout *l, struct um_sim_field f)
{
	same("bands", bits_of(f), LOW_BITS(32));
	for (unsigned n = 0; n < 4; n++) {
		uint64_t byte = 0xffull << 8 * n;
		char name[16];

		snprintf(name, sizeof(name), "filter_band%u", n);
		same_bits(name, l, f.offset, byte);
		needs((struct um_sim_field) { f.offset, (uint8_t)(8 * n + 7), (uint8_t)(8 * n) }, l,
		      0xb + n, "band filter");
		for (size_t i = 0; i < pmu->num_extras; i++)
			if (pmu->extras[i].when_value == 0xb + n)
				same("bits of a band", pmu->extras[i].mask, byte);
	}
}

static void has_second(struct um_sim_second second, unsigned unit, uint64_t word, bool after)
{
	for (size_t i = 0; i < pmu->num_extras; i++) {
		const struct um_extra *x = &pmu->extras[i];

		if ((word & x->when_mask) == x->when_value && !x->after == !after &&
		    um_pmu_msr(pmu, &x->reg, unit, 0) == second.msr &&
		    (after ? x->after : x->mask ? x->mask : x->reg.valid) == second.bits)
			return;
	}
	differ("second register", "0x%x of 0x%llx is not in the table", second.msr, (unsigned long long)word);
}

static void compare_special(const struct um_sim_layout *l, const struct um_sim_filter *f)
{
	if (f->special == UM_SIM_FILTER_BANDS)
		compare_bands(l, f->bands);
	for (unsigned unit = 0; unit < l->max; unit++) {
		if (f->special == UM_SIM_FILTER_EX_MATCH)
			has_second(um_sim_ex_match(unit), unit, 0, true);
		for (unsigned n = 0; f->special == UM_SIM_FILTER_EX_PORTS && n < 24; n++)
			has_second(um_sim_ex_port(unit, n), unit, n << 1, false);
	}
}

static void compare_filters(const struct um_sim_layout *l, const struct um_sim_filter *f)
{
	static const uint8_t tor[] = { 0x35, 0x36 };
	const struct um_term *tid = term("tid_en");

	two_sources("source of the filter", pmu->num_extras ? pmu->extras[0].reg.source :
		    pmu->selector->reg.source, f->from, UM_SIM_FROM_NOBODY);
	same("thread enable", tid ? tid->mask : 0, f->thread_enable);
	same_field("filter_tid", l, f->thread);
	needs(f->thread, l, f->thread_enable, "thread filter");
	same_field("filter_state", l, f->state);
	same_field("filter_nid", l, f->node);
	if (f->state.high)
		needs(f->state, l, f->lookup, "state filter");
	if (f->node.high)
		needs(f->node, l, f->lookup | 0x4000u, "node filter");
	for (size_t i = 0; i < ARRAY_SIZE(tor); i++) {
		uint64_t word = tor[i] | (f->opcode_by_umask ? 0x100u : 0);

		needs(f->opcode[0], l, word, "opcode filter");
		needs(f->opcode[1], l, word, "opcode filter");
		needs(f->tor[0], l, word, "TOR filter");
		needs(f->tor[1], l, word, "TOR filter");
		needs(f->all_opcodes, l, word, "TOR filter");
		if (f->node.high)
			needs(f->node, l, tor[i] | 0x4000u, "node filter");
	}
	compare_tor(l, f);
	compare_special(l, f);
	/*
	 * Some selector fields need at least one bit; for events without a bit in the field, a default must set the
	 * bits.
	 */
	for (int i = 0; i < 2; i++) {
		uint64_t chosen = 0;

		for (size_t k = 0; k < pmu->num_defaults; k++)
			if (!pmu->defaults[k].word)
				chosen |= pmu->defaults[k].value;
		if (f->choose[i] & ~chosen)
			differ("choice", "0x%llx", (unsigned long long)(f->choose[i] & ~chosen));
	}
}

/* ---- gates ---- */

static void compare_gate(const struct um_gate *g, const struct um_sim_family *f, const struct um_sim_box_type *t)
{
	uint64_t frz_en = g->mask & (UM_SIM_BIT(16) | UM_SIM_BIT(17));

	switch (f->style) {
	case UM_SIM_STYLE_CLIENT:
		same("gate", g->mask, UM_SIM_BIT(29));
		same("open gate", g->value, UM_SIM_BIT(29));
		break;
	case UM_SIM_STYLE_SERVER:
		same("gate", g->mask & ~frz_en, UM_SIM_BIT(8));
		same("open gate", g->value, frz_en);
		same("gate with FRZ_EN", frz_en & UM_SIM_BIT(16), UM_SIM_BIT(16));
		same("bit by bit", g->bit_by_bit, !!(t->quirks & UM_SIM_CONTROL_BY_BITS));
		break;
	case UM_SIM_STYLE_SPR:
		same("gate", g->mask, 1);
		same("open gate", g->value, 0);
		break;
	case UM_SIM_STYLE_NEHALEM:
		same("first counter of a gate", g->bit0, 0);
		same("fixed counter of a gate", g->fixed_bit0, 32);
		break;
	case UM_SIM_STYLE_EX:
		if (!g->per_counter) {
			same("gate", g->mask, UM_SIM_BIT(28));
			same("open gate", g->value, UM_SIM_BIT(28));
		} else {
			same("first counter of a gate", g->bit0, 0);
			if (pmu->num_fixed)
				same("fixed counter of a gate", g->fixed_bit0, 31);
		}
		break;
	case UM_SIM_STYLE_AMD: differ("gate", "of AMD"); break;
	}
}

/* Bit 17 of a box control has a use only in I/O stacks, but the simulator accepts the bit in all boxes. */
static void compare_control(const struct um_reg *r, struct um_sim_control k)
{
	same("bits of the box control", r->valid | (k.valid & UM_SIM_BIT(17)), k.valid);
	same("strobes of the box control", r->reads_zero, k.reset_selectors | k.reset_counters);
}

static void compare_gates(const struct um_sim_family *f, const struct um_sim_layout *l,
			  const struct um_sim_box_type *t)
{
	bool global = false;

	if (f->style == UM_SIM_STYLE_AMD)
		same("gates", pmu->num_gates, 0);
	for (unsigned i = 0; i < pmu->num_gates; i++) {
		const struct um_gate *g = &pmu->gates[i];
		uint32_t where = t->global ? t->global : f->global;
		bool other = false;

		compare_gate(g, f, t);
		if (g->of_unit) {
			compare_control(&g->reg, um_sim_control(f->style, l));
			continue;
		}
		for (size_t k = 0; k < f->num_others; k++)
			other |= f->others[k].msr == g->reg.msr;
		global |= g->reg.msr == where;
		if (g->reg.msr != f->global && !other)
			differ("gate", "0x%x is in the table only", g->reg.msr);
		if (g->reg.msr == f->global)
			same("bits of the gate", g->reg.valid, f->global_valid);
	}
	/*
	 * Servers have a global register, too, but the table need not have it: up to Ice Lake-SP we never write the
	 * register.
	 */
	if ((f->style == UM_SIM_STYLE_CLIENT || f->style == UM_SIM_STYLE_EX) && !global)
		differ("gate", "0x%x is not in the table", t->global ? t->global : f->global);
}

/* ---- features that only Nehalem and Westmere have ---- */

static void compare_nehalem(void)
{
	const struct um_selector *s = pmu->selector;

	same("gates", pmu->num_gates, 1);
	same("gate's bits written", pmu->gates[0].reg.write_mask, LOW_BITS(8) | 1ull << 32);
	/* Bits 17 and 20 are FreeBSD's UCP_CTRR and UCP_INT. */
	same("reset of the occupancy", s->occ_reset, UM_SIM_BIT(17));
	same("bits that read 0", s->reg.reads_zero, UM_SIM_BIT(17));
	same("bits not compared", s->ignore_on_compare, UM_SIM_BIT(17));
	same("interrupt", s->pmi, UM_SIM_BIT(20));
	same("settable bits", s->settable, s->reg.valid & ~UM_SIM_BIT(20));
}

/* ---- comparison of all boxes ---- */

static const struct um_sim_layout *layout_of(const struct um_sim_family *f, const char *name)
{
	for (size_t i = 0; i < um_sim_num_layouts; i++)
		if (um_sim_layouts[i].families & f->bit && !strcmp(um_sim_layouts[i].pmu, name))
			return &um_sim_layouts[i];
	return NULL;
}

static void compare_pmu(const struct um_sim_family *f)
{
	const struct um_sim_layout *l = layout_of(f, pmu->name);
	const struct um_sim_box_type *t = um_sim_box_type(f, pmu->name);

	if (!l) {
		differ("box", "is in the table only");
		return;
	}
	two_sources("source", pmu->source, l->from, l->also);
	compare_units(f, l);
	compare_counters(l, f->style);
	compare_plain(l);
	compare_gates(f, l, t);
	if (f->style == UM_SIM_STYLE_NEHALEM)
		compare_nehalem();
	if (pmu->num_general)
		compare_selector(l, t);
	if (t->filter)
		compare_filters(l, t->filter);
	same("saturation", pmu->saturates, !!(t->quirks & UM_SIM_SATURATES));
}

static uint64_t named(const struct um_reg *r, const char *name)
{
	for (const struct um_field *f = um_reg_fields(r); *f->name; f++)
		if (!strcmp(f->name, name))
			return LOW_BITS(f->width) << f->shift;
	return 0;
}

static void compare_global(const struct um_sim_family *f)
{
	const struct um_reg *r = um_reg_find(uarch, f->global);

	if (!r) {
		differ("global control", "0x%x is in the simulator only", f->global);
		return;
	}
	two_sources("source of the global control", r->source, f->from, f->also);
	same("scope of the global control", r->scope == UM_SCOPE_DIE, f->scope == UM_SIM_PER_DIE);
	same("freeze", named(r, "FRZ_ALL"), f->freeze);
	same("unfreeze", named(r, "UNFRZ_ALL"), f->unfreeze);
	if (f->style == UM_SIM_STYLE_CLIENT)
		same("enable", named(r, "EN"), UM_SIM_BIT(29));
	if (f->style == UM_SIM_STYLE_EX) {
		same("enable", named(r, "EN_ALL"), UM_SIM_BIT(28));
		same("reset", named(r, "RST_ALL"), UM_SIM_BIT(29));
	}
}

static void compare_others(const struct um_sim_family *f)
{
	for (size_t i = 0; i < uarch->num_regs; i++) {
		const struct um_reg *r = &uarch->regs[i];
		bool found_it = r->msr == f->global;

		for (size_t k = 0; k < f->num_others; k++)
			found_it |= f->others[k].msr == r->msr;
		if (!found_it)
			differ("register", "0x%x is in the table only", r->msr);
		if (r->msr == f->global && r->valid & ~f->global_valid)
			differ("register", "0x%x has more bits in the table", r->msr);
	}
	for (size_t k = 0; k < f->num_others; k++) {
		const struct um_sim_plain *s = &f->others[k];
		const struct um_reg *r = um_reg_find(uarch, s->msr);
		char what[32];

		if (!r) {
			differ("register", "0x%x is in the simulator only", s->msr);
			continue;
		}
		snprintf(what, sizeof(what), "source of 0x%x", s->msr);
		two_sources(what, r->source, s->from, s->also);
		same_plain(r, s);
		same_scope("scope of a register", r->scope, s->scope);
	}
}

static void compare_uarch(void)
{
	const struct um_sim_family *f = um_sim_family(uarch->name);

	pmu = NULL;
	if (!f) {
		differ("processor", "cannot be simulated");
		return;
	}
	same_scope("scope of the uncore", uarch->scope, f->scope);
	if (f->global)
		compare_global(f);
	compare_others(f);
	for (size_t i = 0; i < uarch->num_pmus; i++) {
		pmu = &uarch->pmus[i];
		if (pmu->reach == UM_REACH_MSR)
			compare_pmu(f);
	}
	pmu = NULL;
	for (size_t i = 0; i < um_sim_num_layouts; i++) {
		const struct um_sim_layout *l = &um_sim_layouts[i];
		bool there = false;

		for (size_t k = 0; l->families & f->bit && k < uarch->num_pmus; k++)
			there |= !strcmp(uarch->pmus[k].name, l->pmu);
		if (l->families & f->bit && !there)
			differ("box", "%s is in the simulator only", l->pmu);
	}
}

TEST(tables_and_simulator_agree)
{
	for (uarch = NULL; (uarch = next_uarch(uarch)); )
		compare_uarch();
	expect_listed();
}

SUITE(second)
