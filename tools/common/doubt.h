/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers that may not mean what was meant: a forgotten 0x, a leading zero that is not octal. */
#ifndef TOOL_DOUBT_H
#define TOOL_DOUBT_H

#include <stdbool.h>

#include "common/options.h"

/* Says on stderr what was understood. @code: a code or word, which people write in hexadecimal. */
void doubt_number(const struct tool *tool, const char *option, const char *text, bool code);
/* Of each number in a list ("0,1", "04-07"). */
void doubt_list(const struct tool *tool, const char *option, const char *text);
/* The same of the numbers in events: bare words, EVENT:UMASK, and values of terms. */
void doubt_events(const struct tool *tool, const char *option, const char *text);
/* Of the keys of a machine, whose numbers are decimal. */
void doubt_machine(const struct tool *tool, const char *option, const char *text);

#endif
