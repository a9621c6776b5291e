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
	uint64_t end;          /* before symbol_table_finish(), without @sized: upper limit of the end; 0 if unknown */
	const char *name;
	uint32_t order;        /* order in which the symbol was added */
	bool sized;            /* the size is known; otherwise the symbol ends at the next symbol */
	bool weak, global;
	bool plain;            /* the name is interned and demangled */
};

struct symbol_table {
	struct symbol *symbols; /* after symbol_table_finish() sorted by address */
	size_t num;
	struct arena names;    /* copies of names, so that they live as long as the table */
};

/* Add a copy of @s with its order set. The name must live as long as the table. start == end: the size is unknown. */
void symbol_table_add(struct symbol_table *t, const struct symbol *s);
void symbol_table_finish(struct symbol_table *t);
/* The name of the symbol at an address, demangled and interned; NULL if there is none. */
const char *symbol_table_name(const struct symbol_table *t, uint64_t address);
void symbol_table_free(struct symbol_table *t);

/* ---- elf_dwfl.c: ELF files, read with elfutils. If built without elfutils (make DW=no), no file has symbols. ---- */

struct Elf; /* of libelf */
struct elf;

/*
 * Open an ELF file with this build id. If @size is 0, any build id is accepted. @root: prefix of the folders with
 * separate debug files, "" or --symfs. NULL: no such file, no ELF file, or another build id.
 */
struct elf *elf_open(const char *path, const char *root, const unsigned char *id, size_t size);
void elf_close(struct elf *e);
/* Add symbols of functions, data and jump tables, with the file's addresses. The table must not outlive the file. */
void elf_symbols(struct elf *e, struct symbol_table *t);
/*
 * jump_table.c: add a symbol "NAME@plt" for each entry of the jump tables (PLT) through which a program calls library
 * functions, or "@plt" if the function has no name. For processors other than x86-64 nothing is added.
 */
void jump_table_symbols(struct Elf *file, struct symbol_table *t);
bool elf_address(const struct elf *e, uint64_t offset, uint64_t *address);
/* The source line of an address, "file.c:12" (interned); NULL: unknown. */
const char *elf_line(struct elf *e, uint64_t address);

/* ---- kallsyms.c: the kernel (/proc/kallsyms), and programs that generate code (perf-PID.map) ---- */

/*
 * Read the symbols of @module ("[ext4]"), or of the kernel itself, from lines "ADDRESS TYPE NAME [MODULE]" of @path.
 * Returns the address of _text; 0 if there is no such file, or if its addresses are hidden.
 */
uint64_t kallsyms_read(const char *path, const char *module, struct symbol_table *t);
/* Find the address of a module in /proc/modules. False: the module is not loaded. */
bool kallsyms_module(const char *module, uint64_t *start);
/* Read the build id of the running kernel. Returns its size; 0 if unknown. */
size_t kallsyms_build_id(unsigned char *id, size_t size);
/* Read the lines "START SIZE NAME" of a file. It is ignored unless it belongs to @owner or root. */
void kallsyms_program(const char *path, uint32_t owner, struct symbol_table *t);

#endif
