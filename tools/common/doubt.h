/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Warnings about numbers that users often mistype: a forgotten 0x, a leading zero (which is not octal here). */
#ifndef TOOL_DOUBT_H
#define TOOL_DOUBT_H

#include <stdbool.h>

#include "common/options.h"

/*
 * Print on stderr how the number was understood. @code: it is a code or register word, which people write in
 * hexadecimal.
 */
void doubt_number(const char *option, const char *text, bool code);
/* As doubt_number(), for each number in a list ("0,1", "04-07"). */
void doubt_list(const char *option, const char *text);
/* As doubt_number(), for the numbers in events: bare words, EVENT:UMASK, and values of terms. */
void doubt_events(const char *option, const char *text);
/* As doubt_number(), for the values of keys in the argument of --machine, which are decimal. */
void doubt_machine(const char *option, const char *text);

#endif
