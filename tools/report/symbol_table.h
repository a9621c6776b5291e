/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of addresses. */
#ifndef TOOL_REPORT_SYMBOL_TABLE_H
#define TOOL_REPORT_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t start, end;
	uint64_t limit;        /* where it ends at the latest, if its size is unknown */
	size_t order;          /* in which it was added */
	const char *name;      /* interned */
	const char *plain;     /* the same for people, once that was asked for; else NULL */
	bool weak, global;
};

struct symbol_table {
	struct symbol *symbols;
	size_t num;
};

/* @s: what is known but for its order, with any name. @end not behind @start: up to the next one. 0 or -ENOMEM. */
int symbol_table_add(struct symbol_table *t, const struct symbol *s);
/* Nothing is added any more. */
void symbol_table_finish(struct symbol_table *t);
/* NULL: nothing has that address. */
struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);
void symbol_table_free(struct symbol_table *t);

#endif
