/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Demangled names of C++ and Rust. */
#ifndef TOOL_REPORT_PLAIN_NAME_H
#define TOOL_REPORT_PLAIN_NAME_H

/*
 * Demangle a name of C++ or Rust, without parameters and return type, as perf does: "foo::Bar<long>::work" for
 * _ZN3foo3BarIlE4workEi. The result is interned. It equals @name if that is not mangled or cannot be demangled here;
 * NULL: no memory.
 */
const char *plain_name(const char *name);

#endif
