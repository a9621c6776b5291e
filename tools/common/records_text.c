/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For people: a table with headings. A column has its declared width, or that of a value that is wider. */
#include "common/records.h"

#include <ctype.h>
#include <stdlib.h>

/* Insert commas between thousands, as perf stat does, but in every locale: "12345.6" becomes "12,345.6". */
static void group_digits(struct out *o, size_t start)
{
	size_t digits = 0;

	while (start + digits < o->len && isdigit((unsigned char)o->buf[start + digits]))
		digits++;
	for (size_t left = digits; left > 3; left -= 3)
		out_insert(o, start + left - 3, ',');
}

static void done(struct records *w, const struct record_column *c, size_t start)
{
	int width;

	if (!c)
		return;
	if (c->grouped)
		group_digits(w->out, start);
	width = c->measure ? c->measure(w->user) : c->width;
	out_pad(w->out, start, (size_t)abs(width), width < 0);
}

static void label(struct records *w, const char *name)
{
	(void)name;
	if (w->level[w->depth].num++)
		out_str(w->out, w->depth ? w->join : "  ");
}

static void nothing(struct records *w)
{
	(void)w;
}

static void head(struct records *w, const struct record_column *columns, size_t num)
{
	for (const struct record_column *c = columns; c < columns + num; c++) {
		size_t start;

		if (!record_shown(w, c))
			continue;
		label(w, NULL);
		start = w->out->len;
		out_str(w->out, c->name);
		done(w, c, start);
	}
	record_end_line(w);
}

static void put_text(struct records *w, const char *text)
{
	out_text_str(w->out, text);
}

static void open(struct records *w, const char *name, bool list)
{
	(void)list;
	label(w, name);
}

const struct record_format record_text = {
	.name = "text", .for_people = true, .head = head,
	.begin = nothing, .end = record_end_line,
	.label = label, .text = put_text, .unknown = "unknown", .none = "-", .done = done, .open = open,
	.close = nothing,
};
