/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns that list, search and encode have in common. */
#include <stdio.h>
#include <string.h>

#include "events/events.h"

const struct uncoremsr_register_bits *events_extra(const struct uncoremsr_encoding *enc, size_t index)
{
	const struct uncoremsr_register_bits *bits = enc->registers[index];

	return bits && bits->use == UNCOREMSR_USE_EVENT ? bits : NULL;
}

bool events_is_from(const struct uncoremsr_event *ev, const char *source)
{
	return ev && strcmp(ev->from, source) == 0;
}

bool events_is_of_core(const struct uncoremsr_event *ev)
{
	return events_is_from(ev, "perf") ||
	       (events_is_from(ev, "kernel") && ev->uncore == 0 && !ev->level);
}

void events_who_has_it(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t i = 0; ev->sources[i]; i++)
		list_add(buf, size, ", ", ev->sources[i]);
}

bool events_choice(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	const struct uncoremsr_other_codes *other = ev ? ev->dispute : NULL;
	char who[EVENTS_CHOICE / 2];

	if (!other)
		return false;
	events_who_has_it(ev, who, sizeof(who));
	snprintf(buf, size, "0x%x:0x%x, as %s %s; %s alone has 0x%x:0x%x%s; not verified on hardware",
		 (unsigned)ev->event_select, (unsigned)ev->unit_mask, who,
		 ev->sources[0] && ev->sources[1] ? "have it" : "has it", other->source, other->event_select,
		 other->unit_mask, !other->unit_mask && ev->unit_mask ? ", which selects no sub-event" : "");
	return true;
}

bool events_is_core(const char *pmu)
{
	return strcmp(pmu, "core") == 0;
}

#define PERF_NAMES "perf's names, the same on every processor"

const struct events_source events_sources[EVENTS_SOURCES] = {
	{ "table", NULL, NULL, NULL },
	{ "fixed", "fixed counter", NULL, "what fixed and free-running counters count" },
	{ "list", "event list", "an event list", NULL },
	{ "imc", "in-memory counter", "an IMC catalog", NULL },
	{ "kernel", "kernel event", "the kernel's own events", "events of the kernel's PMUs" },
	{ "perf", "perf event", PERF_NAMES, PERF_NAMES },
	{ "metric", "metric", NULL, "metrics, computed from events by uncore-read -M NAME" },
};

const struct events_source *events_source(const struct uncoremsr_event *ev)
{
	const struct events_source *s = events_sources;

	while (!events_is_from(ev, s->word))
		s++;
	return s;
}

/* Uncore events are never "architectural": they differ from model to model. */
static const char *class_of(const struct events_row *row)
{
	if (row->foreign)
		return events_source(row->event)->class;
	if (!events_is_core(row->shown.pmu))
		return "uncore model-specific";
	return row->event ? "core architectural" : "core model-specific";
}

static void take_encoding(struct events_row *row, const struct uncoremsr_encoding *enc)
{
	const struct uncoremsr_register_bits *extra = events_extra(enc, 0);
	const struct uncoremsr_register *reg = enc->fixed ? NULL : events_register_at(row->e, (uint32_t)enc->selector);
	struct uncoremsr_event *shown = &row->shown;

	shown->name = enc->name;
	shown->pmu = enc->pmu;
	shown->word = enc->word;
	shown->event_select = events_code(reg, "EVENT", enc->word);
	if (shown->event_select == UINT64_MAX)
		shown->event_select = events_code(reg, "INC_SEL", enc->word);
	shown->unit_mask = events_code(reg, "UMASK", enc->word);
	shown->extra_register = extra ? extra->address : UINT64_MAX;
	shown->extra_value = extra && extra->value ? extra->value : UINT64_MAX;
}

/* Texts that an event list does not have are shown as "", not as NULL. */
static void take_listed(struct uncoremsr_event *shown)
{
	const char **texts[] = {
		&shown->description, &shown->terms, &shown->counters, &shown->impossible, &shown->level, &shown->unit,
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!*texts[i])
			*texts[i] = "";
}

struct events_row events_row(const struct events *e, const struct uncoremsr_event *ev,
			     const struct uncoremsr_encoding *enc)
{
	struct events_row row = {
		.e = e, .event = ev, .encoding = enc, .foreign = !enc && !events_is_from(ev, "table"),
		.shown = ev ? *ev : (struct uncoremsr_event){ .offset = UINT64_MAX },
		/* The node of the device tree that describes the unit. */
		.node = events_is_from(ev, "imc") ? ev->unit : NULL,
	};

	if (enc)
		take_encoding(&row, enc);
	else if (events_is_from(ev, "list"))
		take_listed(&row.shown);
	if (events_is_from(ev, "metric"))
		row.shown.unit = ev->measure;
	if (row.foreign)
		row.shown.word = UINT64_MAX;
	else
		row.shown.uarch = e->uarch;
	row.class = class_of(&row);
	return row;
}

static void put_sources(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;

	if (row->foreign)
		record_str(w, name, NULL);
	else
		record_strs(w, name, row->event ? row->event->sources : NULL);
}

/* In CSV, the codes of another source are written as "libpfm4 0x82:0x0". */
static void put_disputes(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;
	const struct uncoremsr_other_codes *other = row->event ? row->event->dispute : NULL;
	char text[64];

	if (row->foreign) {
		record_str(w, name, NULL);
		return;
	}
	record_open_list(w, name);
	if (other && w->format != &record_json) {
		snprintf(text, sizeof(text), "%s 0x%x:0x%x", other->source, other->event_select, other->unit_mask);
		record_str(w, NULL, text);
	} else if (other) {
		record_open(w, NULL);
		record_str(w, "source", other->source);
		record_word(w, "event_select", other->event_select);
		record_word(w, "umask", other->unit_mask);
		record_close(w);
	}
	record_close(w);
}

static bool is_wide(const void *user)
{
	return ((const struct events *)user)->wide;
}

static bool has_catalog(const void *user)
{
	return ((const struct events *)user)->catalog;
}

const struct record_column events_columns[EVENTS_COLUMNS] = {
	{ "name", RECORD_STR, RECORD_AT(events_row, shown.name) },
	{ "uarch", RECORD_STR, RECORD_AT(events_row, shown.uarch) },
	{ "pmu", RECORD_STR, RECORD_AT(events_row, shown.pmu) },
	{ "class", RECORD_STR, RECORD_AT(events_row, class) },
	{ "event_select", RECORD_WORD, RECORD_AT(events_row, shown.event_select) },
	{ "umask", RECORD_WORD, RECORD_AT(events_row, shown.unit_mask) },
	{ "encoding", RECORD_WORD, RECORD_AT(events_row, shown.word) },
	{ "kind", RECORD_STR, RECORD_AT(events_row, shown.kind) },
	{ "unit", RECORD_STR, RECORD_AT(events_row, shown.unit) },
	{ "description", RECORD_STR, RECORD_AT(events_row, shown.description) },
	{ "note", RECORD_STR, RECORD_AT(events_row, shown.note) },
	{ "sources", RECORD_NESTED, .put = put_sources, .join = " " },
	{ "contradictions", RECORD_NESTED, .put = put_disputes, .join = " " },
	{ "extra_register", RECORD_WORD, RECORD_AT(events_row, shown.extra_register) },
	{ "extra_value", RECORD_WORD, RECORD_AT(events_row, shown.extra_value) },
	{ "terms", RECORD_STR, RECORD_AT(events_row, shown.terms), .shown = is_wide },
	{ "counters", RECORD_STR, RECORD_AT(events_row, shown.counters), .shown = is_wide },
	{ "impossible", RECORD_STR, RECORD_AT(events_row, shown.impossible), .shown = is_wide },
	{ "level", RECORD_STR, RECORD_AT(events_row, shown.level), .shown = has_catalog },
	{ "offset", RECORD_WORD, RECORD_AT(events_row, shown.offset), .shown = has_catalog },
	{ "scale", RECORD_STR, RECORD_AT(events_row, shown.scale), .shown = is_wide },
	{ "measure", RECORD_STR, RECORD_AT(events_row, shown.measure), .shown = is_wide },
	{ "node", RECORD_STR, RECORD_AT(events_row, node), .shown = has_catalog },
};
