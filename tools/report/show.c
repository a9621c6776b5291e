/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "common/properties.h"
#include "report/report.h"

enum { BAR = 12, WIDEST = 48 };

const char *event_of_index(const struct report *r, unsigned event)
{
	return event < r->data->num_events ? r->data->events[event]->name : NULL;
}

static const struct record_column columns[] = {
	{ "event", RECORD_STR, RECORD_AT(row, event) },
	{ "samples", RECORD_INT, RECORD_AT(row, samples) },
	{ "period", RECORD_COUNT, RECORD_AT(row, period), .all_ones = true },
	{ "share", RECORD_REAL, RECORD_AT(row, share), .decimals = 9 },
	{ "comm", RECORD_STR, RECORD_AT(row, key.text[KEY_COMM]) },
	{ "pid", RECORD_INT, RECORD_AT(row, key.number[KEY_PID]) },
	{ "tid", RECORD_INT, RECORD_AT(row, key.number[KEY_TID]) },
	{ "dso", RECORD_STR, RECORD_AT(row, key.text[KEY_DSO]) },
	{ "symbol", RECORD_STR, RECORD_AT(row, key.text[KEY_SYMBOL]) },
	{ "address", RECORD_WORD, RECORD_AT(row, key.number[KEY_ADDRESS]) },
	{ "cpu", RECORD_INT, RECORD_AT(row, key.number[KEY_CPU]) },
	{ "srcline", RECORD_STR, RECORD_AT(row, key.text[KEY_SRCLINE]) },
	{ "caller", RECORD_STR, RECORD_AT(row, key.text[KEY_CALLER]) },
}, sums[] = {
	{ "samples", RECORD_INT, RECORD_AT(sum, samples) },
	{ "lost", RECORD_INT, RECORD_AT(sum, lost) },
	{ "throttled", RECORD_INT, RECORD_AT(sum, throttled) },
	{ "period", RECORD_COUNT, RECORD_AT(sum, period), .all_ones = true },
};

static void put_rows(struct report *r)
{
	record_head(&r->w, RECORD_COLUMNS(columns));
	for (size_t i = 0; i < r->rows.num; i++) {
		struct row *row = r->rows.items[i];

		row->event = event_of_index(r, row->key.event);
		record_row(&r->w, RECORD_COLUMNS(columns), row);
	}
	if (!r->w.format->nests)
		return;
	record_begin(&r->w);
	record_bool(&r->w, "summary", true);
	record_fields(&r->w, RECORD_COLUMNS(sums), &r->all);
	record_end(&r->w);
}

static enum record_state get_share(const void *row, struct record_value *v)
{
	out_real(v->scratch, 100 * ((const struct row *)row)->share, 2);
	out_char(v->scratch, '%');
	return record_composed(v);
}

static enum record_state get_bar(const void *row, struct record_value *v)
{
	int filled = (int)(((const struct row *)row)->share * BAR + 0.5);

	while (filled-- > 0)
		out_char(v->scratch, '#');
	return record_composed(v);
}

static enum record_state get_key(const void *item, struct record_value *v)
{
	const struct row *row = item;
	int key = v->column->what;
	int64_t number = row->key.number[key];

	if (row->key.text[key])
		return value_text(v, row->key.text[key]);
	if (key == KEY_DSO)
		return value_text(v, "[unknown]");
	if (key == KEY_ADDRESS && number != -1)
		out_fmt(v->scratch, "0x%llx", (unsigned long long)number);
	else if (number >= 0)
		out_u64(v->scratch, (uint64_t)number);
	else
		return RECORD_UNKNOWN;
	return record_composed(v);
}

enum { BEFORE_KEYS = 3, NUM_LINE = BEFORE_KEYS + NUM_KEYS };

/* The column of a key is as wide as its longest cell, up to a limit. Longer cells are not truncated. */
static int width_of(struct report *r, const struct record_column *c)
{
	size_t width = strlen(c->name), start = r->out.len;

	for (size_t i = 0; i < r->rows.num; i++) {
		record_cell(&r->w, c, r->rows.items[i]);
		if (r->out.len - start > width)
			width = r->out.len - start;
		r->out.len = start;
	}
	return -(int)(width < WIDEST ? width : WIDEST);
}

static size_t make_columns(struct report *r, struct record_column line[NUM_LINE])
{
	static const struct record_column before[BEFORE_KEYS] = {
		{ "share", RECORD_STR, .get = get_share, .width = 8 },
		{ "samples", RECORD_INT, RECORD_AT(row, samples), .width = 8 },
		{ "", RECORD_STR, .get = get_bar, .width = -BAR },
	};
	size_t num = BEFORE_KEYS;

	memcpy(line, before, sizeof(before));
	for (int k = 0; k < NUM_KEYS; k++) {
		struct record_column c = { key_names[k], RECORD_STR, .get = get_key, .what = k };

		if (!r->by[k])
			continue;
		c.width = width_of(r, &c);
		line[num++] = c;
	}
	return num;
}

static void put_event(struct report *r, unsigned event)
{
	const struct sum *s = sum_of(r, event);
	const char *name = event_of_index(r, event);

	out_text_str(&r->out, name ? name : "of an unknown event");
	out_fmt(&r->out, ": %llu sample%s, period %s%llu in all\n", (unsigned long long)s->samples,
		s->samples == 1 ? "" : "s", s->period == UINT64_MAX ? "more than " : "",
		(unsigned long long)s->period);
}

static void show_lines(struct report *r)
{
	struct record_column line[NUM_LINE];
	size_t num = make_columns(r, line);
	const struct row *last = NULL;
	const char *host = r->data->host;

	put_simulated(&r->out, host && !strncmp(host, "sim:", 4) ? host + 4 : NULL);
	out_fmt(&r->out, "%llu sample%s, %llu lost, %llu time%s throttled\n", (unsigned long long)r->all.samples,
		r->all.samples == 1 ? "" : "s", (unsigned long long)r->all.lost,
		(unsigned long long)r->all.throttled, r->all.throttled == 1 ? "" : "s");
	for (size_t i = 0; i < r->rows.num; i++) {
		const struct row *row = r->rows.items[i];

		if (!last || row->key.event != last->key.event) {
			out_char(&r->out, '\n');
			put_event(r, row->key.event);
			record_head(&r->w, line, num);
		}
		record_row(&r->w, line, num, row);
		last = row;
	}
}

void show_rows(struct report *r)
{
	if (records_for_people(&r->w))
		show_lines(r);
	else
		put_rows(r);
}
