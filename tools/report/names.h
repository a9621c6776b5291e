/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interned strings: equal texts have the same pointer, until names_free(). */
#ifndef TOOL_REPORT_NAMES_H
#define TOOL_REPORT_NAMES_H

const char *name_of(const char *text);
const char *name_of_fmt(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * Demangle a name of C++ or Rust, as perf does: "foo::Bar<long>::work" for _ZN3foo3BarIlE4workEi. The result is
 * interned. If @name cannot be demangled, the result is the same text.
 */
const char *plain_name(const char *name);
void names_free(void);

#endif
