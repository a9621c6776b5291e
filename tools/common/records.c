/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows and trees of values, in whatever format. */
#include "common/records.h"

void records_init(struct records *w, const struct tool_common *common, struct out *out,
		  const void *user)
{
	*w = (struct records){
		.out = out, .format = common->writer, .user = user, .line_end = "\n",
	};
	out_init(&w->scratch, -1);
	out_init(&w->cell, -1);
}

void records_free(struct records *w)
{
	out_free(&w->scratch);
	out_free(&w->cell);
}

/* ---- rows ---- */

static bool shown(const struct records *w, const struct record_column *c)
{
	return !c->shown || c->shown(w->user);
}

enum record_state record_composed(struct record_value *v)
{
	out_char(v->scratch, '\0');
	v->text = v->scratch->error ? "" : v->scratch->buf;
	return RECORD_KNOWN;
}

static void note_error(struct records *w)
{
	if (w->scratch.error && !w->out->error)
		w->out->error = w->scratch.error;
}

void record_cell(struct records *w, const struct record_column *c, const void *row)
{
	struct record_value v;

	v.scratch = &w->scratch;
	v.column = c;
	w->scratch.len = 0;
	w->format->value(w, c->type, c->get(row, &v), &v);
	note_error(w);
}

void record_head(struct records *w, const struct record_column *columns, size_t num)
{
	w->tree = false;
	w->depth = 0;
	w->level[0].num = 0;
	if (w->format->head)
		w->format->head(w, columns, num);
}

void record_row(struct records *w, const struct record_column *columns, size_t num,
		const void *row)
{
	w->tree = false;
	w->depth = 0;
	w->level[0].num = 0;
	w->format->begin(w);
	for (const struct record_column *c = columns; c < columns + num; c++) {
		size_t start;

		if (!shown(w, c))
			continue;
		if (c->type == RECORD_NESTED) {
			w->join = c->join ? c->join : "; ";
			c->put(w, c->name, row);
			continue;
		}
		w->format->label(w, c->name);
		start = w->out->len;
		record_cell(w, c, row);
		if (w->format->done)
			w->format->done(w, c, start);
	}
	w->format->end(w);
}

void record_end_line(struct records *w)
{
	struct out *o = w->out;

	while (o->len && o->buf[o->len - 1] == ' ')
		o->len--;
	out_str(o, w->line_end);
	w->lines++;
}

/* ---- rows that are written again and again ---- */

void record_piece(struct record_template *t, const struct record_column *column)
{
	uint32_t start = t->num ? t->pieces[t->num - 1].start + t->pieces[t->num - 1].len : 0;

	t->pieces[t->num].start = start;
	t->pieces[t->num].len = (uint32_t)t->text.len - start;
	t->pieces[t->num++].column = column;
	if (!column)
		out_pad_block(&t->text);
}

int record_prepare(struct records *w, struct record_template *t,
		   const struct record_column *columns, size_t num, const void *row)
{
	struct out *out = w->out;

	w->out = &t->text;
	w->tree = false;
	w->depth = 0;
	w->level[0].num = 0;
	w->format->begin(w);
	for (const struct record_column *c = columns; c < columns + num; c++) {
		if (!shown(w, c))
			continue;
		w->format->label(w, c->name);
		if (c->constant)
			record_cell(w, c, row);
		else
			record_piece(t, c);
	}
	w->format->end(w);
	record_piece(t, NULL);
	w->out = out;
	return -t->text.error;
}

void record_write(struct records *w, const struct record_template *t, const void *row)
{
	const struct record_format *format = w->format;
	const char *text = t->text.buf;
	struct record_value v;

	v.scratch = &w->scratch;
	for (size_t i = 0;; i++) {
		out_blocks(w->out, text, t->pieces[i].len);
		text += t->pieces[i].len;
		v.column = t->pieces[i].column;
		if (!v.column)
			break;
		w->scratch.len = 0;
		format->value(w, v.column->type, v.column->get(row, &v), &v);
	}
	note_error(w);
}

/* ---- trees ---- */

void record_begin(struct records *w)
{
	w->tree = true;
	w->depth = 0;
	w->level[0].num = 0;
	w->format->begin(w);
}

void record_end(struct records *w)
{
	w->format->end(w);
}

static void open_level(struct records *w, const char *name, bool list)
{
	w->format->open(w, name, list);
	w->depth++;
	w->level[w->depth].name = name;
	w->level[w->depth].list = list;
	w->level[w->depth].num = 0;
}

void record_open(struct records *w, const char *name)
{
	open_level(w, name, false);
}

void record_open_list(struct records *w, const char *name)
{
	open_level(w, name, true);
}

void record_close(struct records *w)
{
	w->format->close(w);
	w->depth--;
}

void record_value(struct records *w, const char *name, enum record_type type,
		  const struct record_value *v)
{
	size_t start;

	w->format->label(w, name);
	start = w->out->len;
	w->format->value(w, type, v ? RECORD_KNOWN : RECORD_UNKNOWN, v);
	if (w->format->done)
		w->format->done(w, NULL, start);
}

void record_str(struct records *w, const char *name, const char *text)
{
	const struct record_value v = { .text = text };

	record_value(w, name, RECORD_STR, text ? &v : NULL);
}

void record_int(struct records *w, const char *name, int64_t number)
{
	const struct record_value v = { .number = number };

	record_value(w, name, RECORD_INT, number >= 0 ? &v : NULL);
}

void record_bool(struct records *w, const char *name, int truth)
{
	const struct record_value v = { .truth = truth };

	record_value(w, name, RECORD_BOOL, truth >= 0 ? &v : NULL);
}

void record_word(struct records *w, const char *name, uint64_t word)
{
	const struct record_value v = { .count = word };

	record_value(w, name, RECORD_WORD, &v);
}

void record_count(struct records *w, const char *name, uint64_t count)
{
	const struct record_value v = { .count = count };

	record_value(w, name, RECORD_COUNT, &v);
}
