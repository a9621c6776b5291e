/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The installed copy of the vendor's lists. */
#ifndef TOOL_INSTALLED_LISTS_H
#define TOOL_INSTALLED_LISTS_H

#include <stdbool.h>

#include "uncoremsr.h"

/* Path of the installed copy: the environment variable UNCOREMSR_EVENTS, else the library's path. */
const char *installed_lists_place(void);
/*
 * Call @add; if the name is unknown, load the copy and call @add again, unless *tried is set: the copy was tried before,
 * or the user named other lists. Prints nothing.
 */
int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s,
			int (*add)(struct uncoremsr_session *s, const char *text), const char *text, bool *tried);

#endif
