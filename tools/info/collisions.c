/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --collisions: addresses that mean different things on different processors. */
#include <stdlib.h>
#include <string.h>

#include "info/info.h"

/* A register of a processor; those of one address stand together once sorted. */
struct place {
	const struct uncoremsr_register *reg;
	const char *uarch;
	size_t order; /* of the processor in the tables */
};

struct places {
	struct place *all;
	size_t num, size;
};

static bool add(struct places *p, const struct uncoremsr_register *reg, const char *uarch,
		size_t order)
{
	if (p->num == p->size) {
		size_t size = p->size ? 2 * p->size : 4096;
		struct place *grown = realloc(p->all, size * sizeof(*grown));

		if (!grown)
			return false;
		p->all = grown;
		p->size = size;
	}
	p->all[p->num++] = (struct place){ reg, uarch, order };
	return true;
}

static bool gather_uarch(struct uncoremsr *um, struct places *p, const char *uarch, size_t order)
{
	const struct uncoremsr_register *reg;

	for (size_t i = 0; (reg = uncoremsr_register(um, uarch, i)); i++)
		if (!add(p, reg, uarch, order))
			return false;
	return true;
}

static bool gather(struct uncoremsr *um, struct places *p)
{
	const char *uarch;
	size_t i;

	for (i = 0; (uarch = uncoremsr_uarch_name(i)); i++)
		if (!gather_uarch(um, p, uarch, i))
			return false;
	return gather_uarch(um, p, "core", i);
}

/* The same thing: name and text are those of the row, whichever processor has it. */
static int compare_meaning(const struct uncoremsr_register *a, const struct uncoremsr_register *b)
{
	int order = strcmp(uncoremsr_register_name(a), uncoremsr_register_name(b));

	return order ? order : strcmp(uncoremsr_register_desc(a), uncoremsr_register_desc(b));
}

static int by_address_and_meaning(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	uint32_t p = uncoremsr_register_msr(x->reg), q = uncoremsr_register_msr(y->reg);
	int order = (p > q) - (p < q);

	if (!order)
		order = compare_meaning(x->reg, y->reg);
	return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* Number of places from @from on with the same address, or with the same meaning too. */
static size_t run_of(const struct places *p, size_t from, bool meaning)
{
	size_t to = from + 1;

	while (to < p->num && uncoremsr_register_msr(p->all[to].reg) ==
				      uncoremsr_register_msr(p->all[from].reg) &&
	       (!meaning || !compare_meaning(p->all[to].reg, p->all[from].reg)))
		to++;
	return to - from;
}

static void write_heads(struct out *o, enum tool_format format)
{
	if (format == TOOL_CSV)
		out_str(o, "register,name,processors,description\n");
	else if (format == TOOL_TEXT)
		out_fmt(o, "%-8s  %-32s  %s\n", "register", "name", "processors: description");
}

/* "nehalem westmere" */
static void write_processors(struct out *o, const struct place *first, size_t num,
			     const char *between)
{
	for (size_t i = 0; i < num; i++) {
		out_str(o, i ? between : "");
		out_str(o, first[i].uarch);
	}
}

static void write_meaning(struct out *o, enum tool_format format, const struct place *first,
			  size_t num)
{
	const char *name = uncoremsr_register_name(first->reg);
	const char *desc = uncoremsr_register_desc(first->reg);
	uint32_t msr = uncoremsr_register_msr(first->reg);

	if (format == TOOL_JSON) {
		out_fmt(o, "{\"register\":\"0x%x\",\"name\":", msr);
		out_json_str(o, name);
		out_str(o, ",\"processors\":[\"");
		write_processors(o, first, num, "\",\"");
		out_str(o, "\"],\"description\":");
		out_json_str(o, desc);
		out_str(o, "}\n");
	} else if (format == TOOL_CSV) {
		out_fmt(o, "0x%x,%s,", msr, name);
		write_processors(o, first, num, " ");
		out_char(o, ',');
		out_csv_str(o, desc);
		out_char(o, '\n');
	} else {
		out_fmt(o, "0x%-6x  %-32s  ", msr, name);
		write_processors(o, first, num, ", ");
		out_fmt(o, ": %s\n", desc);
	}
}

int info_write_collisions(struct uncoremsr *um, struct out *o, enum tool_format format)
{
	struct places p = { NULL, 0, 0 };

	if (!gather(um, &p)) {
		free(p.all);
		return tool_say(&info_tool, TOOL_UNSUPPORTED, "out of memory");
	}
	qsort(p.all, p.num, sizeof(*p.all), by_address_and_meaning);
	write_heads(o, format);
	for (size_t i = 0; i < p.num;) {
		size_t here = run_of(&p, i, false), end = i + here;
		bool several = run_of(&p, i, true) < here;

		for (; i < end; i += run_of(&p, i, true))
			if (several)
				write_meaning(o, format, &p.all[i], run_of(&p, i, true));
	}
	free(p.all);
	return TOOL_DONE;
}
