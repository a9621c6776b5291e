/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event tables as lists of events: made on demand, kept until the handle is freed. */
#include "event_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/event.h"
#include "events/names.h"

/* One list per table, so that events of one processor outlive a look at another. */
struct um_event_lists {
	struct uncoremsr_event *events;
	size_t num;
};

void um_event_lists_free(struct uncoremsr *um)
{
	for (size_t i = 0; um->events && i < um_num_event_tables; i++)
		free(um->events[i].events);
	free(um->events);
}

static bool name_exists(const char *uarch)
{
	for (size_t i = 0; i < um_num_models; i++)
		if (strcmp(um_models[i].name, uarch) == 0)
			return true;
	return false;
}

/* Names of the processors with tables, for an advice. */
static void advise(struct uncoremsr *um, const char *what)
{
	char names[256] = "";

	for (size_t i = 0; i < um_num_event_tables; i++) {
		if (strlen(names) + strlen(um_event_tables[i].uarch) + 3 > sizeof(names))
			break;
		strcat(strcat(names, i ? ", " : ""), um_event_tables[i].uarch);
	}
	um_hint(&um->error, "%s: %s", what, names);
}

static int no_tables(struct uncoremsr *um, const char *uarch)
{
	if (!uarch) {
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"no event tables for this machine: %s",
			*um->unsupported ? um->unsupported : "it is not open");
		advise(um, "name a processor that has them");
		return -ENOTSUP;
	}
	if (name_exists(uarch)) {
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"processor '%s': known by name, but its events are not in the tables",
			uarch);
		advise(um, "there are tables for");
		return -ENOTSUP;
	}
	um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "processor '%s': no such name", uarch);
	advise(um, "there are tables for");
	return -EINVAL;
}

int um_tables_of(struct uncoremsr *um, const char *uarch, const struct um_uarch **u,
		 const struct um_event_table **table)
{
	/* The model, not um->uarch: a virtual machine may still ask what events are called. */
	*u = uarch ? um_uarch_find(uarch) : um->model ? um->model->uarch : NULL;
	*table = *u ? um_event_table_of(*u, &(*u)->pmus[0]) : NULL;
	return *table ? 0 : no_tables(um, uarch);
}

static int fill(struct um_event_lists *list, const struct um_event_table *t)
{
	const struct um_event_row *row = NULL;
	struct uncoremsr_event *events = calloc(t->num_rows, sizeof(*events));

	if (!events)
		return -ENOMEM;
	while ((row = um_event_next(t, row))) {
		struct uncoremsr_event *ev = &events[list->num++];

		ev->table = t;
		ev->row = row;
		um_event_describe(t, row, ev->description, sizeof(ev->description));
	}
	list->events = events;
	return 0;
}

static const struct um_event_lists *list_of(struct uncoremsr *um, const struct um_event_table *t)
{
	struct um_event_lists *list;

	if (!um->events)
		um->events = calloc(um_num_event_tables, sizeof(*um->events));
	list = um->events ? &um->events[t - um_event_tables] : NULL;
	if (list && (list->events || fill(list, t) == 0))
		return list;
	um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	return NULL;
}

const struct uncoremsr_event *um_event_of(struct uncoremsr *um, const struct um_event_table *t,
					  const struct um_event_row *row)
{
	const struct um_event_lists *list = list_of(um, t);

	for (size_t i = 0; list && i < list->num; i++)
		if (list->events[i].row == row)
			return &list->events[i];
	return NULL;
}

const struct uncoremsr_event *uncoremsr_event(struct uncoremsr *um, const char *uarch,
					      size_t index)
{
	const struct um_event_lists *list;
	const struct um_event_table *t;
	const struct um_uarch *u;

	if (um_tables_of(um, uarch, &u, &t) < 0)
		return NULL;
	list = list_of(um, t);
	return list && index < list->num ? &list->events[index] : NULL;
}

const struct uncoremsr_event *uncoremsr_event_at(struct uncoremsr *um, const char *uarch,
						 unsigned event_select, unsigned unit_mask,
						 size_t index)
{
	const struct um_event_row *row = NULL;
	const struct um_event_table *t;
	const struct um_uarch *u;

	if (um_tables_of(um, uarch, &u, &t) < 0)
		return NULL;
	do
		row = um_event_at(t, event_select, unit_mask, row);
	while (row && index--);
	return row ? um_event_of(um, t, row) : NULL;
}

/* ---- by name ---- */

struct finder {
	struct uncoremsr *um;
	const struct um_event_table *table;
	int (*fn)(void *user, const struct uncoremsr_event *event);
	void *user;
};

static int found(void *user, const struct um_event_row *row)
{
	struct finder *f = user;
	const struct uncoremsr_event *ev;

	if (!f->fn)
		return 0;
	ev = um_event_of(f->um, f->table, row);
	return ev ? f->fn(f->user, ev) : -ENOMEM;
}

/* Codes may have a name; what is no name at all gets the sentence that counting it gets. */
static int find_parsed(struct finder *f, const struct um_uarch *u, const char *text)
{
	struct um_event_list list = { 0 };
	int num = um_events_parse(&list, text, u, &f->um->error);

	for (int i = 0; num > 0 && i < (int)list.num; i++) {
		const struct um_event_row *row = list.events[i].row;
		int err = row ? found(f, row)
			      : um_fail(&f->um->error, -ENOENT, UNCOREMSR_ERROR_USAGE,
					"event '%s': these codes have no name on %s", text,
					u->name);

		num = err ? err : num;
	}
	um_events_free(&list);
	return num;
}

int uncoremsr_event_find(struct uncoremsr *um, const char *uarch, const char *text,
			 int (*fn)(void *user, const struct uncoremsr_event *event), void *user)
{
	struct finder f = { .um = um, .fn = fn, .user = user };
	const struct um_event_row *row;
	const struct um_uarch *u;
	int err = um_tables_of(um, uarch, &u, &f.table);

	if (err)
		return err;
	if (um_event_is_pattern(text, strlen(text))) {
		int num = um_event_expand(f.table, text, strlen(text), found, &f, &um->error);

		return num ? num : find_parsed(&f, u, text);
	}
	row = um_event_find(f.table, text, strlen(text));
	if (!row)
		return find_parsed(&f, u, text);
	err = found(&f, row);
	return err ? err : 1;
}
