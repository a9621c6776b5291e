/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PUTVAL and PUTNOTIF lines for collectd, as its exec and unixsock plugins take them
 * (collectd-unixsock(5), collectd 5.12). What is unknown has no line: collectd takes U for gauges
 * only, and stores a value that is missing as 0.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/series.h"

/* Of a part of an identifier, without its end; of a whole line. collectd cuts or drops what is longer. */
enum { PART_MOST = 127, LINE_MOST = 1022 };

struct identifier {
	char text[1024];
	size_t len;
};

/* ---- identifiers ---- */

/* Its words, and at most PART_MOST of them: a slash would end it, and control characters a line. */
static void put_part(struct identifier *id, char before, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void put_part(struct identifier *id, char before, const char *fmt, ...)
{
	char part[PART_MOST + 1];
	va_list args;

	va_start(args, fmt);
	vsnprintf(part, sizeof(part), fmt, args);
	va_end(args);
	if (before)
		id->text[id->len++] = before;
	for (const char *c = part; *c; c++) {
		bool plain = (unsigned char)*c > ' ' && *c != '/' && *c != '"' && *c != '\\' &&
			     (unsigned char)*c < 0x7f;

		id->text[id->len++] = plain ? *c : '_';
	}
	id->text[id->len] = '\0';
}

/* "package0-die1-cbo3", "package0-core2", "cpu5", "0-3"; empty: all of the machine. */
static void put_place(char *buf, size_t size, const struct series_labels *l)
{
	const struct {
		const char *word;
		int number;
	} parts[] = { { "package", l->package }, { "die", l->die }, { "core", l->core },
		      { "cpu", l->package < 0 ? l->cpu : -1 } };
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].number >= 0)
			len += (size_t)snprintf(buf + len, size - len, "%s%s%d", len ? "-" : "",
						parts[i].word, parts[i].number);
	if (l->cpus || l->unit >= 0)
		snprintf(buf + len, size - len, "%s%.64s", len ? "-" : "",
			 l->cpus ? l->cpus : l->unit_name);
}

static const char *identify(struct identifier *id, const struct series *s,
			    const struct series_labels *l, const char *type, const char *name)
{
	char place[PART_MOST + 1];

	put_place(place, sizeof(place), l);
	id->len = 0;
	put_part(id, '\0', "%s", s->host);
	put_part(id, '/', *place ? "uncoremsr-%s" : "uncoremsr", place);
	put_part(id, '/', "%s-%s", type, name);
	return id->text;
}

static void put_values(struct series *s, const struct series_labels *l, const char *type,
		       const char *name, const char *values)
{
	struct out *o = s->out;
	size_t start = o->len;
	struct identifier id;

	out_fmt(o, "PUTVAL %s", identify(&id, s, l, type, name));
	if (s->interval_ns) {
		out_str(o, " interval=");
		out_fixed(o, s->interval_ns, 9);
	}
	out_fmt(o, " N:%s\n", values);
	if (o->len - start > LINE_MOST)
		o->len = start;
}

/* ---- values ---- */

static void put_event(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	char values[96];

	snprintf(values, sizeof(values), "%llu", (unsigned long long)t->value);
	put_values(s, l, "counter", l->event, values);
	snprintf(values, sizeof(values), "%llu:%llu:%llu:%llu", (unsigned long long)t->value,
		 (unsigned long long)t->counted, (unsigned long long)t->enabled_ns,
		 (unsigned long long)t->running_ns);
	put_values(s, l, "pmu_counter", l->event, values);
}

static void put_metric(struct series *s, const struct series_labels *l, double value)
{
	struct out text;

	if (!isfinite(value))
		return;
	out_init(&text, -1);
	out_real(&text, value, fabs(value) < 1 ? 12 : fabs(value) < 1e6 ? 9 : 3);
	out_char(&text, '\0');
	if (!text.error)
		put_values(s, l, "gauge", l->metric, text.buf);
	else if (!s->out->error)
		s->out->error = text.error;
	out_free(&text);
}

static void put_throttled(struct series *s, const struct series_labels *l,
			  const struct series_throttling *t)
{
	char name[PART_MOST + 1];

	snprintf(name, sizeof(name), "throttled-%s", l->cause);
	put_values(s, l, "gauge", name, t->now ? "1" : "0");
}

static void put_changed(struct series *s, const struct series_labels *l, bool now)
{
	char place[PART_MOST + 1];

	put_place(place, sizeof(place), l);
	out_fmt(s->out, "PUTNOTIF severity=%s time=", now ? "warning" : "okay");
	out_u64(s->out, s->wall_ns / UINT64_C(1000000000));
	out_fmt(s->out, " host=%s plugin=uncoremsr plugin_instance=%s type=gauge "
		"type_instance=throttled-%s message=\"%s: %s %s\"\n", s->host, place, l->cause, place,
		l->cause, now ? "began" : "ended");
}

static void put_unknown(struct series *s, const struct series_labels *l, const char *reason)
{
	(void)s, (void)l, (void)reason;
}

static void end(struct series *s, const struct series_interval *i)
{
	(void)s, (void)i;
}

const struct series_format series_collectd = {
	.name = "collectd", .event = put_event, .metric = put_metric, .throttled = put_throttled,
	.changed = put_changed, .unknown = put_unknown, .end = end,
};
