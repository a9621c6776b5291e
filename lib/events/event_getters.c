/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be asked of a named event, and of a text of the event language. */
#include <errno.h>
#include <string.h>

#include "events/event_list.h"
#include "events/names.h"

static bool is_fixed(const struct uncoremsr_event *event)
{
	return event->fixed >= 0;
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
	return is_fixed(event) ? -1 : event->row->event;
}

int uncoremsr_event_unit_mask(const struct uncoremsr_event *event)
{
	return is_fixed(event) ? -1 : event->row->umask;
}

uint64_t uncoremsr_event_encoding(const struct uncoremsr_event *event)
{
	const struct um_selector *sel = &event->pmu->selector;
	uint64_t user = 0, kernel = 0;

	if (is_fixed(event))
		return event->pmu->fixed[event->fixed].enable;
	um_pmu_rings(event->pmu, &user, &kernel);
	return (um_row_word(event->pmu, event->row) & ~sel->not_written) | sel->occ_reset |
	       sel->fixed_bits | sel->enable | user | kernel;
}

unsigned uncoremsr_event_ports(const struct uncoremsr_event *event)
{
	return event->row->ports;
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
