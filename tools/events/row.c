/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns that list, search and encode have in common. */
#include <stdio.h>
#include <string.h>

#include "events/events.h"

static enum record_state code(struct record_value *v, uint64_t n)
{
	v->count = n;
	return n == UINT64_MAX ? RECORD_UNKNOWN : RECORD_KNOWN;
}

const struct uncoremsr_register_bits *events_extra(const struct uncoremsr_encoding *enc, size_t index)
{
	const struct uncoremsr_register_bits *bits = enc->registers[index];

	return bits && bits->use == UNCOREMSR_USE_EVENT ? bits : NULL;
}

const char *events_row_name(const struct events_row *row)
{
	return row->encoding ? row->encoding->name : row->event->name;
}

const char *events_row_pmu(const struct events_row *row)
{
	return row->encoding ? row->encoding->pmu : row->event->pmu;
}

uint64_t events_row_word(const struct events_row *row)
{
	return row->encoding ? row->encoding->word : row->event->word;
}

bool events_is_from(const struct uncoremsr_event *ev, const char *source)
{
	return ev && strcmp(ev->from, source) == 0;
}

bool events_is_of_core(const struct uncoremsr_event *ev)
{
	return events_is_from(ev, "perf") ||
	       (events_is_from(ev, "kernel") && ev->uncore == 0);
}

size_t events_who_has_it(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; len < size && ev->sources[i]; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "", ev->sources[i]);
	return len;
}

bool events_choice(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	const struct uncoremsr_other_codes *other = ev ? ev->dispute : NULL;
	size_t len;

	if (!other)
		return false;
	len = (size_t)snprintf(buf, size, "0x%x:0x%x, as ", (unsigned)ev->event_select, (unsigned)ev->unit_mask);
	len += len < size ? events_who_has_it(ev, buf + len, size - len) : 0;
	if (len < size)
		snprintf(buf + len, size - len, " %s; %s alone has 0x%x:0x%x%s; not verified on hardware",
			 ev->sources[0] && ev->sources[1] ? "have it" : "has it",
			 other->source, other->event_select, other->unit_mask,
			 !other->unit_mask && ev->unit_mask ? ", which chooses no part of the event" : "");
	return true;
}

/* Is the event from an event list or from the kernel? */
static bool is_foreign(const struct events_row *row)
{
	return !row->encoding && !events_is_from(row->event, "table");
}

bool events_row_is_core(const struct events_row *row)
{
	return strcmp(events_row_pmu(row), "core") == 0;
}

int64_t events_row_field(const struct events_row *row, const char *name)
{
	const struct uncoremsr_encoding *enc = row->encoding;

	if (!enc || enc->fixed)
		return -1;
	return events_field(events_register_at(row->e, (uint32_t)enc->selector), name, enc->word);
}

static enum record_state get_name(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return value_text(v, events_row_name(row));
}

static enum record_state get_uarch(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return value_text(v, is_foreign(row) ? row->event->uarch : row->e->uarch);
}

static enum record_state get_pmu(const void *row, struct record_value *v)
{
	return value_text(v, events_row_pmu(row));
}

const char *events_source_text(const struct uncoremsr_event *ev)
{
	static const char *const texts[][2] = {
		{ "list", "event list" }, { "kernel", "kernel event" }, { "fixed", "fixed counter" },
		{ "imc", "in-memory counter" }, { "metric", "metric" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (events_is_from(ev, texts[i][0]))
			return texts[i][1];
	return "perf event";
}

/* The class of an event. Uncore events are never "architectural": they differ from model to model. */
static enum record_state get_class(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	if (is_foreign(row))
		return value_text(v, events_source_text(row->event));
	return value_text(v, !events_row_is_core(row) ? "uncore model-specific"
			      : row->event ? "core architectural" : "core model-specific");
}

static enum record_state get_select(const void *user, struct record_value *v)
{
	const struct events_row *row = user;
	uint64_t n = row->encoding ? (uint64_t)events_row_field(row, "EVENT") : row->event->event_select;

	return code(v, n == UINT64_MAX ? (uint64_t)events_row_field(row, "INC_SEL") : n);
}

static enum record_state get_umask(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return code(v, row->encoding ? (uint64_t)events_row_field(row, "UMASK") : row->event->unit_mask);
}

static enum record_state get_encoding(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	v->count = events_row_word(row);
	return is_foreign(row) ? RECORD_UNKNOWN : RECORD_KNOWN;
}

/* A text of the event. @listed: what an event list does not have is "". */
static enum record_state text_of(const struct events_row *row, struct record_value *v, const char *text, bool listed)
{
	return value_text(v, !text && listed && !row->encoding && events_is_from(row->event, "list") ? "" : text);
}

#define TEXT(get, member, listed) \
	static enum record_state get(const void *user, struct record_value *v) \
	{ \
		const struct events_row *row = user; \
		return text_of(row, v, row->event ? row->event->member : NULL, listed); \
	}

TEXT(get_description, description, true)
TEXT(get_terms, terms, true)
TEXT(get_counters, counters, true)
TEXT(get_impossible, impossible, true)
TEXT(get_kind, kind, false)
TEXT(get_note, note, false)
TEXT(get_level, level, true)
TEXT(get_scale, scale, false)
TEXT(get_measure, measure, false)
TEXT(get_unit_of_event, unit, true)

static enum record_state get_unit(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return events_is_from(row->event, "metric") ? get_measure(row, v) : get_unit_of_event(row, v);
}

static enum record_state get_offset(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return code(v, row->event ? row->event->offset : UINT64_MAX);
}

/* The node of the device tree that describes the unit, for events of catalogs. */
static enum record_state get_node(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return value_text(v, events_is_from(row->event, "imc") ? row->event->unit : NULL);
}

static void put_sources(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;

	if (is_foreign(row)) {
		record_str(w, name, NULL);
		return;
	}
	record_open_list(w, name);
	for (size_t i = 0; row->event && row->event->sources[i]; i++)
		record_str(w, NULL, row->event->sources[i]);
	record_close(w);
}

/* CSV: "libpfm4 0x82:0x0" */
static void put_disputes(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;
	const struct uncoremsr_other_codes *other = row->event ? row->event->dispute : NULL;
	char text[64];

	if (is_foreign(row)) {
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

/* The first extra register that the event needs; 0: none. */
static uint32_t first_extra(const struct events_row *row, uint64_t *value)
{
	const struct uncoremsr_register_bits *bits = row->encoding ? events_extra(row->encoding, 0) : NULL;

	*value = bits ? bits->value : 0;
	if (row->encoding)
		return bits ? bits->address : 0;
	*value = row->event->extra_value == UINT64_MAX ? 0 : row->event->extra_value;
	return row->event->extra_register == UINT64_MAX ? 0 : (uint32_t)row->event->extra_register;
}

static enum record_state get_extra(const void *row, struct record_value *v)
{
	uint64_t value;

	v->count = first_extra(row, &value);
	return v->count ? RECORD_KNOWN : RECORD_UNKNOWN;
}

/* The value of the first extra register; unknown if the user must choose it. */
static enum record_state get_extra_value(const void *row, struct record_value *v)
{
	first_extra(row, &v->count);
	return v->count ? RECORD_KNOWN : RECORD_UNKNOWN;
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
	{ "name", RECORD_STR, .get = get_name },
	{ "uarch", RECORD_STR, .get = get_uarch },
	{ "pmu", RECORD_STR, .get = get_pmu },
	{ "class", RECORD_STR, .get = get_class },
	{ "event_select", RECORD_WORD, .get = get_select },
	{ "umask", RECORD_WORD, .get = get_umask },
	{ "encoding", RECORD_WORD, .get = get_encoding },
	{ "kind", RECORD_STR, .get = get_kind },
	{ "unit", RECORD_STR, .get = get_unit },
	{ "description", RECORD_STR, .get = get_description },
	{ "note", RECORD_STR, .get = get_note },
	{ "sources", RECORD_NESTED, .put = put_sources, .join = " " },
	{ "contradictions", RECORD_NESTED, .put = put_disputes, .join = " " },
	{ "extra_register", RECORD_WORD, .get = get_extra },
	{ "extra_value", RECORD_WORD, .get = get_extra_value },
	/* Only for events that are not from our tables. */
	{ "terms", RECORD_STR, .get = get_terms, .shown = is_wide },
	{ "counters", RECORD_STR, .get = get_counters, .shown = is_wide },
	{ "impossible", RECORD_STR, .get = get_impossible, .shown = is_wide },
	/* Only for events of catalogs. */
	{ "level", RECORD_STR, .get = get_level, .shown = has_catalog },
	{ "offset", RECORD_WORD, .get = get_offset, .shown = has_catalog },
	{ "scale", RECORD_STR, .get = get_scale, .shown = is_wide },
	{ "measure", RECORD_STR, .get = get_measure, .shown = is_wide },
	{ "node", RECORD_STR, .get = get_node, .shown = has_catalog },
};
