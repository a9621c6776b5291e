/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows and trees of values, in any format. */
#include "common/records.h"

#include <math.h>
#include <string.h>

#include "common/digits.h"

/*
 * BLOCK: size of the blocks in which constant parts of a row are copied, without calling memcpy(). NUMBER_ROOM: maximum
 * size of a number with quotes, so that one check of the buffer's size is enough for many numbers.
 */
enum { BLOCK = 32, NUMBER_ROOM = DIGITS_ROOM + 2 };
_Static_assert(NUMBER_ROOM <= RECORD_NUMBER && RECORD_NUMBER % BLOCK == 0, "common cells are copied in blocks");

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

/* The value of a column that has no get(). */
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
		v->digits = c->decimals;
		return v->count == UINT64_MAX && !c->all_ones ? RECORD_NONE : RECORD_KNOWN;
	}
}

/* Write a known value of any type except text, without quotes. */
static inline char *write_digits(char *p, enum record_type type, const struct record_value *v)
{
	switch (type) {
	case RECORD_INT:
		if (v->number < 0)
			*p++ = '-';
		return digits_u64(p, v->number < 0 ? -(uint64_t)v->number : (uint64_t)v->number);
	case RECORD_COUNT:
		return digits_u64(p, v->count);
	case RECORD_WORD:
		return digits_hex(mempcpy(p, "0x", 2), v->count);
	case RECORD_FIXED:
		return digits_fixed(p, v->count, v->digits);
	case RECORD_REAL:
		return v->digits != RECORD_MEASURED ? digits_real(p, v->real, v->digits)
						    : digits_measured(p, v->real);
	case RECORD_BOOL:
		return stpcpy(p, v->truth ? "true" : "false");
	case RECORD_TIME:
		return digits_time(p, v->count, v->digits);
	default:
		return p;
	}
}

/* As write_digits(), in quotes if the format has them. NUMBER_ROOM bytes are free at @p. Returns the end. */
static inline char *put_number(const struct record_format *f, char *p, enum record_type type,
			       const struct record_value *v)
{
	bool quoted = f->quoted >> type & 1;

	*p = '"';
	p = write_digits(p + quoted, type, v);
	*p = '"';
	return p + quoted;
}

static inline bool is_missing(enum record_state state)
{
	return state == RECORD_UNKNOWN || state == RECORD_NONE;
}

static inline const char *missing(const struct record_format *f, enum record_state state)
{
	return state == RECORD_NONE ? f->none : f->unknown;
}

static void put_value(struct records *w, enum record_type type, enum record_state state, const struct record_value *v)
{
	const struct record_format *f = w->format;
	struct out *o = w->out;
	char *p;

	if (is_missing(state)) {
		out_str(o, missing(f, state));
	} else if (type == RECORD_STR) {
		f->text(w, v->text);
	} else if ((p = out_room(o, NUMBER_ROOM))) {
		p = put_number(f, p, state == RECORD_IS_REAL ? RECORD_REAL : type, v);
		o->len = (size_t)(p - o->buf);
	}
}

static inline enum record_state get_value(const struct record_column *c, const void *row, struct record_value *v)
{
	return c->get ? c->get(row, v) : get_member(c, row, v);
}

void record_cell(struct records *w, const struct record_column *c, const void *row)
{
	struct record_value v;

	v.scratch = &w->scratch;
	v.column = c;
	w->scratch.len = 0;
	put_value(w, c->type, get_value(c, row, &v), &v);
	note_error(w);
}

void record_head(struct records *w, const struct record_column *columns, size_t num)
{
	start(w, false);
	if (w->format->head)
		w->format->head(w, columns, num);
}

static void put_bits(struct records *w, const struct record_column *c, const void *row)
{
	uint64_t bits = unsigned_number((const char *)row + c->at, c->size);

	record_open_list(w, c->name);
	for (unsigned bit = 0; bits; bit++, bits >>= 1)
		if (bits & 1)
			record_str(w, NULL, c->word(bit));
	record_close(w);
}

void record_fields(struct records *w, const struct record_column *columns, size_t num, const void *row)
{
	for (const struct record_column *c = columns; c < columns + num; c++) {
		size_t start;

		if (!record_shown(w, c))
			continue;
		if (c->type >= RECORD_NESTED) {
			w->join = c->join ? c->join : "; ";
			if (c->type == RECORD_NESTED)
				c->put(w, c->name, row);
			else if (c->type == RECORD_BITS)
				put_bits(w, c, row);
			else
				record_objects(w, c->name, c->of, c->num_of,
					       *(const void *const *)((const char *)row + c->at));
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

void record_template_begin(struct records *w, struct record_template *t)
{
	t->num = t->text.len = t->text.tamed = 0;
	t->out = w->out;
	w->out = &t->text;
	start(w, false);
}

/* End a piece, which is the constant text since the previous piece and then the value of @column (none if NULL). */
void record_template_value(struct record_template *t, const struct record_column *column)
{
	size_t start = t->text.tamed;

	out_tame(&t->text);
	t->pieces[t->num++] = (struct record_piece){
		.len = (uint32_t)(t->text.len - start), .column = column,
		.number = column && column->type != RECORD_STR && !column->put && !column->common,
	};
}

int record_template_end(struct records *w, struct record_template *t)
{
	record_template_value(t, NULL);
	/* record_write() copies whole blocks, so it reads up to BLOCK bytes past the end. */
	if (out_room(&t->text, BLOCK))
		memset(t->text.buf + t->text.len, 0, BLOCK);
	w->out = t->out;
	if (t->text.error)
		w->out->error = t->text.error;
	return -t->text.error;
}

int record_prepare(struct records *w, struct record_template *t,
		   const struct record_column *columns, size_t num, const void *row)
{
	record_template_begin(w, t);
	w->format->begin(w);
	for (const struct record_column *c = columns; c < columns + num; c++) {
		if (!record_shown(w, c))
			continue;
		/* put() also writes the name of a nested value. */
		if (!c->put)
			w->format->label(w, c->name);
		if (c->constant)
			record_cell(w, c, row);
		else
			record_template_value(t, c);
	}
	w->format->end(w);
	return record_template_end(w, t);
}

/*
 * Copy a short text in whole blocks: the bytes after it must be readable up to the end of the last block. Returns the
 * end of the copy.
 */
static inline char *copy_blocks(char *p, const char *text, size_t len)
{
	memcpy(p, text, BLOCK); /* enough for most texts */
	for (size_t done = BLOCK; done < len; done += BLOCK)
		memcpy(p + done, text + done, BLOCK);
	return p + len;
}

/* Append a value of unknown length at @p. Texts and nested values may need out_tame(), numbers do not. */
static void put_other(struct records *w, const struct record_column *c, const void *row, enum record_state state,
		      const struct record_value *v, const char *p)
{
	struct out *o = w->out;

	o->len = (size_t)(p - o->buf);
	out_mark_plain(o);
	if (c->put) {
		w->level[w->depth].num = 1; /* a nested value is never the first value of a row */
		c->put(w, c->name, row);
	} else {
		put_value(w, c->type, state, v);
	}
	if (c->put || c->type == RECORD_STR)
		out_tame(o);
}

/* Format the common cell @c, and keep its text for the other rows of this interval. */
static void keep_common(struct records *w, const struct record_column *c, const void *row)
{
	struct record_value v = { .column = c };
	enum record_state state = get_value(c, row, &v);
	char *text = w->common[w->num_common].text, *end;

	end = is_missing(state) ? stpcpy(text, missing(w->format, state)) : put_number(w->format, text, c->type, &v);
	w->common[w->num_common++].len = (size_t)(end - text);
}

void record_write(struct records *w, const struct record_template *t, const void *row)
{
	const size_t room = t->text.len + t->num * (BLOCK + NUMBER_ROOM);
	struct record_value v = { .scratch = &w->scratch };
	const char *text = t->text.buf;
	struct out *o = w->out;
	size_t common = 0;
	char *p;

	if (o->tamed < o->len)
		out_tame(o);
	p = o->error ? NULL : out_room(o, room);
	for (const struct record_piece *piece = t->pieces; p; piece++) {
		const struct record_column *c = piece->column;
		const size_t len = piece->len;
		enum record_state state;

		p = copy_blocks(p, text, len);
		text += len;
		v.column = c;
		if (piece->number) {
			state = get_value(c, row, &v);
			if (state == RECORD_KNOWN) {
				p = put_number(w->format, p, c->type, &v);
				continue;
			}
		} else if (!c) {
			break;
		} else if (c->common) {
			if (common == w->num_common)
				keep_common(w, c, row);
			p = copy_blocks(p, w->common[common].text, w->common[common].len);
			common++;
			continue;
		} else {
			w->scratch.len = 0;
			state = c->put ? RECORD_KNOWN : get_value(c, row, &v);
		}
		if (is_missing(state)) {
			p = stpcpy(p, missing(w->format, state));
			continue;
		}
		put_other(w, c, row, state, &v, p);
		p = out_room(o, room);
	}
	if (p)
		o->len = (size_t)(p - o->buf);
	out_mark_plain(o);
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

void record_objects(struct records *w, const char *name, const struct record_column *columns, size_t num,
		    const void *rows)
{
	record_open_list(w, name);
	for (const void *const *row = rows; row && *row; row++)
		record_object(w, NULL, columns, num, *row);
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
	put_value(w, type, v ? RECORD_KNOWN : RECORD_UNKNOWN, v);
	if (w->format->done)
		w->format->done(w, NULL, start);
}

void record_if_known(struct records *w, const char *name, enum record_type type, uint64_t n)
{
	const struct record_value v = { .count = n }; /* also sets v.number, in the same union */

	record_value(w, name, type, n == UINT64_MAX ? NULL : &v);
}

/* Defines a function for a simple type. The value is unknown if the expression @known is false. */
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
