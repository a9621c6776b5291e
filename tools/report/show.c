/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Write the rows, as text or records. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"

enum { BAR = 12, WIDEST = 48 };

const char *event_of_index(const struct report *r, unsigned event)
{
	return event < r->data->num_events ? r->data->events[event]->name : NULL;
}

/* ---- for programs ---- */

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
	for (size_t i = 0; i < r->num_rows; i++) {
		r->rows[i]->event = event_of_index(r, r->rows[i]->key.event);
		record_row(&r->w, RECORD_COLUMNS(columns), r->rows[i]);
	}
	if (!r->w.format->nests)
		return;
	record_begin(&r->w);
	record_bool(&r->w, "summary", true);
	record_fields(&r->w, RECORD_COLUMNS(sums), &r->all);
	record_end(&r->w);
}

/* ---- lines, for people ---- */

/* Append the cell of a key to the line. */
static void put_cell(struct report *r, const struct row *row, int key)
{
	const char *text = row->key.text[key];
	int64_t number = row->key.number[key];

	if (key == KEY_ADDRESS && number != -1)
		out_fmt(&r->out, "0x%llx", (unsigned long long)number);
	else if (text)
		out_text_str(&r->out, text);
	else if (number >= 0)
		out_u64(&r->out, (uint64_t)number);
	else
		out_str(&r->out, key == KEY_DSO ? "[unknown]" : "unknown");
}

static int last_key(const struct report *r)
{
	int last = 0;

	for (int k = 0; k < NUM_KEYS; k++)
		if (r->by[k])
			last = k;
	return last;
}

/* The width of each column is that of its longest cell, up to a limit; longer cells are not cut. */
static void measure(struct report *r, size_t width[NUM_KEYS])
{
	for (int k = 0; k < NUM_KEYS; k++) {
		width[k] = strlen(key_names[k]);
		for (size_t i = 0; r->by[k] && i < r->num_rows; i++) {
			size_t start = r->out.len;

			put_cell(r, r->rows[i], k);
			if (r->out.len - start > width[k])
				width[k] = r->out.len - start;
			r->out.len = start;
		}
		if (width[k] > WIDEST)
			width[k] = WIDEST;
	}
}

static void put_bar(struct out *o, double share)
{
	int filled = (int)(share * BAR + 0.5);

	for (int i = 0; i < BAR; i++)
		out_char(o, i < filled ? '#' : ' ');
}

static void put_head(struct report *r, const size_t width[NUM_KEYS])
{
	out_fmt(&r->out, "%8s  %8s  %-*s", "share", "samples", BAR, "");
	for (int k = 0; k < NUM_KEYS; k++)
		if (r->by[k])
			out_fmt(&r->out, "  %-*s", k == last_key(r) ? 0 : (int)width[k], key_names[k]);
	out_char(&r->out, '\n');
}

static void put_line(struct report *r, const struct row *row, const size_t width[NUM_KEYS])
{
	struct out *o = &r->out;
	size_t start = o->len;

	out_real(o, 100 * row->share, 2);
	out_char(o, '%');
	out_pad(o, start, 8, false);
	out_fmt(o, "  %8llu  ", (unsigned long long)row->samples);
	put_bar(o, row->share);
	for (int k = 0; k < NUM_KEYS; k++) {
		if (!r->by[k])
			continue;
		out_str(o, "  ");
		start = o->len;
		put_cell(r, row, k);
		if (k != last_key(r))
			out_pad(o, start, width[k], true);
	}
	out_char(o, '\n');
}

static void put_event(struct report *r, unsigned event)
{
	const struct sum *s = &r->sums[event < r->num_events ? event : r->num_events];
	const char *name = event_of_index(r, event);

	out_text_str(&r->out, name ? name : "of an unknown event");
	out_fmt(&r->out, ": %llu sample%s, period %s%llu in all\n", (unsigned long long)s->samples,
		s->samples == 1 ? "" : "s", s->period == UINT64_MAX ? "more than " : "",
		(unsigned long long)s->period);
}

static void show_lines(struct report *r)
{
	size_t width[NUM_KEYS];

	measure(r, width);
	out_fmt(&r->out, "%llu sample%s, %llu lost, %llu time%s throttled\n", (unsigned long long)r->all.samples,
		r->all.samples == 1 ? "" : "s", (unsigned long long)r->all.lost,
		(unsigned long long)r->all.throttled, r->all.throttled == 1 ? "" : "s");
	for (size_t i = 0; i < r->num_rows; i++) {
		if (!i || r->rows[i]->key.event != r->rows[i - 1]->key.event) {
			out_char(&r->out, '\n');
			put_event(r, r->rows[i]->key.event);
			put_head(r, width);
		}
		put_line(r, r->rows[i], width);
	}
}

void show_rows(struct report *r)
{
	if (records_for_people(&r->w))
		show_lines(r);
	else
		put_rows(r);
}
