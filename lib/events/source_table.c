/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of the built-in tables. The records of a table are created on first use. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/pmus.h"
#include "events/names.h"
#include "events/source_table.h"

struct um_table_list {
	struct um_table_event *events; /* in the order of the rows */
	size_t num;
};

void um_tables_free(struct um_names *n)
{
	for (size_t i = 0; n->tables && i < um_num_event_tables; i++)
		free(n->tables[i].events);
	free(n->tables);
	n->tables = NULL;
}

static const struct uncoremsr_pmu *pmu_of(const struct um_event_table *t)
{
	const struct um_uarch *u = um_uarch_find(t->uarch);

	for (size_t i = 0; u && i < u->num_pmus; i++)
		if (strcmp(u->pmus[i].name, t->pmu) == 0)
			return &u->pmus[i];
	return um_core_registers.pmus;
}

/* The records of a table; each table has its own, so events stay valid when another processor is looked at. */
static const struct um_table_list *list_of(struct um_names *n, const struct um_event_table *t)
{
	const struct uncoremsr_pmu *pmu = pmu_of(t);
	const struct um_event_row *row = NULL;
	struct um_table_list *list;

	if (!n->tables)
		n->tables = calloc(um_num_event_tables, sizeof(*n->tables));
	list = n->tables ? &n->tables[t - um_event_tables] : NULL;
	if (list && list->events)
		return list;
	if (list)
		list->events = calloc(t->num_rows, sizeof(*list->events));
	if (!list || !list->events) {
		*n->no_memory = true;
		return NULL;
	}
	while ((row = um_event_next(t, row))) {
		struct um_table_event *ev = &list->events[list->num++];

		*ev = (struct um_table_event){
			.base = { &um_table_source, row->name }, .table = t, .row = row, .pmu = pmu,
			.fixed = um_pmu_find_fixed(pmu, row->name, strlen(row->name)),
		};
		if (ev->fixed < 0 && row->kind == UM_KIND_CLOCK)
			ev->fixed = 0;
	}
	return list;
}

const struct uncoremsr_event *um_table_event(struct um_names *n, const struct um_event_table *t,
					     const struct um_event_row *row)
{
	const struct um_table_list *list = list_of(n, t);

	for (size_t i = 0; list && i < list->num; i++)
		if (list->events[i].row == row)
			return &list->events[i].base;
	return NULL;
}

static int each(const struct um_lookup *l, int (*fn)(void *user, const struct uncoremsr_event *ev), void *user)
{
	const struct um_event_table *t = NULL;
	int err = 0;

	while (!err && (t = um_event_table_next(l->uarch, t))) {
		const struct um_table_list *events = list_of(l->names, t);

		for (size_t k = 0; events && k < events->num && !err; k++)
			err = fn(user, &events->events[k].base);
	}
	return err;
}

static const struct uncoremsr_event *find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct um_event_table *t = NULL;

	while ((t = um_event_table_next(l->uarch, t))) {
		const struct um_event_row *row = um_event_find(t, text, len);

		if (row)
			return um_table_event(l->names, t, row);
	}
	return NULL;
}

static const char *text(const struct uncoremsr_event *event, enum uncoremsr_event_property p)
{
	const struct um_table_event *ev = um_table_event_of(event);

	const char *const texts[] = {
		[UNCOREMSR_EVENT_UARCH] = ev->table->uarch,
		[UNCOREMSR_EVENT_PMU] = ev->table->pmu,
		[UNCOREMSR_EVENT_DESCRIPTION] = um_event_texts + ev->row->desc,
		[UNCOREMSR_EVENT_UNIT] = um_event_texts + ev->row->unit,
		[UNCOREMSR_EVENT_KIND] = um_event_kind_word(ev->row->kind),
		[UNCOREMSR_EVENT_NOTE] = um_event_texts + ev->row->note,
		[UNCOREMSR_EVENT_MANUAL] = um_event_texts + ev->table->manual,
	};

	return (unsigned)p < ARRAY_SIZE(texts) ? texts[p] : NULL;
}

static uint64_t word_of(const struct um_table_event *ev)
{
	const struct um_selector *sel = &ev->pmu->selector;
	uint64_t user = 0, kernel = 0;

	if (ev->fixed >= 0)
		return ev->pmu->fixed[ev->fixed].enable;
	um_pmu_rings(ev->pmu, &user, &kernel);
	return (um_row_word(ev->pmu, ev->row) & ~sel->not_written) | sel->occ_reset |
	       sel->enable | user | kernel;
}

static bool number(const struct uncoremsr_event *event, enum uncoremsr_event_property p, uint64_t *v)
{
	const struct um_table_event *ev = um_table_event_of(event);
	const struct um_event_row *row = ev->row;

	switch (p) {
	case UNCOREMSR_EVENT_SELECT:
		*v = row->event;
		return ev->fixed < 0;
	case UNCOREMSR_EVENT_UNIT_MASK:
		*v = row->umask;
		return ev->fixed < 0;
	case UNCOREMSR_EVENT_WORD:
		*v = word_of(ev);
		return true;
	case UNCOREMSR_EVENT_PORTS:
		*v = row->ports;
		return row->ports;
	case UNCOREMSR_EVENT_EXTRA_REGISTER:
		*v = row->extra_msr;
		return row->extra_msr;
	case UNCOREMSR_EVENT_EXTRA_VALUE:
		*v = row->extra_value;
		return row->extra_value;
	default:
		return false;
	}
}

static void encode(const struct uncoremsr_event *event, struct um_meaning *m)
{
	const struct um_table_event *ev = um_table_event_of(event);

	m->table = ev->table;
	m->row = ev->row;
	m->pmu = ev->pmu->kernel;
}

const struct um_name_source um_table_source = { "table", each, find, text, number, encode };
