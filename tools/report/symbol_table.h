/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table of symbols, sorted by address. */
#ifndef TOOL_REPORT_SYMBOL_TABLE_H
#define TOOL_REPORT_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"

struct symbol {
	uint64_t start;
	uint64_t end;          /* if the size is unknown: the latest possible end, or 0 if that is unknown */
	const char *name;
	uint32_t order;        /* order in which the symbol was added */
	bool sized;            /* the size is known; else the symbol ends where the next one starts */
	bool weak, global;
	bool plain;            /* the name is interned, and demangled */
};

struct symbol_table {
	struct symbol *symbols;
	size_t num;
	struct arena names;    /* for names that would not live as long as the table */
};

/*
 * Add @s, except its order, which this function sets. The name must live as long as the table. If the symbol ends where
 * it begins, its size counts as unknown.
 */
void symbol_table_add(struct symbol_table *t, const struct symbol *s);
/* Call this when all symbols have been added. */
void symbol_table_finish(struct symbol_table *t);
/* The name of the symbol at an address, demangled and interned; NULL: there is none. */
const char *symbol_table_name(const struct symbol_table *t, uint64_t address);
void symbol_table_free(struct symbol_table *t);

#endif
