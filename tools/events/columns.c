/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event as a row: the columns that list, search and encode have in common. */
#include <string.h>

#include "events/events.h"

void events_put_text(struct out *o, const char *text, bool json)
{
	if (json)
		out_json_str(o, text);
	else
		out_csv_str(o, text);
}

void events_put_word(struct out *o, uint64_t v, bool json)
{
	out_str(o, json ? "\"0x" : "0x");
	out_hex(o, v);
	out_str(o, json ? "\"" : "");
}

/* A negative number is unknown. */
static void put_code(struct out *o, int64_t v, bool json)
{
	if (v >= 0)
		events_put_word(o, (uint64_t)v, json);
	else if (json)
		out_str(o, "null");
}

const char *events_row_name(const struct events_row *row)
{
	return row->encoding ? uncoremsr_encoding_name(row->encoding)
			     : uncoremsr_event_name(row->event);
}

uint64_t events_row_word(const struct events_row *row)
{
	return row->encoding ? uncoremsr_encoding_word(row->encoding)
			     : uncoremsr_event_encoding(row->event);
}

static bool is_fixed(const struct events_row *row)
{
	return row->encoding ? uncoremsr_encoding_fixed(row->encoding)
			     : uncoremsr_event_select(row->event) < 0;
}

static void put_name(struct out *o, const struct events_row *row, bool json)
{
	events_put_text(o, events_row_name(row), json);
}

static void put_uarch(struct out *o, const struct events_row *row, bool json)
{
	events_put_text(o, row->e->uarch, json);
}

static void put_pmu(struct out *o, const struct events_row *row, bool json)
{
	events_put_text(o, row->encoding ? uncoremsr_encoding_pmu(row->encoding)
					 : uncoremsr_event_pmu(row->event), json);
}

bool events_row_is_core(const struct events_row *row)
{
	return strcmp(row->encoding ? uncoremsr_encoding_pmu(row->encoding)
				    : uncoremsr_event_pmu(row->event), "core") == 0;
}

/* Nothing about the uncore is architectural: it differs from model to model. */
static void put_class(struct out *o, const struct events_row *row, bool json)
{
	events_put_text(o, !events_row_is_core(row) ? "uncore model-specific"
			   : row->event ? "core architectural" : "core model-specific", json);
}

int64_t events_row_field(const struct events_row *row, const char *name)
{
	const struct uncoremsr_register *reg;

	if (!row->encoding || is_fixed(row))
		return -1;
	reg = events_register_at(row->e, uncoremsr_encoding_selector(row->encoding));
	return events_field(reg, name, events_row_word(row));
}

static int64_t code(const struct events_row *row, const char *field, const char *also,
		    int (*get)(const struct uncoremsr_event *event))
{
	int64_t v = row->encoding ? events_row_field(row, field) : get(row->event);

	return v < 0 && also && row->encoding ? events_row_field(row, also) : v;
}

static void put_event_select(struct out *o, const struct events_row *row, bool json)
{
	put_code(o, code(row, "EVENT", "INC_SEL", uncoremsr_event_select), json);
}

static void put_umask(struct out *o, const struct events_row *row, bool json)
{
	put_code(o, code(row, "UMASK", NULL, uncoremsr_event_unit_mask), json);
}

static void put_encoding(struct out *o, const struct events_row *row, bool json)
{
	events_put_word(o, events_row_word(row), json);
}

/* A text of the tables, unknown for codes without a name. */
#define TEXT_COLUMN(put_fn, getter) \
	static void put_fn(struct out *o, const struct events_row *row, bool json) \
	{ \
		events_put_text(o, row->event ? getter(row->event) : NULL, json); \
	}

TEXT_COLUMN(put_kind, uncoremsr_event_kind)
TEXT_COLUMN(put_unit, uncoremsr_event_unit)
TEXT_COLUMN(put_description, uncoremsr_event_description)
TEXT_COLUMN(put_note, uncoremsr_event_note)

static void put_sources(struct out *o, const struct events_row *row, bool json)
{
	const char *source;

	out_str(o, json ? "[" : "");
	for (size_t i = 0; row->event && (source = uncoremsr_event_source(row->event, i)); i++) {
		if (i)
			out_char(o, json ? ',' : ' ');
		events_put_text(o, source, json);
	}
	out_str(o, json ? "]" : "");
}

/* CSV: "libpfm4 0x82:0x0" */
static void put_disputes(struct out *o, const struct events_row *row, bool json)
{
	const char *who;
	unsigned event, umask;

	out_str(o, json ? "[" : "");
	for (size_t i = 0; row->event &&
	     (who = uncoremsr_event_dispute(row->event, i, &event, &umask)); i++) {
		if (json)
			out_fmt(o, "%s{\"source\":\"%s\",\"event_select\":\"0x%x\",\"umask\":\"0x%x\"}",
				i ? "," : "", who, event, umask);
		else
			out_fmt(o, "%s%s 0x%x:0x%x", i ? " " : "", who, event, umask);
	}
	out_str(o, json ? "]" : "");
}

/* The first of the registers that it needs besides. */
static uint32_t first_extra(const struct events_row *row, uint64_t *value)
{
	*value = 0;
	if (row->encoding)
		return uncoremsr_encoding_extra(row->encoding, 0, value);
	return row->event ? uncoremsr_event_extra(row->event, value) : 0;
}

static void put_extra(struct out *o, const struct events_row *row, bool json)
{
	uint64_t value;
	uint32_t msr = first_extra(row, &value);

	put_code(o, msr ? (int64_t)msr : -1, json);
}

/* Unknown where the caller has to choose. */
static void put_extra_value(struct out *o, const struct events_row *row, bool json)
{
	uint64_t value;

	first_extra(row, &value);
	if (value)
		events_put_word(o, value, json);
	else
		put_code(o, -1, json);
}

const struct events_column events_columns[] = {
	{ "name", put_name },
	{ "uarch", put_uarch },
	{ "pmu", put_pmu },
	{ "class", put_class },
	{ "event_select", put_event_select },
	{ "umask", put_umask },
	{ "encoding", put_encoding },
	{ "kind", put_kind },
	{ "unit", put_unit },
	{ "description", put_description },
	{ "note", put_note },
	{ "sources", put_sources },
	{ "contradictions", put_disputes },
	{ "extra_register", put_extra },
	{ "extra_value", put_extra_value },
};

const size_t events_num_columns = sizeof(events_columns) / sizeof(events_columns[0]);

void events_put_heads(struct out *o, const struct events_column *columns, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		out_str(o, columns[i].name);
		out_char(o, i + 1 < num ? ',' : '\n');
	}
}

void events_put_row(struct out *o, const struct events_column *columns, size_t num,
		    const struct events_row *row, bool json)
{
	for (size_t i = 0; i < num; i++) {
		if (json) {
			out_char(o, i ? ',' : '{');
			out_json_str(o, columns[i].name);
			out_char(o, ':');
		} else if (i) {
			out_char(o, ',');
		}
		columns[i].put(o, row, json);
	}
	out_str(o, json ? "}\n" : "\n");
}
