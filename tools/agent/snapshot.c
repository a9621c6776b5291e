/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/snapshot.h"

#include <string.h>

enum { MOST_CHANGES = 1 << 16 /* bytes */ };

/*
 * A row as bytes is its struct, then its texts in the order of the table. PRESENT stands in the struct for a pointer to a
 * text, so that the outputs learn no address of the sampler.
 */
#define PRESENT ((const char *)1)

static const char **text_of(struct series_row *r, size_t i)
{
	return (const char **)(void *)((char *)&r->labels + series_label_table[i].at);
}

/* ---- writing ---- */

/* Copy member by member into zeros, so that padding bytes do not carry contents of our stack to other processes. */
static void copy(struct series_row *to, const struct series_row *from)
{
	memset(to, 0, sizeof(*to));
	to->kind = from->kind;
	to->labels.again = from->labels.again;
	for (const struct series_label *l = series_label_table; l < series_label_table + SERIES_NUM_LABELS; l++)
		memcpy((char *)&to->labels + l->at, (const char *)&from->labels + l->at,
		       l->number ? sizeof(int) : sizeof(char *));
	switch (from->kind) {
	case SERIES_EVENT:
		to->total = from->total;
		break;
	case SERIES_METRIC:
		to->value = from->value;
		break;
	case SERIES_THROTTLED:
		to->throttling.now = from->throttling.now;
		to->throttling.episodes = from->throttling.episodes;
		to->throttling.ns = from->throttling.ns;
		to->throttling.timed = from->throttling.timed;
		break;
	case SERIES_CHANGED:
		to->change.now = from->change.now;
		to->change.wall_ns = from->change.wall_ns;
		break;
	case SERIES_UNKNOWN:
		break;
	}
}

static void store(struct out *o, struct series_row *r)
{
	const size_t start = o->len;

	out_mem(o, (const char *)r, sizeof(*r));
	for (size_t i = 0; i < SERIES_NUM_LABELS; i++) {
		const char **text = text_of(r, i);

		if (series_label_table[i].number || !*text)
			continue;
		out_mem(o, *text, strlen(*text) + 1);
		*text = PRESENT;
	}
	if (o->error)
		o->len = start;
	else
		memcpy(o->buf + start, r, sizeof(*r));
}

/* Make room for one more change: drop the oldest ones. */
static void drop_old(struct out *changes)
{
	struct series_row row;

	for (size_t first = 0; changes->len > MOST_CHANGES; first = 0) {
		snapshot_next(changes->buf, changes->len, &first, &row);
		memmove(changes->buf, changes->buf + first, changes->len - first);
		changes->len -= first;
	}
}

static void put(struct series *s, const struct series_row *row)
{
	struct snapshot *snapshot = (struct snapshot *)s;
	struct series_row r;

	copy(&r, row);
	if (row->kind != SERIES_CHANGED) {
		store(&snapshot->rows, &r);
		return;
	}
	r.change.number = ++snapshot->num_changes;
	drop_old(&snapshot->changes);
	store(&snapshot->changes, &r);
}

static const struct series_format format = { .name = "snapshot", .put = put };

void snapshot_init(struct snapshot *s)
{
	*s = (struct snapshot){ .num_changes = 0 };
	out_init(&s->rows, -1);
	out_init(&s->changes, -1);
	series_init(&s->series, &format, &s->rows, 0);
}

void snapshot_begin(struct snapshot *s, uint64_t wall_ns)
{
	s->series.wall_ns = wall_ns;
	s->rows.len = 0;
	s->rows.error = s->changes.error = 0;
}

int snapshot_end(struct snapshot *s)
{
	out_mem(&s->rows, s->changes.buf, s->changes.len);
	return s->rows.error ? s->rows.error : s->changes.error;
}

void snapshot_free(struct snapshot *s)
{
	series_free(&s->series);
	out_free(&s->rows);
	out_free(&s->changes);
}

/* ---- reading ---- */

bool snapshot_next(const char *rows, size_t size, size_t *at, struct series_row *row)
{
	if (*at >= size)
		return false;
	memcpy(row, rows + *at, sizeof(*row));
	*at += sizeof(*row);
	for (size_t i = 0; i < SERIES_NUM_LABELS; i++) {
		const char **text = text_of(row, i);

		if (series_label_table[i].number || !*text)
			continue;
		*text = rows + *at;
		*at += strlen(*text) + 1;
	}
	return true;
}
