/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event tables as lists of events: made on demand, kept until the handle is freed. */
#include "events/event_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/names.h"
#include "events/source.h"

/* ---- which processor ---- */

static bool has_tables(const char *uarch)
{
	for (size_t i = 0; i < um_num_event_tables; i++)
		if (strcmp(um_event_tables[i].uarch, uarch) == 0)
			return true;
	return false;
}

/* Names of the processors with tables, each once, for an advice. */
static void advise(struct uncoremsr *um, const char *what)
{
	char names[320] = "";

	for (size_t i = 0; i < um_num_event_tables; i++) {
		const char *name = um_event_tables[i].uarch;

		if (i && strcmp(name, um_event_tables[i - 1].uarch) == 0)
			continue;
		if (strlen(names) + strlen(name) + 3 > sizeof(names))
			break;
		strcat(strcat(names, i ? ", " : ""), name);
	}
	um_hint(&um->error, "%s: %s", what, names);
}

static bool is_known(const char *uarch)
{
	for (size_t i = 0; i < um_num_models; i++)
		if (strcmp(um_models[i].name, uarch) == 0)
			return true;
	return false;
}

static int no_machine(struct uncoremsr *um, const char *what)
{
	const char *why = uncoremsr_machine_text(um, UNCOREMSR_MACHINE_REASON);

	um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "no %s for this machine: %s",
		what, why ? why : "it is not open");
	advise(um, "name a processor that has them");
	return -ENOTSUP;
}

static int no_processor(struct uncoremsr *um, const char *uarch)
{
	if (is_known(uarch))
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"processor '%s': known by name, but its uncore is not in the tables",
			uarch);
	else
		um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "processor '%s': no such name",
			uarch);
	advise(um, "there are tables for");
	return is_known(uarch) ? -ENOTSUP : -EINVAL;
}

static int no_events(struct uncoremsr *um, const char *uarch)
{
	um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"processor '%s': its PMUs are known, but not the names of their events", uarch);
	advise(um, "there are names for");
	return -ENOTSUP;
}

int um_pmus_of(struct uncoremsr *um, const char *uarch, struct um_event_pmus *pmus)
{
	const struct uncoremsr_pmu *core = um_core_registers.pmus;
	/* The model, not um->m.uarch: a virtual machine may still ask what events are called. */
	const struct um_uarch *u = uarch ? um_uarch_find(uarch)
				   : um->m.model ? um->m.model->uarch : NULL;

	if (uarch && strcmp(uarch, um_core_registers.name) == 0)
		*pmus = um_event_pmus_of(&um_core_registers, NULL);
	else if (u)
		*pmus = um_event_pmus_of(u, core);
	else
		return uarch ? no_processor(um, uarch) : no_machine(um, "event tables");
	return 0;
}

/* The name of the processor whose tables are meant; NULL, with a sentence: it has none. */
static const char *tables_of(struct uncoremsr *um, const char *uarch)
{
	struct um_event_pmus pmus;

	if (um_pmus_of(um, uarch, &pmus) < 0)
		return NULL;
	if (has_tables(pmus.uarch))
		return pmus.uarch;
	no_events(um, pmus.uarch);
	return NULL;
}

/* ---- lists ---- */

static struct um_names *names_of(struct uncoremsr *um)
{
	if (!um->names)
		um->names = calloc(1, sizeof(*um->names));
	if (!um->names)
		um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	return um->names;
}

const struct uncoremsr_event *um_event_of(struct uncoremsr *um, const struct um_event_table *t,
					  const struct um_event_row *row)
{
	struct um_names *n = names_of(um);

	return n ? um_table_event(n, t, row) : NULL;
}

const struct uncoremsr_event *uncoremsr_event(struct uncoremsr *um, const char *uarch,
					      size_t index)
{
	struct um_lookup l = { .uarch = tables_of(um, uarch), .names = names_of(um) };

	return l.uarch && l.names ? um_table_source.list(&l, index) : NULL;
}

const struct uncoremsr_event *uncoremsr_event_at(struct uncoremsr *um, const char *uarch,
						 unsigned event_select, unsigned unit_mask,
						 size_t index)
{
	const char *name = tables_of(um, uarch);

	for (size_t i = 0; name && i < um_num_event_tables; i++) {
		const struct um_event_table *t = &um_event_tables[i];
		const struct um_event_row *row = NULL;

		if (strcmp(t->uarch, name) != 0)
			continue;
		while ((row = um_event_at(t, event_select, unit_mask, row)))
			if (!index--)
				return um_event_of(um, t, row);
	}
	return NULL;
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
static int find_parsed(struct finder *f, const struct um_event_pmus *pmus, const char *text)
{
	struct um_encodings list = { 0 };
	int num = um_events_parse(&list, text, pmus, &f->um->error);

	for (int i = 0; num > 0 && i < (int)list.num; i++) {
		const struct um_encoding *ev = &list.events[i];
		int err;

		f->table = um_event_table_of(pmus->uarch, ev->pmu);
		err = ev->row ? found(f, ev->row)
			      : um_fail(&f->um->error, -ENOENT, UNCOREMSR_ERROR_USAGE,
					"event '%s': these codes have no name on %s", text,
					pmus->uarch);
		num = err ? err : num;
	}
	um_events_free(&list);
	return num;
}

/* In one table. Returns how many, 0 none, below 0 a refusal with its sentence. */
static int find_in(struct finder *f, const char *text)
{
	const struct um_event_row *row;
	size_t len = strlen(text);
	int err;

	if (um_event_is_pattern(text, len))
		return um_event_expand(f->table, text, len, found, f, &f->um->error);
	row = um_event_find(f->table, text, len);
	if (!row)
		return 0;
	err = found(f, row);
	return err ? err : 1;
}

int uncoremsr_event_find(struct uncoremsr *um, const char *uarch, const char *text,
			 int (*fn)(void *user, const struct uncoremsr_event *event), void *user)
{
	struct finder f = { .um = um, .fn = fn, .user = user };
	const char *name = tables_of(um, uarch);
	struct um_event_pmus pmus;
	int num = 0, refused = 0;

	if (!name)
		return um->error.class == UNCOREMSR_ERROR_USAGE ? -EINVAL : -ENOTSUP;
	for (size_t i = 0; i < um_num_event_tables; i++) {
		int n;

		f.table = &um_event_tables[i];
		if (strcmp(f.table->uarch, name) != 0)
			continue;
		n = find_in(&f, text);
		/* A number that one PMU does not have may be another's. */
		if (n < 0 && n != -ENOENT)
			return n;
		refused = n < 0 ? n : refused;
		num += n > 0 ? n : 0;
	}
	if (num || refused)
		return num ? num : refused;
	return um_pmus_of(um, uarch, &pmus) < 0 ? -ENOTSUP : find_parsed(&f, &pmus, text);
}
