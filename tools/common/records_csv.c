/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CSV (RFC 4180): a line of names, then a line per row; nested values become one field of their row. A tree is written
 * as lines "field,value".
 */
#include "common/records.h"

static void head(struct records *w, const struct record_column *columns, size_t num)
{
	bool first = true;

	for (const struct record_column *c = columns; c < columns + num; c++) {
		if (!record_shown(w, c))
			continue;
		if (!first)
			out_char(w->out, w->separator);
		out_csv_str(w->out, c->name, w->separator);
		first = false;
	}
	out_char(w->out, '\n');
}

static void begin(struct records *w)
{
	if (w->tree)
		out_str(w->out, "field,value\n");
}

static void end(struct records *w)
{
	if (!w->tree)
		out_char(w->out, '\n');
}

static void put_path(struct records *w, const char *name)
{
	size_t num = w->level[w->depth].num++;

	for (int i = 1; i <= w->depth; i++) {
		if (w->level[i].name)
			out_str(w->out, w->level[i].name);
		else
			out_u64(w->out, w->level[i - 1].num - 1);
		out_char(w->out, '.');
	}
	if (name)
		out_str(w->out, name);
	else
		out_u64(w->out, num);
	out_char(w->out, ',');
}

static void label(struct records *w, const char *name)
{
	if (w->tree)
		put_path(w, name);
	else if (w->level[w->depth].num++)
		out_str(w->out, w->depth ? w->join : (char[]){ w->separator, '\0' });
}

static void put_text(struct records *w, const char *text)
{
	if (w->tree || !w->depth)
		out_csv_str(w->out, text, w->tree ? ',' : w->separator);
	else
		out_str(w->out, text);
}

static void done(struct records *w, const struct record_column *c, size_t start)
{
	(void)c;
	(void)start;
	if (w->tree)
		out_char(w->out, '\n');
}

static void open(struct records *w, const char *name, bool list)
{
	(void)list;
	if (w->tree) {
		w->level[w->depth].num++;
		return;
	}
	label(w, name);
	if (!w->depth) {
		w->row_out = w->out;
		w->out = &w->cell;
	}
}

static void close(struct records *w)
{
	if (w->tree || w->depth > 1)
		return;
	out_char(w->out, '\0');
	w->out = w->row_out;
	if (w->cell.error)
		w->out->error = w->cell.error;
	else
		out_csv_str(w->out, w->cell.buf, w->separator);
	w->cell.len = 0;
}

const struct record_format record_csv = {
	.name = "csv", .head = head, .begin = begin, .end = end, .label = label,
	.text = put_text, .unknown = "", .none = "", .done = done, .open = open, .close = close,
};
