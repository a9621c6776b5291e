/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that serve the public part about events. */
#ifndef UM_EVENT_LIST_H
#define UM_EVENT_LIST_H

#include "events/event.h"
#include "machine/handle.h"

/*
 * The PMUs of a processor (NULL: this machine's) and the core PMU; "core": that alone. Returns 0,
 * or an errno with its sentence.
 */
int um_pmus_of(struct uncoremsr *um, const char *uarch, struct um_event_pmus *pmus) UM_MUST_CHECK;
/* The public event of a row; NULL: out of memory. */
const struct uncoremsr_event *um_event_of(struct uncoremsr *um, const struct um_event_table *t,
					  const struct um_event_row *row);

#endif
