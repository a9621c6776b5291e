/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "names/pmus.h"
#include "names/names.h"
#include "names/source.h"

struct table_event {
	struct um_name base;
	const struct um_event_table *table;
	const struct um_event_row *row;
	const char *sources[9];        /* pub.sources points here */
	struct uncoremsr_spelling spellings[3];
	const struct uncoremsr_spelling *spelling_list[4]; /* pub.spellings points here */
	char spelt[3][UM_EVENT_FOLDED];
	struct uncoremsr_other_codes dispute;
};

/* Each table has records of its own for all rows, so events stay valid when another processor is listed. */
static void fill(void *records, const void *of)
{
	const struct um_event_table *t = of;
	struct table_event *ev = records;

	for (const struct um_event_row *row = t->rows; row < t->rows + t->num_rows; row++, ev++)
		*ev = (struct table_event){
			.base = { .pub.name = row->name, .from = UM_FROM_TABLE }, .table = t, .row = row,
		};
}

static struct table_event *events_of(struct um_names *n, const struct um_event_table *t)
{
	return um_records(n, t, t->num_rows, sizeof(struct table_event), fill, NULL);
}

const struct uncoremsr_event *um_table_event(struct um_names *n, const struct um_event_table *t,
					     const struct um_event_row *row)
{
	struct table_event *events = events_of(n, t);

	return events ? &events[row - t->rows].base.pub : NULL;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_event_table *t = NULL;
	int err = 0;

	while (!err && (t = um_event_table_next(um_lookup_uarch(l), t))) {
		struct table_event *events = events_of(l->names, t);
		const struct um_event_row *row = NULL;

		while (events && !err && (row = um_event_next(t, row)))
			err = fn(user, &events[row - t->rows].base.pub);
	}
	return err;
}

/* The first match is the only one: PMUs of a processor have no events of the same name. */
static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_event_row *row = NULL;
	const struct um_event_table *t = NULL;

	while (!row && (t = um_event_table_next(um_lookup_uarch(l), t)))
		row = um_event_find(t, text, len);
	return row ? um_table_event(l->names, t, row) : NULL;
}

static void put_words(struct uncoremsr_event *pub, const struct um_event_table *t, const struct um_event_row *row)
{
	const struct um_pmu *pmu = um_uarch_find(t->uarch)->pmus;
	uint64_t user = 0, kernel = 0;
	int fixed;

	while (strcmp(pmu->name, t->pmu))
		pmu++;
	fixed = um_pmu_find_fixed(pmu, row->name, strlen(row->name));
	if (fixed >= 0) {
		pub->word = pmu->fixed[fixed].enable;
		return;
	}
	um_pmu_rings(pmu, &user, &kernel);
	pub->word = (um_row_word(pmu, row) & ~pmu->selector->not_written) | pmu->selector->occ_reset |
		    pmu->selector->enable | user | kernel;
	pub->event_select = row->event;
	pub->unit_mask = row->umask;
}

static void put_sources(struct table_event *ev)
{
	const struct um_event_dispute *d = um_event_dispute(ev->table, ev->row);
	size_t num = 0;

	for (unsigned left = um_event_sources(ev->table, ev->row); left; left &= left - 1)
		ev->sources[num++] = um_source_word(left & -left);
	ev->base.pub.sources = ev->sources;
	if (!d)
		return;
	ev->dispute = (struct uncoremsr_other_codes){
		.size = sizeof(ev->dispute), .source = um_source_word(d->who),
		.event_select = d->their_event, .unit_mask = d->their_umask,
	};
	ev->base.pub.dispute = &ev->dispute;
}

static void put_spellings(struct table_event *ev)
{
	static const enum um_source programs[] = { UM_LIBPFM4, UM_LIKWID, UM_FREEBSD };
	size_t num = 0;

	_Static_assert(ARRAY_SIZE(programs) == ARRAY_SIZE(ev->spellings), "room for each program");
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		if (um_event_spell(ev->row, programs[i], ev->spelt[num]) < 0)
			continue;
		ev->spellings[num] = (struct uncoremsr_spelling){
			sizeof(ev->spellings[num]), um_source_word(programs[i]), ev->spelt[num],
		};
		ev->spelling_list[num] = &ev->spellings[num];
		num++;
	}
	ev->base.pub.spellings = ev->spelling_list;
}

static void describe(struct um_name *name)
{
	struct table_event *ev = (struct table_event *)name;
	struct uncoremsr_event *pub = &name->pub;
	const struct um_event_row *row = ev->row;

	um_name_make(name, UM_FROM_TABLE, row->name);
	pub->uarch = ev->table->uarch;
	pub->pmu = ev->table->pmu;
	pub->description = um_event_texts + row->desc;
	pub->unit = um_event_texts + row->unit;
	pub->kind = um_event_texts + row->kind;
	pub->note = um_event_texts + row->note;
	pub->manual = um_event_texts + ev->table->manual;
	put_words(pub, ev->table, row);
	if (row->ports)
		pub->ports = row->ports;
	if (row->extra_msr)
		pub->extra_register = row->extra_msr;
	if (row->extra_value)
		pub->extra_value = row->extra_value;
	put_sources(ev);
	put_spellings(ev);
}

const struct um_name_source um_table_source = { each, find, describe };
