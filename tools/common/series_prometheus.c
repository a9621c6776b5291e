/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text format 0.0.4 of Prometheus, as its text file collector reads it: without time stamps. HELP
 * texts never change, because the collector drops one of two files whose HELP texts for a name differ.
 * Also OpenMetrics 1.0, which has other names and another ending.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/series.h"

/* The last families describe the tool and the whole interval, and have no rows. */
enum { BUILD = SERIES_BODIES - 3, INTERVAL, MISSED, FAMILIES };

static const struct {
	const char *name, *type, *help;
	enum series_kind kind; /* kind of the rows that have this value */
	enum { COUNT, SECONDS, REAL, ONE } form;
	size_t at;             /* offset of the value in struct series_row */
	size_t only_if;        /* offset of a number that is 0 if the row lacks this value; 0 if each row has it */
} families[FAMILIES] = {
#define AT(member) offsetof(struct series_row, member)
	{ "uncoremsr_event_total", "counter", "Count of an event, scaled up if it was counted only part of the time.",
	  SERIES_EVENT, COUNT, AT(total.value), 0 },
	{ "uncoremsr_event_enabled_seconds_total", "counter", "Time for which an event was enabled.",
	  SERIES_EVENT, SECONDS, AT(total.enabled_ns), 0 },
	{ "uncoremsr_event_running_seconds_total", "counter", "Time for which an event was really counted.",
	  SERIES_EVENT, SECONDS, AT(total.running_ns), 0 },
	{ "uncoremsr_metric", "gauge", "Value of a metric over the last interval; the label \"measure\" is its unit.",
	  SERIES_METRIC, REAL, AT(value), 0 },
	{ "uncoremsr_throttled", "gauge",
	  "1 if this cause slows the package or core down now, 0 if not, absent if unknown.",
	  SERIES_THROTTLED, COUNT, AT(throttling.now), 0 },
	{ "uncoremsr_throttle_episodes_total", "counter",
	  "Number of times that this cause began to slow the package or core down.",
	  SERIES_THROTTLED, COUNT, AT(throttling.episodes), 0 },
	{ "uncoremsr_throttled_seconds_total", "counter",
	  "Time for which this cause slowed the package or core down, where measured.",
	  SERIES_THROTTLED, SECONDS, AT(throttling.ns), AT(throttling.timed) },
	{ "uncoremsr_unknown", "gauge", "1 for what could not be measured, for the reason in the label.",
	  SERIES_UNKNOWN, ONE, 0, 0 },
	[BUILD] = { .name = "uncoremsr_build_info", .type = "gauge", .help = "Version of uncoremsr, in the label." },
	[INTERVAL] = { .name = "uncoremsr_interval_seconds", .type = "gauge", .help = "Length of the last interval." },
	[MISSED] = { .name = "uncoremsr_missed_intervals_total", .type = "counter",
		     .help = "Number of intervals that were missed." },
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

/* Begin the line of a value. */
static struct out *begin(struct series *s, size_t family, const struct series_labels *labels)
{
	struct line l = { .o = &s->bodies[family] };

	out_str(l.o, families[family].name);
	for (const struct series_label *label = series_label_table; label->name; label++) {
		if (!label->number)
			put_text(&l, label->name, series_label_text(labels, label));
		else if (label->at != offsetof(struct series_labels, cpu) || !labels->cpus) /* @cpus replaces it */
			put_number(&l, label->name, series_label_number(labels, label));
	}
	out_str(l.o, l.labelled ? "} " : " ");
	return l.o;
}

/* ---- values ---- */

static const uint64_t *number_at(const struct series_row *row, size_t at)
{
	return (const uint64_t *)(const void *)((const char *)row + at);
}

static void put_value(struct out *o, size_t family, const struct series_row *row)
{
	switch (families[family].form) {
	case COUNT:
		out_u64(o, *number_at(row, families[family].at));
		break;
	case SECONDS:
		out_fixed(o, *number_at(row, families[family].at), 9);
		break;
	case REAL: /* seventeen digits represent any double exactly */
		out_real(o, row->value, fabs(row->value) < 1 ? 15 : fabs(row->value) < 1e6 ? 9 : 3);
		break;
	case ONE:
		out_char(o, '1');
		break;
	}
	out_char(o, '\n');
}

/* Do not write changes: with Prometheus, alerts are made from the gauge uncoremsr_throttled. */
static void put(struct series *s, const struct series_row *row)
{
	if (row->labels.again || (row->kind == SERIES_METRIC && !isfinite(row->value)))
		return;
	for (size_t f = 0; f < BUILD; f++) {
		const size_t only_if = families[f].only_if;

		if (families[f].kind == row->kind && (!only_if || *number_at(row, only_if)))
			put_value(begin(s, f, &row->labels), f, row);
	}
}

/* ---- an interval ---- */

static void put_run(struct series *s, const struct series_interval *i)
{
	out_fmt(&s->bodies[BUILD], "%s{version=\"%s\"} 1\n", families[BUILD].name, UM_VERSION);
	if (i->ns) {
		out_fmt(&s->bodies[INTERVAL], "%s ", families[INTERVAL].name);
		out_fixed(&s->bodies[INTERVAL], i->ns, 9);
		out_char(&s->bodies[INTERVAL], '\n');
	}
	out_fmt(&s->bodies[MISSED], "%s %" PRIu64 "\n", families[MISSED].name, i->missed);
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
