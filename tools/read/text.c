/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Readings for people: a table (once, or drawn over itself on a terminal; read_table.c), or one line
 * per interval where the output goes into a pipe or a file.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "read/read.h"
#include "uncoremsr/machine.h"

/* Plain ANSI: no wrapping while drawing, so that a table keeps its number of lines. */
#define WRAP_OFF "\033[?7l"
#define WRAP_ON "\033[?7h"
#define TABLE_HEAD_LINES 3

static const char *plain_name(const char *machine)
{
	return strncmp(machine, "sim:", 4) == 0 ? machine + 4 : machine;
}

bool read_text_fits_terminal(const struct read_run *run)
{
	struct winsize ws;

	if (!isatty(run->out->fd) || ioctl(run->out->fd, TIOCGWINSZ, &ws) < 0)
		return false;
	/* A terminal that does not tell its size has the usual 24 lines. */
	return run->num_rows + run->num_metric_rows + 2 * TABLE_HEAD_LINES < (ws.ws_row ? ws.ws_row : 24U);
}

void read_text_head(struct read_run *run)
{
	const char *uarch = uncoremsr_machine_text(run->um, UNCOREMSR_MACHINE_UARCH);

	if (uncoremsr_is_simulated(run->um))
		out_fmt(run->out, "%sSIMULATED machine %s (%s): these numbers come from no hardware\n",
			run->cfg->flags & READ_DRY_RUN ? "# " : "",
			plain_name(uncoremsr_machine(run->um)),
			uarch ? uarch : "unknown");
}

static void write_duration(struct read_run *run, uint64_t ns)
{
	out_u64(run->out, ns / NS_PER_S);
	out_char(run->out, '.');
	out_digits(run->out, (uint32_t)(ns % NS_PER_S / NS_PER_MS), 3);
	out_str(run->out, " s");
}

static uint64_t time_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_usec * 1000;
}

/* ---- one line per interval ---- */

/* What every line of an event ends with: increase, rate, and the amount where there is one. */
static void add_numbers(struct read_run *run, struct read_row *row)
{
	double scale;

	if (uncoremsr_session_event_is_level(run->session, row->event)) {
		out_str(&row->text, " = ");
		read_piece_end(row, READ_VALUE);
		return;
	}
	out_str(&row->text, " +");
	read_piece_end(row, READ_VALUE);
	out_char(&row->text, ' ');
	read_piece_end(row, READ_RATE);
	out_str(&row->text, "/s");
	if (uncoremsr_session_event_measure(run->session, row->event, &scale)) {
		out_char(&row->text, ' ');
		read_piece_end(row, READ_AMOUNT);
	}
}

void read_line_template(struct read_run *run, struct read_row *row)
{
	char place[READ_WORDS], words[READ_WORDS];
	bool each = row->unit && row->place == READ_AT_PACKAGE &&
		    read_shows_each(run, row->event, row->unit);

	/* The package is named in front of its first event. */
	if (row == run->rows || row[-1].package != row->package || row[-1].place != row->place ||
	    row[-1].index != row->index) {
		const struct uncoremsr_unit *unit = row->unit;

		if (row->place == READ_AT_PACKAGE)
			row->unit = NULL;
		out_fmt(&row->text, " | %s", read_row_place(run, row, place, sizeof(place)));
		row->unit = unit;
	}
	out_fmt(&row->text, "  %s", read_event_words(run, row->event, words, sizeof(words)));
	if (each)
		out_fmt(&row->text, " %s", uncoremsr_unit_name(row->unit));
	row->name_len = row->text.len;
	if (read_has_register(row) && (run->cfg->flags & READ_HEX)) {
		out_str(&row->text, " hex ");
		read_piece_end(row, READ_HEX_RAW);
	}
	if (read_has_register(row)) {
		out_str(&row->text, " raw ");
		read_piece_end(row, READ_RAW);
	}
	add_numbers(run, row);
	read_piece_end(row, READ_NO_COLUMN);
}

/* A line whose value is unknown says so instead of "+unknown unknown/s". */
static void write_unknown(struct read_run *run, const struct read_row *row,
			  const struct uncoremsr_reading *r)
{
	if (read_has_register(row)) {
		out_mem(run->out, row->text.buf, row->pieces[0].len);
		read_cell(run, row, r, row->pieces[0].column);
	} else {
		out_mem(run->out, row->text.buf, row->name_len);
	}
	out_str(run->out, " unknown (");
	read_cell(run, row, r, READ_NOTE);
	out_char(run->out, ')');
}

static void write_line(struct read_run *run)
{
	bool shares = uncoremsr_session_num_groups(run->session) > 1;

	if (!run->told_route && run->has_perf) {
		out_str(run->out, "counting");
		read_put_route(run);
		out_char(run->out, '\n');
	}
	run->told_route = true;
	write_duration(run, run->end_ns - run->start_ns);
	for (size_t i = 0; i < run->num_rows; i++) {
		const struct read_row *row = &run->rows[i];
		const struct uncoremsr_reading *r = read_row_reading(run, row, false);

		if (row->status != UNCOREMSR_OK) {
			write_unknown(run, row, r);
			continue;
		}
		read_row_write(run, row, r);
		if (shares || (row->perf && read_is_partly(r))) {
			out_str(run->out, " counted ");
			read_cell(run, row, r, READ_SHARE);
		}
	}
	read_ipc_line(run);
	read_metrics_line(run);
	out_char(run->out, '\n');
}

/* ---- intervals ---- */

static void write_interval_table(struct read_run *run)
{
	if (run->in_place) {
		out_str(run->out, WRAP_OFF);
		if (run->lines_drawn)
			out_fmt(run->out, "\033[%zuA\r", run->lines_drawn);
	}
	run->lines_drawn = 0;
	out_str(run->out, "counted for ");
	write_duration(run, run->end_ns - run->last_ns);
	if (run->cfg->periodic) {
		out_str(run->out, ", ");
		write_duration(run, run->end_ns - run->start_ns);
		out_str(run->out, " since the start");
	}
	read_put_route(run);
	read_text_end_line(run);
	read_text_end_line(run);
	read_table_write(run, false);
	if (run->in_place)
		out_str(run->out, WRAP_ON);
}

void read_text_interval(struct read_run *run)
{
	if (run->cfg->periodic && !run->in_place)
		write_line(run);
	else
		write_interval_table(run);
}

void read_print_summary(struct read_run *run)
{
	run->in_place = false;
	out_str(run->out, "\ntotal of ");
	write_duration(run, run->end_ns - run->start_ns);
	read_put_route(run);
	out_str(run->out, "\n\n");
	read_table_write(run, true);
}

/* Of COMMAND and those of its children that it has waited for: this tool has no other children. */
static void write_processor_time(struct read_run *run)
{
	struct rusage used;

	if (getrusage(RUSAGE_CHILDREN, &used) < 0)
		return;
	write_duration(run, time_ns(&used.ru_utime));
	out_str(run->out, " user\n");
	write_duration(run, time_ns(&used.ru_stime));
	out_str(run->out, " system\n");
}

void read_print_elapsed(struct read_run *run)
{
	out_char(run->out, '\n');
	write_duration(run, run->end_ns - run->start_ns);
	out_str(run->out, " elapsed\n");
	if (run->has_perf)
		write_processor_time(run);
}

/* ---- why nothing happens ---- */

/* The total, so that a quiet interval in a long run says nothing. */
static bool stands_still(const struct read_run *run, const struct read_row *row)
{
	uint64_t v;

	return uncoremsr_reading_value(read_row_reading(run, row, true), &v) == 0 && v == 0;
}

void read_text_hint(struct read_run *run)
{
	bool clock = false, boxes = false;

	/* Programs get it on request only: they know what they count. */
	if (run->hinted || !run->num_rows || run->has_perf || (run->cfg->common.format != TOOL_TEXT && !run->cfg->common.verbose))
		return;
	run->hinted = true;
	for (size_t i = 0; i < run->num_rows; i++) {
		const char *name = uncoremsr_session_event_name(run->session, run->rows[i].event);

		if (!stands_still(run, &run->rows[i]))
			return;
		clock = clock || strcmp(name, "UNC_CLK_UNHALTED") == 0;
		boxes = boxes || strchr(name, '/');
	}
	if (clock)
		tool_say(&read_tool, 0, "no counter moved, not even the uncore clock: it was stopped, "
			 "or a hypervisor answers instead of the hardware");
	else if (boxes)
		tool_say(&read_tool, 0, "no counter moved: nothing happened, a mask or filter lets "
			 "nothing pass, or this model does not know the event or unit mask");
	else
		tool_say(&read_tool, 0, "no counter moved: the packages were idle, the state never came "
			 "up (normal for PROCHOT), or this model does not know the event or unit mask; "
			 "add -e UNC_CLK_UNHALTED to see whether counters run at all");
	run->lines_drawn = 0;
}
