/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* POWER: the events of the in-memory counters that count the traffic of the memory controllers. */
#ifndef TOOL_NEST_MEMORY_H
#define TOOL_NEST_MEMORY_H

#include "uncoremsr/names.h"

/* Write the event of an in-memory counter in the form "PMU/NAME/". */
void nest_path(const struct uncoremsr_event *ev, char *buf, size_t size);
/* Add all events that count the bytes that memory controllers read and write. Returns how many; 0 on other machines. */
int nest_memory_add(struct uncoremsr *um, struct uncoremsr_session *s);

#endif
