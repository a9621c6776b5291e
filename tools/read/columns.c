/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The columns of every format. Each has a line in a table below, and a function that gets its value. Functions of
 * columns that are not constant must not call printf(), because they run in every interval.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "read/read.h"
#include "uncoremsr/machine.h"

/* GETTER begins the definition of a function that gets the value of a column. COLUMN defines it by an expression. */
#define GETTER(fn) static enum record_state fn(const void *item, struct record_value *v)
#define COLUMN(fn, ...) \
	GETTER(fn) \
	{ \
		const struct read_row *row = item; \
		return __VA_ARGS__; \
	}

/* ---- when ---- */

/* Length of the interval, or of the time since the start if totals are shown. */
static uint64_t wall_ns(const struct read_run *run)
{
	return run->end_ns - (run->of_total ? run->start_ns : run->last_ns);
}

COLUMN(get_time, value_fixed(v, row->run->end_ns - row->run->start_ns, 9))

COLUMN(get_interval, value_fixed(v, row->task ? wall_ns(row->run) : row->enabled_ns ? row->enabled_ns
				    : row->run->end_ns - row->run->last_ns, 9))
COLUMN(get_sequence, value_number(v, (int64_t)row->run->sequence))
COLUMN(get_timestamp, value_fixed(v, row->run->end_ns + row->run->wall_offset_ns, 9))

/* ---- where ---- */

COLUMN(get_run, value_number(v, (int64_t)row->run->number))
COLUMN(get_host, value_text(v, row->run->cfg->host))
COLUMN(get_machine, value_text(v, uncoremsr_machine(row->run->um)->name))
COLUMN(get_package, value_number(v, row->package ? row->package->id : -1))
/* The package of a metric; "all" in a row about the whole machine. */
GETTER(get_package_or_all)
{
	const struct read_row *row = item;
	char id[16];

	if (!row->package)
		return value_text(v, read_row_is_elsewhere(row) ? NULL : "all");
	snprintf(id, sizeof(id), "%d", row->package->id);
	return value_copy(v, id);
}

COLUMN(get_die, value_number(v, row->package ? row->package->die : -1))
COLUMN(get_core, value_number(v, row->unit ? row->unit->core : -1))

const char *read_row_pmu(const struct read_row *row)
{
	const char *own = row->unit && !row->metric ? row->unit->pmu : NULL;

	return own ? own : row->counted ? row->counted->pmu : NULL;
}

/* The number of an uncore unit. CPUs are not units in this column; they have a column of their own. */
int64_t read_row_unit(const struct read_row *row)
{
	return !row->unit || row->metric || !row->counted->uncore ? -1 : row->unit->number;
}
COLUMN(get_unit, value_number(v, read_row_unit(row)))

/* If the CPU of a package goes offline, the library uses another CPU of that package. */
int read_row_cpu(const struct read_row *row)
{
	const struct uncoremsr_session_package *p;

	if (row->place == UNCOREMSR_PLACE_UNIT || row->place == UNCOREMSR_PLACE_CPU)
		return row->unit->cpu;
	if (row->place != UNCOREMSR_PLACE_PACKAGE || row->many_cpus || row->perf)
		return -1;
	p = uncoremsr_session_package(row->run->session, row->package_index);
	return p ? p->cpu : -1;
}
COLUMN(get_cpu, value_number(v, read_row_cpu(row)))

COLUMN(get_cores, value_text(v, row->place != UNCOREMSR_PLACE_CORES ? NULL :
				uncoremsr_session_state(row->run->session)->cores[row->index]))

/* What the event is counted for: the target of the run or, if the event is not counted for tasks, "system". */
GETTER(get_target)
{
	const struct read_row *row = item;
	char name[READ_NAME_SIZE];

	return row->task ? value_copy(v, read_target_name(row->run->cfg, row->event, name, sizeof(name)))
			 : value_text(v, "system");
}

GETTER(get_place)
{
	const struct read_row *row = item;
	char name[READ_NAME_SIZE];

	if (!read_row_is_elsewhere(row))
		return RECORD_NONE;
	return value_copy(v, read_row_place_in(row, name, sizeof(name)));
}

COLUMN(get_unit_name, value_text(v, row->unit ? row->unit->name : NULL))

/* ---- what ---- */

COLUMN(get_pmu, value_text(v, read_row_pmu(row)))

GETTER(get_title)
{
	char name[READ_NAME_SIZE];

	return value_copy(v, read_row_title(item, name, sizeof(name)));
}

/* A metric has no encoding, because it is computed from several counters, or from none. */
GETTER(get_encoding)
{
	const struct read_row *row = item;

	if (row->metric)
		return RECORD_NONE;
	v->count = row->counted->encoding;
	return RECORD_KNOWN;
}

COLUMN(get_route, value_text(v, read_row_route(row)))

static bool is_whole(double v)
{
	return fabs(v) >= 1e15 || fabs(v - (double)(int64_t)v) < 1e-9;
}

/* Write the inputs of a metric, so that a reader of the record can compute it again. */
static void put_inputs(struct records *w, const char *column, const void *item)
{
	const struct read_row *row = item;
	const struct uncoremsr_metric_input *in;

	record_open(w, column);
	for (size_t i = 0; row->metric && (in = row->metric_reading->inputs[i]); i++) {
		if (isnan(in->value)) {
			record_str(w, in->name, NULL);
			continue;
		}
		out_real(record_compose(w), in->value, is_whole(in->value) ? 0 : 9);
		record_composed_str(w, in->name);
	}
	record_close(w);
}

/* The metric's upper bound, if its value is implausible because it exceeds the bound. */
GETTER(get_bound)
{
	const struct read_row *row = item;

	if (!row->metric || row->metric_reading->status != UNCOREMSR_IMPLAUSIBLE)
		return RECORD_NONE;
	v->real = row->metric_reading->high;
	v->digits = RECORD_MEASURED;
	return RECORD_KNOWN;
}
COLUMN(get_counter, value_number(v, row->metric ? -1 : row->reading->counter))

/* ---- how much ---- */

GETTER(get_raw)
{
	const struct read_row *row = item;

	if (row->metric)
		return RECORD_NONE;
	v->count = row->reading->raw;
	if (v->count != UINT64_MAX)
		return RECORD_KNOWN;
	/* A sum of several registers has no raw value. */
	return row->status == UNCOREMSR_OK ? RECORD_NONE : RECORD_UNKNOWN;
}

COLUMN(get_counted, !row->metric && ((v->count = row->reading->counted) != UINT64_MAX ||
				       row->reading->status == UNCOREMSR_OK))

/* The value of a metric, or the scaled count of an event. False: the event has no scale, or an unknown value. */
static bool amount_of(const struct read_row *row, double *amount)
{
	if (row->metric) {
		*amount = row->metric_reading->value;
		return row->metric_reading->status == UNCOREMSR_OK;
	}
	if (!read_row_has_amount(row) || !reading_has_value(row->reading))
		return false;
	*amount = (double)row->reading->value * row->counted->scale;
	return true;
}

GETTER(get_scaled)
{
	v->digits = RECORD_MEASURED;
	return amount_of(item, &v->real) ? RECORD_KNOWN : RECORD_NONE;
}

/* The count of an event. A metric has no count: show its value, a real number. */
GETTER(get_value)
{
	const struct read_row *row = item;

	if (row->metric)
		return get_scaled(item, v) == RECORD_KNOWN ? RECORD_IS_REAL : RECORD_UNKNOWN;
	v->count = row->reading->value;
	return reading_has_value(row->reading) ? RECORD_KNOWN : RECORD_UNKNOWN;
}

COLUMN(get_enabled, value_number(v, (int64_t)row->enabled_ns))
COLUMN(get_running, value_number(v, (int64_t)row->running_ns))
/* Write the status. If some units of a sum are unknown, add how many are known: "ok, 3 of 4". */
static void put_status(struct out *o, const struct read_row *row)
{
	out_str(o, row->word);
	if (row->units_known && row->units_known < row->units)
		out_fmt(o, ", %u of %u", row->units_known, row->units);
}

GETTER(get_status)
{
	const struct read_row *row = item;

	if (row->units_known == row->units)
		return value_text(v, row->word);
	put_status(v->scratch, row);
	return record_composed(v);
}

/* ---- values as text ---- */

GETTER(get_hex)
{
	const struct read_row *row = item;

	if (!read_row_has_register(row))
		return RECORD_NONE;
	if (row->reading->raw == UINT64_MAX)
		return RECORD_UNKNOWN;
	out_hex(v->scratch, row->reading->raw);
	return record_composed(v);
}

/* The rate per second, with three decimals below ten and one above. */
GETTER(get_rate)
{
	const struct read_row *row = item;
	uint64_t ns = row->task ? wall_ns(row->run) : row->enabled_ns, milli;
	double rate;

	if (row->metric || row->counted->level)
		return RECORD_NONE;
	if (!ns || row->status == UNCOREMSR_SPREAD || !reading_has_value(row->reading))
		return RECORD_UNKNOWN;
	rate = (double)row->reading->value * 1e12 / (double)ns + 0.5;
	if (rate >= 0x1p64)
		return RECORD_UNKNOWN;
	milli = (uint64_t)rate;
	return milli < 10000 ? value_fixed(v, milli, 3) : value_fixed(v, (milli + 50) / 100, 1);
}

GETTER(get_amount)
{
	const struct read_row *row = item;
	double amount;

	if (!amount_of(row, &amount))
		return RECORD_NONE;
	out_real(v->scratch, amount, row->measure || amount < 1e3 ? 3 : 0);
	out_str(v->scratch, row->measure ? " " : "");
	return value_copy(v, row->measure ? row->measure : "");
}

/* The share of the time in which the event was counted. */
static void put_share(struct out *o, const struct read_row *row)
{
	out_fixed(o, (uint64_t)((double)row->running_ns * 1000 / (double)row->enabled_ns + 0.5), 1);
	out_char(o, '%');
}

GETTER(get_share)
{
	const struct read_row *row = item;

	if (!row->enabled_ns)
		return row->task ? RECORD_NONE : RECORD_UNKNOWN;
	put_share(v->scratch, row);
	return record_composed(v);
}

/* Why a value is unknown; empty if it is known. */
GETTER(get_note)
{
	const struct read_row *row = item;
	const char *detail = row->detail;

	if (read_row_is_whole(row))
		return value_text(v, "");
	put_status(v->scratch, row);
	if (row->status == UNCOREMSR_OK)
		detail = "the others are or were offline";
	out_fmt(v->scratch, "%s%s", *detail ? ": " : "", detail);
	return record_composed(v);
}

/* Write about four significant digits: "1.334 GB/s", "60.19 %", "0.01984 GB/s". */
static void put_amount(struct out *o, double v, const char *unit)
{
	unsigned decimals = 3;

	/* The limits include rounding: 0.99996 is printed as 1.000, which has one digit more. */
	for (double limit = 0.99995; decimals < 6 && fabs(v) < limit && fabs(v) > 0; limit /= 10)
		decimals++;
	for (double limit = 9.9995; decimals > 1 && fabs(v) >= limit; limit *= 10)
		decimals--;
	out_real(o, v, decimals);
	out_char(o, ' ');
	out_text_str(o, unit);
}

/* Write a metric's value, or "unknown" and the reason. */
static void put_metric(struct out *o, const struct read_row *row, bool in_line)
{
	size_t start = o->len;

	if (row->metric_reading->status != UNCOREMSR_OK) {
		out_fmt(o, in_line ? "unknown (%s: %s)" : "unknown  %s: %s", row->word, row->detail);
		return;
	}
	put_amount(o, row->metric_reading->value, row->measure);
	if (!in_line)
		out_pad(o, start, 14, false);
	if (!read_row_is_whole(row))
		out_fmt(o, " (ok, %u of %u)", row->units_known, row->units);
	if (!row->run->takes_turns || !row->enabled_ns)
		return;
	out_str(o, " counted ");
	put_share(o, row);
}

/* A metric's value as text: in the form for a line if the column's @what is 1, else for a table. */
GETTER(get_metric_text)
{
	put_metric(v->scratch, item, v->column->what);
	return record_composed(v);
}

/* ---- which columns a run has ---- */

#define SHOWN(fn, condition) \
	static bool fn(const void *user) \
	{ \
		const struct read_run *run = user; \
		return condition; \
	}

SHOWN(has_tasks, run->has_tasks || run->cfg->whom == UNCOREMSR_TARGET_COMMAND)
SHOWN(has_run, run->cfg->in_runs)
SHOWN(has_host, *run->cfg->host)
SHOWN(has_metrics, run->has_metrics)
SHOWN(has_inputs, run->has_metrics && run->cfg->common.writer->nests)
SHOWN(has_cores, run->cfg->cores.num)
SHOWN(has_packages, run->has_packages)
SHOWN(has_dies, run->has_dies && run->has_packages)
SHOWN(has_metric_packages, run->has_metric_packages)
SHOWN(has_metric_dies, run->has_dies && run->has_metric_packages)
SHOWN(has_metric_places, run->has_metric_places)
SHOWN(has_places, run->cfg->cores.num || run->cfg->per_core)
SHOWN(has_units, run->cfg->per_unit || run->has_levels)
SHOWN(has_cpus, run->has_cpus)
SHOWN(has_msr, run->has_msr)
SHOWN(has_hex, run->has_raw && run->cfg->hex)
SHOWN(has_raw, run->has_raw && (run->cfg->periodic || run->cfg->hex))
SHOWN(has_amounts, run->has_amounts)
SHOWN(has_shares, run->takes_turns || run->has_shares)

#define WIDTH(fn, width, least) \
	static int fn(const void *user) \
	{ \
		const struct read_run *run = user; \
		return -(int)(run->width > (least) ? run->width : (least)); \
	}

/* The width of a column: that of the longest value, and at least that of the heading. */
WIDTH(place_width, unit_width, 5)
WIDTH(unit_width, unit_width, 4)
WIDTH(event_width, event_width, 5)
WIDTH(metric_width, metric_width, 6)

/* The value of a constant column changes only with a member of struct read_seldom. */
const struct record_column read_columns[] = {
	{ "time", RECORD_FIXED, .get = get_time, .common = true },
	{ "interval", RECORD_FIXED, .get = get_interval },
	{ "timestamp", RECORD_TIME, .get = get_timestamp, .common = true },
	{ "machine", RECORD_STR, .get = get_machine, .constant = true },
	{ "package", RECORD_INT, .get = get_package, .constant = true },
	{ "die", RECORD_INT, .get = get_die, .constant = true },
	{ "core", RECORD_INT, .get = get_core, .constant = true },
	{ "unit", RECORD_INT, .get = get_unit, .constant = true },
	{ "cpu", RECORD_INT, .get = get_cpu, .constant = true },
	{ "pmu", RECORD_STR, .get = get_pmu, .constant = true },
	{ "event", RECORD_STR, RECORD_AT(read_row, name), .constant = true },
	{ "encoding", RECORD_WORD, .get = get_encoding, .constant = true },
	{ "counter", RECORD_INT, .get = get_counter, .constant = true },
	{ "raw", RECORD_COUNT, .get = get_raw },
	{ "counted", RECORD_COUNT, .get = get_counted },
	{ "value", RECORD_COUNT, .get = get_value },
	{ "scaled", RECORD_REAL, .get = get_scaled },
	{ "measure", RECORD_STR, RECORD_AT(read_row, measure), .constant = true },
	{ "enabled_ns", RECORD_INT, .get = get_enabled },
	{ "running_ns", RECORD_INT, .get = get_running },
	{ "route", RECORD_STR, .get = get_route, .constant = true },
	{ "status", RECORD_STR, .get = get_status, .constant = true },
	/* Append new columns at the end, because scripts may address columns by number. */
	{ "sequence", RECORD_INT, .get = get_sequence, .common = true },
	{ "per_second", RECORD_FIXED, .get = get_rate },
	{ "run", RECORD_INT, .get = get_run, .constant = true, .shown = has_run },
	{ "host", RECORD_STR, .get = get_host, .constant = true, .shown = has_host },
	{ "bound", RECORD_REAL, .get = get_bound, .shown = has_metrics },
	{ "inputs", RECORD_NESTED, .put = put_inputs, .shown = has_inputs },
	{ "target", RECORD_STR, .get = get_target, .constant = true, .shown = has_tasks },
	{ "cores", RECORD_STR, .get = get_cores, .constant = true, .shown = has_cores },
};
const size_t read_num_columns = ARRAY_SIZE(read_columns);

static int make_template(struct read_row *row)
{
	struct records *w = &row->run->records;

	return records_for_people(w) ? read_text_template(row)
				     : record_prepare(w, &row->template, read_columns, read_num_columns, row);
}

void read_row_record(struct read_row *row)
{
	const struct read_seldom now = {
		.cpu = read_row_cpu(row), .counter = row->metric ? -1 : row->reading->counter,
		.status = row->status, .units = row->units, .units_known = row->units_known,
		.known = row->metric || reading_has_value(row->reading), .partly = read_row_is_partly(row),
	};

	if (!row->template.num || memcmp(&now, &row->written, sizeof(now)) != 0) {
		row->written = now;
		if (make_template(row))
			return;
	}
	record_write(&row->run->records, &row->template, row);
}

const struct record_column read_table_columns[] = {
	{ "package", RECORD_INT, .get = get_package, .width = 7, .shown = has_packages },
	{ "die", RECORD_INT, .get = get_die, .width = 3, .shown = has_dies },
	{ "place", RECORD_STR, .get = get_place, .measure = place_width, .shown = has_places },
	{ "unit", RECORD_STR, .get = get_unit_name, .measure = unit_width, .shown = has_units },
	{ "cpu", RECORD_INT, .get = get_cpu, .width = 4, .shown = has_cpus },
	{ "counter", RECORD_INT, .get = get_counter, .width = 7, .shown = has_msr },
	{ "event", RECORD_STR, .get = get_title, .measure = event_width },
	[READ_CELL_HEX] = { "raw (hex)", RECORD_STR, .get = get_hex, .width = 12, .shown = has_hex },
	[READ_CELL_RAW] = { "raw", RECORD_COUNT, .get = get_raw, .width = 15, .shown = has_raw },
	[READ_CELL_VALUE] = { "increase", RECORD_COUNT, .get = get_value, .width = 15, .grouped = true },
	[READ_CELL_RATE] = { "per second", RECORD_FIXED, .get = get_rate, .width = 16, .grouped = true },
	[READ_CELL_AMOUNT] = { "amount", RECORD_STR, .get = get_amount, .width = 13, .shown = has_amounts },
	[READ_CELL_SHARE] = { "counted", RECORD_STR, .get = get_share, .width = 7, .shown = has_shares },
	[READ_CELL_NOTE] = { "", RECORD_STR, .get = get_note, .width = -1 },
};
const size_t read_num_table_columns = ARRAY_SIZE(read_table_columns);

const struct record_column read_line_metric = { "value", RECORD_STR, .get = get_metric_text, .what = 1 };

const struct record_column read_metric_columns[] = {
	{ "package", RECORD_STR, .get = get_package_or_all, .width = 7, .shown = has_metric_packages },
	{ "die", RECORD_INT, .get = get_die, .width = 3, .shown = has_metric_dies },
	{ "place", RECORD_STR, .get = get_place, .measure = place_width, .shown = has_metric_places },
	{ "metric", RECORD_STR, RECORD_AT(read_row, name), .measure = metric_width },
	{ "value", RECORD_STR, .get = get_metric_text, .width = 14 },
};
const size_t read_num_metric_columns = ARRAY_SIZE(read_metric_columns);
