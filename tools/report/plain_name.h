/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of C++ as a person writes them. */
#ifndef TOOL_REPORT_PLAIN_NAME_H
#define TOOL_REPORT_PLAIN_NAME_H

/*
 * "foo::Bar<long>::work" for _ZN3foo3BarIlE4workEi, without parameters and what it returns, as perf
 * shows it. Interned; @name itself, which has to be, if it is no such name, or nobody can tell here.
 * NULL: no memory.
 */
const char *plain_name(const char *name);

#endif
