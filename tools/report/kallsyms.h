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
 * @text becomes the address of _text; 0 if the list hides addresses. 0 or -ENOMEM.
 */
int kallsyms_read(const char *path, const char *module, struct symbol_table *t, uint64_t *text);
/* Find the address of a module in /proc/modules; false: it is not loaded. */
bool kallsyms_module(const char *module, uint64_t *start);
/* Read the build id of the running kernel. Returns its size; 0: unknown. */
size_t kallsyms_build_id(unsigned char *id, size_t size);
/*
 * Read lines "START SIZE NAME" of a file, which must belong to @owner or to root. 0 or -ENOMEM; it is no error if there
 * is no such file.
 */
int kallsyms_program(const char *path, uint32_t owner, struct symbol_table *t);

#endif
