/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of events in other tools. */
#include <errno.h>
#include <string.h>

#include "machine/machine.h"
#include "events/names.h"
#include "events/source_table.h"

int uncoremsr_event_spelling(const struct uncoremsr_event *event, const char *who, char *buf,
			     size_t size)
{
	static const enum um_source sources[] = { UM_LIBPFM4, UM_LIKWID, UM_FREEBSD };
	const struct um_table_event *ev = um_table_event_of(event);

	for (size_t i = 0; ev && i < ARRAY_SIZE(sources); i++)
		if (strcmp(who, um_source_word(sources[i])) == 0)
			return um_event_spell(ev->row, sources[i], buf, size);
	return -ENOENT;
}
