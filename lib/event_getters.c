/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be asked of a named event, and of a text of the event language. */
#include <errno.h>
#include <string.h>

#include "event_list.h"
#include "events/event.h"
#include "events/names.h"

static const struct um_uarch *uarch_of(const struct uncoremsr_event *event)
{
	return um_uarch_find(event->table->uarch);
}

static bool is_clock(const struct uncoremsr_event *event)
{
	return um_event_kind(event->table, event->row) == UM_KIND_CLOCK;
}

const char *uncoremsr_event_name(const struct uncoremsr_event *event)
{
	return event->row->name;
}

const char *uncoremsr_event_uarch(const struct uncoremsr_event *event)
{
	return event->table->uarch;
}

const char *uncoremsr_event_pmu(const struct uncoremsr_event *event)
{
	return event->table->pmu;
}

int uncoremsr_event_select(const struct uncoremsr_event *event)
{
	return is_clock(event) ? -1 : event->row->event;
}

int uncoremsr_event_unit_mask(const struct uncoremsr_event *event)
{
	return is_clock(event) ? -1 : event->row->umask;
}

uint64_t uncoremsr_event_encoding(const struct uncoremsr_event *event)
{
	const struct uncoremsr_pmu *pmu = &uarch_of(event)->pmus[0];
	const struct um_selector *sel = &pmu->selector;

	if (is_clock(event))
		return pmu->fixed_enable;
	return (uint64_t)event->row->event << sel->event.shift |
	       (uint64_t)event->row->umask << sel->umask.shift | sel->occ_reset | sel->enable;
}

const char *uncoremsr_event_kind(const struct uncoremsr_event *event)
{
	return um_event_kind_word(um_event_kind(event->table, event->row));
}

const char *uncoremsr_event_unit(const struct uncoremsr_event *event)
{
	return um_event_unit_word(um_event_unit(event->table, event->row));
}

const char *uncoremsr_event_description(const struct uncoremsr_event *event)
{
	return event->description;
}

const char *uncoremsr_event_note(const struct uncoremsr_event *event)
{
	return um_event_note(event->table, event->row);
}

const char *uncoremsr_event_manual(const struct uncoremsr_event *event)
{
	return event->table->manual;
}

const char *uncoremsr_event_source(const struct uncoremsr_event *event, size_t index)
{
	unsigned sources = um_event_sources(event->table, event->row);

	/* Take away the lowest bit as often as asked. */
	while (sources && index--)
		sources &= sources - 1;
	return sources ? um_source_word(sources & -sources) : NULL;
}

const char *uncoremsr_event_dispute(const struct uncoremsr_event *event, size_t index,
				    unsigned *event_select, unsigned *unit_mask)
{
	const struct um_event_dispute *d = NULL;

	do
		d = um_event_dispute(event->table, event->row, d);
	while (d && index--);
	if (!d)
		return NULL;
	*event_select = d->their_event;
	*unit_mask = um_event_their_umask(d, event->row);
	return um_source_word(d->who);
}

uint32_t uncoremsr_event_extra(const struct uncoremsr_event *event, uint64_t *value)
{
	*value = event->row->extra_value;
	return event->row->extra_msr;
}

int uncoremsr_event_spelling(const struct uncoremsr_event *event, const char *who, char *buf,
			     size_t size)
{
	static const enum um_source sources[] = { UM_LIBPFM4, UM_LIKWID, UM_FREEBSD };

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (strcmp(who, um_source_word(sources[i])) == 0)
			return um_event_spell(event->row, sources[i], buf, size);
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

const char *uncoremsr_core_event_name(unsigned event_select, unsigned unit_mask, size_t index,
				      const char **processors)
{
	const struct um_core_event *e;
	unsigned event, umask;
	const char *name;

	for (unsigned bit = 0; (name = um_arch_event(bit, &event, &umask)); bit++) {
		if (event != event_select || umask != unit_mask || index--)
			continue;
		*processors = "architectural: wherever CPUID leaf 0xA does not call it absent";
		return name;
	}
	e = um_core_event_at(event_select, unit_mask, index);
	if (!e)
		return NULL;
	*processors = e->processors;
	return e->name;
}

/* ---- the language ---- */

struct uncoremsr_encoding {
	const struct um_event *event;
	const struct uncoremsr_event *named;
};

int uncoremsr_encode(struct uncoremsr *um, const char *uarch, const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	struct um_event_list list = { 0 };
	const struct um_event_table *t;
	const struct um_uarch *u;
	int num = um_tables_of(um, uarch, &u, &t);

	if (!num)
		num = um_events_parse(&list, text, u, &um->error);
	for (size_t i = 0; num > 0 && i < list.num; i++) {
		const struct um_event *ev = &list.events[i];
		struct uncoremsr_encoding encoding = {
			.event = ev, .named = ev->row ? um_event_of(um, t, ev->row) : NULL,
		};
		int err = fn(user, &encoding);

		num = err ? err : num;
	}
	um_events_free(&list);
	return num;
}

const char *uncoremsr_encoding_name(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->name;
}

const char *uncoremsr_encoding_pmu(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->pmu->name;
}

uint64_t uncoremsr_encoding_word(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->word;
}

int uncoremsr_encoding_fixed(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->fixed;
}

unsigned uncoremsr_encoding_group(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->group;
}

const struct uncoremsr_event *uncoremsr_encoding_event(const struct uncoremsr_encoding *encoding)
{
	return encoding->named;
}
