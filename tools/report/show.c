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

/* ---- columns, for programs ---- */

struct shown {
	const struct report *r;
	const struct row *row;
};

static enum record_state get_event(const void *row, struct record_value *v)
{
	const struct shown *s = row;

	v->text = event_of_index(s->r, s->row->key.event);
	return v->text ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static enum record_state get_samples(const void *row, struct record_value *v)
{
	v->number = (int64_t)((const struct shown *)row)->row->samples;
	return RECORD_KNOWN;
}

static enum record_state get_period(const void *row, struct record_value *v)
{
	v->count = ((const struct shown *)row)->row->period;
	return RECORD_KNOWN;
}

static enum record_state get_share(const void *row, struct record_value *v)
{
	v->real = ((const struct shown *)row)->row->share;
	v->digits = 9;
	return RECORD_KNOWN;
}

static enum record_state get_text(const void *row, struct record_value *v)
{
	v->text = ((const struct shown *)row)->row->key.text[v->column->what];
	return v->text ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static enum record_state get_number(const void *row, struct record_value *v)
{
	const struct shown *s = row;
	int key = v->column->what;

	v->number = s->row->key.number[key];
	return v->number >= 0 ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static enum record_state get_address(const void *row, struct record_value *v)
{
	const struct shown *s = row;

	v->count = (uint64_t)s->row->key.number[KEY_ADDRESS];
	return s->r->by[KEY_ADDRESS] && v->count != UINT64_MAX ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static const struct record_column columns[] = {
	{ .name = "event", .type = RECORD_STR, .get = get_event },
	{ .name = "samples", .type = RECORD_INT, .get = get_samples },
	{ .name = "period", .type = RECORD_COUNT, .get = get_period },
	{ .name = "share", .type = RECORD_REAL, .get = get_share },
	{ .name = "comm", .type = RECORD_STR, .get = get_text, .what = KEY_COMM },
	{ .name = "pid", .type = RECORD_INT, .get = get_number, .what = KEY_PID },
	{ .name = "tid", .type = RECORD_INT, .get = get_number, .what = KEY_TID },
	{ .name = "dso", .type = RECORD_STR, .get = get_text, .what = KEY_DSO },
	{ .name = "symbol", .type = RECORD_STR, .get = get_text, .what = KEY_SYMBOL },
	{ .name = "address", .type = RECORD_WORD, .get = get_address, .what = KEY_ADDRESS },
	{ .name = "cpu", .type = RECORD_INT, .get = get_number, .what = KEY_CPU },
	{ .name = "srcline", .type = RECORD_STR, .get = get_text, .what = KEY_SRCLINE },
	{ .name = "caller", .type = RECORD_STR, .get = get_text, .what = KEY_CALLER },
};
enum { NUM_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void put_summary(struct report *r)
{
	struct records *w = &r->w;

	record_begin(w);
	record_bool(w, "summary", true);
	record_int(w, "samples", (int64_t)r->all.samples);
	record_int(w, "lost", (int64_t)r->all.lost);
	record_int(w, "throttled", (int64_t)r->all.throttled);
	record_count(w, "period", r->all.period);
	record_end(w);
}

static void put_rows(struct report *r)
{
	record_head(&r->w, columns, NUM_COLUMNS);
	for (size_t i = 0; i < r->num_rows; i++)
		record_row(&r->w, columns, NUM_COLUMNS, &(struct shown){ r, &r->rows[i] });
	if (r->w.format->nests)
		put_summary(r);
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

			put_cell(r, &r->rows[i], k);
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
		if (!i || r->rows[i].key.event != r->rows[i - 1].key.event) {
			out_char(&r->out, '\n');
			put_event(r, r->rows[i].key.event);
			put_head(r, width);
		}
		put_line(r, &r->rows[i], width);
	}
}

void show_rows(struct report *r)
{
	if (records_for_people(&r->w))
		show_lines(r);
	else
		put_rows(r);
}
