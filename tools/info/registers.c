/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --registers and --collisions: the registers of the tables. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/properties.h"
#include "info/info.h"

static const struct record_column columns[] = {
	{ "register", RECORD_WORD, RECORD_AT(uncoremsr_register, address), .width = -8 },
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_register, name), .width = -28 },
	{ "access", RECORD_STR, RECORD_AT(uncoremsr_register, access), .width = -10 },
	{ "scope", RECORD_STR, RECORD_AT(uncoremsr_register, scope), .width = -7 },
	{ "write_mask", RECORD_WORD, RECORD_AT(uncoremsr_register, write_mask), .all_ones = true, .width = -18 },
	{ "description", RECORD_STR, RECORD_AT(uncoremsr_register, description), .width = -60 },
	{ "source", RECORD_STR, RECORD_AT(uncoremsr_register, source) },
};

static int tell_why_none(struct uncoremsr *um, const char *uarch)
{
	const struct uncoremsr_machine *machine = uncoremsr_machine(um);
	const struct uncoremsr_uarch *known;
	char list[2048] = "";

	if (!uarch)
		return tool_say(TOOL_UNSUPPORTED, "no registers in the tables: %s",
				machine && machine->reason ? machine->reason : "unknown processor");
	for (size_t i = 0; (known = uncoremsr_uarch(i)); i++) {
		if (strcmp(known->name, uarch) == 0)
			return tool_say(TOOL_UNSUPPORTED, "--uarch: %s: known by name, but its uncore is not in the "
					"tables", uarch);
		if (known->tables)
			list_add(list, sizeof(list), ", ", known->name);
	}
	return tool_usage("--uarch: '%s': no such processor; there are tables for %s", uarch, list);
}

int info_registers(struct info *i)
{
	const struct uncoremsr_register *reg = uncoremsr_register(i->um, i->uarch, 0);

	if (!reg)
		return tell_why_none(i->um, i->uarch);
	if (records_for_people(&i->w))
		put_simulated(i->o, machine_simulated_name(i->um));
	record_head(&i->w, RECORD_COLUMNS(columns));
	for (size_t n = 0; (reg = uncoremsr_register(i->um, i->uarch, n)); n++)
		record_row(&i->w, RECORD_COLUMNS(columns), reg);
	return TOOL_DONE;
}

/* A register of a processor. Registers are sorted by address, then by meaning (name and description). */
struct meaning {
	uint32_t msr;
	const char *name, *description;
	const char *uarch;
	size_t order; /* position of the processor in the tables */
	size_t num;   /* number of processors with this meaning; set only in the first of them */
};

/* Collect the uncore registers of all processors, and the core registers. */
static struct meaning *gather(struct uncoremsr *um, size_t *num)
{
	const struct uncoremsr_register *reg;
	struct meaning *all = NULL;

	for (size_t order = 0;; order++) {
		const struct uncoremsr_uarch *u = uncoremsr_uarch(order);
		const char *name = u ? u->name : "core";

		for (size_t i = 0; (reg = uncoremsr_register(um, name, i)); i++)
			NEED_APPEND(all, *num, (struct meaning){ reg->address, reg->name, reg->description, name,
								 order, 0 });
		if (!u)
			return all;
	}
}

static int compare_meaning(const struct meaning *a, const struct meaning *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->description, b->description);
}

static int by_address_and_meaning(const void *a, const void *b)
{
	const struct meaning *x = a, *y = b;
	int order = (x->msr > y->msr) - (x->msr < y->msr);

	if (!order)
		order = compare_meaning(x, y);
	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static void put_processors(struct records *w, const char *name, const void *row)
{
	const struct meaning *m = row;

	record_open_list(w, name);
	for (size_t i = 0; i < m->num; i++)
		record_str(w, NULL, m[i].uarch);
	record_close(w);
}

/* Write all processors with this meaning, then the description: "nehalem, westmere: fixed counter". */
static enum record_state get_sentence(const void *row, struct record_value *v)
{
	const struct meaning *m = row;

	for (size_t i = 0; i < m->num; i++)
		out_fmt(v->scratch, "%s%s", i ? ", " : "", m[i].uarch);
	out_fmt(v->scratch, ": %s", m->description);
	return record_composed(v);
}

static bool for_people(const void *user)
{
	return records_for_people(&((const struct info *)user)->w);
}

static bool for_programs(const void *user)
{
	return !for_people(user);
}

static const struct record_column meanings[] = {
	{ "register", RECORD_WORD, RECORD_AT(meaning, msr), .width = -8 },
	{ "name", RECORD_STR, RECORD_AT(meaning, name), .width = -32 },
	{ "processors: description", RECORD_STR, get_sentence, .shown = for_people },
	{ "processors", RECORD_NESTED, .put = put_processors, .join = " ", .shown = for_programs },
	{ "description", RECORD_STR, RECORD_AT(meaning, description), .shown = for_programs },
};

int info_collisions(struct info *i)
{
	size_t num = 0;
	struct meaning *all = gather(i->um, &num);

	qsort(all, num, sizeof(*all), by_address_and_meaning);
	record_head(&i->w, RECORD_COLUMNS(meanings));
	for (size_t n = 0, end; n < num; n = end) {
		struct meaning *m = &all[n];

		end = n + 1;
		while (end < num && all[end].msr == m->msr && !compare_meaning(&all[end], m))
			end++;
		m->num = end - n;
		/* Write the meaning only if its address has several meanings. */
		if ((n && all[n - 1].msr == m->msr) || (end < num && all[end].msr == m->msr))
			record_row(&i->w, RECORD_COLUMNS(meanings), m);
	}
	free(all);
	return TOOL_DONE;
}
