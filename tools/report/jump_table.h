/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Jump tables (PLT), through which a program calls the functions of its libraries. They have no symbols. */
#ifndef TOOL_REPORT_JUMP_TABLE_H
#define TOOL_REPORT_JUMP_TABLE_H

#include <libelf.h>

#include "report/symbol_table.h"

/*
 * Adds "NAME@plt" for each entry of the tables of @file, or "@plt" where the function has no name there. Knows the
 * tables of x86-64; from others nothing is added. 0 or -ENOMEM.
 */
int jump_table_symbols(Elf *file, struct symbol_table *t);

#endif
