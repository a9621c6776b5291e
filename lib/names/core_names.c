/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for the value of a core event selector on one processor: from the loaded event lists; else from the few names
 * in synonyms.tsv; else from the architectural events.
 */
#include <string.h>

#include "machine/handle.h"
#include "names/json_list.h"
#include "names/scanner.h"
#include "names/synonyms.h"

struct search {
	uint64_t word;
	const struct um_json_lists *lists;  /* NULL: none */
	const char *uarch;                  /* NULL: search no table */
	bool amd, plain, architectural;     /* @plain: the value has no modifier bits */
	uint32_t arch_events;               /* bit mask of the architectural events that exist */
};

/* The bits of edge, any, inv and cmask in the selector. */
#define CORE_MODIFIERS UINT64_C(0xffa40000)

static uint64_t event_of(const struct search *s)
{
	/* On AMD bits 35:32 are four more bits of the event select. */
	return (s->word & 0xff) | (s->amd ? s->word >> 24 & 0xf00 : 0);
}

/* Does an event of a list have exactly these codes and no other term? */
static bool list_has(const struct search *s, const struct um_json_event *ev)
{
	const struct {
		const char *term;
		uint64_t value;
	} fields[] = {
		{ "event", event_of(s) }, { "umask", s->word >> 8 & 0xff },
		{ "edge", s->word >> 18 & 1 }, { "any", s->word >> 21 & 1 },
		{ "inv", s->word >> 23 & 1 }, { "cmask", s->word >> 24 & 0xff },
	};
	size_t known = 0, terms = 1;

	if (strncmp(ev->pmu, "cpu", 3) != 0 || ev->hidden || ev->base.pub.deprecated || ev->base.pub.impossible)
		return false;
	for (const char *at = ev->terms; (at = strchr(at, ',')); at++)
		terms++;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		uint64_t v = 0;

		known += um_terms_value(ev->terms, fields[i].term, &v);
		if (v != fields[i].value)
			return false;
	}
	return known == terms;
}

static const char *in_lists(const struct search *s, size_t *index, unsigned *core_type)
{
	for (size_t i = 0; s->lists && i < s->lists->num_events; i++) {
		const struct um_json_event *ev = um_json_read(s->lists->events[i]);

		if (!ev || !list_has(s, ev) || (*index)--)
			continue;
		*core_type = ev->core_type;
		return ev->name;
	}
	return NULL;
}

static const char *in_table(const struct search *s, size_t *index)
{
	if (!s->uarch || !s->plain)
		return NULL;
	UM_EACH_SYNONYM(w, UM_CORE_EVENT)
		if (w->value == (event_of(s) | (s->word & 0xff00)) && !strcmp(w->on, s->uarch) && !(*index)--)
			return w->theirs;
	return NULL;
}

static const char *architectural(const struct search *s, size_t *index)
{
	unsigned event, umask;
	const char *name;

	for (unsigned bit = 0; (name = um_arch_event(bit, &event, &umask)); bit++) {
		if (s->arch_events >> bit & 1 && event == event_of(s) &&
		    umask == (s->word >> 8 & 0xff) && !(*index)--)
			return name;
	}
	return NULL;
}

/* Fill @s for processor @uarch. NULL: for the processor chosen for the event lists, or else for this machine's. */
static void look_at(struct uncoremsr *um, const char *uarch, struct search *s)
{
	const struct um_identity *id = um->names->id.source ? &um->names->id : &um->m.id;
	const struct um_model *model = um_model_find(id->vendor, id->family, id->model);
	const struct um_leaf_0xa *leaf = !uarch && id->leaf_0xa.present ? &id->leaf_0xa : NULL;
	const char *vendor = id->vendor;

	if (uarch && um_model_named(uarch))
		vendor = (model = um_model_named(uarch))->vendor;
	s->uarch = uarch ? uarch : model ? model->name : NULL;
	s->amd = strcmp(vendor, "AuthenticAMD") == 0 || strcmp(vendor, "HygonGenuine") == 0;
	s->plain = !(s->word & CORE_MODIFIERS);
	s->architectural = s->plain && (leaf ? leaf->version > 0 : strcmp(vendor, "GenuineIntel") == 0);
	s->arch_events = um_arch_events(leaf);
	if (uarch && strcmp(uarch, um_core_registers.name) == 0) {
		s->architectural = s->plain;
		s->arch_events = UINT32_MAX;
	}
}

const char *uncoremsr_core_event_name(struct uncoremsr *um, const char *uarch, uint64_t word,
				      size_t index, unsigned *core_type)
{
	struct search s = { .word = word };
	const char *name;
	size_t others = index;

	if (!um || !core_type)
		return NULL;
	*core_type = 0;
	look_at(um, uarch, &s);
	s.lists = um->names->lists;
	name = in_lists(&s, &index, core_type);
	/* A list of this processor is more complete than the tables. */
	if (name || index != others)
		return name;
	name = in_table(&s, &index);
	return name || index != others || !s.architectural ? name : architectural(&s, &index);
}
