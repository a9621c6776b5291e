/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The map of a machine's box registers, made from the layouts of its boxes and from its CPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/box.h"

/* ---- numbers of units and counters ---- */

static bool applies(const struct uncoremsr_sim *sim, const struct um_sim_unit_rule *r,
		    const struct um_sim_box_pmu *p, unsigned cpu)
{
	return !strcmp(r->pmu, p->layout->pmu) &&
		(r->package < 0 || r->package == sim->cpus[cpu].package);
}

/* Number of units in the package, die or core of @cpu. The description overrides the layout and CPUID. */
static unsigned units_of(const struct uncoremsr_sim *sim, const struct um_sim_box_pmu *p, unsigned cpu)
{
	unsigned n = p->num_units, found = n;

	if (p->layout->units == UM_SIM_UNITS_CORES)
		found = um_sim_num_cores(sim, cpu, false);
	if (p->layout->units == UM_SIM_UNITS_UMC) {
		/* One unit per set bit of the bitmap; none if that number does not divide the number of counters. */
		uint32_t bitmap = um_sim_cpuid_register(sim, cpu, 0x80000022, 2);
		uint32_t counters = um_sim_cpuid_register(sim, cpu, 0x80000022, 1) >> 16 & 0xff;

		found = (unsigned)__builtin_popcount(bitmap);
		found = found && counters % found == 0 ? found : 0;
	}
	n = found < n ? found : n;
	for (size_t i = 0; i < sim->num_unit_rules; i++)
		if (!sim->unit_rules[i].absent && applies(sim, &sim->unit_rules[i], p, cpu))
			n = sim->unit_rules[i].number;
	return n < p->num_units ? n : p->num_units;
}

static bool fused_off(const struct uncoremsr_sim *sim, const struct um_sim_box_pmu *p, unsigned cpu, unsigned unit)
{
	for (size_t i = 0; i < sim->num_unit_rules; i++)
		if (sim->unit_rules[i].absent && sim->unit_rules[i].number == unit &&
		    applies(sim, &sim->unit_rules[i], p, cpu))
			return true;
	return unit >= units_of(sim, p, cpu);
}

static int make_units(struct uncoremsr_sim *sim, struct um_sim_box_pmu *p)
{
	const struct um_sim_copies *c = &sim->copies[p->layout->scope];
	size_t num = (size_t)c->num * p->num_units, words = p->num_counters + p->layout->num_plain;

	p->units = calloc(num, sizeof(*p->units));
	p->words = calloc(num * words + 1, sizeof(*p->words));
	p->counters = calloc(num * p->num_counters + 1, sizeof(*p->counters));
	if (!p->units || !p->words || !p->counters)
		return -ENOMEM;
	for (unsigned i = 0; i < num; i++) {
		struct um_sim_unit *u = &p->units[i];

		u->selector = p->words + i * words;
		u->plain = u->selector + p->num_counters;
		u->counter = p->counters + (size_t)i * p->num_counters;
		u->absent = fused_off(sim, p, c->at[i / p->num_units].first_cpu, i % p->num_units);
	}
	return 0;
}

/* On AMD, CPUID leaf 0x80000022 has the number of data fabric (DF) counters, which is four without this leaf. */
static unsigned general_counters(const struct uncoremsr_sim *sim, const struct um_sim_layout *l)
{
	uint32_t r[4];
	unsigned n;

	if (l->families != UM_SIM_ZEN4 || strcmp(l->pmu, "df"))
		return l->num;
	um_sim_cpuid(sim, 0, 0x80000022, 0, r);
	n = r[0] & 1 ? r[1] >> 10 & 0x3f : 4;
	return n < l->num ? n : l->num;
}

uint64_t um_sim_counter_limit(const struct um_sim_box_pmu *p, unsigned index)
{
	unsigned width = index < p->num_general ? p->layout->width
						: p->layout->fixed[index - p->num_general].width;

	return UM_SIM_BITS(width - 1, 0);
}

uint64_t um_sim_counter_bits(const struct um_sim_box_pmu *p, unsigned index)
{
	uint64_t limit = um_sim_counter_limit(p, index);

	return p->type->quirks & UM_SIM_SATURATES ? limit | (limit + 1) : limit;
}

/* ---- registers ---- */

static void add_global(struct uncoremsr_sim *sim, const struct um_sim_plain *row)
{
	struct um_sim_box_reg reg = {
		.msr = row->msr, .role = UM_SIM_ROLE_GLOBAL, .access = row->access, .valid = row->valid,
		.scope = row->scope, .value = calloc(sim->copies[row->scope].num, sizeof(*reg.value)),
	};

	if (!reg.value || ARRAY_APPEND(sim->boxes->regs, sim->boxes->num_regs, reg)) {
		free(reg.value);
		sim->boxes->no_memory = true;
	}
}

/* Add a copy of @at as register @index of its unit. @msr: address in unit 0; @offset: offset of the unit. */
static void add_at(struct um_sim_boxes *b, struct um_sim_box_reg at, unsigned index, uint32_t msr, uint32_t offset)
{
	at.index = index;
	at.msr = msr + offset;
	b->no_memory |= ARRAY_APPEND(b->regs, b->num_regs, at) != 0;
}

static void add_unit(struct uncoremsr_sim *sim, unsigned index, unsigned unit)
{
	struct um_sim_boxes *b = sim->boxes;
	const struct um_sim_box_pmu *p = &b->pmus[index];
	const struct um_sim_layout *l = p->layout;
	struct um_sim_box_reg selector = { .pmu = index, .unit = unit, .valid = p->type->valid }, counter = selector,
		control = selector, plain = selector;
	uint32_t by = um_sim_unit_offset(l, unit), step = l->step ? l->step : 1;

	counter.role = UM_SIM_ROLE_COUNTER;
	for (unsigned i = 0; i < p->num_general; i++) {
		counter.valid = um_sim_counter_bits(p, i);
		add_at(b, selector, i, l->selector + i * step, by);
		add_at(b, counter, i, l->counter + i * step, by);
	}
	selector.valid = um_sim_fixed_valid(sim->family->style);
	for (unsigned i = 0; i < l->num_fixed; i++) {
		const struct um_sim_fixed *f = &l->fixed[i];
		uint32_t off = f->offsets ? (uint32_t)f->offsets[unit] : by;

		/* All 48 bits can be written, because sources disagree about the width of some clocks. */
		counter.valid = f->control ? UM_SIM_BITS(47, 0) : 0;
		counter.access = f->control ? UM_SIM_RW : UM_SIM_RO;
		add_at(b, counter, p->num_general + i, f->counter, off);
		if (f->control)
			add_at(b, selector, p->num_general + i, f->control, off);
	}
	control.role = UM_SIM_ROLE_CONTROL;
	control.valid = um_sim_control(sim->family->style, l).valid;
	if (l->control)
		add_at(b, control, 0, l->control, by);
	plain.role = UM_SIM_ROLE_PLAIN;
	for (unsigned i = 0; i < l->num_plain; i++) {
		const struct um_sim_plain *r = &l->plain[i];

		plain.access = r->access;
		plain.valid = r->valid;
		add_at(b, plain, i, r->msr, r->apart ? unit * r->apart : by);
	}
}

static int add_pmu(struct uncoremsr_sim *sim, const struct um_sim_layout *l)
{
	struct um_sim_boxes *b = sim->boxes;
	struct um_sim_box_pmu *p;

	if (ARRAY_APPEND(b->pmus, b->num_pmus, (struct um_sim_box_pmu){ .layout = l }))
		return -ENOMEM;
	p = &b->pmus[b->num_pmus - 1];
	p->type = um_sim_box_type(sim->family, l->pmu);
	p->num_general = general_counters(sim, l);
	p->num_counters = p->num_general + (unsigned)l->num_fixed;
	p->num_units = l->max;
	for (unsigned unit = 0; unit < p->num_units; unit++)
		add_unit(sim, (unsigned)(b->num_pmus - 1), unit);
	return b->no_memory ? -ENOMEM : make_units(sim, p);
}

static int by_msr(const void *a, const void *b)
{
	uint32_t x = ((const struct um_sim_box_reg *)a)->msr, y = ((const struct um_sim_box_reg *)b)->msr;

	return (x > y) - (x < y);
}

static void tell_units(struct uncoremsr_sim *sim, const struct um_sim_box_pmu *p)
{
	const struct um_sim_box_reg *g = um_sim_box_global(sim->boxes, p->layout->tells);

	for (unsigned i = 0; g && i < sim->copies[g->scope].num; i++)
		g->value[i] = units_of(sim, p, sim->copies[g->scope].at[i].first_cpu);
}

int um_sim_boxes_create(struct uncoremsr_sim *sim)
{
	const struct um_sim_family *f = sim->family;
	struct um_sim_boxes *b = sim->boxes = calloc(1, sizeof(*b));
	int err = 0;

	if (!b || !f)
		return b ? 0 : -ENOMEM;
	if (f->global)
		add_global(sim, &(struct um_sim_plain){
			.msr = f->global, .valid = f->global_valid, .scope = f->scope });
	for (size_t i = 0; i < f->num_others; i++)
		add_global(sim, &f->others[i]);
	for (size_t i = 0; i < um_sim_num_layouts && !err; i++)
		if (um_sim_layouts[i].families & f->bit)
			err = add_pmu(sim, &um_sim_layouts[i]);
	b->frozen = calloc(sim->copies[f->scope].num, sizeof(*b->frozen));
	if (err || !b->frozen || b->no_memory)
		return -ENOMEM;
	if (b->num_regs)
		qsort(b->regs, b->num_regs, sizeof(*b->regs), by_msr);
	for (size_t i = 0; i < b->num_pmus; i++)
		tell_units(sim, &b->pmus[i]);
	return 0;
}

void um_sim_boxes_destroy(struct uncoremsr_sim *sim)
{
	struct um_sim_boxes *b = sim->boxes;

	if (!b)
		return;
	for (size_t i = 0; i < b->num_pmus; i++) {
		free(b->pmus[i].units);
		free(b->pmus[i].words);
		free(b->pmus[i].counters);
	}
	for (size_t i = 0; i < b->num_regs; i++)
		free(b->regs[i].value);
	free(b->pmus);
	free(b->regs);
	free(b->frozen);
	free(b);
}

const struct um_sim_box_reg *um_sim_box_find(const struct um_sim_boxes *b, uint32_t msr)
{
	const struct um_sim_box_reg key = { .msr = msr };

	return b->num_regs ? bsearch(&key, b->regs, b->num_regs, sizeof(key), by_msr) : NULL;
}

const struct um_sim_box_reg *um_sim_box_global(const struct um_sim_boxes *b, uint32_t msr)
{
	const struct um_sim_box_reg *r = um_sim_box_find(b, msr);

	return r && r->value ? r : NULL;
}

const struct um_sim_box_pmu *um_sim_box_pmu(const struct uncoremsr_sim *sim, const char *name)
{
	for (size_t i = 0; i < sim->boxes->num_pmus; i++)
		if (!strcmp(sim->boxes->pmus[i].layout->pmu, name))
			return &sim->boxes->pmus[i];
	return NULL;
}
