/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which registers a machine made of boxes has: from the tables of its processor and its CPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/box.h"

/* ---- copies: packages, dies, nodes, caches, cores, CPUs ---- */

static bool same(const struct uncoremsr_sim *sim, enum um_scope scope, unsigned a, unsigned b)
{
	const struct um_sim_cpu *x = &sim->cpus[a], *y = &sim->cpus[b];
	bool die = x->package == y->package && x->die == y->die;

	switch (scope) {
	case UM_SCOPE_PACKAGE: return x->package == y->package;
	case UM_SCOPE_DIE: return die;
	case UM_SCOPE_NODE: return x->node == y->node && (x->node != UM_SIM_AS_DIE || die);
	case UM_SCOPE_L3: return x->l3 == y->l3 && (x->l3 != UM_SIM_AS_DIE || die);
	case UM_SCOPE_CORE: return x->core == y->core;
	case UM_SCOPE_CPU: break;
	}
	return a == b;
}

static void add_copy(const struct uncoremsr_sim *sim, struct um_sim_copies *c, unsigned cpu)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < c->num; i++)
		rank += c->at[i].package == sim->cpus[cpu].package;
	c->at[c->num] = (struct um_sim_copy) { sim->cpus[cpu].package, rank };
	c->of_cpu[cpu] = c->num++;
}

static int find_copies(const struct uncoremsr_sim *sim, struct um_sim_copies *c,
		       enum um_scope scope)
{
	c->at = calloc(sim->num_cpus, sizeof(*c->at));
	c->of_cpu = calloc(sim->num_cpus, sizeof(*c->of_cpu));
	if (!c->at || !c->of_cpu)
		return -ENOMEM;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		unsigned other = 0;

		if (!sim->cpus[cpu].present)
			continue;
		while (other < cpu && (!sim->cpus[other].present || !same(sim, scope, other, cpu)))
			other++;
		if (other < cpu)
			c->of_cpu[cpu] = c->of_cpu[other];
		else
			add_copy(sim, c, cpu);
	}
	return 0;
}

/* ---- registers ---- */

static int add_reg(struct um_sim_boxes *b, struct um_sim_box_reg reg)
{
	struct um_sim_box_reg *r = UM_SIM_APPEND(b->regs, b->num_regs);

	if (!r)
		return -ENOMEM;
	*r = reg;
	return 0;
}

static int add_global(struct um_sim_boxes *b, uint32_t msr, const struct um_reg *reg,
		      enum um_scope scope)
{
	struct um_sim_global *g;

	for (size_t i = 0; i < b->num_globals; i++)
		if (b->globals[i].msr == msr)
			return 0;
	g = UM_SIM_APPEND(b->globals, b->num_globals);
	if (!g)
		return -ENOMEM;
	*g = (struct um_sim_global) { .msr = msr, .reg = reg, .scope = scope };
	g->value = calloc(b->copies[scope].num, sizeof(*g->value));
	if (!g->value)
		return -ENOMEM;
	return add_reg(b, (struct um_sim_box_reg) { .msr = msr, .role = UM_SIM_ROLE_GLOBAL,
			  .index = (unsigned)(b->num_globals - 1), .reg = reg });
}

/* The global control is there whether a table tells or not. */
static int add_globals(struct um_sim_boxes *b)
{
	int err = 0;

	for (size_t i = 0; i < b->uarch->num_regs && !err; i++) {
		const struct um_reg *r = &b->uarch->regs[i];

		for (unsigned n = 0; n < r->count && !err; n++)
			err = add_global(b, r->msr + n * (r->step ? r->step : 1), r, r->scope);
	}
	if (!err && b->family->global)
		err = add_global(b, b->family->global, NULL, b->uarch->scope);
	return err;
}

static int add_row(struct um_sim_boxes *b, const struct um_reg *row, struct um_sim_box_reg at)
{
	const struct uncoremsr_pmu *pmu = b->pmus[at.pmu].pmu;
	unsigned first = at.index;
	int err = 0;

	for (unsigned n = 0; n < row->count && !err; n++) {
		at.msr = um_pmu_msr(pmu, row, at.unit, n);
		at.index = first + n;
		at.reg = row;
		err = add_reg(b, at);
	}
	return err;
}

static int add_gates(struct um_sim_boxes *b, unsigned index, unsigned unit)
{
	const struct uncoremsr_pmu *pmu = b->pmus[index].pmu;
	int err = 0;

	for (unsigned i = 0; i < pmu->num_gates && !err; i++) {
		const struct um_gate *g = &pmu->gates[i];

		if (g->of_unit)
			err = add_row(b, &g->reg, (struct um_sim_box_reg) {
					.role = UM_SIM_ROLE_CONTROL, .pmu = index, .unit = unit });
		else
			err = add_global(b, g->reg.msr, &g->reg, b->uarch->scope);
	}
	return err;
}

static int add_fixed(struct um_sim_boxes *b, unsigned index, unsigned unit)
{
	const struct uncoremsr_pmu *pmu = b->pmus[index].pmu;
	int err = 0;

	for (unsigned i = 0; i < pmu->num_fixed && !err; i++) {
		const struct um_fixed *f = &pmu->fixed[i];
		struct um_sim_box_reg at = { .role = f->control.msr ? UM_SIM_ROLE_FIXED_COUNTER :
			UM_SIM_ROLE_FREE_RUNNING, .pmu = index, .unit = unit,
			.index = b->pmus[index].num_general + i };

		err = add_row(b, &f->counter, at);
		if (err || !f->control.msr)
			continue;
		at.role = UM_SIM_ROLE_FIXED_CONTROL;
		at.index = i;
		err = add_row(b, &f->control, at);
	}
	return err;
}

static int add_plain(struct um_sim_boxes *b, unsigned index, unsigned unit)
{
	struct um_sim_pmu *p = &b->pmus[index];
	struct um_sim_box_reg at = { .role = UM_SIM_ROLE_PLAIN, .pmu = index, .unit = unit };
	int err = 0;

	for (size_t i = 0; i < p->pmu->num_extras && !err; i++) {
		err = add_row(b, &p->pmu->extras[i].reg, at);
		at.index += p->pmu->extras[i].reg.count;
	}
	for (size_t i = 0; i < p->pmu->num_others && !err; i++) {
		err = add_row(b, &p->pmu->others[i], at);
		at.index += p->pmu->others[i].count;
	}
	p->num_plain = at.index;
	return err;
}

static int add_unit(struct um_sim_boxes *b, unsigned index, unsigned unit)
{
	const struct um_sim_pmu *p = &b->pmus[index];
	struct um_sim_box_reg at = { .pmu = index, .unit = unit };
	int err = 0;

	for (at.index = 0; at.index < p->num_general && !err; at.index++) {
		at.role = UM_SIM_ROLE_SELECTOR;
		at.reg = &p->pmu->selector.reg;
		at.msr = um_pmu_msr(p->pmu, at.reg, unit, at.index);
		err = add_reg(b, at);
		at.role = UM_SIM_ROLE_COUNTER;
		at.reg = &p->pmu->counter;
		at.msr = um_pmu_msr(p->pmu, at.reg, unit, at.index);
		if (!err)
			err = add_reg(b, at);
	}
	if (!err)
		err = add_gates(b, index, unit);
	if (!err)
		err = add_fixed(b, index, unit);
	return err ? err : add_plain(b, index, unit);
}

static int add_pmu(struct uncoremsr_sim *sim, struct um_sim_boxes *b,
		   const struct uncoremsr_pmu *pmu)
{
	struct um_sim_pmu *p = UM_SIM_APPEND(b->pmus, b->num_pmus);
	unsigned index = (unsigned)(b->num_pmus - 1);
	int err;

	if (!p)
		return -ENOMEM;
	p->pmu = pmu;
	p->type = um_sim_box_type(b->family, pmu->name);
	p->num_general = um_sim_num_general(sim, pmu);
	p->num_units = pmu->units.max ? pmu->units.max : 1;
	err = pmu->units.from == UM_UNITS_MSR ?
		add_global(b, pmu->units.msr, NULL, pmu->scope) : 0;
	for (unsigned unit = 0; unit < p->num_units && !err; unit++)
		err = add_unit(b, index, unit);
	return err ? err : um_sim_units_make(sim, b, p);
}

/* By address; of one address the row that came first, globals before units. */
static int by_msr(const void *a, const void *b)
{
	const struct um_sim_box_reg *x = a, *y = b;

	if (x->msr != y->msr)
		return x->msr < y->msr ? -1 : 1;
	if ((x->role == UM_SIM_ROLE_GLOBAL) != (y->role == UM_SIM_ROLE_GLOBAL))
		return x->role == UM_SIM_ROLE_GLOBAL ? -1 : 1;
	return x->role != y->role ? (int)x->role - (int)y->role : (int)x->index - (int)y->index;
}

static void sort_regs(struct um_sim_boxes *b)
{
	size_t kept = 0;

	if (!b->num_regs)
		return;
	qsort(b->regs, b->num_regs, sizeof(*b->regs), by_msr);
	for (size_t i = 1; i < b->num_regs; i++)
		if (b->regs[i].msr != b->regs[kept].msr)
			b->regs[++kept] = b->regs[i];
	b->num_regs = kept + 1;
}

static int fill(struct uncoremsr_sim *sim, struct um_sim_boxes *b)
{
	int err = 0;

	for (unsigned s = 0; s <= UM_SCOPE_CPU && !err; s++)
		err = find_copies(sim, &b->copies[s], (enum um_scope)s);
	if (!err)
		err = add_globals(b);
	for (size_t i = 0; i < b->uarch->num_pmus && !err; i++)
		if (b->uarch->pmus[i].reach == UM_REACH_MSR)
			err = add_pmu(sim, b, &b->uarch->pmus[i]);
	if (err)
		return err;
	sort_regs(b);
	for (size_t i = 0; i < b->num_pmus; i++)
		um_sim_units_tell(sim, b, &b->pmus[i]);
	b->frozen = calloc(b->copies[b->uarch->scope].num + 1, sizeof(*b->frozen));
	return b->frozen ? 0 : -ENOMEM;
}

int um_sim_boxes_build(struct uncoremsr_sim *sim, struct um_error *e)
{
	struct um_sim_boxes *b;

	if (sim->uncore != UM_SIM_BOXES)
		return 0;
	b = calloc(1, sizeof(*b));
	if (!b)
		return -ENOMEM;
	sim->boxes = b;
	b->uarch = sim->uarch;
	b->family = um_sim_family(b->uarch->name);
	if (!b->family)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s: uncore: nobody has written down how '%s' behaves", sim->name,
			       b->uarch->name);
	return fill(sim, b);
}

void um_sim_boxes_free(struct uncoremsr_sim *sim)
{
	struct um_sim_boxes *b = sim->boxes;

	if (!b)
		return;
	for (size_t i = 0; i < b->num_pmus; i++)
		um_sim_units_free(b, &b->pmus[i]);
	for (size_t i = 0; i < b->num_globals; i++)
		free(b->globals[i].value);
	for (unsigned s = 0; s <= UM_SCOPE_CPU; s++) {
		free(b->copies[s].at);
		free(b->copies[s].of_cpu);
	}
	free(b->pmus);
	free(b->globals);
	free(b->regs);
	free(b->frozen);
	free(b);
	sim->boxes = NULL;
}

const struct um_sim_box_reg *um_sim_box_find(const struct um_sim_boxes *b, uint32_t msr)
{
	size_t low = 0, high = b->num_regs;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (b->regs[mid].msr < msr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < b->num_regs && b->regs[low].msr == msr ? &b->regs[low] : NULL;
}

int um_sim_box_pmu(const struct uncoremsr_sim *sim, const char *name)
{
	for (size_t i = 0; sim->boxes && i < sim->boxes->num_pmus; i++)
		if (!strcmp(sim->boxes->pmus[i].pmu->name, name))
			return (int)i;
	return -1;
}
