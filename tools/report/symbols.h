/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Symbols of ELF files, of the kernel, and of programs that generate code while they run. */
#ifndef TOOL_REPORT_SYMBOLS_H
#define TOOL_REPORT_SYMBOLS_H

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

/* Symbols, sorted by address. */
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

/* ---- elf_dwfl.c: ELF files, read with elfutils. In a build without it (make DW=no) no file has symbols. ---- */

struct Elf; /* of libelf */
struct elf;

/*
 * Open a file with this build id (@size 0: with any). @root: root of the folders with separate debug files, "" or
 * --symfs. NULL: there is none, it has another build id, or it is no ELF file.
 */
struct elf *elf_open(const char *path, const char *root, const unsigned char *id, size_t size);
void elf_close(struct elf *e);
/*
 * Add functions, data and entries of jump tables, with their addresses in the file. The table must not outlive the
 * file.
 */
void elf_symbols(struct elf *e, struct symbol_table *t);
/*
 * jump_table.c: jump tables (PLT), through which a program calls the functions of its libraries; ELF files have no
 * symbols for them. Add "NAME@plt" for each entry, or "@plt" if the function has no name. Only for x86-64; for other
 * processors nothing is added.
 */
void jump_table_symbols(struct Elf *file, struct symbol_table *t);
/* Convert an offset in the file to an address. */
bool elf_address(const struct elf *e, uint64_t offset, uint64_t *address);
/* The source line of an address, "file.c:12" (interned); NULL: unknown. */
const char *elf_line(struct elf *e, uint64_t address);

/* ---- kallsyms.c: the kernel (/proc/kallsyms), and programs that generate code (perf-PID.map) ---- */

/*
 * Read the symbols of @module ("[ext4]"), or of the kernel itself, from lines "ADDRESS TYPE NAME [MODULE]" of @path.
 * Returns the address of _text; 0 if there is no such list, or if it hides addresses.
 */
uint64_t kallsyms_read(const char *path, const char *module, struct symbol_table *t);
/* Find the address of a module in /proc/modules; false: it is not loaded. */
bool kallsyms_module(const char *module, uint64_t *start);
/* Read the build id of the running kernel. Returns its size; 0: unknown. */
size_t kallsyms_build_id(unsigned char *id, size_t size);
/* Read lines "START SIZE NAME" of a file, if there is one and it belongs to @owner or to root. */
void kallsyms_program(const char *path, uint32_t owner, struct symbol_table *t);

#endif
