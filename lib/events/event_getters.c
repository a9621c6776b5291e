/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of a named event. */
#include <errno.h>
#include <string.h>

#include "machine/machine.h"
#include "events/names.h"
#include "events/source_table.h"

const char *uncoremsr_event_text(const struct uncoremsr_event *event,
				 enum uncoremsr_event_property p)
{
	if (!event)
		return NULL;
	return p == UNCOREMSR_EVENT_NAME ? event->name
	       : p == UNCOREMSR_EVENT_FROM ? event->source->name : event->source->text(event, p);
}

int uncoremsr_event_number(const struct uncoremsr_event *event, enum uncoremsr_event_property p,
			   uint64_t *v)
{
	uint64_t found;

	if (!event || !v)
		return -EINVAL;
	if (!event->source->number(event, p, &found))
		return -ENODATA;
	*v = found;
	return 0;
}

const char *uncoremsr_event_source(const struct uncoremsr_event *event, size_t index)
{
	const struct um_table_event *ev = um_table_event_of(event);
	unsigned sources = ev ? um_event_sources(ev->table, ev->row) : 0;

	/* Clear the lowest set bit @index times. */
	while (sources && index--)
		sources &= sources - 1;
	return sources ? um_source_word(sources & -sources) : NULL;
}

const char *uncoremsr_event_dispute(const struct uncoremsr_event *event, size_t index,
				    unsigned *event_select, unsigned *unit_mask)
{
	const struct um_table_event *ev = um_table_event_of(event);
	const struct um_event_dispute *d = NULL;

	do
		d = ev ? um_event_dispute(ev->table, ev->row, d) : NULL;
	while (d && index--);
	if (!d)
		return NULL;
	if (!event_select || !unit_mask)
		return NULL;
	*event_select = d->their_event;
	*unit_mask = d->their_umask;
	return um_source_word(d->who);
}

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

const char *uncoremsr_event_left_out(const char *uarch, size_t index, const char **who,
				     unsigned *event_select, unsigned *unit_mask, const char **why)
{
	const struct um_event_left_out *l = um_event_left_out(uarch, index);

	if (!l)
		return NULL;
	*who = um_source_word(l->who);
	*event_select = l->event;
	*unit_mask = l->umask;
	*why = l->why;
	return l->name;
}
