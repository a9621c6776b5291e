/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Metrics: records with the fields of readings, and text with the units that people use. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/read.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

int read_metrics_init(struct read_run *run)
{
	size_t packages = uncoremsr_session_num_packages(run->session);
	size_t metrics = uncoremsr_session_num_metrics(run->session);

	run->metric_rows = calloc(packages * metrics + 1, sizeof(*run->metric_rows));
	if (!run->metric_rows)
		return -ENOMEM;
	run->num_metric_rows = packages * metrics;
	for (size_t i = 0; i < run->num_metric_rows; i++) {
		struct read_metric_row *row = &run->metric_rows[i];

		row->package = i / metrics;
		row->metric = i % metrics;
		if (uncoremsr_session_package_error(run->session, row->package))
			row->status = UNCOREMSR_FAILED; /* said when counting started */
	}
	return 0;
}

void read_metrics_free(struct read_run *run)
{
	free(run->metric_rows);
	run->metric_rows = NULL;
	run->num_metric_rows = 0;
}

static const struct uncoremsr_metric *metric_of(const struct read_run *run,
						const struct read_metric_row *row)
{
	return uncoremsr_session_metric(run->session, row->metric);
}

static int package_of(const struct read_run *run, const struct read_metric_row *row)
{
	return uncoremsr_package_id(uncoremsr_session_package(run->session, row->package));
}

/* What happened to it since the last interval. True: say why, on stderr or in the text. */
static bool note_status(struct read_run *run, struct read_metric_row *row,
			enum uncoremsr_status status)
{
	bool changed = status != row->status;

	/* "undefined" is no failure: everything was counted, and it was nothing. */
	if (status != UNCOREMSR_OK && status != UNCOREMSR_UNDEFINED)
		run->partial = true;
	row->status = status;
	return changed && status != UNCOREMSR_OK;
}

/* ---- records ---- */

static void put_text(struct read_run *run, const char *text)
{
	if (read_json(run))
		out_json_str(run->out, text);
	else
		out_csv_str(run->out, text);
}

static void put_index(struct read_run *run, int index)
{
	if (index < 0)
		put_text(run, NULL);
	else
		out_u64(run->out, (uint64_t)index);
}

static void put_scaled(struct read_run *run, const struct uncoremsr_metric_value *v)
{
	double value;

	if (uncoremsr_metric_value_get(v, &value) < 0)
		put_text(run, NULL);
	else
		read_put_scaled(run->out, value);
}

static void put_timestamp(struct read_run *run, uint64_t ns)
{
	if (read_json(run))
		out_char(run->out, '"');
	read_put_timestamp(run, ns);
	if (read_json(run))
		out_char(run->out, '"');
}

static void put_cell(struct read_run *run, const struct read_metric_row *row,
		     const struct uncoremsr_metric_value *v, enum read_column column)
{
	const struct uncoremsr_package *p = uncoremsr_session_package(run->session, row->package);
	uint64_t enabled = uncoremsr_metric_value_enabled_ns(v);
	uint64_t end = enabled ? uncoremsr_metric_value_time_ns(v) : run->end_ns;

	switch (column) {
	case READ_TIME:
		out_seconds(run->out, end - run->start_ns);
		break;
	case READ_INTERVAL:
		out_seconds(run->out, enabled ? enabled : run->end_ns - run->last_ns);
		break;
	case READ_TIMESTAMP:
		put_timestamp(run, end);
		break;
	case READ_MACHINE:
		put_text(run, uncoremsr_machine(run->um));
		break;
	case READ_PACKAGE:
		put_index(run, uncoremsr_package_id(p));
		break;
	case READ_DIE:
		put_index(run, uncoremsr_package_die(p));
		break;
	case READ_CPU:
		put_index(run, uncoremsr_session_package_cpu(run->session, row->package));
		break;
	case READ_PMU: /* a processor with metrics has one PMU */
		put_text(run, uncoremsr_pmu_name(uncoremsr_pmu(run->um, 0)));
		break;
	case READ_EVENT:
		put_text(run, uncoremsr_metric_name(metric_of(run, row)));
		break;
	case READ_SCALED:
		put_scaled(run, v);
		break;
	case READ_MEASURE:
		put_text(run, uncoremsr_metric_unit(metric_of(run, row)));
		break;
	case READ_ENABLED:
		out_u64(run->out, enabled);
		break;
	case READ_RUNNING:
		out_u64(run->out, uncoremsr_metric_value_running_ns(v));
		break;
	case READ_ROUTE:
		put_text(run, "msr");
		break;
	case READ_TARGET:
		put_text(run, "system");
		break;
	case READ_STATUS:
		put_text(run, uncoremsr_status_word(uncoremsr_metric_value_status(v)));
		break;
	default: /* several counters, or none, made it: no encoding, no count */
		put_text(run, NULL);
	}
}

static void put_record(struct read_run *run, const struct read_metric_row *row,
		       const struct uncoremsr_metric_value *v)
{
	for (int c = 0; c < READ_NUM_RECORD_COLUMNS; c++) {
		if (!read_column_written(run, (enum read_column)c))
			continue;
		if (c)
			out_char(run->out, ',');
		if (read_json(run)) {
			out_str(run->out, c ? "\"" : "{\"");
			out_str(run->out, read_column_name((enum read_column)c));
			out_str(run->out, "\":");
		}
		put_cell(run, row, v, (enum read_column)c);
	}
	out_str(run->out, read_json(run) ? "}\n" : "\n");
}

void read_metrics_records(struct read_run *run)
{
	for (size_t i = 0; i < run->num_metric_rows; i++) {
		struct read_metric_row *row = &run->metric_rows[i];
		const struct uncoremsr_metric_value *v =
			uncoremsr_session_metric_value(run->session, row->package, row->metric);
		enum uncoremsr_status status = uncoremsr_metric_value_status(v);

		if (note_status(run, row, status))
			tool_say(&read_tool, 0, "package %d: %s: %s: %s", package_of(run, row),
				 uncoremsr_metric_name(metric_of(run, row)),
				 uncoremsr_status_word(status), uncoremsr_metric_value_detail(v));
		put_record(run, row, v);
	}
}

/* ---- text ---- */

/* Four digits or so and a prefix: "1.334 GB/s", "60.19 %", "83.2 ns". */
static void put_for_people(struct out *o, double v, const char *unit)
{
	static const struct {
		double from;
		const char *prefix;
	} steps[] = {
		{ 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 1, "" }, { 1e-3, "m" }, { 1e-6, "u" },
		{ 1e-9, "n" },
	};
	const char *prefix = "";
	size_t i = 0;

	if (strcmp(unit, "ratio") == 0) {
		v *= 100;
		unit = "%";
	} else if (strcmp(unit, "clocks") != 0 && (v < 0 || v > 0)) {
		while (i + 1 < sizeof(steps) / sizeof(steps[0]) && fabs(v) < steps[i].from)
			i++;
		v /= steps[i].from;
		prefix = steps[i].prefix;
	}
	/* What will be rounded up to the next digit has it already. */
	read_put_real(o, v, fabs(v) < 9.9995 ? 3 : fabs(v) < 99.995 ? 2 : 1);
	out_char(o, ' ');
	out_str(o, prefix);
	out_str(o, unit);
}

/* The value; or "unknown" and why. */
static void put_value(struct read_run *run, const struct read_metric_row *row,
		      const struct uncoremsr_metric_value *v, bool in_line)
{
	double value;

	if (uncoremsr_metric_value_get(v, &value) == 0) {
		put_for_people(run->out, value, uncoremsr_metric_unit(metric_of(run, row)));
		return;
	}
	out_str(run->out, in_line ? "unknown (" : "unknown  ");
	out_str(run->out, uncoremsr_status_word(uncoremsr_metric_value_status(v)));
	out_str(run->out, ": ");
	out_str(run->out, uncoremsr_metric_value_detail(v));
	out_str(run->out, in_line ? ")" : "");
}

/* With turns: the part of the time in which all of its events were counted. */
static void put_share(struct read_run *run, const struct uncoremsr_metric_value *v)
{
	uint64_t enabled = uncoremsr_metric_value_enabled_ns(v);

	if (uncoremsr_session_num_groups(run->session) < 2 || !enabled)
		return;
	out_str(run->out, " counted ");
	read_put_real(run->out, (double)uncoremsr_metric_value_running_ns(v) * 100 / (double)enabled, 1);
	out_char(run->out, '%');
}

void read_metrics_line(struct read_run *run)
{
	for (size_t i = 0; i < run->num_metric_rows; i++) {
		struct read_metric_row *row = &run->metric_rows[i];
		const struct uncoremsr_metric_value *v =
			uncoremsr_session_metric_value(run->session, row->package, row->metric);

		note_status(run, row, uncoremsr_metric_value_status(v));
		if (!row->metric)
			out_fmt(run->out, " | package %d", package_of(run, row));
		out_str(run->out, "  ");
		out_str(run->out, uncoremsr_metric_name(metric_of(run, row)));
		out_char(run->out, ' ');
		put_value(run, row, v, true);
		if (row->status == UNCOREMSR_OK)
			put_share(run, v);
	}
}

static size_t name_width(const struct read_run *run)
{
	size_t width = strlen("metric");

	for (size_t i = 0; i < uncoremsr_session_num_metrics(run->session); i++) {
		const struct uncoremsr_metric *m = uncoremsr_session_metric(run->session, i);
		size_t len = strlen(uncoremsr_metric_name(m));

		width = len > width ? len : width;
	}
	return width;
}

static void put_table_row(struct read_run *run, const struct read_metric_row *row,
			  const struct uncoremsr_metric_value *v, size_t width)
{
	size_t start = run->out->len;

	out_u64(run->out, (uint64_t)package_of(run, row));
	out_pad(run->out, start, strlen("package"), false);
	out_str(run->out, "  ");
	start = run->out->len;
	out_str(run->out, uncoremsr_metric_name(metric_of(run, row)));
	out_pad(run->out, start, width, true);
	out_str(run->out, "  ");
	start = run->out->len;
	put_value(run, row, v, false);
	if (uncoremsr_metric_value_status(v) == UNCOREMSR_OK) {
		out_pad(run->out, start, 14, false);
		put_share(run, v);
	}
	read_text_end_line(run);
}

void read_metrics_table(struct read_run *run, bool total)
{
	size_t width = name_width(run), start = run->out->len;

	if (!run->num_metric_rows)
		return;
	out_str(run->out, "package  metric");
	out_pad(run->out, start, strlen("package  ") + width, true);
	out_str(run->out, "           value");
	read_text_end_line(run);
	for (size_t i = 0; i < run->num_metric_rows; i++) {
		struct read_metric_row *row = &run->metric_rows[i];
		const struct uncoremsr_metric_value *v =
			(total ? uncoremsr_session_metric_total : uncoremsr_session_metric_value)(
				run->session, row->package, row->metric);

		if (!total)
			note_status(run, row, uncoremsr_metric_value_status(v));
		put_table_row(run, row, v, width);
	}
}
