/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "machine/thermal_gates.h"
#include "names/catalogue.h"
#include "uarch/thermal.h"

#define PLATFORM "platform"
#define PLATFORM_OF PLATFORM ":"

struct listed {
	struct uncoremsr_register pub;
	char name[48];
};

/* The registers of one processor, sorted by address. */
struct um_register_list {
	const struct um_uarch *uarch;  /* NULL: platform registers */
	const char *part;
	struct listed *regs;
	size_t num;
	bool no_memory;                /* the list is incomplete, because memory ran out */
};

const char *um_scope_word(enum um_scope scope)
{
	static const char words[][8] = {
		[UM_SCOPE_PACKAGE] = "package", [UM_SCOPE_DIE] = "die", [UM_SCOPE_NODE] = "node",
		[UM_SCOPE_L3] = "l3", [UM_SCOPE_CORE] = "core", [UM_SCOPE_CPU] = "cpu",
	};

	return words[scope];
}

/* Set the register's counter (-1: none or several) and the bits that enable interrupts. */
static void put_counter(struct uncoremsr_register *pub, const struct um_reg_place *at)
{
	const struct um_pmu *pmu = at->pmu;
	bool is_selector = pmu && at->reg == &pmu->selector->reg, several = false;

	pub->counter = -1;
	pub->interrupts = is_selector ? pmu->selector->pmi : 0;
	for (unsigned i = 0; pmu && i < pmu->num_fixed; i++) {
		const struct um_fixed *f = &pmu->fixed[i];
		bool controls = f->control.msr == at->reg->msr;

		several |= controls && pub->counter >= 0;
		/* Fixed counters may share their control register. */
		pub->interrupts |= controls ? f->pmi : 0;
		if (controls || at->reg == &f->counter)
			pub->counter = several ? -1 : (int)(UNCOREMSR_FIXED_COUNTERS + i);
	}
	if (is_selector || (pmu && (at->reg == pmu->counter || at->reg == pmu->counter_alias)))
		pub->counter = (int)at->index;
}

/* Bits per counter in a register shared by several counters; 0: another register, or an irregular layout. */
static int counter_bits(const struct um_uarch *u, const struct um_reg *reg)
{
	for (size_t i = 0; u && i < u->num_pmus; i++) {
		const struct um_pmu *pmu = &u->pmus[i];

		for (const struct um_gate *g = pmu->gates; g < pmu->gates + pmu->num_gates; g++)
			if (g->per_counter && !g->bit0 && g->fixed_bit0 == UNCOREMSR_FIXED_COUNTERS &&
			    (reg == &g->reg || reg == pmu->overflow))
				return 1;
		if (pmu->num_fixed > 1 && reg->msr == pmu->fixed[0].control.msr &&
		    reg->msr == pmu->fixed[1].control.msr)
			return __builtin_ctzll(pmu->fixed[1].enable);
	}
	return 0;
}

/* Do all units have their gate (global enable) at this address? */
static bool enables_all(const struct um_uarch *u, uint32_t msr)
{
	for (size_t i = 0; u && i < u->num_pmus; i++) {
		const struct um_pmu *pmu = &u->pmus[i];

		for (unsigned k = 0; k < pmu->num_gates; k++)
			if (!pmu->gates[k].of_unit && pmu->gates[k].reg.msr == msr)
				return true;
	}
	return false;
}

/*
 * The fields of a register by bit number: in the tables, fields that several registers share come first. NULL: out of
 * memory.
 */
static const struct uncoremsr_field **make_fields(const struct um_field *first)
{
	struct uncoremsr_field **list;
	size_t all = 0, num = 0;

	while (*first[all].name)
		all++;
	list = array_of_structs(all, sizeof(**list));
	for (unsigned bit = 0; list && num < all; bit++)
		for (const struct um_field *f = first; *f->name; f++)
			if (f->shift == bit)
				*list[num++] = (struct uncoremsr_field){
					.size = sizeof(**list), .name = f->name, .description = f->desc,
					.shift = f->shift, .width = f->width, .mask = um_field_mask(f),
				};
	return (const struct uncoremsr_field **)list;
}

static int add_one(void *user, const struct um_reg_place *at)
{
	static const char accesses[][24] = {
		[UM_REG_RW] = "read/write", [UM_REG_RO] = "read only", [UM_REG_WO] = "write only",
		[UM_REG_W1C] = "read, write 1 to clear",
	};
	struct um_register_list *list = user;
	const struct um_uarch *u = list->uarch;
	const struct um_reg *reg = at->reg;
	const struct uncoremsr_field **fields = make_fields(um_reg_fields(reg));
	struct listed *to;

	if (!fields || ARRAY_ROOM(list->regs, list->num, 1)) {
		free(fields);
		list->no_memory = true;
		return -ENOMEM;
	}
	to = &list->regs[list->num++];
	um_reg_name(at, to->name, sizeof(to->name));
	to->pub = (struct uncoremsr_register){
		.size = sizeof(to->pub), .description = reg->desc, .access = accesses[reg->access],
		.scope = um_scope_word(reg->scope), .source = reg->source, .pmu = at->pmu ? at->pmu->name : NULL,
		.part = list->part, .address = um_place_msr(at),
		.is_selector = at->pmu && reg == &at->pmu->selector->reg,
		.enables_all = !at->pmu && enables_all(u, um_place_msr(at)),
		.full_width = at->pmu && reg == at->pmu->counter_alias,
		.write_mask = reg->write_mask, .valid = reg->valid, .reads_zero = reg->reads_zero,
		.counter_bits = counter_bits(u, reg),
		.fields = fields,
	};
	put_counter(&to->pub, at);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	return (x->pub.address > y->pub.address) - (x->pub.address < y->pub.address);
}

static void sort(struct um_register_list *list)
{
	if (list->num)
		qsort(list->regs, list->num, sizeof(list->regs[0]), by_address);
	for (size_t i = 0; i < list->num; i++)
		list->regs[i].pub.name = list->regs[i].name;
}

/* Add a model's platform registers. @thermal: only those that show throttling and that the machine has (@gates). */
static void add_platform(struct um_register_list *list, const struct um_thermal_model *model, bool thermal, unsigned gates)
{
	const struct um_thermal_reg *row;

	list->part = PLATFORM;
	for (size_t i = 0; (row = um_thermal_reg_of(model, i)); i++)
		if (!thermal || (row->role < UM_NUM_ROLES && !(row->gates & ~gates)))
			add_one(list, &(struct um_reg_place){ .reg = &row->reg });
	sort(list);
}

static void fill_uarch(void *registers, const void *of)
{
	struct um_register_list *list = registers;

	list->uarch = of;
	list->part = of == &um_core_registers ? um_core_registers.name : "uncore";
	um_regs_each(of, add_one, list);
	sort(list);
}

static void fill_platform(void *list, const void *of)
{
	add_platform(list, of, false, 0);
}

static void fill_thermal(void *list, const void *of)
{
	const struct um_machine *m = of;
	const struct um_thermal_model *model = um_thermal_find(m->id.vendor, m->id.family, m->id.model);

	add_platform(list, model, true, um_machine_gates(m, model));
}

/* List the platform registers of all models with the name of the model @of. */
static void fill_platform_named(void *list, const void *of)
{
	struct um_thermal_model any = { .has = 0 };

	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_model *m = &um_models[i];
		const struct um_thermal_model *t = um_thermal_find(m->vendor, m->family, m->model_first);

		if (t && strcmp(m->name, ((const struct um_model *)of)->name) == 0)
			any.has |= t->has;
	}
	add_platform(list, &any, false, 0);
}

static void drop(void *list, size_t num)
{
	struct um_register_list *l = list;

	(void)num;
	for (size_t i = 0; i < l->num; i++)
		free((void *)l->regs[i].pub.fields);
	free(l->regs);
	*l = (struct um_register_list){ .num = 0 };
}

/* The list lives as long as the handle, because users have pointers into it. */
static const struct um_register_list *find_list(struct uncoremsr *um, const void *of,
						void (*fill)(void *list, const void *of))
{
	struct um_register_list *list = um_records(um->names, of, 1, sizeof(*list), fill, drop);

	/* Try again, because an earlier call ran out of memory. */
	if (list && list->no_memory) {
		drop(list, 1);
		fill(list, of);
	}
	if (list && !list->no_memory)
		return list;
	um_no_memory(&um->error);
	return NULL;
}

static const struct um_register_list *list_of(struct uncoremsr *um, const char *uarch)
{
	const struct um_identity *id = &um->m.id;
	const void *of;

	if (uarch && (strcmp(uarch, "thermal") == 0 || strcmp(uarch, PLATFORM) == 0)) {
		of = um_thermal_find(id->vendor, id->family, id->model);
		if (of && *uarch == 't')
			return find_list(um, &um->m, fill_thermal);
		return of ? find_list(um, of, fill_platform) : NULL;
	}
	if (uarch && strncmp(uarch, PLATFORM_OF, strlen(PLATFORM_OF)) == 0) {
		of = um_model_named(uarch + strlen(PLATFORM_OF));
		return of ? find_list(um, of, fill_platform_named) : NULL;
	}
	of = uarch ? um_uarch_find(uarch) : um->m.model ? um->m.model->uarch : NULL;
	return of ? find_list(um, of, fill_uarch) : NULL;
}

const struct uncoremsr_register *uncoremsr_register(struct uncoremsr *um, const char *uarch, size_t index)
{
	const struct um_register_list *list = um ? list_of(um, uarch) : NULL;

	return list && index < list->num ? &list->regs[index].pub : NULL;
}

const struct uncoremsr_collision *uncoremsr_collision(uint32_t msr, size_t index)
{
	for (size_t i = 0; i < um_num_collisions; i++)
		if (msr >= um_collisions[i].first && msr <= um_collisions[i].last && !index--)
			return &um_collisions[i];
	return NULL;
}

const struct uncoremsr_uarch *uncoremsr_uarch(size_t index)
{
	/* Return each name once; models with the same name need not be adjacent. */
	for (size_t i = 0; i < um_num_models; i++) {
		const char *name = um_models[i].name;
		size_t before = 0;

		/* Callers get all names in turn, so speed matters: call strcmp() only if the first letter is equal. */
		while (*um_models[before].name != *name || strcmp(um_models[before].name, name))
			before++;
		if (before == i && index-- == 0)
			return &um_models[i].shown;
	}
	return NULL;
}
