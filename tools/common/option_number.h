/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parse the number that an option takes, and warn if users may have meant another one (see doubt.h). */
#ifndef TOOL_OPTION_NUMBER_H
#define TOOL_OPTION_NUMBER_H

#include <stdint.h>

/* Each returns 0, or TOOL_USAGE after saying what is wrong with @arg. @option is its name in messages: "--count". */
int option_number(const char *option, const char *arg, uint64_t min, uint64_t max, uint64_t *value);
/* As option_number(), for a code or register word, which people write in hexadecimal. */
int option_code(const char *option, const char *arg, uint64_t max, uint64_t *value);
/* Seconds as number_parse_seconds() takes them. */
int option_seconds(const char *option, const char *arg, uint64_t *ns);

#endif
