/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cells that change from interval to interval, in the format of the run. No printf() here: they
 * are written in every interval.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "read/read.h"

#define STAMP_LEN (sizeof("2026-01-31T12:00:00") - 1)

/* In JSON only strings are quoted, and counts, which may exceed 2^53. */
static const struct {
	const char *name;
	bool quoted;
} columns[READ_NUM_RECORD_COLUMNS] = {
	[READ_TIME] = { "time", false },
	[READ_INTERVAL] = { "interval", false },
	[READ_TIMESTAMP] = { "timestamp", true },
	[READ_MACHINE] = { "machine", true },
	[READ_PACKAGE] = { "package", false },
	[READ_DIE] = { "die", false },
	[READ_CORE] = { "core", false },
	[READ_UNIT] = { "unit", false },
	[READ_CPU] = { "cpu", false },
	[READ_PMU] = { "pmu", true },
	[READ_EVENT] = { "event", true },
	[READ_ENCODING] = { "encoding", true },
	[READ_COUNTER] = { "counter", false },
	[READ_RAW] = { "raw", true },
	[READ_COUNTED] = { "counted", true },
	[READ_VALUE] = { "value", true },
	[READ_SCALED] = { "scaled", true },
	[READ_MEASURE] = { "measure", true },
	[READ_ENABLED] = { "enabled_ns", false },
	[READ_RUNNING] = { "running_ns", false },
	[READ_ROUTE] = { "route", true },
	[READ_STATUS] = { "status", true },
	[READ_TARGET] = { "target", true },
	[READ_CORES] = { "cores", true },
};

const char *read_column_name(enum read_column column)
{
	return columns[column].name;
}

/* ---- numbers with a point ---- */

void read_put_real(struct out *o, double v, unsigned digits)
{
	double unit = 1, rest;
	uint64_t whole;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	if (v < 0)
		out_char(o, '-');
	v = fabs(v);
	whole = (uint64_t)v;
	rest = (v - (double)whole) * unit + 0.5;
	if (rest >= unit) {
		whole++;
		rest = 0;
	}
	out_u64(o, whole);
	if (!digits)
		return;
	out_char(o, '.');
	if (digits > 9) {
		uint32_t upper = (uint32_t)(rest / 1e6);

		out_digits(o, upper, digits - 6);
		rest -= upper * 1e6;
		digits = 6;
	}
	out_digits(o, (uint32_t)rest, digits);
}

void read_put_scaled(struct out *o, double v)
{
	read_put_real(o, v, fabs(v) < 1 ? 12 : fabs(v) < 1e6 ? 9 : 3);
}

/* ---- cells that change ---- */

static void put_unknown(struct read_run *run)
{
	static const char *const words[] = {
		[TOOL_TEXT] = "unknown", [TOOL_CSV] = "", [TOOL_JSON] = "null",
	};

	out_str(run->out, words[run->cfg->common.format]);
}

static void put_quote(struct read_run *run, enum read_column column)
{
	if (read_json(run) && columns[column].quoted)
		out_char(run->out, '"');
}

static void put_count(struct read_run *run, const struct uncoremsr_reading *r,
		      enum read_column column,
		      int (*get)(const struct uncoremsr_reading *r, uint64_t *v))
{
	uint64_t v;

	if (get(r, &v) < 0) {
		put_unknown(run);
		return;
	}
	put_quote(run, column);
	out_u64(run->out, v);
	put_quote(run, column);
}

static uint64_t reading_time(const struct read_run *run, const struct uncoremsr_reading *r)
{
	/* What was not counted in this interval was not read at its end either. */
	return uncoremsr_reading_enabled_ns(r) ? uncoremsr_reading_time_ns(r) : run->end_ns;
}

static uint64_t reading_interval(const struct read_run *run, const struct uncoremsr_reading *r)
{
	uint64_t enabled = uncoremsr_reading_enabled_ns(r);

	return enabled ? enabled : run->end_ns - run->last_ns;
}

/* The interval, or the time since the start. */
static uint64_t wall_ns(const struct read_run *run)
{
	return run->end_ns - (run->of_total ? run->start_ns : run->last_ns);
}

void read_put_timestamp(struct read_run *run, uint64_t ns)
{
	uint64_t wall = ns + run->wall_offset_ns;
	uint64_t second = wall / NS_PER_S;

	if (second != run->stamp_second) {
		time_t t = (time_t)second;
		struct tm tm;

		gmtime_r(&t, &tm);
		strftime(run->stamp, sizeof(run->stamp), "%Y-%m-%dT%H:%M:%S", &tm);
		run->stamp_second = second;
	}
	out_mem(run->out, run->stamp, STAMP_LEN);
	out_char(run->out, '.');
	out_digits(run->out, (uint32_t)(wall % NS_PER_S), 9);
	out_char(run->out, 'Z');
}

/* What there is none of: a sum has no register and maybe no counter of its own. */
static void put_none(struct read_run *run)
{
	if (run->cfg->common.format == TOOL_TEXT)
		out_char(run->out, '-');
	else
		put_unknown(run);
}

static void put_index(struct read_run *run, int index)
{
	if (index < 0)
		put_none(run);
	else
		out_u64(run->out, (uint64_t)index);
}

static void put_status(struct read_run *run, const struct uncoremsr_reading *r)
{
	put_quote(run, READ_STATUS);
	out_str(run->out, uncoremsr_status_word(uncoremsr_reading_status(r)));
	put_quote(run, READ_STATUS);
}

/* Not constant: when the CPU goes offline another one of its package is used. */
static void put_cpu(struct read_run *run, const struct read_row *row)
{
	if (row->many_cpus || (row->perf && !row->unit))
		put_none(run);
	else if (row->unit)
		put_index(run, (int)uncoremsr_unit_cpu(row->unit));
	else
		put_index(run, uncoremsr_session_package_cpu(run->session, row->package));
}

static void put_raw(struct read_run *run, const struct uncoremsr_reading *r)
{
	uint64_t v;

	if (uncoremsr_reading_status(r) == UNCOREMSR_OK && uncoremsr_reading_raw(r, &v) < 0)
		put_none(run);
	else
		put_count(run, r, READ_RAW, uncoremsr_reading_raw);
}

/* The value in the event's measure; nothing to say for an event without. */
static void put_scaled(struct read_run *run, const struct read_row *row,
		       const struct uncoremsr_reading *r, bool with_unit)
{
	double scale;
	const char *unit = uncoremsr_session_event_measure(run->session, row->event, &scale);
	uint64_t v;

	if (!unit || uncoremsr_reading_value(r, &v) < 0) {
		put_none(run);
		return;
	}
	if (!with_unit) {
		read_put_scaled(run->out, (double)v * scale);
		return;
	}
	read_put_real(run->out, (double)v * scale, 3);
	out_char(run->out, ' ');
	out_str(run->out, unit);
}

/* ---- cells for people ---- */

static void put_hex(struct read_run *run, const struct uncoremsr_reading *r)
{
	uint64_t v;

	if (uncoremsr_reading_raw(r, &v) < 0)
		put_unknown(run);
	else
		out_hex(run->out, v);
}

/* Per second: three decimals below ten, one above. */
static void put_rate(struct read_run *run, const struct read_row *row,
		     const struct uncoremsr_reading *r)
{
	uint64_t v, ns = row->task ? wall_ns(run) : uncoremsr_reading_enabled_ns(r), milli;

	if (uncoremsr_session_event_is_level(run->session, row->event)) {
		out_char(run->out, '-');
		return;
	}
	if (!ns || uncoremsr_reading_value(r, &v) < 0) {
		put_unknown(run);
		return;
	}
	milli = (uint64_t)((double)v * 1e12 / (double)ns + 0.5);
	if (milli >= 10000)
		milli += 50;
	out_u64(run->out, milli / 1000);
	out_char(run->out, '.');
	if (milli >= 10000)
		out_digits(run->out, (uint32_t)(milli % 1000 / 100), 1);
	else
		out_digits(run->out, (uint32_t)(milli % 1000), 3);
}

bool read_is_partly(const struct uncoremsr_reading *r)
{
	return uncoremsr_reading_running_ns(r) < uncoremsr_reading_enabled_ns(r);
}

/* The part of the time in which the event was really counted, in percent. */
static void put_share(struct read_run *run, const struct read_row *row,
		      const struct uncoremsr_reading *r)
{
	uint64_t enabled = uncoremsr_reading_enabled_ns(r);
	uint64_t running = uncoremsr_reading_running_ns(r);
	uint32_t tenths;

	if (!enabled && row->task) {
		out_char(run->out, '-');
		return;
	}
	if (!enabled) {
		put_unknown(run);
		return;
	}
	tenths = (uint32_t)((double)running * 1000 / (double)enabled + 0.5);
	out_u64(run->out, tenths / 10);
	out_char(run->out, '.');
	out_digits(run->out, tenths % 10, 1);
	out_char(run->out, '%');
}

/* Why a value is unknown; nothing when all is well. */
static void put_note(struct read_run *run, const struct uncoremsr_reading *r)
{
	const char *detail = uncoremsr_reading_detail(r);

	if (uncoremsr_reading_status(r) == UNCOREMSR_OK)
		return;
	put_status(run, r);
	if (*detail) {
		out_str(run->out, ": ");
		out_str(run->out, detail);
	}
}

void read_cell(struct read_run *run, const struct read_row *row,
	       const struct uncoremsr_reading *r, enum read_column column)
{
	switch (column) {
	case READ_TIME:
		out_seconds(run->out, (row->task ? run->end_ns : reading_time(run, r)) -
				      run->start_ns);
		break;
	case READ_INTERVAL:
		out_seconds(run->out, row->task ? wall_ns(run) : reading_interval(run, r));
		break;
	case READ_TIMESTAMP:
		put_quote(run, column);
		read_put_timestamp(run, row->task ? run->end_ns : reading_time(run, r));
		put_quote(run, column);
		break;
	case READ_CPU:
		put_cpu(run, row);
		break;
	case READ_COUNTER:
		put_index(run, uncoremsr_reading_counter(r));
		break;
	case READ_RAW:
		put_raw(run, r);
		break;
	case READ_COUNTED:
		put_count(run, r, column, uncoremsr_reading_counted);
		break;
	case READ_VALUE:
		put_count(run, r, column, uncoremsr_reading_value);
		break;
	case READ_SCALED:
	case READ_AMOUNT:
		put_scaled(run, row, r, column == READ_AMOUNT);
		break;
	case READ_ENABLED:
		out_u64(run->out, uncoremsr_reading_enabled_ns(r));
		break;
	case READ_RUNNING:
		out_u64(run->out, uncoremsr_reading_running_ns(r));
		break;
	case READ_STATUS:
		put_status(run, r);
		break;
	case READ_HEX_RAW:
		if (read_has_register(row))
			put_hex(run, r);
		else
			put_none(run);
		break;
	case READ_RATE:
		put_rate(run, row, r);
		break;
	case READ_SHARE:
		put_share(run, row, r);
		break;
	case READ_NOTE:
		put_note(run, r);
		break;
	default: /* constant: its text stands in the piece */
		break;
	}
}
