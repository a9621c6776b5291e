/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find named events for the public header: list them, or find them by name, pattern or codes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names/catalogue.h"
#include "names/index.h"
#include "names/listed.h"
#include "names/names.h"

/* Add a hint that lists the processors whose PMUs are known; with @named only those whose events have names. */
static void advise_processors(struct uncoremsr *um, const char *what, bool named)
{
	char names[UM_MESSAGE_SIZE] = "";
	const struct uncoremsr_uarch *u;

	for (size_t i = 0; (u = uncoremsr_uarch(i)); i++)
		if (named ? um_event_table_next(u->name, NULL) != NULL : u->tables)
			um_list_add(names, sizeof(names), "%s", u->name);
	um_list_add(names, sizeof(names), "%s", um_core_registers.name);
	um_hint(&um->error, "%s: %s", what, names);
}

static int no_tables(struct uncoremsr *um, const char *uarch)
{
	const struct uncoremsr_machine *machine = uncoremsr_machine(um);
	bool known = uarch && um_model_named(uarch);

	if (!uarch)
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "no event tables for this machine: %s",
			machine && machine->reason ? machine->reason : "the machine has not been opened");
	else if (known)
		um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"processor '%s': known by name, but its uncore is not in the tables", uarch);
	else
		UM_USAGE(&um->error, "processor '%s': no such name", uarch);
	advise_processors(um, uarch ? "there are tables for" : "name a processor that has tables", !uarch);
	return !uarch || known ? -ENOTSUP : -EINVAL;
}

int um_pmus_of(struct uncoremsr *um, const char *uarch, struct um_event_pmus *pmus)
{
	/* Do not use um->m.uarch: it is NULL in a virtual machine, where users may still ask for event names. */
	const struct um_model *model = uarch ? um_model_named(uarch) : um->m.model;
	const struct um_uarch *u = uarch ? um_uarch_find(uarch) : model ? model->uarch : NULL;
	const struct um_uarch *core = model ? um_core_registers_of(model->vendor) : NULL;
	struct um_event_pmus here = um_event_pmus_of_machine(&um->m);
	/* The core PMU of the open machine has as many counters as CPUID reports; the tables only have the maximum. */
	const struct um_pmu *core_here = uarch ? NULL : um_event_core_pmu(&here);

	if (u == &um_core_registers) {
		*pmus = um_event_pmus_of(u, NULL);
		pmus->arch_events = UINT32_MAX;
	} else if (!u) {
		return no_tables(um, uarch);
	} else {
		*pmus = um_event_pmus_of(u, core_here ? core_here : core ? core->pmus : NULL);
		if (!uarch)
			pmus->arch_events = here.arch_events;
	}
	pmus->names = um->names;
	pmus->machine = !uarch;
	return 0;
}

int uncoremsr_event_tables(struct uncoremsr *um, const char *uarch)
{
	struct um_event_pmus pmus;
	int err = um ? um_pmus_of(um, uarch, &pmus) : -EINVAL;

	if (err && um && uarch)
		advise_processors(um, "there are names for", true);
	if (err || um_event_table_next(pmus.uarch, NULL))
		return err;
	um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"processor '%s': its PMUs are known, but not the names of their events", pmus.uarch);
	advise_processors(um, "there are names for", true);
	return -ENOTSUP;
}

int um_lookup_of(struct uncoremsr *um, const char *uarch, struct um_lookup *l)
{
	struct um_error before = um->error;

	*l = (struct um_lookup){
		.names = um->names, .machine = !uarch,
		.uarch = uarch ? um_uarch_find(uarch) : um->m.model ? um->m.model->uarch : NULL,
	};
	/* If the machine cannot be read, only its own names are missing; the tables can still be used. */
	if (!uarch && um_names_of(um) == -ENOMEM)
		return -ENOMEM;
	um_fail_as(&um->error, &before);
	return 0;
}

const struct uncoremsr_event *uncoremsr_event(struct uncoremsr *um, const char *uarch, size_t index)
{
	struct um_lookup l;
	const struct um_index *all = um && !um_lookup_of(um, uarch, &l) ? um_index_of(&l) : NULL;

	return um_event_shown(all && index < all->num ? all->rows[index] : NULL);
}

struct finder {
	struct uncoremsr *um;
	struct um_lookup lookup;
	int (*fn)(void *user, const struct uncoremsr_event *event);
	void *user;
};

static int found(struct finder *f, const struct uncoremsr_event *ev)
{
	return f->fn ? f->fn(f->user, um_event_shown(ev)) : 0;
}

/*
 * Report an event and, on a hybrid processor, the events of the same name in the lists of other core types. Returns the
 * number of events.
 */
static int found_kinds(struct finder *f, const struct uncoremsr_event *ev, const char *text, size_t len)
{
	bool kinds = um_event_from(ev) == UM_FROM_LIST && ((const struct um_json_event *)ev)->core_type;
	int num = 1, err = found(f, ev);
	uint8_t type;

	for (size_t i = 0; kinds && !err && (type = um_core_type(i)); i++) {
		const struct um_json_event *other = um_json_find(f->lookup.names->lists, text, len, type);

		if (!other || &other->base.pub == ev)
			continue;
		err = found(f, &other->base.pub);
		num++;
	}
	return err ? err : num;
}

/* Report the events that a name or pattern matches. Returns their number; or a negative errno, with a message. */
static int find_all(struct finder *f, const char *text, size_t len)
{
	const struct uncoremsr_event *ev, **all;
	int num, err = 0;

	if (!um_event_is_pattern(text, len)) {
		ev = um_name_find(&f->lookup, text, len);
		return ev ? found_kinds(f, ev, text, len) : 0;
	}
	num = um_index_match(&f->lookup, text, len, &all, &f->um->error);
	for (int i = 0; i < num && !err; i++)
		err = found(f, all[i]);
	free(all);
	return err ? err : num;
}

/*
 * Report the event of the lists that the text names in libpfm4's or likwid's form, or as PMU/NAME/. If the text
 * combines unit masks, report the event of each mask. Returns the number of events.
 */
static int find_written(struct finder *f, const char *uarch, const char *text)
{
	struct um_names *names = f->lookup.names;
	struct um_error ignored, before = f->um->error;
	struct um_event_pmus pmus;
	struct um_listed l = { .entry = NULL };
	struct um_written w;
	uint8_t type = 0;
	int err;

	if (!names->lists || um_scan_events(&w, text, &ignored))
		return 0;
	if (um_pmus_of(f->um, uarch, &pmus))
		pmus = (struct um_event_pmus){ .uarch = "" };
	if (w.num == 1)
		um_listed_find(&l, &pmus, names->lists, w.events);
	if (l.pmu)
		type = um_core_type_of(l.pmu, l.pmu_len);
	um_written_free(&w);
	um_fail_as(&f->um->error, &before);
	if (!l.entry || (type && l.entry->core_type && l.entry->core_type != type))
		return 0;
	err = found(f, &l.entry->base.pub);
	for (size_t i = 0; !err && i < l.num_more; i++)
		err = found(f, &l.more[i]->base.pub);
	return err ? err : 1 + (int)l.num_more;
}

int um_names_find(struct uncoremsr *um, const char *uarch, const char *text,
		  int (*fn)(void *user, const struct uncoremsr_event *event), void *user)
{
	struct finder f = { .um = um, .fn = fn, .user = user };
	char near[UM_MESSAGE_LIST_SIZE] = "";
	size_t len = strlen(text);
	const char *listed = uncoremsr_event_list_uarch(um);
	const struct um_names *n;
	int num, err;
	bool lists;

	if (um_lookup_of(um, uarch, &f.lookup))
		return -ENOMEM;
	num = find_all(&f, text, len);
	if (!num && f.lookup.uarch != &um_core_registers && (!uarch || f.lookup.uarch)) {
		f.lookup.metrics = UM_METRICS_ONLY;
		num = find_all(&f, text, len);
		f.lookup.metrics = UM_METRICS_TOO;
	}
	num = num ?: find_written(&f, uarch, text);
	if (num)
		return num;
	n = f.lookup.names;
	if (n->lists && um_json_refused_name(n->lists, text, &um->error))
		return -EINVAL;
	/*
	 * No source has the name. If there are tables with event names, return 0: the parser, which the caller calls
	 * next, has a better message. Suggest similar names only without such tables, or if lists are loaded.
	 */
	err = uncoremsr_event_tables(um, uarch);
	lists = n->lists || n->imc.num;
	if ((err == -ENOTSUP || lists) && !um_event_is_pattern(text, len))
		um_near_names(&f.lookup, text, len, near, sizeof(near));
	/* Without similar names, fail only if the loaded lists are those of @uarch. */
	if (!*near && !(err == -ENOTSUP && lists && (!uarch || (listed && !strcmp(listed, uarch)))))
		return err;
	um_event_fail(&um->error, -ENOENT, text, "no event of that name");
	if (*near)
		um_hint(&um->error, "did you mean %s?", near);
	else
		um_hint(&um->error, "uncore-events search TEXT finds names");
	return -ENOENT;
}
