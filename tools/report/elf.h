/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ELF files: symbols and source lines, read with elfutils. In a build without it (make DW=no) no file has symbols. */
#ifndef TOOL_REPORT_ELF_H
#define TOOL_REPORT_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/symbol_table.h"
#include "uncoremsr/perf_data.h"

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

#endif
