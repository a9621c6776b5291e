/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be asked of a named event, and of a text of the event language. */
#include <errno.h>
#include <string.h>

#include "events/event_list.h"
#include "events/names.h"
#include "events/source_table.h"

const char *uncoremsr_event_text(const struct uncoremsr_event *event,
				 enum uncoremsr_event_property p)
{
	if (!event)
		return NULL;
	return p == UNCOREMSR_EVENT_FROM ? event->source->name : event->source->text(event, p);
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

#define TEXT(fn, p) \
	const char *uncoremsr_event_##fn(const struct uncoremsr_event *event) \
	{ \
		return uncoremsr_event_text(event, UNCOREMSR_EVENT_##p); \
	}
TEXT(name, NAME)
TEXT(uarch, UARCH)
TEXT(pmu, PMU)
TEXT(kind, KIND)
TEXT(unit, UNIT)
TEXT(description, DESCRIPTION)
TEXT(note, NOTE)
TEXT(manual, MANUAL)

static uint64_t event_number(const struct uncoremsr_event *event, enum uncoremsr_event_property p,
			     uint64_t without)
{
	uint64_t v = without;

	uncoremsr_event_number(event, p, &v);
	return v;
}

int uncoremsr_event_select(const struct uncoremsr_event *event)
{
	return (int)event_number(event, UNCOREMSR_EVENT_SELECT, (uint64_t)-1);
}

int uncoremsr_event_unit_mask(const struct uncoremsr_event *event)
{
	return (int)event_number(event, UNCOREMSR_EVENT_UNIT_MASK, (uint64_t)-1);
}

uint64_t uncoremsr_event_encoding(const struct uncoremsr_event *event)
{
	return event_number(event, UNCOREMSR_EVENT_WORD, 0);
}

unsigned uncoremsr_event_ports(const struct uncoremsr_event *event)
{
	return (unsigned)event_number(event, UNCOREMSR_EVENT_PORTS, 0);
}

const char *uncoremsr_event_source(const struct uncoremsr_event *event, size_t index)
{
	const struct um_table_event *ev = um_table_event_of(event);
	unsigned sources = ev ? um_event_sources(ev->table, ev->row) : 0;

	/* Take away the lowest bit as often as asked. */
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
	*event_select = d->their_event;
	*unit_mask = um_event_their_umask(d, ev->row);
	return um_source_word(d->who);
}

uint32_t uncoremsr_event_extra(const struct uncoremsr_event *event, uint64_t *value)
{
	*value = event_number(event, UNCOREMSR_EVENT_EXTRA_VALUE, 0);
	return (uint32_t)event_number(event, UNCOREMSR_EVENT_EXTRA_REGISTER, 0);
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
	const struct um_encoding *event;
	const struct uncoremsr_event *named;
};

int uncoremsr_encode(struct uncoremsr *um, const char *uarch, const char *text,
		     int (*fn)(void *user, const struct uncoremsr_encoding *encoding), void *user)
{
	struct um_encodings list = { 0 };
	struct um_event_pmus pmus;
	int num = um_pmus_of(um, uarch, &pmus);

	if (!num)
		num = um_events_parse(&list, text, &pmus, &um->error);
	for (size_t i = 0; num > 0 && i < list.num; i++) {
		const struct um_encoding *ev = &list.events[i];
		const struct um_event_table *t = um_event_table_of(pmus.uarch, ev->pmu);
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
	return encoding->event->fixed >= 0;
}

int uncoremsr_encoding_unit(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->unit;
}

uint32_t uncoremsr_encoding_counters(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->counters;
}

const char *uncoremsr_encoding_remark(const struct uncoremsr_encoding *encoding, size_t index)
{
	const struct um_encoding *ev = encoding->event;

	return index < ev->num_remarks ? ev->remarks[index] : NULL;
}

/* ---- the registers of an encoding: of the unit asked for, else of the first one ---- */

static unsigned first_unit(const struct um_encoding *ev)
{
	return ev->unit > 0 ? (unsigned)ev->unit : 0;
}

static unsigned first_counter(const struct um_encoding *ev)
{
	return ev->counters ? (unsigned)__builtin_ctz(ev->counters) : 0;
}

uint32_t uncoremsr_encoding_selector(const struct uncoremsr_encoding *encoding)
{
	const struct um_encoding *ev = encoding->event;
	const struct um_reg *reg = ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed].control
						  : &ev->pmu->selector.reg;

	/* A free-running counter has no control. */
	return reg->msr ? um_pmu_msr(ev->pmu, reg, first_unit(ev), first_counter(ev)) : 0;
}

uint32_t uncoremsr_encoding_counter(const struct uncoremsr_encoding *encoding)
{
	const struct um_encoding *ev = encoding->event;
	const struct um_reg *reg = ev->fixed >= 0 ? &ev->pmu->fixed[ev->fixed].counter
						  : &ev->pmu->counter;

	return um_pmu_msr(ev->pmu, reg, first_unit(ev), first_counter(ev));
}

/* Several rows may fill parts of one register: it comes once, with all of them. */
static uint64_t merged_value(const struct um_encoding *ev, uint32_t msr)
{
	uint64_t value = 0;

	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];
		uint64_t part = x->after ? x->after : ev->extra[x->slot];

		if (ev->extras >> i & 1 && x->reg.msr == msr)
			value |= part & (x->mask ? x->mask : UINT64_MAX);
	}
	return value;
}

static bool came_before(const struct um_encoding *ev, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (ev->extras >> i & 1 &&
		    ev->pmu->extras[i].reg.msr == ev->pmu->extras[row].reg.msr)
			return true;
	return false;
}

uint32_t uncoremsr_encoding_extra(const struct uncoremsr_encoding *encoding, size_t index,
				  uint64_t *value)
{
	const struct um_encoding *ev = encoding->event;

	if (ev->needs_msr) {
		*value = ev->needs_value;
		return index ? 0 : ev->needs_msr;
	}
	for (size_t i = 0; i < ev->pmu->num_extras; i++) {
		const struct um_extra *x = &ev->pmu->extras[i];

		if (!(ev->extras >> i & 1) || came_before(ev, i) || index--)
			continue;
		*value = merged_value(ev, x->reg.msr);
		return um_pmu_msr(ev->pmu, &x->reg, first_unit(ev), 0);
	}
	return 0;
}

/* Those that are only watched are for nobody to write. */
static const struct um_gate *gate_at(const struct uncoremsr_pmu *pmu, size_t index)
{
	for (unsigned i = 0; i < pmu->num_gates; i++)
		if (pmu->gates[i].reg.write_mask && !index--)
			return &pmu->gates[i];
	return NULL;
}

uint32_t uncoremsr_encoding_gate(const struct uncoremsr_encoding *encoding, size_t index,
				 uint64_t *mask, uint64_t *value, int *own)
{
	const struct um_encoding *ev = encoding->event;
	const struct um_gate *g = gate_at(ev->pmu, index);

	if (!g || !uncoremsr_encoding_selector(encoding))
		return 0;
	*mask = g->mask;
	*value = g->value;
	*own = g->per_counter;
	if (g->per_counter)
		*mask = *value = UINT64_C(1) << (ev->fixed >= 0 ? g->fixed_bit0 + ev->fixed
							       : g->bit0 + (int)first_counter(ev));
	return um_pmu_msr(ev->pmu, &g->reg, first_unit(ev), 0);
}

unsigned uncoremsr_encoding_group(const struct uncoremsr_encoding *encoding)
{
	return encoding->event->group;
}

const struct uncoremsr_event *uncoremsr_encoding_event(const struct uncoremsr_encoding *encoding)
{
	return encoding->named;
}
