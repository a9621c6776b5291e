/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --collisions: addresses that mean different things on different processors. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/memory.h"
#include "info/info.h"

/* A register of a processor. Registers are sorted by address, then by meaning (name and description). */
struct meaning {
	uint32_t msr;
	const char *name, *description;
	const char *uarch;
	size_t order; /* position of the processor in the tables */
	size_t num;   /* in the first register of a meaning: number of processors that have it */
};

/* The registers of all processors, and those of cores. */
static struct meaning *gather(struct uncoremsr *um, size_t *num)
{
	const struct uncoremsr_register *reg;
	const struct uncoremsr_uarch *u;
	struct meaning *all = NULL;
	size_t order = 0;

	do {
		u = uncoremsr_uarch(order);
		for (size_t i = 0; (reg = uncoremsr_register(um, u ? u->name : "core", i)); i++)
			if (ARRAY_APPEND(all, *num, (struct meaning){
					reg->address, reg->name, reg->description, u ? u->name : "core", order, 0 }))
				no_memory();
		order++;
	} while (u);
	return all;
}

/* Compare two meanings, which are equal if name and description are the same. */
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

/* The processors and the meaning: "nehalem, westmere: fixed counter" */
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

static const struct record_column columns[] = {
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
	record_head(&i->w, RECORD_COLUMNS(columns));
	for (size_t n = 0, end; n < num; n = end) {
		struct meaning *m = &all[n];

		end = n + 1;
		while (end < num && all[end].msr == m->msr && !compare_meaning(&all[end], m))
			end++;
		m->num = end - n;
		/* Does a neighbour have the same address, and so another meaning? */
		if ((n && all[n - 1].msr == m->msr) || (end < num && all[end].msr == m->msr))
			record_row(&i->w, RECORD_COLUMNS(columns), m);
	}
	free(all);
	return TOOL_DONE;
}
