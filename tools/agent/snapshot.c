/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In the bytes, a text is the offset of its first byte from the start of the row; 0 is NULL. */
#include "agent/snapshot.h"

#include <string.h>

enum { TEXTS = 11, MOST_CHANGES = 1 << 16 /* bytes */ };

static const char **text_of(struct snapshot_row *r, size_t i)
{
	struct series_labels *l = &r->labels;
	const char **const texts[TEXTS] = {
		&l->machine, &l->cpus, &l->unit_name, &l->pmu, &l->event, &l->route, &l->metric, &l->measure,
		&l->cause, &l->group, &r->reason,
	};

	return texts[i];
}

/* ---- writing ---- */

/* A row without a value. Clear its padding, so that no contents of our stack reach other processes. */
static void init(struct snapshot_row *r, enum snapshot_kind kind, const struct series_labels *l)
{
	struct snapshot_row from = { .labels = *l };

	memset(r, 0, sizeof(*r));
	r->kind = kind;
	r->labels.package = l->package;
	r->labels.die = l->die;
	r->labels.core = l->core;
	r->labels.cpu = l->cpu;
	r->labels.unit = l->unit;
	r->labels.type = l->type;
	r->labels.again = l->again;
	for (size_t i = 0; i < TEXTS; i++)
		*text_of(r, i) = *text_of(&from, i);
}

static void put(struct out *o, struct snapshot_row *r)
{
	const size_t start = o->len;

	out_mem(o, (const char *)r, sizeof(*r));
	for (size_t i = 0; i < TEXTS; i++) {
		const char **text = text_of(r, i), *from = *text;

		if (!from)
			continue;
		*text = (const char *)(o->len - start);
		out_mem(o, from, strlen(from) + 1);
	}
	r->size = (uint32_t)(o->len - start);
	if (o->error)
		o->len = start;
	else
		memcpy(o->buf + start, r, sizeof(*r));
}

static void put_event(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	struct snapshot_row r;

	init(&r, SNAPSHOT_EVENT, l);
	r.total = *t;
	put(s->out, &r);
}

static void put_metric(struct series *s, const struct series_labels *l, double value)
{
	struct snapshot_row r;

	init(&r, SNAPSHOT_METRIC, l);
	r.metric = value;
	put(s->out, &r);
}

static void put_throttled(struct series *s, const struct series_labels *l, const struct series_throttling *t)
{
	struct snapshot_row r;

	init(&r, SNAPSHOT_THROTTLED, l);
	r.throttling = *t;
	put(s->out, &r);
}

static void put_unknown(struct series *s, const struct series_labels *l, const char *reason)
{
	struct snapshot_row r;

	init(&r, SNAPSHOT_UNKNOWN, l);
	r.reason = reason;
	put(s->out, &r);
}

static void put_changed(struct series *s, const struct series_labels *l, bool now)
{
	struct snapshot *snapshot = (struct snapshot *)s;
	struct out *kept = &snapshot->changes;
	struct snapshot_row r;

	/* Drop the oldest changes first. */
	for (size_t first = 0; kept->len > MOST_CHANGES; first = 0) {
		snapshot_next(kept->buf, kept->len, &first, &r);
		memmove(kept->buf, kept->buf + first, kept->len - first);
		kept->len -= first;
	}
	init(&r, SNAPSHOT_CHANGED, l);
	r.changed.now = now;
	r.changed.number = ++snapshot->num_changes;
	r.changed.wall_ns = s->wall_ns;
	put(kept, &r);
}

static void end(struct series *s, const struct series_interval *i)
{
	(void)s, (void)i;
}

static const struct series_format format = {
	.name = "snapshot", .event = put_event, .metric = put_metric, .throttled = put_throttled,
	.changed = put_changed, .unknown = put_unknown, .end = end,
};

void snapshot_init(struct snapshot *s)
{
	const struct tool_common common = { .series = &format };

	*s = (struct snapshot){ .num_changes = 0 };
	out_init(&s->rows, -1);
	out_init(&s->changes, -1);
	series_init(&s->series, &common, &s->rows, 0);
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

bool snapshot_next(const char *rows, size_t size, size_t *at, struct snapshot_row *row)
{
	const char *start = rows + *at;

	if (*at >= size)
		return false;
	memcpy(row, start, sizeof(*row));
	for (size_t i = 0; i < TEXTS; i++) {
		const char **text = text_of(row, i);

		*text = *text ? start + (uintptr_t)*text : NULL;
	}
	*at += row->size;
	return true;
}

void snapshot_say(struct series *s, const struct snapshot_row *row)
{
	switch (row->kind) {
	case SNAPSHOT_EVENT:
		s->format->event(s, &row->labels, &row->total);
		break;
	case SNAPSHOT_METRIC:
		s->format->metric(s, &row->labels, row->metric);
		break;
	case SNAPSHOT_THROTTLED:
		s->format->throttled(s, &row->labels, &row->throttling);
		break;
	case SNAPSHOT_UNKNOWN:
		s->format->unknown(s, &row->labels, row->reason);
		break;
	case SNAPSHOT_CHANGED:
		s->format->changed(s, &row->labels, row->changed.now);
		break;
	}
}
