/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Add events and metrics whose names may be only in the installed copy of the vendor's lists. */
#ifndef TOOL_INSTALLED_LISTS_H
#define TOOL_INSTALLED_LISTS_H

#include <stdbool.h>

#include "uncoremsr.h"

/*
 * Call @add, which is uncoremsr_session_add() or uncoremsr_session_add_metric(); if the name is unknown, load the
 * installed lists and call it again, unless *tried says that they were loaded before. Returns what @add returned;
 * prints nothing.
 */
int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s,
			int (*add)(struct uncoremsr_session *s, const char *text), const char *text, bool *tried);

#endif
