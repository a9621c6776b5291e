/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/snapshot.h"

#include <string.h>

enum kind { EVENT = 1, METRIC, THROTTLED, CHANGED, UNKNOWN, END };

/* One value of a series. Its texts follow it, each with NUL, in the order of text_of(). */
struct piece {
	uint32_t kind;
	uint32_t size; /* with its texts */
	int32_t package, die, core, cpu, unit, type;
	uint32_t texts; /* bit mask of the texts that follow */
	uint32_t again;
	union {
		struct series_total total;
		double metric;
		struct series_throttling throttling;
		bool now;
		struct {
			struct series_interval interval;
			uint64_t wall_ns, interval_ns;
		} end;
	};
};

enum { TEXTS = 11, REASON = TEXTS - 1 };

/* Text number @i of the labels. */
static const char **text_of(struct series_labels *l, size_t i)
{
	const char **const texts[REASON] = {
		&l->machine, &l->cpus, &l->unit_name, &l->pmu, &l->event, &l->route, &l->metric,
		&l->measure, &l->cause, &l->group,
	};

	return texts[i];
}

/* ---- writing ---- */

static void put(struct series *s, struct piece *p, const struct series_labels *labels,
		const char *reason)
{
	struct series_labels l = *labels;
	const size_t start = s->out->len;

	p->package = l.package;
	p->die = l.die;
	p->core = l.core;
	p->cpu = l.cpu;
	p->unit = l.unit;
	p->type = l.type;
	p->again = l.again;
	out_mem(s->out, (const char *)p, sizeof(*p));
	for (size_t i = 0; i < TEXTS; i++) {
		const char *text = i == REASON ? reason : *text_of(&l, i);

		if (!text)
			continue;
		p->texts |= 1u << i;
		out_mem(s->out, text, strlen(text) + 1);
	}
	/* Pad, so that the next piece is aligned, too. */
	while (s->out->len % 8 && !s->out->error)
		out_char(s->out, '\0');
	p->size = (uint32_t)(s->out->len - start);
	if (!s->out->error)
		memcpy(s->out->buf + start, p, sizeof(*p));
}

static struct piece piece(enum kind kind)
{
	struct piece p;

	/* Clear the padding, too, because it is written. */
	memset(&p, 0, sizeof(p));
	p.kind = kind;
	return p;
}

static void put_event(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	struct piece p = piece(EVENT);

	p.total = *t;
	put(s, &p, l, NULL);
}

static void put_metric(struct series *s, const struct series_labels *l, double value)
{
	struct piece p = piece(METRIC);

	p.metric = value;
	put(s, &p, l, NULL);
}

static void put_throttled(struct series *s, const struct series_labels *l,
			  const struct series_throttling *t)
{
	struct piece p = piece(THROTTLED);

	p.throttling = *t;
	put(s, &p, l, NULL);
}

static void put_changed(struct series *s, const struct series_labels *l, bool now)
{
	struct piece p = piece(CHANGED);

	p.now = now;
	put(s, &p, l, NULL);
}

static void put_unknown(struct series *s, const struct series_labels *l, const char *reason)
{
	struct piece p = piece(UNKNOWN);

	put(s, &p, l, reason);
}

static void end(struct series *s, const struct series_interval *i)
{
	static const struct series_labels none = { SERIES_LABELS };
	struct piece p = piece(END);

	p.end.interval = *i;
	p.end.wall_ns = s->wall_ns;
	p.end.interval_ns = s->interval_ns;
	put(s, &p, &none, NULL);
}

const struct series_format series_snapshot = {
	.name = "snapshot", .whole = true, .event = put_event, .metric = put_metric,
	.throttled = put_throttled, .changed = put_changed, .unknown = put_unknown, .end = end,
};

/* ---- reading ---- */

/* Read the labels of a piece; they point into its bytes. */
static bool take_labels(const struct piece *p, const char *bytes, struct series_labels *l,
			const char **reason)
{
	const char *text = bytes + sizeof(*p), *behind = bytes + p->size;

	*l = (struct series_labels){
		.package = p->package, .die = p->die, .core = p->core, .cpu = p->cpu, .unit = p->unit,
		.type = p->type, .again = p->again,
	};
	*reason = "";
	for (size_t i = 0; i < TEXTS; i++) {
		const char *nul;

		if (!(p->texts >> i & 1))
			continue;
		nul = memchr(text, '\0', (size_t)(behind - text));
		if (!nul)
			return false;
		if (i == REASON)
			*reason = text;
		else
			*text_of(l, i) = text;
		text = nul + 1;
	}
	return true;
}

static bool say(struct series *s, const struct piece *p, const struct series_labels *l,
		const char *reason)
{
	switch (p->kind) {
	case EVENT:
		s->format->event(s, l, &p->total);
		return true;
	case METRIC:
		s->format->metric(s, l, p->metric);
		return true;
	case THROTTLED:
		s->format->throttled(s, l, &p->throttling);
		return true;
	case CHANGED:
		s->format->changed(s, l, p->now);
		return true;
	case UNKNOWN:
		s->format->unknown(s, l, reason);
		return true;
	case END:
		s->wall_ns = p->end.wall_ns;
		s->interval_ns = p->end.interval_ns;
		s->format->end(s, &p->end.interval);
		return true;
	default:
		return false;
	}
}

bool snapshot_say(struct series *s, const char *bytes, size_t size)
{
	struct piece p = { .kind = 0 };

	for (size_t at = 0; at < size; at += p.size) {
		struct series_labels l;
		const char *reason;

		if (size - at < sizeof(p))
			return false;
		memcpy(&p, bytes + at, sizeof(p));
		if (p.size < sizeof(p) || p.size > size - at ||
		    !take_labels(&p, bytes + at, &l, &reason) || !say(s, &p, &l, reason))
			return false;
	}
	return p.kind == END;
}

uint64_t snapshot_interval_ns(const char *bytes, size_t size)
{
	struct piece last = { .kind = 0 };

	if (size >= sizeof(last))
		memcpy(&last, bytes + size - sizeof(last), sizeof(last));
	return last.kind == END ? last.end.interval_ns : 0;
}

uint64_t snapshot_most_late_ns(uint64_t interval_ns)
{
	const uint64_t least = 1000000000, share = interval_ns / 20;

	return share > least ? share : least;
}
