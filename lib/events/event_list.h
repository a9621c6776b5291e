/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that serve the public part about events. */
#ifndef UM_EVENT_LIST_H
#define UM_EVENT_LIST_H

#include "events/event.h"
#include "machine/handle.h"

struct uncoremsr_event {
	const struct um_event_table *table;
	const struct um_event_row *row;
	const struct uncoremsr_pmu *pmu;
	int fixed;                         /* index into the PMU's fixed; -1: a general counter */
	char description[256];
};

/*
 * The PMUs of a processor (NULL: this machine's) and the core PMU; "core": that alone. Returns 0,
 * or an errno with its sentence.
 */
int um_pmus_of(struct uncoremsr *um, const char *uarch, struct um_event_pmus *pmus) UM_MUST_CHECK;
/* The public event of a row; NULL: out of memory. */
const struct uncoremsr_event *um_event_of(struct uncoremsr *um, const struct um_event_table *t,
					  const struct um_event_row *row);
void um_event_lists_free(struct uncoremsr *um);

#endif
