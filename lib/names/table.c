/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Look up the event table of a PMU, and what the tables say about a row. */
#include "names/table.h"

#include <string.h>

#include "common/error.h"

const struct um_event_table *um_event_table_next(const char *uarch, const struct um_event_table *t)
{
	for (t = t ? t + 1 : um_event_tables; uarch && t < um_event_tables + um_num_event_tables; t++)
		if (strcmp(t->uarch, uarch) == 0)
			return t;
	return NULL;
}

const struct um_event_table *um_event_table_of(const char *uarch, const struct um_pmu *pmu)
{
	const struct um_event_table *t = NULL;

	uarch = pmu->scope == UM_SCOPE_CPU ? "core" : uarch;
	while ((t = um_event_table_next(uarch, t)) && strcmp(t->pmu, pmu->name))
		;
	return t;
}

uint64_t um_row_word(const struct um_pmu *pmu, const struct um_event_row *row)
{
	const struct um_selector *sel = pmu->selector;

	return (uint64_t)row->event << sel->event.shift | (uint64_t)row->umask << sel->umask.shift |
	       row->more;
}

const struct um_event_row *um_event_next(const struct um_event_table *t,
					 const struct um_event_row *row)
{
	for (row = row ? row + 1 : t->rows; row < t->rows + t->num_rows; row++)
		if (row->on & t->on)
			return row;
	return NULL;
}

const char *um_source_word(unsigned source)
{
	static const char words[][12] = {
		"sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm", "guide", "perfmon",
	};

	return words[__builtin_ctz(source)];
}

const struct um_event_dispute *um_event_dispute(const struct um_event_table *t, const struct um_event_row *row)
{
	return row->dispute.on & t->on ? &row->dispute : NULL;
}

unsigned um_event_sources(const struct um_event_table *t, const struct um_event_row *row)
{
	const struct um_event_dispute *d = um_event_dispute(t, row);

	return row->sources & ~(d ? (unsigned)d->who : 0);
}
