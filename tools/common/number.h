/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers on the command line, parsed strictly and the same in every locale. On failure @why (NULL, or NUMBER_WHY_SIZE
 * bytes) gets the offending part and what is wrong with it, for a message that begins with the name of the option.
 * Numbers that users often mistype cause a warning.
 */
#ifndef TOOL_NUMBER_H
#define TOOL_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_WHY_SIZE 160

/* Parse a number from @min to @max: decimal, or hexadecimal after 0x. */
bool number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *value, char *why);
/* Parse seconds (a microsecond to 10^9 s): a decimal number with optional fraction and unit (s, ms, us). *ns: in ns. */
bool number_parse_seconds(const char *text, uint64_t *ns, char *why);

/*
 * If the number may be mistyped (0x is missing, or there is a leading zero, which is not octal here), print on stderr
 * how it was understood. @code is set for a code or register word, which people write in hexadecimal.
 */
void doubt_number(const char *option, const char *text, bool code);
/* As doubt_number(), for each number in a list ("0,1", "04-07"). */
void doubt_list(const char *option, const char *text);
/* As doubt_number(), for the numbers in events: bare words, EVENT:UMASK, and values of terms. */
void doubt_events(const char *option, const char *text);
/* As doubt_number(), for the values of keys in the argument of --machine, which are decimal. */
void doubt_machine(const char *option, const char *text);

/*
 * Parse the number that an option takes, and warn if users may have meant another one. Each returns 0, or TOOL_USAGE
 * after saying what is wrong with @arg. @option is its name in messages: "--count".
 */
int option_number(const char *option, const char *arg, uint64_t min, uint64_t max, uint64_t *value);
/* As option_number(), for a code or register word, which people write in hexadecimal. */
int option_code(const char *option, const char *arg, uint64_t max, uint64_t *value);
/* As option_number(), for seconds as in number_parse_seconds(). */
int option_seconds(const char *option, const char *arg, uint64_t *ns);

#endif
