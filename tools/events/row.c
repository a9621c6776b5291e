/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The columns that list, search and encode have in common. */
#include <stdio.h>
#include <string.h>

#include "common/properties.h"
#include "events/events.h"

enum record_state events_text(struct record_value *v, const char *text)
{
	v->text = text;
	return text ? RECORD_KNOWN : RECORD_UNKNOWN;
}

/* A code as the value of a column; negative: unknown. */
static enum record_state code(struct record_value *v, int64_t n)
{
	v->count = (uint64_t)n;
	return n < 0 ? RECORD_UNKNOWN : RECORD_KNOWN;
}

uint64_t events_encoding_number(const struct uncoremsr_encoding *enc,
				enum uncoremsr_encoding_property p)
{
	uint64_t v;

	return uncoremsr_encoding_number(enc, p, &v) < 0 ? 0 : v;
}

uint32_t events_extra(const struct uncoremsr_encoding *enc, size_t index, uint64_t *value)
{
	enum uncoremsr_register_use use;
	uint64_t mask;
	uint32_t msr = uncoremsr_encoding_register(enc, index, &use, &mask, value);

	if (msr && use == UNCOREMSR_USE_EVENT)
		return msr;
	*value = 0;
	return 0;
}

const char *events_row_name(const struct events_row *row)
{
	return row->encoding ? uncoremsr_encoding_text(row->encoding, UNCOREMSR_ENCODING_NAME)
			     : event_name(row->event);
}

const char *events_row_pmu(const struct events_row *row)
{
	return row->encoding ? uncoremsr_encoding_text(row->encoding, UNCOREMSR_ENCODING_PMU)
			     : uncoremsr_event_text(row->event, UNCOREMSR_EVENT_PMU);
}

uint64_t events_row_word(const struct events_row *row)
{
	return row->encoding ? events_encoding_number(row->encoding, UNCOREMSR_ENCODING_WORD)
			     : (uint64_t)event_number(row->event, UNCOREMSR_EVENT_WORD);
}

bool events_is_from(const struct uncoremsr_event *ev, const char *source)
{
	const char *from = uncoremsr_event_text(ev, UNCOREMSR_EVENT_FROM);

	return from && strcmp(from, source) == 0;
}

bool events_is_of_core(const struct uncoremsr_event *ev)
{
	return events_is_from(ev, "perf") ||
	       (events_is_from(ev, "kernel") && event_number(ev, UNCOREMSR_EVENT_UNCORE) == 0);
}

size_t events_who_has_it(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	const char *source;
	size_t len = 0;

	for (size_t i = 0; len < size && (source = uncoremsr_event_source(ev, i)); i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "", source);
	return len;
}

bool events_choice(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	unsigned event, umask, chosen = (unsigned)event_number(ev, UNCOREMSR_EVENT_UNIT_MASK);
	const char *who = ev ? uncoremsr_event_dispute(ev, 0, &event, &umask) : NULL;
	size_t len;

	if (!who)
		return false;
	len = (size_t)snprintf(buf, size, "0x%x:0x%x, as ",
			       (unsigned)event_number(ev, UNCOREMSR_EVENT_SELECT), chosen);
	len += len < size ? events_who_has_it(ev, buf + len, size - len) : 0;
	if (len < size)
		snprintf(buf + len, size - len, " %s; %s alone has 0x%x:0x%x%s; not verified on hardware",
			 uncoremsr_event_source(ev, 1) ? "have it" : "has it",
			 who, event, umask, !umask && chosen ? ", which chooses no part of the event" : "");
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

	if (!enc || events_encoding_number(enc, UNCOREMSR_ENCODING_FIXED))
		return -1;
	return events_field(events_register_at(row->e, (uint32_t)events_encoding_number(
				    enc, UNCOREMSR_ENCODING_SELECTOR)),
			    name, events_row_word(row));
}

static enum record_state get_name(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return events_text(v, events_row_name(row));
}

static enum record_state get_uarch(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return events_text(v, is_foreign(row) ? uncoremsr_event_text(row->event,
								      UNCOREMSR_EVENT_UARCH)
					      : row->e->uarch);
}

static enum record_state get_pmu(const void *row, struct record_value *v)
{
	return events_text(v, events_row_pmu(row));
}

const char *events_source_text(const struct uncoremsr_event *ev)
{
	static const char *const texts[][2] = {
		{ "list", "event list" }, { "kernel", "kernel event" }, { "fixed", "fixed counter" },
		{ "imc", "in-memory counter" }, { "metric", "metric" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (events_is_from(ev, texts[i][0]))
			return texts[i][1];
	return "perf event";
}

/* The class of an event. Uncore events are never "architectural": they differ from model to model. */
static enum record_state get_class(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	if (is_foreign(row))
		return events_text(v, events_source_text(row->event));
	return events_text(v, !events_row_is_core(row) ? "uncore model-specific"
			      : row->event ? "core architectural" : "core model-specific");
}

static enum record_state get_select(const void *user, struct record_value *v)
{
	const struct events_row *row = user;
	int64_t n = row->encoding ? events_row_field(row, "EVENT")
				  : event_number(row->event, UNCOREMSR_EVENT_SELECT);

	return code(v, n < 0 ? events_row_field(row, "INC_SEL") : n);
}

static enum record_state get_umask(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return code(v, row->encoding ? events_row_field(row, "UMASK")
				     : event_number(row->event, UNCOREMSR_EVENT_UNIT_MASK));
}

static enum record_state get_encoding(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	v->count = events_row_word(row);
	return is_foreign(row) ? RECORD_UNKNOWN : RECORD_KNOWN;
}

/* A text of the event; for events of lists "" if the list does not have it. */
static enum record_state text_of(const struct events_row *row, struct record_value *v,
				 enum uncoremsr_event_property p)
{
	const char *text = uncoremsr_event_text(row->event, p);
	bool said = text || p == UNCOREMSR_EVENT_KIND || p == UNCOREMSR_EVENT_NOTE ||
		    p == UNCOREMSR_EVENT_SCALE || p == UNCOREMSR_EVENT_MEASURE;

	return events_text(v, !said && !row->encoding && events_is_from(row->event, "list") ? ""
											    : text);
}

#define TEXT(get, property) \
	static enum record_state get(const void *row, struct record_value *v) \
	{ \
		return text_of(row, v, property); \
	}

static enum record_state get_unit(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return text_of(row, v, events_is_from(row->event, "metric") ? UNCOREMSR_EVENT_MEASURE : UNCOREMSR_EVENT_UNIT);
}

TEXT(get_description, UNCOREMSR_EVENT_DESCRIPTION)
TEXT(get_terms, UNCOREMSR_EVENT_TERMS)
TEXT(get_counters, UNCOREMSR_EVENT_COUNTERS)
TEXT(get_impossible, UNCOREMSR_EVENT_IMPOSSIBLE)
TEXT(get_kind, UNCOREMSR_EVENT_KIND)
TEXT(get_note, UNCOREMSR_EVENT_NOTE)
TEXT(get_level, UNCOREMSR_EVENT_LEVEL)
TEXT(get_scale, UNCOREMSR_EVENT_SCALE)
TEXT(get_measure, UNCOREMSR_EVENT_MEASURE)

static enum record_state get_offset(const void *user, struct record_value *v)
{
	return code(v, event_number(((const struct events_row *)user)->event, UNCOREMSR_EVENT_OFFSET));
}

/* The node of the device tree that describes the unit, for events of catalogs. */
static enum record_state get_node(const void *user, struct record_value *v)
{
	const struct events_row *row = user;

	return events_text(v, events_is_from(row->event, "imc")
				      ? uncoremsr_event_text(row->event, UNCOREMSR_EVENT_UNIT) : NULL);
}

static void put_sources(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;
	const char *source;

	if (is_foreign(row)) {
		record_str(w, name, NULL);
		return;
	}
	record_open_list(w, name);
	for (size_t i = 0; (source = uncoremsr_event_source(row->event, i)); i++)
		record_str(w, NULL, source);
	record_close(w);
}

/* CSV: "libpfm4 0x82:0x0" */
static void put_disputes(struct records *w, const char *name, const void *user)
{
	const struct events_row *row = user;
	const char *who;
	unsigned event, umask;

	if (is_foreign(row)) {
		record_str(w, name, NULL);
		return;
	}
	record_open_list(w, name);
	for (size_t i = 0; (who = uncoremsr_event_dispute(row->event, i, &event, &umask)); i++) {
		char text[64];

		if (w->format != &record_json) {
			snprintf(text, sizeof(text), "%s 0x%x:0x%x", who, event, umask);
			record_str(w, NULL, text);
			continue;
		}
		record_open(w, NULL);
		record_str(w, "source", who);
		record_word(w, "event_select", event);
		record_word(w, "umask", umask);
		record_close(w);
	}
	record_close(w);
}

/* The first extra register that the event needs; 0: none. */
static uint32_t first_extra(const struct events_row *row, uint64_t *value)
{
	int64_t msr;

	*value = 0;
	if (row->encoding)
		return events_extra(row->encoding, 0, value);
	uncoremsr_event_number(row->event, UNCOREMSR_EVENT_EXTRA_VALUE, value);
	msr = event_number(row->event, UNCOREMSR_EVENT_EXTRA_REGISTER);
	return msr < 0 ? 0 : (uint32_t)msr;
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
