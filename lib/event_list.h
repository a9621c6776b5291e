/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that serve the public part about events. */
#ifndef UM_EVENT_LIST_H
#define UM_EVENT_LIST_H

#include "events/table.h"
#include "internal.h"

struct uncoremsr_event {
	const struct um_event_table *table;
	const struct um_event_row *row;
	char description[256];
};

/* The tables of a processor (NULL: this machine's). Returns 0, or an errno with its sentence. */
int um_tables_of(struct uncoremsr *um, const char *uarch, const struct um_uarch **u,
		 const struct um_event_table **table) UM_MUST_CHECK;
/* The public event of a row; NULL: out of memory. */
const struct uncoremsr_event *um_event_of(struct uncoremsr *um, const struct um_event_table *t,
					  const struct um_event_row *row);
void um_event_lists_free(struct uncoremsr *um);

#endif
