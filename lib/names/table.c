/* SPDX-License-Identifier: LGPL-2.1-or-later */
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

	return (uint64_t)row->event << sel->event.shift | (uint64_t)row->umask << sel->umask.shift | row->more;
}

const struct um_event_row *um_event_next(const struct um_event_table *t, const struct um_event_row *row)
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

/* ---- events that a source lists but the tables leave out ---- */

#define LEFT_OUT(source, select, umask, name, why) \
	{ sizeof(struct uncoremsr_other_codes), source, select, umask, name, why }

static const struct {
	const char *uarch;
	struct uncoremsr_other_codes codes;
} left_out[] = {
	{ "nehalem", LEFT_OUT("likwid", 0x27, 0x07, "UNC_QMC_NORMAL_FULL_READ_ANY",
			      "the manual lists the three channels and no sum") },
	{ "nehalem", LEFT_OUT("likwid", 0x35, 0x00, "UNC_ADDR_OPCODE_MATCH (no unit mask)",
			      "the manual documents register 0x396 for Nehalem, but not the event") },
	{ "nehalem", LEFT_OUT("likwid", 0x35, 0x01, "UNC_ADDR_OPCODE_MATCH (unit mask 0x01)",
			      "the manual documents register 0x396 for Nehalem, but not the event") },
	{ "nehalem", LEFT_OUT("freebsd", 0x02, 0x01, "GQ_OCCUPANCY.READ_TRACKER",
			      "the driver accepts the codes; its own manual and Intel's do not list them") },
};

const struct uncoremsr_other_codes *uncoremsr_event_left_out(const char *uarch, size_t index)
{
	for (size_t i = 0; uarch && i < ARRAY_SIZE(left_out); i++)
		if (strcmp(left_out[i].uarch, uarch) == 0 && index-- == 0)
			return &left_out[i].codes;
	return NULL;
}
