/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text format 0.0.4 of Prometheus, as its text file collector reads it: without time stamps. HELP
 * texts never change, because the collector drops one of two files whose HELP texts for a name differ.
 * Also OpenMetrics 1.0, which has other names and another ending.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/series.h"

enum family {
	FAMILY_EVENT, FAMILY_ENABLED, FAMILY_RUNNING, FAMILY_METRIC, FAMILY_THROTTLED, FAMILY_EPISODES,
	FAMILY_THROTTLED_TIME, FAMILY_UNKNOWN, FAMILY_BUILD, FAMILY_INTERVAL, FAMILY_MISSED, FAMILIES
};
_Static_assert((int)FAMILIES == (int)SERIES_BODIES, "each family needs its own body");

static const struct {
	const char *name, *type, *help;
} families[FAMILIES] = {
	[FAMILY_EVENT] = { "uncoremsr_event_total", "counter",
			   "Count of an event, scaled up if it was counted only part of the time." },
	[FAMILY_ENABLED] = { "uncoremsr_event_enabled_seconds_total", "counter",
			     "Time for which an event was enabled." },
	[FAMILY_RUNNING] = { "uncoremsr_event_running_seconds_total", "counter",
			     "Time for which an event was really counted." },
	[FAMILY_METRIC] = { "uncoremsr_metric", "gauge",
			    "Value of a metric over the last interval; the label \"measure\" is its unit." },
	[FAMILY_THROTTLED] = { "uncoremsr_throttled", "gauge",
			       "1 if this cause slows the package or core down now, 0 if not, absent if unknown." },
	[FAMILY_EPISODES] = { "uncoremsr_throttle_episodes_total", "counter",
			      "Number of times that this cause began to slow the package or core down." },
	[FAMILY_THROTTLED_TIME] = { "uncoremsr_throttled_seconds_total", "counter",
				    "Time for which this cause slowed the package or core down, where measured." },
	[FAMILY_UNKNOWN] = { "uncoremsr_unknown",
			"gauge", "1 for what could not be measured, for the reason in the label." },
	[FAMILY_BUILD] = { "uncoremsr_build_info", "gauge", "Version of uncoremsr, in the label." },
	[FAMILY_INTERVAL] = { "uncoremsr_interval_seconds", "gauge",
			      "Length of the last interval." },
	[FAMILY_MISSED] = { "uncoremsr_missed_intervals_total", "counter",
			    "Number of intervals that were missed." },
};

/* ---- labels ---- */

/* A line that is being written: its labels so far. */
struct line {
	struct out *o;
	bool labelled;
};

/* Control characters are escaped as in text output. Prometheus wants a backslash before each backslash and quote. */
static void put_text(struct line *l, const char *name, const char *text)
{
	size_t at;

	if (!text || !*text)
		return;
	out_char(l->o, l->labelled ? ',' : '{');
	l->labelled = true;
	out_str(l->o, name);
	out_str(l->o, "=\"");
	at = l->o->len;
	out_text_str(l->o, text);
	for (; at < l->o->len; at++)
		if (l->o->buf[at] == '\\' || l->o->buf[at] == '"')
			out_insert(l->o, at++, '\\');
	out_char(l->o, '"');
}

static void put_number(struct line *l, const char *name, int number)
{
	char text[16];

	if (number >= 0) {
		snprintf(text, sizeof(text), "%d", number);
		put_text(l, name, text);
	}
}

static struct out *begin(struct series *s, enum family family, const struct series_labels *labels)
{
	struct line l = { .o = &s->bodies[family] };

	out_str(l.o, families[family].name);
	for (const struct series_label *label = series_label_table; label->name; label++) {
		if (!label->number)
			put_text(&l, label->name, series_label_text(labels, label));
		else if (label->at != offsetof(struct series_labels, cpu) || !labels->cpus) /* it was written as @cpus */
			put_number(&l, label->name, series_label_number(labels, label));
	}
	out_str(l.o, l.labelled ? "} " : " ");
	return l.o;
}

/* ---- values ---- */

static void put_count(struct series *s, enum family family,
		      const struct series_labels *labels, uint64_t count)
{
	struct out *o = begin(s, family, labels);

	out_u64(o, count);
	out_char(o, '\n');
}

static void put_seconds(struct series *s, enum family family,
			const struct series_labels *labels, uint64_t ns)
{
	struct out *o = begin(s, family, labels);

	out_fixed(o, ns, 9);
	out_char(o, '\n');
}

/* Seventeen digits represent any double exactly. */
static void put_metric(struct series *s, const struct series_labels *l, double value)
{
	struct out *o;

	if (!isfinite(value))
		return;
	o = begin(s, FAMILY_METRIC, l);
	out_real(o, value, fabs(value) < 1 ? 15 : fabs(value) < 1e6 ? 9 : 3);
	out_char(o, '\n');
}

static void put(struct series *s, const struct series_row *row)
{
	const struct series_labels *l = &row->labels;

	if (l->again)
		return;
	switch (row->kind) {
	case SERIES_EVENT:
		put_count(s, FAMILY_EVENT, l, row->total.value);
		put_seconds(s, FAMILY_ENABLED, l, row->total.enabled_ns);
		put_seconds(s, FAMILY_RUNNING, l, row->total.running_ns);
		break;
	case SERIES_METRIC:
		put_metric(s, l, row->value);
		break;
	case SERIES_THROTTLED:
		put_count(s, FAMILY_THROTTLED, l, row->throttling.now);
		put_count(s, FAMILY_EPISODES, l, row->throttling.episodes);
		if (row->throttling.timed)
			put_seconds(s, FAMILY_THROTTLED_TIME, l, row->throttling.ns);
		break;
	case SERIES_CHANGED: /* needs no line of its own: Prometheus makes alerts from the gauge */
		break;
	case SERIES_UNKNOWN:
		out_str(begin(s, FAMILY_UNKNOWN, l), "1\n");
		break;
	}
}

/* ---- an interval ---- */

static void put_run(struct series *s, const struct series_interval *i)
{
	static const struct series_labels none = { SERIES_LABELS };
	struct out *o = &s->bodies[FAMILY_BUILD];

	out_fmt(o, "%s{version=\"%s\"} 1\n", families[FAMILY_BUILD].name, UM_VERSION);
	if (i->ns)
		put_seconds(s, FAMILY_INTERVAL, &none, i->ns);
	put_count(s, FAMILY_MISSED, &none, i->missed);
}

static void end(struct series *s, const struct series_interval *i)
{
	static const char total[] = "_total";
	const bool open = s->format == &series_openmetrics;

	put_run(s, i);
	for (size_t f = 0; f < FAMILIES; f++) {
		struct out *body = &s->bodies[f];
		const char *name = families[f].name;
		size_t len = strlen(name), ending = sizeof(total) - 1;

		/* In HELP and TYPE lines OpenMetrics wants the name of a counter without "_total". */
		if (open && len > ending && strcmp(name + len - ending, total) == 0)
			len -= ending;
		if (body->error && !s->out->error)
			s->out->error = body->error;
		if (body->len && !body->error) {
			out_fmt(s->out, "# HELP %.*s %s\n# TYPE %.*s %s\n", (int)len, name,
				families[f].help, (int)len, name, families[f].type);
			out_mem(s->out, body->buf, body->len);
		}
		body->len = 0;
	}
	out_str(s->out, open ? "# EOF\n" : "");
}

const struct series_format series_prometheus = {
	.name = "prometheus", .whole = true, .put = put, .end = end,
};

const struct series_format series_openmetrics = {
	.name = "openmetrics", .whole = true, .put = put, .end = end,
};
