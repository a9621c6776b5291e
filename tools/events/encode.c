/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode: the word of an event, and how to count it by hand or with other tools. */
#include <stdio.h>
#include <string.h>

#include "events/encode.h"

#define OR_NULL(text) (*(text) ? (text) : NULL)

#define SPELLED_COLUMN(put_fn, spell_fn) \
	static void put_fn(struct out *o, const struct events_row *row, bool json) \
	{ \
		char text[EVENTS_LINE]; \
		spell_fn(row->e, row, text, sizeof(text)); \
		events_put_text(o, OR_NULL(text), json); \
	}

SPELLED_COLUMN(put_perf, events_spell_perf)
SPELLED_COLUMN(put_likwid, events_spell_likwid)
SPELLED_COLUMN(put_libpfm4, events_spell_libpfm4)
SPELLED_COLUMN(put_pcm, events_spell_pcm)

static void put_commands(struct out *o, const struct events_row *row, bool json)
{
	struct events_recipe r = { .num = 0 };

	events_make_recipe(row->e, row, &r);
	if (json)
		out_char(o, '[');
	for (size_t i = 0; i < r.num; i++) {
		if (json)
			events_put_text(o, r.steps[i].command, true);
		else
			out_str(o, r.steps[i].command);
		if (i + 1 < r.num)
			out_str(o, json ? "," : "; ");
	}
	if (json)
		out_char(o, ']');
}

/* General counters that can count it, bit n is counter n. */
static void put_counters(struct out *o, const struct events_row *row, bool json)
{
	uint32_t counters = uncoremsr_encoding_counters(row->encoding);

	if (counters)
		events_put_word(o, counters, json);
	else
		out_str(o, json ? "null" : "");
}

static void put_remarks(struct out *o, const struct events_row *row, bool json)
{
	const char *text;

	out_str(o, json ? "[" : "");
	for (size_t i = 0; (text = uncoremsr_encoding_remark(row->encoding, i)); i++) {
		out_str(o, !i ? "" : json ? "," : "; ");
		if (json)
			out_json_str(o, text);
		else
			out_str(o, text);
	}
	out_str(o, json ? "]" : "");
}

static const struct events_column spelled[] = {
	{ "perf", put_perf }, { "likwid", put_likwid }, { "libpfm4", put_libpfm4 },
	{ "pcm", put_pcm }, { "commands", put_commands }, { "counters", put_counters },
	{ "remarks", put_remarks },
};

enum { NUM_SPELLED = sizeof(spelled) / sizeof(spelled[0]), MAX_COLUMNS = 32 };

static size_t all_columns(struct events_column columns[MAX_COLUMNS])
{
	size_t num = events_num_columns;

	memcpy(columns, events_columns, num * sizeof(*columns));
	memcpy(columns + num, spelled, sizeof(spelled));
	return num + NUM_SPELLED;
}

/* ---- text ---- */

static void put_line(struct out *o, const char *label, const char *text)
{
	out_fmt(o, "  %-9s%s\n", label, *text ? text : "none: it has no word for this event");
}

/* "counter 0 of cbo3", "the fixed counter" */
static void put_place(struct events *e, const struct events_row *row)
{
	const struct uncoremsr_encoding *enc = row->encoding;
	const struct uncoremsr_pmu *pmu = events_pmu(e, uncoremsr_encoding_pmu(enc));
	int unit = uncoremsr_encoding_unit(enc);

	if (uncoremsr_encoding_fixed(enc))
		out_str(&e->out, "the fixed counter");
	else
		out_fmt(&e->out, "counter %u", events_first_bit(uncoremsr_encoding_counters(enc)));
	if (pmu && uncoremsr_pmu_units(pmu) > 1)
		out_fmt(&e->out, " of %s%d", uncoremsr_encoding_pmu(enc), unit < 0 ? 0 : unit);
	else if (!events_is_uncore(row) && !events_row_is_core(row))
		out_fmt(&e->out, " of %s", uncoremsr_encoding_pmu(enc));
	if (events_row_is_core(row))
		out_fmt(&e->out, " of CPU %d", events_cpu(e));
	else
		out_fmt(&e->out, " of the package of CPU %d", events_cpu(e));
}

static void put_recipe(struct events *e, const struct events_row *row)
{
	struct events_recipe r = { .num = 0 };
	struct out *o = &e->out;

	out_str(o, "  by hand, on ");
	put_place(e, row);
	out_str(o, " (bash, as root; pcm-raw watches it once it is on):\n");
	events_make_recipe(e, row, &r);
	for (size_t i = 0; i < r.num; i++) {
		size_t start = o->len;

		out_fmt(o, "    %s", r.steps[i].command);
		out_pad(o, start, 36, true);
		out_fmt(o, "  # %s\n", r.steps[i].why);
	}
}

static void put_text(struct events *e, const struct events_row *row)
{
	char text[EVENTS_LINE];
	uint64_t value;
	struct out *o = &e->out;

	out_fmt(o, "%s: 0x%llx%s\n", events_row_name(row),
		(unsigned long long)events_row_word(row),
		!uncoremsr_encoding_fixed(row->encoding) ? ""
		: uncoremsr_encoding_selector(row->encoding)
			? " in the control of the fixed counter" : ", a counter that always runs");
	if (row->event)
		out_fmt(o, "  counts   %s\n", uncoremsr_event_description(row->event));
	events_spell_perf(e, row, text, sizeof(text));
	if (!*text && uncoremsr_encoding_extra(row->encoding, 0, &value))
		snprintf(text, sizeof(text), "no single word: the event needs a filter or match "
			 "register, which perf takes as terms");
	put_line(o, "perf", text);
	events_spell_likwid(e, row, text, sizeof(text));
	put_line(o, "likwid", text);
	events_spell_libpfm4(e, row, text, sizeof(text));
	put_line(o, "libpfm4", text);
	events_spell_pcm(e, row, text, sizeof(text));
	put_line(o, "pcm-raw", text);
	put_recipe(e, row);
}

/* What the caller has to know before it counts. */
static void put_warnings(struct out *o, const struct events_row *row)
{
	uint64_t value;
	uint32_t extra = row->event ? uncoremsr_event_extra(row->event, &value) : 0;
	const char *text;

	if (extra && !value && events_is_uncore(row))
		out_fmt(o, "  needs    register 0x%x, which you have to choose a value for (see "
			"uncore-events explain 0x%x)\n", extra, extra);
	for (size_t i = 0; (text = uncoremsr_encoding_remark(row->encoding, i)); i++)
		out_fmt(o, "  remark   %s\n", text);
	if (row->event && *uncoremsr_event_note(row->event))
		out_fmt(o, "  note     %s\n", uncoremsr_event_note(row->event));
}

static int put_encoding(void *user, const struct uncoremsr_encoding *encoding)
{
	struct events *e = user;
	struct events_row row = {
		.e = e, .encoding = encoding, .event = uncoremsr_encoding_event(encoding),
	};
	struct events_column columns[MAX_COLUMNS];
	size_t num = all_columns(columns);

	if (e->common.format != TOOL_TEXT) {
		events_put_row(&e->out, columns, num, &row, e->common.format == TOOL_JSON);
		return 0;
	}
	put_text(e, &row);
	put_warnings(&e->out, &row);
	return 0;
}

int events_encode(struct events *e)
{
	struct events_column columns[MAX_COLUMNS];
	size_t num = all_columns(columns), empty = e->out.len;

	if (e->common.format == TOOL_CSV)
		events_put_heads(&e->out, columns, num);
	for (size_t i = 0; i < e->num_words; i++) {
		if (uncoremsr_encode(e->um, e->uarch, e->words[i], put_encoding, e) >= 0)
			continue;
		/* All of them, or nothing but the reason. */
		e->out.len = empty;
		return tool_fail(&events_tool, e->um);
	}
	return TOOL_DONE;
}
