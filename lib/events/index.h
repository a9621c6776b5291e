/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One array with the names of all sources. It is made on first use. */
#ifndef UM_INDEX_H
#define UM_INDEX_H

#include "events/source.h"

struct um_index {
	struct um_index *next;
	struct um_lookup of;           /* the lookup that it was made for */
	const struct uncoremsr_event **rows; /* source by source, in the order of um_name_sources */
	size_t num;
};

/* The names of a lookup, kept for the next time; NULL: out of memory. */
const struct um_index *um_index_of(const struct um_lookup *l);
/* The row's name as the event language takes it; events of a catalog have their PMU, since several have the same name. */
const char *um_row_text(const struct uncoremsr_event *ev);
/* Forget all indexes, because a source has changed; records of events stay. */
void um_index_forget(struct um_names *n);

#endif
