/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Jump tables (PLT), through which a program calls the functions of its libraries; ELF files have no symbols for them.
 */
#ifndef TOOL_REPORT_JUMP_TABLE_H
#define TOOL_REPORT_JUMP_TABLE_H

#include <libelf.h>

#include "report/symbol_table.h"

/*
 * Add "NAME@plt" for each entry of the tables of @file, or "@plt" if the function has no name. Only for x86-64; for
 * other processors nothing is added. 0 or -ENOMEM.
 */
int jump_table_symbols(Elf *file, struct symbol_table *t);

#endif
