/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Readings for people: a table (once, or drawn over itself on a terminal), or one line per interval
 * where the output goes into a pipe or a file.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "read.h"

/* Plain ANSI: no wrapping while drawing, so that a table keeps its number of lines. */
#define WRAP_OFF "\033[?7l"
#define WRAP_ON "\033[?7h"
#define CLEAR_LINE_END "\033[K"
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
	if (uncoremsr_is_simulated(run->um))
		out_fmt(run->out, "%sSIMULATED machine %s (%s): these numbers come from no hardware\n",
			run->cfg->flags & READ_DRY_RUN ? "# " : "",
			plain_name(uncoremsr_machine(run->um)),
			uncoremsr_uarch(run->um) ? uncoremsr_uarch(run->um) : "unknown");
}

static void write_duration(struct read_run *run, uint64_t ns)
{
	out_u64(run->out, ns / NS_PER_S);
	out_char(run->out, '.');
	out_digits(run->out, (uint32_t)(ns % NS_PER_S / NS_PER_MS), 3);
	out_str(run->out, " s");
}

/* ---- one line per interval ---- */

void read_line_template(struct read_run *run, struct read_row *row)
{
	const struct uncoremsr_package *p = uncoremsr_session_package(run->session, row->package);

	/* The package is named in front of its first event. */
	if (row->event == 0)
		out_fmt(&row->text, " | package %d", uncoremsr_package_id(p));
	out_fmt(&row->text, "  %s", uncoremsr_session_event_name(run->session, row->event));
	if (run->cfg->flags & READ_HEX) {
		out_str(&row->text, " hex ");
		read_piece_end(row, READ_HEX_RAW);
	}
	out_str(&row->text, " raw ");
	read_piece_end(row, READ_RAW);
	out_str(&row->text, " +");
	read_piece_end(row, READ_VALUE);
	out_char(&row->text, ' ');
	read_piece_end(row, READ_RATE);
	out_str(&row->text, "/s");
	read_piece_end(row, READ_NO_COLUMN);
}

/* A line whose value is unknown says so instead of "+unknown unknown/s". */
static void write_unknown(struct read_run *run, const struct read_row *row,
			  const struct uncoremsr_reading *r)
{
	out_mem(run->out, row->text.buf, row->pieces[0].len);
	read_cell(run, row, r, row->pieces[0].column);
	out_str(run->out, " unknown (");
	read_cell(run, row, r, READ_NOTE);
	out_char(run->out, ')');
}

static void write_line(struct read_run *run)
{
	bool shares = uncoremsr_session_num_groups(run->session) > 1;

	write_duration(run, run->end_ns - run->start_ns);
	for (size_t i = 0; i < run->num_rows; i++) {
		const struct read_row *row = &run->rows[i];
		const struct uncoremsr_reading *r =
			uncoremsr_session_reading(run->session, row->package, row->event);

		if (row->status != UNCOREMSR_OK) {
			write_unknown(run, row, r);
			continue;
		}
		read_row_write(run, row, r);
		if (shares) {
			out_str(run->out, " counted ");
			read_cell(run, row, r, READ_SHARE);
		}
	}
	read_metrics_line(run);
	out_char(run->out, '\n');
}

/* ---- table ---- */

struct table_column {
	enum read_column column;
	const char *head;
	size_t width; /* 0: that of the longest event name; the last column is as wide as it gets */
	bool left;
};

static const struct table_column table_columns[] = {
	{ READ_PACKAGE, "package", 7, false },
	{ READ_CPU, "cpu", 4, false },
	{ READ_COUNTER, "counter", 7, false },
	{ READ_EVENT, "event", 0, true },
	{ READ_HEX_RAW, "raw (hex)", 12, false },
	{ READ_RAW, "raw", 15, false },
	{ READ_VALUE, "increase", 15, false },
	{ READ_RATE, "per second", 15, false },
	{ READ_SHARE, "counted", 7, false },
	{ READ_NOTE, "", 1, true },
};

static bool column_shown(const struct read_run *run, enum read_column column)
{
	if (column == READ_HEX_RAW)
		return run->cfg->flags & READ_HEX;
	if (column == READ_RAW)
		return run->cfg->periodic || (run->cfg->flags & READ_HEX);
	if (column == READ_SHARE)
		return uncoremsr_session_num_groups(run->session) > 1;
	return true;
}

static size_t column_width(const struct read_run *run, const struct table_column *t)
{
	size_t head = strlen(t->head), width = t->width ? t->width : run->event_width;

	return width > head ? width : head;
}

void read_text_end_line(struct read_run *run)
{
	while (run->out->len && run->out->buf[run->out->len - 1] == ' ')
		run->out->len--;
	out_str(run->out, run->in_place ? CLEAR_LINE_END "\n" : "\n");
	run->lines_drawn++;
}

static void write_heads(struct read_run *run)
{
	for (size_t i = 0; i < sizeof(table_columns) / sizeof(table_columns[0]); i++) {
		const struct table_column *t = &table_columns[i];
		size_t start = run->out->len;

		if (!column_shown(run, t->column))
			continue;
		out_str(run->out, t->head);
		out_pad(run->out, start, column_width(run, t), t->left);
		out_str(run->out, "  ");
	}
	read_text_end_line(run);
}

static void write_table_cell(struct read_run *run, const struct read_row *row,
			     const struct uncoremsr_reading *r, enum read_column column)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_package *p = uncoremsr_session_package(s, row->package);

	if (column == READ_PACKAGE)
		out_u64(run->out, (uint64_t)uncoremsr_package_id(p));
	else if (column == READ_EVENT)
		out_str(run->out, uncoremsr_session_event_name(s, row->event));
	else
		read_cell(run, row, r, column);
}

static void write_table_row(struct read_run *run, const struct read_row *row,
			    const struct uncoremsr_reading *r)
{
	for (size_t i = 0; i < sizeof(table_columns) / sizeof(table_columns[0]); i++) {
		const struct table_column *t = &table_columns[i];
		size_t start = run->out->len;

		if (!column_shown(run, t->column))
			continue;
		write_table_cell(run, row, r, t->column);
		out_pad(run->out, start, column_width(run, t), t->left);
		out_str(run->out, "  ");
	}
	read_text_end_line(run);
}

/* Of the interval, or of everything since the start. */
static void write_table(struct read_run *run, bool total)
{
	if (run->num_rows)
		write_heads(run);
	for (size_t i = 0; i < run->num_rows; i++) {
		const struct read_row *row = &run->rows[i];

		write_table_row(run, row,
				(total ? uncoremsr_session_total : uncoremsr_session_reading)(
					run->session, row->package, row->event));
	}
	if (run->num_rows && run->num_metric_rows)
		read_text_end_line(run);
	read_metrics_table(run, total);
}

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
	read_text_end_line(run);
	read_text_end_line(run);
	write_table(run, false);
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
	out_str(run->out, "\n\n");
	write_table(run, true);
}

/* ---- why nothing happens ---- */

/* The total, so that a quiet interval in a long run says nothing. */
static bool stands_still(const struct read_run *run, const struct read_row *row)
{
	uint64_t v;

	return uncoremsr_reading_value(uncoremsr_session_total(run->session, row->package,
							       row->event), &v) == 0 && v == 0;
}

void read_text_hint(struct read_run *run)
{
	bool clock = false;

	/* Programs get it on request only: they know what they count. */
	if (run->hinted || !run->num_rows || (run->cfg->common.format != TOOL_TEXT && !run->cfg->common.verbose))
		return;
	run->hinted = true;
	for (size_t i = 0; i < run->num_rows; i++) {
		const char *name = uncoremsr_session_event_name(run->session, run->rows[i].event);

		if (!stands_still(run, &run->rows[i]))
			return;
		clock = clock || strcmp(name, "UNC_CLK_UNHALTED") == 0;
	}
	if (clock)
		tool_say(&read_tool, 0, "no counter moved, not even the uncore clock: it was stopped, "
			 "or a hypervisor answers instead of the hardware");
	else
		tool_say(&read_tool, 0, "no counter moved: the packages were idle, the state never came "
			 "up (normal for PROCHOT), or this model does not know the event or unit mask; "
			 "add -e UNC_CLK_UNHALTED to see whether counters run at all");
	run->lines_drawn = 0;
}
