/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --collisions: addresses that mean different things on different processors. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "info/info.h"

/* A register of a processor; sorting brings those with the same address together. */
struct place {
	const struct uncoremsr_register *reg;
	const char *uarch;
	size_t order; /* position of the processor in the tables */
};

struct places {
	struct place *all;
	size_t num;
};

static bool gather_uarch(struct uncoremsr *um, struct places *p, const char *uarch, size_t order)
{
	const struct uncoremsr_register *reg;

	for (size_t i = 0; (reg = uncoremsr_register(um, uarch, i)); i++)
		if (ARRAY_APPEND(p->all, p->num, (struct place){ reg, uarch, order }))
			return false;
	return true;
}

static bool gather(struct uncoremsr *um, struct places *p)
{
	const struct uncoremsr_uarch *u;
	size_t i;

	for (i = 0; (u = uncoremsr_uarch(i)); i++)
		if (!gather_uarch(um, p, u->name, i))
			return false;
	return gather_uarch(um, p, "core", i);
}

/* Compare the meanings of two registers. They are equal if name and description are the same, on any processors. */
static int compare_meaning(const struct uncoremsr_register *a, const struct uncoremsr_register *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->description, b->description);
}

static int by_address_and_meaning(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	uint32_t p = x->reg->address, q = y->reg->address;
	int order = (p > q) - (p < q);

	if (!order)
		order = compare_meaning(x->reg, y->reg);
	return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* Number of entries from @from on that have the same address, and if @meaning also the same meaning. */
static size_t run_of(const struct places *p, size_t from, bool meaning)
{
	size_t to = from + 1;

	while (to < p->num && p->all[to].reg->address == p->all[from].reg->address &&
	       (!meaning || !compare_meaning(p->all[to].reg, p->all[from].reg)))
		to++;
	return to - from;
}

/* ---- a meaning of an address, with the processors that have it ---- */

struct meaning {
	uint32_t msr;
	const char *name, *description;
	const struct place *first;
	size_t num;
};

static void put_processors(struct records *w, const char *name, const void *row)
{
	const struct meaning *m = row;

	record_open_list(w, name);
	for (size_t i = 0; i < m->num; i++)
		record_str(w, NULL, m->first[i].uarch);
	record_close(w);
}

/* The processors and the meaning: "nehalem, westmere: fixed counter" */
static enum record_state get_sentence(const void *row, struct record_value *v)
{
	const struct meaning *m = row;

	for (size_t i = 0; i < m->num; i++)
		out_fmt(v->scratch, "%s%s", i ? ", " : "", m->first[i].uarch);
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
	struct places p = { NULL, 0 };

	if (!gather(i->um, &p)) {
		free(p.all);
		return tool_no_memory();
	}
	qsort(p.all, p.num, sizeof(*p.all), by_address_and_meaning);
	record_head(&i->w, RECORD_COLUMNS(columns));
	for (size_t n = 0; n < p.num;) {
		size_t here = run_of(&p, n, false), end = n + here;
		bool several = run_of(&p, n, true) < here;

		while (n < end) {
			const struct uncoremsr_register *reg = p.all[n].reg;
			struct meaning m = {
				reg->address, reg->name, reg->description, &p.all[n], run_of(&p, n, true),
			};

			if (several)
				record_row(&i->w, RECORD_COLUMNS(columns), &m);
			n += m.num;
		}
	}
	free(p.all);
	return TOOL_DONE;
}
