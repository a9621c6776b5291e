/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Symbols of the kernel (/proc/kallsyms), and of programs that generate code while they run (perf-PID.map). */
#ifndef TOOL_REPORT_KALLSYMS_H
#define TOOL_REPORT_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/symbol_table.h"

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
