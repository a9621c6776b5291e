/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/memory.h"
#include "report/names.h"

void symbol_table_add(struct symbol_table *t, const struct symbol *s)
{
	struct symbol added = *s;

	if (added.sized && added.end <= added.start) {
		added.sized = false;
		added.end = 0;
	}
	added.order = (uint32_t)t->num;
	if (t->num == UINT32_MAX || ARRAY_APPEND(t->symbols, t->num, added))
		no_memory();
}

static int prefer(bool a, bool b)
{
	return a == b ? 0 : a ? -1 : 1;
}

/* Which of two symbols at the same address is used? As in perf, choose_best_symbol(). */
static int preference(const struct symbol *x, const struct symbol *y)
{
	size_t xlines = strspn(x->name, "_"), ylines = strspn(y->name, "_");
	size_t xlen = strlen(x->name), ylen = strlen(y->name);
	int order = prefer(x->end > x->start, y->end > y->start);

	if (!order)
		order = prefer(!x->weak, !y->weak);
	if (!order)
		order = prefer(x->global, y->global);
	if (!order && xlines != ylines)
		return xlines < ylines ? -1 : 1;
	if (!order && xlen != ylen)
		return xlen > ylen ? -1 : 1;
	return order;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* A symbol without a size ends at the next symbol. It is empty if both have the same address. */
static void find_ends(struct symbol_table *t)
{
	for (size_t i = 0; i < t->num; i++) {
		struct symbol *s = &t->symbols[i];
		uint64_t limit = s->end;

		if (s->sized)
			continue;
		s->end = i + 1 < t->num ? s[1].start : (s->start | 4095) + 1;
		if (limit && s->end > limit)
			s->end = limit;
	}
}

void symbol_table_finish(struct symbol_table *t)
{
	size_t num = 0;

	if (!t->num)
		return;
	qsort(t->symbols, t->num, sizeof(*t->symbols), by_address);
	find_ends(t);
	for (size_t i = 0; i < t->num; i++) {
		if (!num || t->symbols[num - 1].start != t->symbols[i].start)
			t->symbols[num++] = t->symbols[i];
		else if (preference(&t->symbols[i], &t->symbols[num - 1]) < 0)
			t->symbols[num - 1] = t->symbols[i];
	}
	t->num = num;
}

static struct symbol *find(const struct symbol_table *t, uint64_t address)
{
	size_t low = 0, high = t->num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < t->symbols[low - 1].end ? &t->symbols[low - 1] : NULL;
}

const char *symbol_table_name(const struct symbol_table *t, uint64_t address)
{
	struct symbol *s = find(t, address);

	if (!s)
		return NULL;
	if (!s->plain)
		s->name = plain_name(s->name);
	s->plain = true;
	return s->name;
}

void symbol_table_free(struct symbol_table *t)
{
	free(t->symbols);
	arena_free(&t->names);
	*t = (struct symbol_table){ .num = 0 };
}
