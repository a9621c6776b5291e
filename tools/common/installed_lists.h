/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events and metrics by names that only the installed copy of the vendor's lists may know. */
#ifndef TOOL_INSTALLED_LISTS_H
#define TOOL_INSTALLED_LISTS_H

#include <stdbool.h>

#include "uncoremsr.h"

/*
 * uncoremsr_session_add(), and uncoremsr_session_add_metric(), with the names of the installed lists where
 * nothing else knows them, unless these were @tried before. What they return; nothing is printed.
 */
int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s, const char *text,
			bool *tried);
int installed_lists_add_metric(struct uncoremsr *um, struct uncoremsr_session *s, const char *text,
			       bool *tried);

#endif
