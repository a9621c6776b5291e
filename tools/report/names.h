/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interned strings: equal texts have the same pointer, until names_free(). */
#ifndef TOOL_REPORT_NAMES_H
#define TOOL_REPORT_NAMES_H

/* The stored copy of a text; NULL: no memory. */
const char *name_of(const char *text);
const char *name_of_fmt(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void names_free(void);

#endif
