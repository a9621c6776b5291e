/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table of symbols, sorted by address. */
#ifndef TOOL_REPORT_SYMBOL_TABLE_H
#define TOOL_REPORT_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t start, end;
	uint64_t limit;        /* latest possible end, if the size is unknown */
	size_t order;          /* order in which the symbol was added */
	const char *name;      /* interned */
	const char *plain;     /* demangled name; NULL: not asked for yet */
	bool weak, global;
};

struct symbol_table {
	struct symbol *symbols;
	size_t num;
};

/*
 * Add @s, except its order, which is set here. If @end is not above @start, the symbol ends where the next one starts.
 * 0 or -ENOMEM.
 */
int symbol_table_add(struct symbol_table *t, const struct symbol *s);
/* Call this when all symbols have been added. */
void symbol_table_finish(struct symbol_table *t);
/* Find the symbol at an address; NULL: there is none. */
struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);
void symbol_table_free(struct symbol_table *t);

#endif
