/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of uncore-info share: the same facts for people, for programs, and the tables. */
#ifndef TOOL_INFO_H
#define TOOL_INFO_H

#include "options.h"
#include "output.h"
#include "uncoremsr.h"

enum { INFO_REGISTERS = TOOL_LONG, INFO_UARCH };

extern const struct tool info_tool;

/* The PMU whose counters are described, or NULL. */
const struct uncoremsr_pmu *info_pmu(const struct uncoremsr *um);
/* "ready", "missing", ... */
const char *info_driver_word(enum uncoremsr_driver_state state);
const char *info_counter_word(enum uncoremsr_counter_state state);

void info_write_fields(struct uncoremsr *um, struct out *o, bool json);
void info_write_text(struct uncoremsr *um, struct out *o);
/* Every register of processor @uarch (NULL: this machine's). Returns the exit status. */
int info_write_registers(struct uncoremsr *um, struct out *o, enum tool_format format,
			 const char *uarch);

#endif
