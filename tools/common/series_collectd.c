/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PUTVAL and PUTNOTIF lines for collectd, as its exec and unixsock plugins take them
 * (collectd-unixsock(5), collectd 5.12). Unknown values have no line: collectd accepts U only for gauges, and stores a
 * missing value as 0.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/digits.h"
#include "common/series.h"

/* Maximum size of a part of an identifier, and of a line without its end. collectd cuts or drops longer ones. */
enum { PART_MOST = 127, LINE_MOST = 1022 };

struct identifier {
	char text[1024];
	size_t len;
};

/* ---- identifiers ---- */

/*
 * Append a part of an identifier. Characters that are not allowed in it become "_": a slash would end the part, and a
 * control character the line. A part of more than PART_MOST bytes is cut, and ends with a hash of the whole, so that
 * two parts that differ only at their ends stay different.
 */
__attribute__((format(printf, 3, 4)))
static void put_part(struct identifier *id, char before, const char *fmt, ...)
{
	char part[1024];
	uint32_t hash = 2166136261u; /* FNV-1a */
	va_list args;

	va_start(args, fmt);
	vsnprintf(part, sizeof(part), fmt, args);
	va_end(args);
	if (strlen(part) > PART_MOST) {
		for (const char *c = part; *c; c++)
			hash = (hash ^ (unsigned char)*c) * 16777619u;
		snprintf(part + PART_MOST - 9, 10, "~%08x", hash);
	}
	if (before)
		id->text[id->len++] = before;
	for (const char *c = part; *c; c++) {
		bool plain = (unsigned char)*c > ' ' && *c != '/' && *c != '"' && *c != '\\' &&
			     (unsigned char)*c < 0x7f;

		id->text[id->len++] = plain ? *c : '_';
	}
	id->text[id->len] = '\0';
}

/* Write the location: "package0-die1-cbo3", "package0-core2", "cpu5", "0-3"; empty: the whole machine. */
static void put_place(char *buf, size_t size, const struct series_labels *l)
{
	const struct {
		const char *word;
		int number;
	} parts[] = { { "package", l->package }, { "die", l->die }, { "core", l->core },
		      { "cpu", l->package < 0 ? l->cpu : -1 } };
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].number >= 0)
			len += (size_t)snprintf(buf + len, size - len, "%s%s%d", len ? "-" : "",
						parts[i].word, parts[i].number);
	if (l->cpus || l->unit >= 0)
		snprintf(buf + len, size - len, "%s%.64s", len ? "-" : "", l->cpus ? l->cpus : l->unit_name);
}

/* Write the name of the kernel's PMU: "cha" for the sum of all its units, "uncore_cha_3" for one unit. */
static void put_pmu(char *buf, size_t size, const struct series_labels *l)
{
	static const char prefix[] = "uncore_";
	const char *pmu = l->pmu ? l->pmu : "";
	size_t len = sizeof(prefix) - 1;

	if (l->unit_name)
		snprintf(buf, size, "%.100s", l->unit_name);
	else
		snprintf(buf, size, "%.100s", strncmp(pmu, prefix, len) ? pmu : pmu + len);
}

/*
 * Append the plugin and its instance: "uncoremsr-package0", "intel_pmu-0-3", "intel_pmu-0-3:cpu". Here and below,
 * @earlier means the form of the earlier generation of collectd's plugin intel_pmu.
 */
static void put_plugin(struct identifier *id, char before, const struct series_labels *l, bool earlier)
{
	char place[PART_MOST + 1];

	if (!l->group) {
		put_place(place, sizeof(place), l);
		put_part(id, before, *place ? "uncoremsr-%s" : "uncoremsr", place);
	} else if (earlier) {
		put_part(id, before, "intel_pmu-%s", l->group);
	} else {
		put_pmu(place, sizeof(place), l);
		put_part(id, before, "intel_pmu-%s:%s", l->group, place);
	}
}

/* With @earlier, units are told apart by the kernel's PMU number or, if there is none, by the unit's name. */
static void put_name(char *buf, size_t size, const struct series_labels *l, bool earlier)
{
	const char *name = l->event ? l->event : l->metric;
	const bool of_unit = earlier && l->group && l->unit >= 0;

	if (l->cause)
		snprintf(buf, size, "throttled-%s", l->cause);
	else if (of_unit && l->type >= 0)
		snprintf(buf, size, "%s:type=%d", name, l->type);
	else if (of_unit && l->unit_name)
		snprintf(buf, size, "%s:%s", name, l->unit_name);
	else
		snprintf(buf, size, "%s", name);
}

void series_collectd_name(char text[SERIES_NAME], const struct series_labels *l, bool counter)
{
	struct identifier id = { .len = 0 };
	char name[512];

	put_name(name, sizeof(name), l, counter);
	put_plugin(&id, '\0', l, counter);
	put_part(&id, '/', "%s", name);
	memcpy(text, id.text, id.len + 1);
}

/* Write a PUTVAL line. @ending is appended to the name. */
static void put_values(struct series *s, const struct series_labels *l, bool earlier,
		       const char *type, const char *ending, const char *values)
{
	struct out *o = s->out;
	size_t start = o->len;
	struct identifier id = { .len = 0 };
	char name[512];

	put_name(name, sizeof(name), l, earlier);
	put_part(&id, '\0', "%s", s->host);
	put_plugin(&id, '/', l, earlier);
	put_part(&id, '/', "%s-%s%s", type, name, ending);
	out_fmt(o, "PUTVAL %s", id.text);
	if (s->interval_ns) {
		out_str(o, " interval=");
		out_fixed(o, s->interval_ns, 9);
	}
	out_char(o, ' ');
	if (s->dated)
		out_fixed(o, s->wall_ns, 9);
	else
		out_char(o, 'N');
	out_fmt(o, ":%s\n", values);
	if (o->len - start > LINE_MOST)
		o->len = start;
}

/* ---- values ---- */

static void put_event(struct series *s, const struct series_labels *l, const struct series_total *t)
{
	const unsigned long long numbers[] = { t->value, t->counted, t->enabled_ns, t->running_ns };
	static const char *const words[] = { "", ":raw", ":enabled", ":running" };
	char values[96];

	for (size_t i = 0; i < 4; i++) {
		if (!(s->values & (i ? SERIES_SINGLES : SERIES_COUNTER)))
			continue;
		snprintf(values, sizeof(values), "%llu", numbers[i]);
		put_values(s, l, true, "counter", words[i], values);
	}
	if (!(s->values & SERIES_FOUR))
		return;
	snprintf(values, sizeof(values), "%llu:%llu:%llu:%llu", numbers[0], numbers[1], numbers[2], numbers[3]);
	put_values(s, l, false, "pmu_counter", "", values);
}

static void put_metric(struct series *s, const struct series_labels *l, double value)
{
	char values[DIGITS_ROOM];

	if (!isfinite(value))
		return;
	*digits_measured(values, value) = '\0';
	put_values(s, l, true, "gauge", "", values);
}

static void put_change(struct series *s, const struct series_labels *l, const struct series_change *c)
{
	char place[PART_MOST + 1];

	put_place(place, sizeof(place), l);
	out_fmt(s->out, "PUTNOTIF severity=%s time=", c->now ? "warning" : "okay");
	out_u64(s->out, c->wall_ns / UINT64_C(1000000000));
	out_fmt(s->out, " host=%s plugin=uncoremsr plugin_instance=%s type=gauge "
		"type_instance=throttled-%s message=\"%s: %s %s\"\n", s->host, place, l->cause, place,
		l->cause, c->now ? "began" : "ended");
}

static void put(struct series *s, const struct series_row *row)
{
	switch (row->kind) {
	case SERIES_EVENT:
		put_event(s, &row->labels, &row->total);
		break;
	case SERIES_METRIC:
		put_metric(s, &row->labels, row->value);
		break;
	case SERIES_THROTTLED:
		put_values(s, &row->labels, true, "gauge", "", row->throttling.now ? "1" : "0");
		break;
	case SERIES_CHANGED:
		put_change(s, &row->labels, &row->change);
		break;
	case SERIES_UNKNOWN:
		break;
	}
}

const struct series_format series_collectd = { .name = "collectd", .put = put };
