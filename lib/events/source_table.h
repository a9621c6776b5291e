/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of an event of the built-in tables. */
#ifndef UM_SOURCE_TABLE_H
#define UM_SOURCE_TABLE_H

#include "events/names.h"
#include "events/source.h"

struct um_table_event {
	struct um_name base;
	const struct um_event_table *table;
	const struct um_event_row *row;
	const struct um_pmu *pmu;
	int fixed;                     /* index into the PMU's fixed counters; -1: a general counter */
	const char *sources[9];        /* pub.sources points here */
	struct uncoremsr_spelling spellings[3];
	const struct uncoremsr_spelling *spelling_list[4]; /* pub.spellings points here */
	char spelt[3][UM_EVENT_FOLDED];
	struct uncoremsr_other_codes dispute;
};

/* The record of an event; NULL: the event is from another source. */
static inline const struct um_table_event *um_table_event_of(const struct uncoremsr_event *ev)
{
	return ev && um_source_of(ev) == &um_table_source ? (const struct um_table_event *)ev : NULL;
}

#endif
