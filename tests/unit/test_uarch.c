/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests each table in the same way, so a new processor needs no new tests.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "suite.h"
#include "uarch/uarch.h"

/* Call @fn once for every microarchitecture that has a table, and for the core PMU. */
static void for_each_uarch(void (*fn)(const struct um_uarch *u))
{
	for (const struct um_uarch *u = NULL; (u = next_uarch(u)); )
		fn(u);
	fn(&um_core_registers);
}

/* Arguments of the functions below, which libcheck cannot pass. */
static const struct um_uarch *uarch;
static const struct um_pmu *pmu;
static void (*on_pmu)(void);
static int (*on_register)(void *table, const struct um_reg_place *at);

static void each_pmu(const struct um_uarch *u)
{
	uarch = u;
	for (size_t i = 0; i < u->num_pmus; i++) {
		pmu = &u->pmus[i];
		if (pmu->reach == UM_REACH_MSR)
			on_pmu();
	}
}

static void each_register(const struct um_uarch *u)
{
	um_regs_each(u, on_register, (void *)(uintptr_t)u);
}

/* Assert something about the current PMU; the failure message names the processor, the PMU and @what. */
#define HOLDS(claim, what) \
	ck_assert_msg(claim, "%s: %s: %s: %s", uarch->name, pmu->name, what, #claim)

static uint64_t low(unsigned bits)
{
	return bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static uint64_t field_mask(const struct um_field *f)
{
	return f->width ? low(f->width) << f->shift : 0;
}

#define FITS(text) memchr(text, '\0', sizeof(text))

static void check_text(const char *text)
{
	ck_assert_msg(text && *text, "a text is missing");
}

/* ---- registers, one by one ---- */

static int check_reg_text(void *user, const struct um_reg_place *at)
{
	const struct um_uarch *u = user;
	const struct um_reg *reg = at->reg;
	const char *index = strstr(reg->name, "%u"), *unit = strstr(reg->name, "%b");
	bool many = at->pmu && at->pmu->units.max > 1;

	ck_assert_msg(FITS(reg->name) && FITS(reg->desc) && FITS(reg->source), "%s: 0x%x", u->name, reg->msr);
	check_text(reg->name);
	check_text(reg->desc);
	check_text(reg->source);
	/* Only registers of a PMU can be arrays. */
	ck_assert_msg(at->pmu ? reg->count > 0 : reg->count == 1, "%s: %s", u->name, reg->name);
	ck_assert_msg((index != NULL) == (reg->count > 1), "%s: %s", u->name, reg->name);
	ck_assert_msg((unit != NULL) == many, "%s: %s", u->name, reg->name);
	for (const char *mark = strchr(reg->name, '%'); mark; mark = strchr(mark + 1, '%'))
		ck_assert_msg(mark == index || mark == unit, "%s: %s", u->name, reg->name);
	return 0;
}

static void check_texts(const struct um_uarch *u)
{
	ck_assert_msg(FITS(u->name) && FITS(u->title), "0x%x", u->regs ? u->regs->msr : 0);
	check_text(u->name);
	check_text(u->title);
	ck_assert_uint_gt(u->num_pmus, 0);
	um_regs_each(u, check_reg_text, (void *)(uintptr_t)u);
}

struct claim {
	uint32_t msr;
	char name[64];
};

struct claims {
	struct claim *all;
	size_t num;
};

static int add_claim(void *user, const struct um_reg_place *at)
{
	struct claims *c = user;
	struct claim *grown = realloc(c->all, (c->num + 1) * sizeof(*grown));

	ck_assert_msg(grown, "no memory");
	c->all = grown;
	grown[c->num].msr = um_place_msr(at);
	um_reg_name(at, grown[c->num++].name, sizeof(grown->name));
	/* uncoremsr_register() has room for names of 47 characters. */
	ck_assert_msg(strlen(grown[c->num - 1].name) < 48, "%s", grown[c->num - 1].name);
	return 0;
}

static int by_msr(const void *a, const void *b)
{
	uint32_t x = ((const struct claim *)a)->msr, y = ((const struct claim *)b)->msr;

	return (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct claim *)a)->name, ((const struct claim *)b)->name);
}

static void check_unique(const struct um_uarch *u)
{
	struct claims c = { NULL, 0 };

	um_regs_each(u, add_claim, &c);
	ck_assert_uint_gt(c.num, 0);
	qsort(c.all, c.num, sizeof(*c.all), by_msr);
	for (size_t i = 1; i < c.num; i++)
		ck_assert_msg(c.all[i - 1].msr != c.all[i].msr, "%s: %s and %s are both 0x%x",
			      u->name, c.all[i - 1].name, c.all[i].name, c.all[i].msr);
	qsort(c.all, c.num, sizeof(*c.all), by_name);
	for (size_t i = 1; i < c.num; i++)
		ck_assert_msg(by_name(&c.all[i - 1], &c.all[i]), "%s: 0x%x and 0x%x are both %s",
			      u->name, c.all[i - 1].msr, c.all[i].msr, c.all[i].name);
	free(c.all);
}

static int check_reg_fields(void *user, const struct um_reg_place *at)
{
	const struct um_uarch *u = user;
	const struct um_reg *reg = at->reg;
	uint64_t seen = 0;

	for (const struct um_field *f = um_reg_fields(reg); *f->name; f++) {
		ck_assert_msg(FITS(f->name) && FITS(f->desc), "%s: a text of a field does not fit", reg->name);
		check_text(f->name);
		check_text(f->desc);
		ck_assert_msg(f->width && f->shift + f->width <= 64, "%s: %s.%s", u->name, reg->name, f->name);
		ck_assert_msg(!(seen & field_mask(f)), "%s: %s.%s overlaps", u->name, reg->name, f->name);
		seen |= field_mask(f);
		for (const struct um_field *k = um_reg_fields(reg); k < f; k++)
			ck_assert_msg(strcmp(k->name, f->name), "%s: two fields are called %s", reg->name, f->name);
	}
	ck_assert_msg(seen == reg->valid, "%s: %s: fields 0x%llx, valid bits 0x%llx", u->name,
		      reg->name, (unsigned long long)seen, (unsigned long long)reg->valid);
	return 0;
}

static int check_reg_masks(void *user, const struct um_reg_place *at)
{
	const struct um_uarch *u = user;
	const struct um_reg *reg = at->reg;

	ck_assert_msg(!(reg->write_mask & ~reg->valid), "%s: %s", u->name, reg->name);
	ck_assert_msg(!(reg->reads_zero & ~reg->valid), "%s: %s", u->name, reg->name);
	/*
	 * We do not write read-only registers. The only write-only registers that we write are those that clear
	 * overflow bits.
	 */
	if (reg->access == UM_REG_RO || (reg->access == UM_REG_WO && !strstr(reg->name, "_OVF_CT")))
		ck_assert_msg(!reg->write_mask, "%s: %s", u->name, reg->name);
	return 0;
}

static int check_found_again(void *user, const struct um_reg_place *at)
{
	const struct um_uarch *u = user;
	struct um_reg_place found;
	uint32_t msr = um_place_msr(at);

	ck_assert_msg(um_reg_place(u, msr, &found), "%s: 0x%x", u->name, msr);
	ck_assert_msg(found.reg == at->reg && found.pmu == at->pmu && found.unit == at->unit &&
	      found.index == at->index, "%s: 0x%x leads to another register", u->name, msr);
	return 0;
}

/* ---- PMUs ---- */

/*
 * The row of a counter or filter decides whether a register can be restored. Further rows of the register must have the
 * same masks.
 */
static void check_same_masks(const struct um_reg *reg)
{
	const struct um_reg *found = um_reg_find(uarch, reg->msr);

	HOLDS(found && found->valid == reg->valid && found->write_mask == reg->write_mask, reg->name);
	HOLDS(uarch == &um_core_registers || !um_reg_find(&um_core_registers, reg->msr), reg->name);
}

static void check_units(void)
{
	const struct um_units *units = &pmu->units;

	HOLDS(units->max >= 1, "units");
	HOLDS(units->max == 1 || units->stride || units->offsets, "units");
	HOLDS(!units->offsets || !units->offsets[0], "offsets are from unit 0");
	HOLDS(!units->other_offsets || !units->other_offsets[0], "offsets are from unit 0");
	if (units->from != UM_UNITS_MSR)
		return;
	HOLDS(units->width >= 1 && units->shift + units->width <= 64, "number of units");
	HOLDS(um_reg_find(uarch, units->msr), "number of units");
}

static void check_span(const struct um_reg *reg)
{
	unsigned step = reg->step ? reg->step : 1;

	HOLDS((reg->count - 1u) * step < pmu->units.stride, reg->name);
}

static void check_no_overlap(void)
{
	if (!pmu->units.stride || pmu->units.max == 1)
		return;
	if (*pmu->selector->reg.name)
		check_span(&pmu->selector->reg);
	if (pmu->counter)
		check_span(pmu->counter);
	for (size_t i = 0; i < pmu->num_others; i++)
		check_span(&pmu->others[i]);
}

/* Bits that an event may set in a word: word 0 is the selector, all further words go to extra registers. */
static uint64_t word_bits(unsigned word)
{
	uint64_t bits = word ? 0 : pmu->selector->settable;

	for (size_t i = 0; i < pmu->num_extras; i++)
		if (pmu->extras[i].word == word)
			bits |= pmu->extras[i].mask ? pmu->extras[i].mask
						    : pmu->extras[i].reg.write_mask;
	return bits;
}

/*
 * The power control unit of Skylake-SP and Ice Lake-SP has a unit mask field of which only the upper two bits may be
 * set.
 */
static uint64_t not_settable(void)
{
	bool pcu = !strcmp(pmu->name, "pcu") && pmu->selector->umask.width == 8 &&
		   (pmu->selector->settable & 0xff00) == 0xc000;

	return pcu ? 0x3f00 : 0;
}

static void check_selector(void)
{
	const struct um_selector *s = pmu->selector ? pmu->selector : &um_no_selector;
	uint64_t parts[] = {
		um_code_mask(&s->event), um_code_mask(&s->umask), s->enable, s->occ_reset, s->pmi,
	};
	uint64_t seen = 0;

	HOLDS(pmu->selector && !pmu->counter == !pmu->num_general, "NO_COUNTERS, or a selector and counters");
	if (!pmu->num_general)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		HOLDS(!(seen & parts[i]), "parts of a selector overlap");
		seen |= parts[i];
	}
	HOLDS(!(seen & ~s->pmi & ~s->settable & ~not_settable()), "parts of a selector that no event may set");
	HOLDS(!(s->settable & s->pmi), "an event never asks for an interrupt");
	HOLDS(!(s->settable & ~s->not_written & ~s->reg.write_mask), "selector");
	HOLDS(!(s->not_written & ~s->settable), "selector");
	HOLDS(!(s->occ_reset & ~s->settable), "selector");
	HOLDS(__builtin_popcountll(s->enable) <= 1, "selector");
	HOLDS(!(s->ignore_on_compare & s->enable), "selector");
	HOLDS(!(s->reg.reads_zero & ~s->ignore_on_compare), "selector");
	/* When a selector is disabled, all bits that another program has left in the selector must be restorable. */
	HOLDS(s->reg.write_mask == s->reg.valid, "selector");
	HOLDS(s->reg.access == UM_REG_RW, "selector");
}

/*
 * If sources give different widths of a counter, differences of counts are computed with the smaller width. The
 * register has the larger width, so that its contents can be restored.
 */
static bool is_count(uint64_t valid, unsigned width)
{
	return !(valid & (valid + 1)) && valid >= low(width);
}

static void check_counter(void)
{
	HOLDS(pmu->num_general || pmu->num_fixed, "counters");
	HOLDS(pmu->num_general <= 32, "sets of counters are words of 32 bits");
	if (!pmu->num_general)
		return;
	HOLDS(pmu->selector->reg.count == pmu->num_general, "selectors");
	HOLDS(pmu->counter->count == pmu->num_general, "counters");
	/*
	 * If sources differ about the width of a counter, we may write all bits that may exist, to restore their
	 * contents.
	 */
	HOLDS(pmu->counter->valid == low(pmu->general_width + pmu->saturates) ||
	      (pmu->general_width == 44 && pmu->counter->valid == low(48)), "counters");
	HOLDS(pmu->counter->write_mask == pmu->counter->valid, "counters");
	check_same_masks(pmu->counter);
	check_same_masks(&pmu->selector->reg);
}

static void check_terms(void)
{
	const struct um_selector *sel = pmu->selector;
	uint64_t seen[UM_WORDS] = { 0 };

	HOLDS(!pmu->num_general || pmu->num_terms, "terms");
	for (size_t i = 0; i < pmu->num_terms; i++) {
		const struct um_term *t = &pmu->terms[i];

		HOLDS(FITS(t->name) && FITS(t->desc), t->name);
		check_text(t->name);
		check_text(t->desc);
		HOLDS(t->word < UM_WORDS, t->name);
		HOLDS(t->mask && !(seen[t->word] & t->mask), t->name);
		seen[t->word] |= t->mask;
		HOLDS(!(t->mask & ~(word_bits(t->word) | (t->word ? 0 : not_settable()))), t->name);
		for (size_t k = 0; k < i; k++)
			HOLDS(strcmp(pmu->terms[k].name, t->name), t->name);
	}
	HOLDS(!((um_code_mask(&sel->event) | um_code_mask(&sel->umask)) & ~seen[0]),
	      "event or unit mask that no term fills");
}

static void check_extras(void)
{
	HOLDS(pmu->num_extras <= 64, "sets of second registers are words of 64 bits");
	for (size_t i = 0; i < pmu->num_extras; i++) {
		const struct um_extra *x = &pmu->extras[i];

		HOLDS(x->word && x->word < UM_WORDS, x->reg.name);
		HOLDS(x->reg.count == 1 && x->reg.write_mask, x->reg.name);
		check_same_masks(&x->reg);
		HOLDS(!((x->mask | x->before | x->after) & ~x->reg.write_mask), x->reg.name);
		HOLDS(!(x->when_value & ~x->when_mask), x->reg.name);
		HOLDS(!(x->when_mask & ~pmu->selector->settable), x->reg.name);
	}
	for (size_t i = 0; i < pmu->num_rules; i++) {
		const struct um_linux_rule *r = &pmu->rules[i];
		bool sets = r->does >= UM_KERNEL_FILLS && r->does <= UM_KERNEL_FORCES;

		HOLDS(*r->source && FITS(r->source) && FITS(r->umasks), pmu->name);
		HOLDS(r->mask && r->word < UM_WORDS && !(r->mask & ~word_bits(r->word)), r->source);
		HOLDS(sets ? r->value && !(r->value & ~r->mask) : !r->value, r->source);
		HOLDS(!(r->when_value & ~r->when_mask), r->source);
		HOLDS(r->does == UM_KERNEL_DROPS || !*r->umasks, r->source);
		HOLDS(r->does != UM_KERNEL_VERBATIM || !r->when_mask, r->source);
	}
	for (size_t i = 0; i < pmu->num_defaults; i++) {
		const struct um_default *d = &pmu->defaults[i];

		HOLDS(FITS(d->why), d->why);
		check_text(d->why);
		HOLDS(d->mask && d->value && !(d->value & ~word_bits(d->word)), d->why);
		for (size_t k = 0; k < i; k++) /* lib/encode/spell.c needs defaults whose bits do not overlap */
			HOLDS(pmu->defaults[k].word != d->word || !(pmu->defaults[k].mask & d->mask), d->why);
	}
}

static void check_constraints(void)
{
	for (size_t i = 0; i < pmu->num_constraints; i++) {
		const struct um_constraint *c = &pmu->constraints[i];

		HOLDS(c->mask && !(c->value & ~c->mask), "constraint");
		HOLDS(!(c->mask & ~pmu->selector->settable), "constraint");
		HOLDS(c->counters && !(c->counters & ~low(pmu->num_general)), "constraint");
		for (size_t k = 0; k < i; k++)
			HOLDS(pmu->constraints[k].mask != c->mask ||
			      pmu->constraints[k].value != c->value, "constraint twice");
	}
}

static void check_gates(void)
{
	HOLDS(pmu->num_gates <= UM_MAX_GATES, "gates");
	for (unsigned i = 0; i < pmu->num_gates; i++) {
		const struct um_gate *g = &pmu->gates[i];
		uint64_t bits = g->per_counter ? low(pmu->num_general) << g->bit0 : g->mask;

		if (g->per_counter && pmu->num_fixed)
			bits |= low(pmu->num_fixed) << g->fixed_bit0;
		HOLDS(g->reg.count == 1, g->reg.name);
		if (!g->reg.write_mask) {
			HOLDS(!g->per_counter && !g->of_unit && !g->value, "only watched");
			HOLDS(bits && !(bits & ~g->reg.valid), g->reg.name);
			continue;
		}
		HOLDS(bits && !(bits & ~g->reg.write_mask), g->reg.name);
		HOLDS(g->per_counter || !(g->value & ~g->mask), g->reg.name);
		HOLDS(g->reg.access == UM_REG_RW, g->reg.name);
	}
}

static void check_fixed(void)
{
	for (unsigned i = 0; i < pmu->num_fixed; i++) {
		const struct um_fixed *f = &pmu->fixed[i];
		uint64_t bits = f->control_mask ? f->control_mask : f->control.write_mask;

		HOLDS(FITS(f->event) && FITS(f->desc) && FITS(f->instead) && FITS(f->unit), f->event);
		check_text(f->event);
		check_text(f->desc);
		for (size_t k = 0; k < ARRAY_SIZE(f->aliases); k++)
			HOLDS(FITS(f->aliases[k]), f->event);
		HOLDS(!*f->aliases[ARRAY_SIZE(f->aliases) - 1], "the list of aliases has an end");
		HOLDS(f->width && f->counter.count == 1, f->event);
		HOLDS(is_count(f->counter.valid, f->width), f->event);
		HOLDS((*f->unit != 0) == (f->scale > 0), f->event);
		for (unsigned k = 0; k < i; k++)
			HOLDS(strcmp(pmu->fixed[k].event, f->event), f->event);
		if (!f->control.msr) {
			HOLDS(!f->counter.write_mask && !f->enable, "free running, never written");
			continue;
		}
		HOLDS(f->counter.write_mask == f->counter.valid, f->event);
		check_same_masks(&f->counter);
		check_same_masks(&f->control);
		HOLDS(f->enable && !(f->enable & ~bits), f->event);
		HOLDS(!(bits & ~f->control.write_mask), f->event);
	}
}

static void check_bounds(void)
{
	double most = (double)pmu->max_clock_hz * pmu->max_increment;

	check_text(pmu->source);
	HOLDS(pmu->max_clock_hz >= 100000000u && pmu->max_increment >= 1, "bounds");
	if (pmu->num_general)
		HOLDS((double)low(pmu->general_width) / most > 2, "bounds");
	for (unsigned i = 0; i < pmu->num_fixed; i++)
		HOLDS((double)low(pmu->fixed[i].width) / (double)pmu->max_clock_hz > 2, "bounds");
}

/* No PMU may have a name like "cbo3", which would be the name of unit 3 of "cbo". */
static bool is_unit_of(const char *name, const char *other)
{
	size_t len = strlen(other);

	return strncmp(name, other, len) == 0 && name[len] && strspn(name + len, "0123456789") == strlen(name + len);
}

static void check_names(const struct um_uarch *u)
{
	for (size_t i = 0; i < u->num_pmus; i++) {
		const struct um_pmu *p = &u->pmus[i];

		check_text(p->name);
		check_text(p->desc);
		ck_assert_msg(p->kernel && *p->kernel, "%s: %s", u->name, p->name);
		for (size_t k = 0; k < u->num_pmus; k++)
			ck_assert_msg(k == i || (strcmp(u->pmus[k].name, p->name) &&
						 !is_unit_of(p->name, u->pmus[k].name)),
				      "%s: %s and %s", u->name, u->pmus[k].name, p->name);
		if (p->reach != UM_REACH_MSR)
			ck_assert_msg(!p->units.max && !p->num_general && !p->num_fixed, "%s: %s", u->name, p->name);
	}
}

static const struct {
	const char *rule;
	void (*of_uarch)(const struct um_uarch *u);
	void (*of_pmu)(void);
	int (*of_register)(void *table, const struct um_reg_place *at);
} rules[] = {
	{ "every register has a name a description and a source", check_texts, NULL, NULL },
	{ "no two registers of a processor share an address or a name", check_unique, NULL, NULL },
	{ "fields do not overlap and name exactly the bits that exist", NULL, NULL, check_reg_fields },
	{ "we write only bits that exist and only registers that can be read back", NULL, NULL, check_reg_masks },
	{ "every address leads back to its row unit and index", NULL, NULL, check_found_again },
	{ "units do not overlap and the source of their number is valid", NULL, check_units, NULL },
	{ "no row is longer than the distance of two units", NULL, check_no_overlap, NULL },
	{ "selectors take what events may set and never an interrupt", NULL, check_selector, NULL },
	{ "general counters have a selector each and their width", NULL, check_counter, NULL },
	{ "terms are unique and within the bits that an event may set", NULL, check_terms, NULL },
	{ "second registers and defaults are within what can be written", NULL, check_extras, NULL },
	{ "constraints name counters that exist", NULL, check_constraints, NULL },
	{ "gates are opened with writable bits or only read", NULL, check_gates, NULL },
	{ "fixed counters are switched within their control or run freely", NULL, check_fixed, NULL },
	{ "every pmu has bounds that give an acceptable time to wrap", NULL, check_bounds, NULL },
	{ "pmu names are unique and unreachable pmus have only names", check_names, NULL, NULL },
};

TEST_EACH(every_table_keeps_each_rule, ARRAY_SIZE(rules))
{
	on_pmu = rules[_i].of_pmu;
	on_register = rules[_i].of_register;
	ck_assert_msg(next_uarch(NULL), "%s", rules[_i].rule);
	for_each_uarch(on_register ? each_register : on_pmu ? each_pmu : rules[_i].of_uarch);
}

/* ---- index of models ---- */

TEST(no_model_is_in_the_index_twice)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_model *a = &um_models[i];

		ck_assert_msg(FITS(a->vendor) && FITS(a->name) && FITS(a->title), "%d %x", a->family, a->model_first);
		check_text(a->vendor);
		check_text(a->name);
		check_text(a->title);
		ck_assert_int_le(a->model_first, a->model_last);
		for (size_t k = 0; k < i; k++) {
			const struct um_model *b = &um_models[k];

			ck_assert_msg(strcmp(a->vendor, b->vendor) || a->family != b->family ||
				      a->model_first > b->model_last ||
				      b->model_first > a->model_last,
				      "%s and %s", a->title, b->title);
		}
	}
}

TEST(models_of_one_name_have_the_table_of_that_name)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_model *m = &um_models[i];

		ck_assert_ptr_eq(um_uarch_find(m->name), m->uarch);
		if (m->uarch)
			ck_assert_str_eq(m->uarch->name, m->name);
	}
	ck_assert_ptr_null(um_uarch_find("pentium5"));
}

SUITE(uarch)
