/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows and trees of values, in whatever format. */
#include "common/records.h"

void records_init(struct records *w, const struct tool_common *common, struct out *out,
		  const void *user)
{
	*w = (struct records){
		.out = out, .format = common->writer, .user = user, .line_end = "\n",
		.separator = common->separator ? common->separator : ',',
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

static void start(struct records *w, bool tree)
{
	w->tree = tree;
	w->depth = 0;
	w->level[0].num = 0;
}

enum record_state record_composed(struct record_value *v)
{
	v->text = out_text(v->scratch);
	return RECORD_KNOWN;
}

struct out *record_compose(struct records *w)
{
	w->scratch.len = 0;
	return &w->scratch;
}

static void note_error(struct records *w)
{
	if (w->scratch.error && !w->out->error)
		w->out->error = w->scratch.error;
}

static int64_t signed_number(const void *at, size_t size)
{
	return size == sizeof(int) ? *(const int *)at : *(const int64_t *)at;
}

static uint64_t unsigned_number(const void *at, size_t size)
{
	return size == sizeof(uint32_t) ? *(const uint32_t *)at : *(const uint64_t *)at;
}

/* The value of a column without get(). */
static enum record_state get_member(const struct record_column *c, const void *row, struct record_value *v)
{
	const void *at = (const char *)row + c->at;
	int64_t number;

	switch (c->type) {
	case RECORD_STR:
		return value_text(v, c->words ? c->words[*(const unsigned *)at] : *(const char *const *)at);
	case RECORD_INT:
		return value_number(v, signed_number(at, c->size));
	case RECORD_BOOL:
		number = c->size == sizeof(bool) ? *(const bool *)at : signed_number(at, c->size);
		v->truth = number > 0;
		return number < 0 ? RECORD_NONE : RECORD_KNOWN;
	case RECORD_REAL:
		v->real = *(const double *)at;
		v->digits = c->decimals ? c->decimals : RECORD_MEASURED;
		return isfinite(v->real) ? RECORD_KNOWN : RECORD_NONE;
	default:
		v->count = unsigned_number(at, c->size);
		return v->count == UINT64_MAX && !c->all_ones ? RECORD_NONE : RECORD_KNOWN;
	}
}

static void put_cell(struct records *w, const struct record_column *c, const void *row, struct record_value *v)
{
	enum record_state state = c->get ? c->get(row, v) : get_member(c, row, v);

	if (state == RECORD_IS_REAL)
		w->format->value(w, RECORD_REAL, RECORD_KNOWN, v);
	else
		w->format->value(w, c->type, state, v);
}

void record_cell(struct records *w, const struct record_column *c, const void *row)
{
	struct record_value v;

	v.scratch = &w->scratch;
	v.column = c;
	w->scratch.len = 0;
	put_cell(w, c, row, &v);
	note_error(w);
}

void record_head(struct records *w, const struct record_column *columns, size_t num)
{
	start(w, false);
	if (w->format->head)
		w->format->head(w, columns, num);
}

void record_fields(struct records *w, const struct record_column *columns, size_t num, const void *row)
{
	for (const struct record_column *c = columns; c < columns + num; c++) {
		size_t start;

		if (!record_shown(w, c))
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
			w->format->done(w, w->tree || w->depth ? NULL : c, start);
	}
}

void record_row(struct records *w, const struct record_column *columns, size_t num,
		const void *row)
{
	start(w, false);
	w->format->begin(w);
	record_fields(w, columns, num, row);
	w->format->end(w);
}

void record_end_line(struct records *w)
{
	struct out *o = w->out;

	while (o->len && o->buf[o->len - 1] == ' ')
		o->len--;
	out_terminal(o, w->line_end);
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
	start(w, false);
	w->format->begin(w);
	for (const struct record_column *c = columns; c < columns + num; c++) {
		if (!record_shown(w, c))
			continue;
		/* What is nested writes its name itself. */
		if (!c->put)
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
		if (v.column->put) {
			w->level[w->depth].num = 1; /* never the first of a row */
			v.column->put(w, v.column->name, row);
		} else {
			put_cell(w, v.column, row, &v);
		}
	}
	note_error(w);
}

/* ---- trees ---- */

void record_begin(struct records *w)
{
	start(w, true);
	w->format->begin(w);
}

void record_end(struct records *w)
{
	w->format->end(w);
}

void record_open_level(struct records *w, const char *name, bool list)
{
	w->format->open(w, name, list);
	w->depth++;
	w->level[w->depth].name = name;
	w->level[w->depth].list = list;
	w->level[w->depth].num = 0;
}

void record_object(struct records *w, const char *name, const struct record_column *columns, size_t num,
		   const void *row)
{
	if (!row) {
		record_str(w, name, NULL);
		return;
	}
	record_open(w, name);
	record_fields(w, columns, num, row);
	record_close(w);
}

void record_composed_str(struct records *w, const char *name)
{
	record_str(w, name, out_text(&w->scratch));
	note_error(w);
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

void record_if_known(struct records *w, const char *name, enum record_type type, uint64_t n)
{
	const struct record_value v = { .count = n }; /* the same bits as v.number */

	record_value(w, name, type, n == UINT64_MAX ? NULL : &v);
}

/* A function per simple type; @known: whether there is a value. */
#define SIMPLE(fn, c_type, arg, value_type, member, known) \
	void fn(struct records *w, const char *name, c_type arg) \
	{ \
		const struct record_value v = { .member = arg }; \
		record_value(w, name, value_type, (known) ? &v : NULL); \
	}

SIMPLE(record_str, const char *, text, RECORD_STR, text, text)
SIMPLE(record_int, int64_t, number, RECORD_INT, number, number >= 0)
SIMPLE(record_bool, int, truth, RECORD_BOOL, truth, truth >= 0)
SIMPLE(record_word, uint64_t, word, RECORD_WORD, count, true)
SIMPLE(record_count, uint64_t, count, RECORD_COUNT, count, true)
