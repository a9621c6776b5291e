/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry of a list, read and converted. */
#ifndef UM_PERF_LIST_ENTRY_H
#define UM_PERF_LIST_ENTRY_H

#include <stddef.h>

#include "events/json_event.h"

/* To be freed, in one piece; @name is kept, not copied. NULL: no memory, or no JSON object. */
struct um_json_event *um_list_event(const char *text, size_t len, const char *name,
				    uint8_t core_type);

#endif
