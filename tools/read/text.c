/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Readings for people: a table (printed once, or redrawn in place on a terminal), or lines for each interval if the
 * output is a pipe or a file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/counted.h"
#include "common/properties.h"
#include "read/read.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/* ANSI sequences. Lines must not wrap while a table is drawn, so that it keeps its number of lines. */
#define WRAP_OFF "\033[?7l"
#define WRAP_ON "\033[?7h"
#define CLEAR_LINE_END "\033[K"
#define TABLE_HEAD_LINES 3

void read_text_head(struct read_run *run)
{
	const struct uncoremsr_machine *info = uncoremsr_machine(run->um);

	if (info->simulated && !run->cfg->one_line)
		out_fmt(run->out, "%sSIMULATED machine %s (%s): these numbers come from no hardware\n",
			run->cfg->dry_run ? "# " : "", machine_simulated_name(run->um),
			info->uarch ? info->uarch : info->pvr != UINT64_MAX ? "POWER" : "unknown");
}

static void put_duration(struct read_run *run, uint64_t ns)
{
	out_fixed(run->out, ns / NS_PER_MS, 3);
	out_str(run->out, " s");
}

/* Write "through perf (process 12)"; nothing if only registers are read. */
static void put_route(struct read_run *run)
{
	char name[READ_NAME_SIZE];

	if (run->has_memory)
		out_str(run->out, " from memory");
	if (!run->has_perf)
		return;
	out_str(run->out, run->has_msr ? ", through registers and perf" : " through perf");
	if (run->has_tasks)
		out_fmt(run->out, " (%s)", read_target_name(run->cfg, SIZE_MAX, name, sizeof(name)));
}

/* ---- one line per interval ---- */

/* Is the row the first event or the first metric of its place? Only such rows show the name of the place. */
static bool is_first_there(const struct read_run *run, const struct read_row *row)
{
	return row == run->rows || !row[-1].metric != !row->metric ||
	       row[-1].package_index != row->package_index ||
	       read_row_is_elsewhere(row - 1) != read_row_is_elsewhere(row) ||
	       (read_row_is_elsewhere(row) && row[-1].index != row->index);
}

void read_text_prepare(struct read_run *run)
{
	struct winsize ws;

	read_ratios_prepare(run);
	/* Redraw the table in place if it fits the terminal. If the size is unknown, assume 24 lines. */
	run->in_place = run->cfg->periodic && !run->cfg->one_line && out_redraws(run->out->fd) &&
			!ioctl(run->out->fd, TIOCGWINSZ, &ws) &&
			run->num_rows + 2 * TABLE_HEAD_LINES < (ws.ws_row ? ws.ws_row : 24U);
	run->records.line_end = run->in_place ? CLEAR_LINE_END "\n" : "\n";
}

/* Write the row's name. In the first row of a place, the name of the place comes first. */
static void put_name(struct out *o, const struct read_row *row)
{
	char name[READ_NAME_SIZE];

	if (is_first_there(row->run, row)) {
		struct read_row whole = *row;

		whole.unit = read_row_is_elsewhere(row) ? row->unit : NULL;
		out_str(o, " | ");
		out_text_str(o, read_row_place(&whole, name, sizeof(name)));
	}
	out_str(o, "  ");
	out_text_str(o, row->metric ? row->name : read_row_title(row, name, sizeof(name)));
	if (!read_row_is_elsewhere(row) && read_row_is_each(row)) {
		out_char(o, ' ');
		out_text_str(o, row->unit->name);
	}
}

static void put_cell(struct record_template *t, const char *before, int cell, const char *behind)
{
	out_str(&t->text, before);
	record_template_value(t, &read_table_columns[cell]);
	out_str(&t->text, behind);
}

static void put_values(struct record_template *t, const struct read_row *row)
{
	if (read_row_has_register(row) && row->run->cfg->hex)
		put_cell(t, " hex ", READ_CELL_HEX, "");
	if (read_row_has_register(row))
		put_cell(t, " raw ", READ_CELL_RAW, "");
	/* Write an unknown value in plain words, not as "+unknown unknown/s". */
	if (!reading_has_value(row->reading)) {
		put_cell(t, " unknown (", READ_CELL_NOTE, ")");
		return;
	}
	put_cell(t, row->counted->level ? " = " : " +", READ_CELL_VALUE, "");
	if (!row->counted->level)
		put_cell(t, " ", READ_CELL_RATE, "/s");
	if (read_row_has_amount(row))
		put_cell(t, row->measure ? " " : " scaled ", READ_CELL_AMOUNT, "");
	if (row->run->takes_turns || (row->perf && read_row_is_partly(row)))
		put_cell(t, " counted ", READ_CELL_SHARE, "");
	if (!read_row_is_whole(row))
		put_cell(t, " (", READ_CELL_NOTE, ")");
}

int read_text_template(struct read_row *row)
{
	struct records *w = &row->run->records;
	struct record_template *t = &row->template;

	record_template_begin(w, t);
	put_name(&t->text, row);
	if (row->metric) {
		out_char(&t->text, ' ');
		record_template_value(t, &read_line_metric);
	} else {
		put_values(t, row);
	}
	return record_template_end(w, t);
}

static void write_rows(struct read_row *first, size_t num)
{
	for (struct read_row *row = first; row < first + num; row++) {
		read_row_again(row);
		read_row_record(row);
	}
}

static bool is_first_interval(const struct read_run *run)
{
	return run->last_ns == run->start_ns;
}

static void write_line(struct read_run *run)
{
	if (is_first_interval(run) && (run->has_perf || run->has_memory)) {
		out_str(run->out, "counting");
		put_route(run);
		out_char(run->out, '\n');
	}
	if (*run->cfg->host)
		out_fmt(run->out, "%s ", run->cfg->host);
	/* Lines of a log get a date, because a log is read later. */
	if (run->log.path) {
		out_timestamp(run->out, run->end_ns + run->wall_offset_ns, 0);
		out_char(run->out, ' ');
	}
	put_duration(run, run->end_ns - run->start_ns);
	write_rows(run->rows, run->num_event_rows);
	read_ratios_put(run, true);
	write_rows(run->rows + run->num_event_rows, run->num_rows - run->num_event_rows);
	out_char(run->out, '\n');
}

/* ---- tables ---- */

/* With a COMMAND, print that uncore counts are those of whole packages, not of COMMAND alone. */
static void tell_whole_packages(struct read_run *run)
{
	bool uncore = false;

	for (size_t i = 0; i < run->num_event_rows; i++)
		uncore |= run->rows[i].package && !run->rows[i].task;
	if (!run->cfg->command || !uncore)
		return;
	record_end_line(&run->records);
	out_str(run->out, "rows with a package count the whole package, not COMMAND alone");
	record_end_line(&run->records);
}

/* Write the tables of the interval, or of the totals. */
static void write_tables(struct read_run *run)
{
	struct records *w = &run->records;
	struct read_row *metrics = run->rows + run->num_event_rows;

	for (struct read_row *row = run->rows; row < metrics; row++)
		run->has_shares = run->has_shares || (row->perf && read_row_is_partly(row));
	if (run->num_event_rows)
		record_head(w, read_table_columns, read_num_table_columns);
	for (struct read_row *row = run->rows; row < metrics; row++) {
		read_row_again(row);
		record_row(w, read_table_columns, read_num_table_columns, row);
	}
	read_ratios_put(run, false);
	tell_whole_packages(run);
	if (run->num_event_rows && run->num_event_rows < run->num_rows)
		record_end_line(w);
	if (run->num_event_rows < run->num_rows)
		record_head(w, read_metric_columns, read_num_metric_columns);
	for (struct read_row *row = metrics; row < run->rows + run->num_rows; row++) {
		read_row_again(row);
		record_row(w, read_metric_columns, read_num_metric_columns, row);
	}
}

/* Print a heading before the first interval of each run of COMMAND. */
static void tell_run(struct read_run *run)
{
	if (!run->number || !is_first_interval(run))
		return;
	if (run->number > 1)
		out_char(run->out, '\n');
	out_fmt(run->out, "run %" PRIu64 " of %" PRIu64 "\n", run->number, run->runs);
}

void read_text_interval(struct read_run *run)
{
	struct records *w = &run->records;
	char up[32];

	if (run->cfg->one_line) {
		read_one_line(run);
		return;
	}
	tell_run(run);
	if (run->cfg->periodic && !run->in_place) {
		write_line(run);
		return;
	}
	if (run->in_place) {
		out_terminal(run->out, WRAP_OFF);
		if (w->lines) {
			snprintf(up, sizeof(up), "\033[%zuA\r", w->lines);
			out_terminal(run->out, up);
		}
	}
	w->lines = 0;
	if (*run->cfg->host)
		out_fmt(run->out, "%s: ", run->cfg->host);
	out_str(run->out, "counted for ");
	put_duration(run, run->end_ns - run->last_ns);
	if (run->cfg->periodic) {
		out_str(run->out, ", ");
		put_duration(run, run->end_ns - run->start_ns);
		out_str(run->out, " since the start");
	}
	put_route(run);
	record_end_line(w);
	record_end_line(w);
	write_tables(run);
	if (run->in_place)
		out_terminal(run->out, WRAP_ON);
}

void read_text_summary(struct read_run *run)
{
	run->records.line_end = "\n";
	out_str(run->out, "\ntotal of ");
	put_duration(run, run->end_ns - run->start_ns);
	put_route(run);
	out_str(run->out, "\n\n");
	run->of_total = true;
	for (size_t i = 0; i < run->num_rows; i++)
		run->rows[i].status = read_row_take(&run->rows[i], true);
	write_tables(run);
}

static uint64_t time_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_usec * 1000;
}

void read_text_elapsed(struct read_run *run)
{
	out_char(run->out, '\n');
	out_fixed(run->out, run->end_ns - run->start_ns, 9);
	out_str(run->out, " s elapsed\n");
	if (!run->has_perf || !run->command.done)
		return;
	out_fixed(run->out, time_ns(&run->command.used.ru_utime) / 1000, 6);
	out_str(run->out, " s user\n");
	out_fixed(run->out, time_ns(&run->command.used.ru_stime) / 1000, 6);
	out_str(run->out, " s system\n");
}

/* ---- why counters stand still ---- */

/* The event that counts the uncore clock of this machine, in the event language; "" if registers cannot count it. */
static const char *clock_event(struct uncoremsr *um, char *buf, size_t size)
{
	const struct uncoremsr_pmu *pmu;

	*buf = '\0';
	if (uncoremsr_event_find(um, NULL, "UNC_CLK_UNHALTED", NULL, NULL) > 0)
		return "UNC_CLK_UNHALTED";
	for (size_t i = 0; (pmu = uncoremsr_pmu(um, NULL, i)); i++) {
		const struct uncoremsr_fixed_counter *fixed = pmu->fixed[0];

		/* A single fixed counter of a PMU counts the clock; several fixed counters count other events. */
		if (fixed && pmu->fixed_counters == 1)
			snprintf(buf, size, "%s/%s/", pmu->name, fixed->event);
	}
	return buf;
}

void read_text_hint(struct read_run *run)
{
	char buf[64], advice[160] = "";
	const char *why, *ticks;
	bool clock = false, boxes = false;

	/* Outside text output, print the hint only with --verbose. */
	if (run->hinted || !run->num_event_rows || run->has_perf || run->has_memory ||
	    (!records_for_people(&run->records) && !run->cfg->common.verbose))
		return;
	run->hinted = true;
	ticks = clock_event(run->um, buf, sizeof(buf));
	for (struct read_row *row = run->rows; row < run->rows + run->num_event_rows; row++) {
		/* Look at totals: a quiet interval in a long run is no reason for the hint. */
		read_row_take(row, true);
		if (row->reading->value)
			return;
		clock |= strcmp(row->name, ticks) == 0;
		boxes |= strchr(row->name, '/') != NULL;
	}
	if (clock)
		why = "not even the uncore clock: it was stopped, or a hypervisor answers instead of "
		      "the hardware";
	else if (boxes)
		why = "nothing happened, a mask or filter lets nothing pass, or this model does not "
		      "know the event or unit mask";
	else
		why = "the packages were idle, the state never occurred (normal for PROCHOT), or this "
		      "model does not know the event or unit mask";
	if (!clock && *ticks)
		snprintf(advice, sizeof(advice), "; add -e %s to see whether counters run at all",
			 ticks);
	tool_say(0, "no counter moved%s %s%s", clock ? "," : ":", why, advice);
	run->records.lines = 0;
}
