/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read files of published metrics; the table of all functions that read JSON. Without JSON: json_disabled.c. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/number.h"
#include "common/text.h"
#include "names/json_list_file.h"
#include "names/json_list_load.h"
#include "metrics/metrics.h"

static const char *get(const json_t *entry, const char *field)
{
	const char *text = json_string_value(json_object_get(entry, field));

	return text ? text : "";
}

/* ---- formulas with aliases ---- */

/* The name for which an alias stands, from the events and constants of an entry; NULL: not an alias. */
static const char *name_of(const json_t *entry, const char *alias, size_t len)
{
	static const char lists[][12] = { "Events", "Constants" };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const json_t *list = json_object_get(entry, lists[i]);

		for (size_t k = 0; k < json_array_size(list); k++) {
			const json_t *item = json_array_get(list, k);

			if (um_is_word(alias, len, get(item, "Alias")))
				return get(item, "Name");
		}
	}
	return NULL;
}

static size_t word_length(const char *at)
{
	size_t len = 0;

	while (isalnum((unsigned char)at[len]) || (at[len] && strchr("_.#", at[len])))
		len++;
	return len;
}

/* The formula with names in place of aliases: "a / b[0]" becomes "{NAME} / {OTHER[0]}". */
static char *named_formula(const json_t *entry)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (const char *at = get(entry, "Formula"); *at;) {
		size_t len = word_length(at), unit;
		const char *name = len && !isdigit((unsigned char)*at) ? name_of(entry, at, len) : NULL;

		if (!name) {
			fwrite(at, 1, len ? len : 1, to);
			at += len ? len : 1;
			continue;
		}
		at += len;
		unit = *at == '[' ? strcspn(at, "]") + 1 : 0;
		fprintf(to, "{%s%.*s}", name, (int)unit, at);
		at += unit;
	}
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}

static const char *unit_of(const json_t *entry)
{
	const char *unit = get(entry, "UnitOfMeasure");

	return *unit ? unit : get(entry, "CountDomain");
}

/* ---- both forms ---- */

/*
 * Shares have the tolerance of our own metrics. Estimated or calculated metrics have no bounds: they multiply counts by
 * assumed latencies, so more than 100 % is valid (the description of FB_Full says so).
 */
static void set_bounds(struct uncoremsr_event *m, bool estimate)
{
	static const struct { const char *unit; double low, high; } known[] = {
		{ "percent", -2, 102 }, { "%", -2, 102 }, { "GHz", 0, 6.5 }, { "MB/sec", 0, HUGE_VAL },
		{ "MB/s", 0, HUGE_VAL }, { "GB/sec", 0, HUGE_VAL }, { "GB/s", 0, HUGE_VAL },
		{ "ns", 0, HUGE_VAL }, { "NanoSeconds", 0, HUGE_VAL }, { "Seconds", 0, HUGE_VAL },
		{ "per instruction", 0, HUGE_VAL }, { "per_instr", 0, HUGE_VAL },
	};

	m->low = -HUGE_VAL;
	m->high = HUGE_VAL;
	for (size_t i = 0; i < ARRAY_SIZE(known) && !estimate; i++)
		if (!strcmp(m->measure, known[i].unit)) {
			m->low = known[i].low;
			m->high = known[i].high;
		}
}

static bool is_estimate(const json_t *entry)
{
	const char *domain = get(entry, "CountDomain");

	return strstr(domain, "_Estimated") || strstr(domain, "_Calculated") ||
	       (!*domain && strstr(get(entry, "BriefDescription"), "estimat"));
}

static char *one_line(const char *text)
{
	char *copy = strdup(text);

	for (char *at = copy; at && *at; at++)
		if (*at == '\n' || *at == '\r' || *at == '\t')
			*at = ' ';
	return copy;
}

/* Read an entry. True: the entry is a metric; texts that could not be allocated are NULL. */
static bool read_metric(const json_t *entry, const char *path, struct um_metric *m)
{
	bool aliases = *get(entry, "Formula");
	const char *unit = get(entry, "ScaleUnit");
	struct uncoremsr_event *pub = &m->base.pub;

	if (!*get(entry, "MetricName") || !(aliases || *get(entry, "MetricExpr")))
		return false;
	um_name_make(&m->base, UM_FROM_METRIC, strdup(get(entry, "MetricName")));
	pub->description = one_line(get(entry, "BriefDescription"));
	pub->note = "";
	pub->formula_from = strdup(path);
	pub->formula = aliases ? named_formula(entry) : one_line(get(entry, "MetricExpr"));
	m->factor = 1;
	m->ticks = aliases && !strcmp(get(entry, "Category"), "TMA");
	if (aliases)
		unit = unit_of(entry);
	else if (!um_real_number(unit, &unit, &m->factor))
		m->factor = 1;
	pub->measure = one_line(unit);
	if (pub->measure)
		set_bounds(pub, is_estimate(entry));
	return true;
}

static bool is_whole(const struct uncoremsr_event *m)
{
	return m->name && m->description && m->formula_from && m->formula && m->measure;
}

static int read_metrics(const json_t *list, struct um_json_file *file, struct um_error *e)
{
	size_t room = json_array_size(list);
	struct um_metric_file *read = calloc(1, sizeof(*read) + room * sizeof(*read->metrics));
	bool whole = read;

	for (size_t i = 0; i < room && whole; i++) {
		struct um_metric *next = &read->metrics[read->num];

		if (!read_metric(json_array_get(list, i), file->path, next))
			continue;
		whole = is_whole(&next->base.pub);
		read->num++;
	}
	if (whole && read->num) {
		file->published = read;
		return 0;
	}
	um_metric_file_free(read);
	return !whole ? um_no_memory(e)
		      : UM_USAGE(e, "metric file %s: it contains no metric", UM_QUOTED(file->path));
}

/* The vendor's two forms: PLATFORM/metrics (formulas over aliases), PLATFORM/metrics/perf (formulas as in perf). */
static int read_file(struct um_json_file *file, struct um_error *e)
{
	json_error_t why;
	json_t *json = um_json_load(file->text, file->len, 0, &why);
	int err;

	if (!json && errno == ENOMEM)
		return um_no_memory(e);
	if (!json)
		return UM_USAGE(e, "metric file %s: line %d: %s", UM_QUOTED(file->path), why.line, why.text);
	err = read_metrics(json_is_array(json) ? json : json_object_get(json, "Metrics"), file, e);
	json_decref(json);
	return err;
}

const struct um_list_reader um_list_reader = { um_list_read, um_list_walk, um_list_event, read_file };

int um_list_reader_find(const struct um_list_reader **found, const char *path, struct um_error *e)
{
	(void)path, (void)e;
	*found = &um_list_reader;
	return 0;
}
