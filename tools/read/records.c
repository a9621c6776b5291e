/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readings as records for programs (JSON, CSV): constant parts are put into words once. */
#include <stdio.h>
#include <string.h>

#include "read/read.h"

/* ---- rows ---- */

void read_piece_end(struct read_row *row, enum read_column column)
{
	size_t start = 0;

	if (row->num_pieces) {
		const struct read_piece *last = &row->pieces[row->num_pieces - 1];

		start = last->start + last->len;
	}
	row->pieces[row->num_pieces++] = (struct read_piece){
		.start = start, .len = row->text.len - start, .column = column,
	};
}

void read_row_write(struct read_run *run, const struct read_row *row,
		    const struct uncoremsr_reading *r)
{
	for (size_t i = 0; i < row->num_pieces; i++) {
		const struct read_piece *piece = &row->pieces[i];

		out_blocks(run->out, row->text.buf + piece->start, piece->len);
		if (piece->column != READ_NO_COLUMN)
			read_cell(run, row, r, piece->column);
	}
}

static void template_int(struct read_run *run, struct read_row *row, int v)
{
	if (v >= 0)
		out_u64(&row->text, (uint64_t)v);
	else if (read_json(run))
		out_str(&row->text, "null");
}

static void template_str(struct read_run *run, struct read_row *row, const char *text)
{
	if (read_json(run))
		out_json_str(&row->text, text);
	else
		out_csv_str(&row->text, text);
}

/* The 3 of "cbo3"; -1 for a sum, for the only one of its kind, and for CPUs (their own column). */
static int unit_number(const struct read_run *run, const struct read_row *row)
{
	const char *pmu = uncoremsr_session_event_pmu(run->session, row->event);

	if (!row->unit || uncoremsr_unit_core(row->unit) >= 0 ||
	    strcmp(uncoremsr_unit_name(row->unit), pmu) == 0)
		return -1;
	return (int)uncoremsr_unit_number(row->unit);
}

/* What is not counted for the target of the run is counted for everybody. */
static void template_target(struct read_run *run, struct read_row *row)
{
	bool task = uncoremsr_session_event_is_task(run->session, row->event);
	char name[READ_WORDS];

	template_str(run, row, task ? read_target_name(&run->cfg->target, name, sizeof(name))
				    : "system");
}

/* The text of a column that does not change, or the end of a constant part. */
static void template_column(struct read_run *run, struct read_row *row, enum read_column column)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_package *p = uncoremsr_session_package(s, row->package);
	bool placed = row->place <= READ_AT_CORE;
	char word[24];
	double scale;

	switch (column) {
	case READ_MACHINE:
		template_str(run, row, uncoremsr_machine(run->um));
		break;
	case READ_PACKAGE:
		template_int(run, row, placed ? uncoremsr_package_id(p) : -1);
		break;
	case READ_DIE:
		template_int(run, row, placed ? uncoremsr_package_die(p) : -1);
		break;
	case READ_CORE:
		template_int(run, row, row->unit ? uncoremsr_unit_core(row->unit) : -1);
		break;
	case READ_UNIT:
		template_int(run, row, unit_number(run, row));
		break;
	case READ_PMU:
		template_str(run, row, uncoremsr_session_event_pmu(s, row->event));
		break;
	case READ_EVENT:
		template_str(run, row, uncoremsr_session_event_name(s, row->event));
		break;
	case READ_ENCODING:
		snprintf(word, sizeof(word), "0x%llx",
			 (unsigned long long)uncoremsr_session_event_encoding(s, row->event));
		template_str(run, row, word);
		break;
	case READ_MEASURE:
		template_str(run, row, uncoremsr_session_event_measure(s, row->event, &scale));
		break;
	case READ_ROUTE:
		template_str(run, row, row->perf ? "perf" : "msr");
		break;
	case READ_TARGET:
		template_target(run, row);
		break;
	case READ_CORES:
		template_str(run, row, row->place == READ_AT_GROUP
					       ? uncoremsr_session_core_group(s, row->index) : NULL);
		break;
	default:
		read_piece_end(row, column);
	}
}

bool read_column_written(const struct read_run *run, enum read_column column)
{
	if (column == READ_TARGET)
		return read_has_tasks(run);
	return column != READ_CORES || run->cfg->target.cores.num;
}

void read_record_template(struct read_run *run, struct read_row *row)
{
	for (int c = 0; c < READ_NUM_RECORD_COLUMNS; c++) {
		if (!read_column_written(run, (enum read_column)c))
			continue;
		if (read_json(run))
			out_fmt(&row->text, "%s\"%s\":", c ? "," : "{", read_column_name((enum read_column)c));
		else if (c)
			out_char(&row->text, ',');
		template_column(run, row, (enum read_column)c);
	}
	out_str(&row->text, read_json(run) ? "}\n" : "\n");
	read_piece_end(row, READ_NO_COLUMN);
}

/* ---- intervals ---- */

void read_print_head(struct read_run *run)
{
	if (run->cfg->common.format == TOOL_TEXT)
		read_text_head(run);
	if (run->cfg->common.format != TOOL_CSV)
		return;
	for (int c = 0; c < READ_NUM_RECORD_COLUMNS; c++) {
		if (!read_column_written(run, (enum read_column)c))
			continue;
		out_str(run->out, c ? "," : "");
		out_str(run->out, read_column_name((enum read_column)c));
	}
	out_char(run->out, '\n');
}

/* Records hold only the word; the sentence goes to stderr, once for each change. */
static void explain(struct read_run *run, const struct read_row *row,
		    const struct uncoremsr_reading *r)
{
	const char *detail = uncoremsr_reading_detail(r);
	char place[READ_WORDS];

	if (row->status == UNCOREMSR_OK || run->cfg->common.format == TOOL_TEXT)
		return;
	tool_say(&read_tool, 0, "%s: %s: %s%s%s",
		 read_row_place(run, row, place, sizeof(place)),
		 uncoremsr_session_event_name(run->session, row->event),
		 uncoremsr_status_word(row->status), *detail ? ": " : "", detail);
}

void read_print_interval(struct read_run *run, const struct tool_wait *wait)
{
	bool text = run->cfg->common.format == TOOL_TEXT;

	run->end_ns = uncoremsr_now(run->um);
	run->wall_offset_ns = wait_wall_clock(wait) - run->end_ns;
	run->of_total = false;
	run->has_shares = false;
	for (size_t i = 0; i < run->num_rows; i++) {
		struct read_row *row = &run->rows[i];
		const struct uncoremsr_reading *r = read_row_reading(run, row, false);
		enum uncoremsr_status status = uncoremsr_reading_status(r);

		if (status != UNCOREMSR_OK)
			run->partial = true;
		else
			read_check_share(run, row, r);
		if (status != row->status) {
			row->status = status;
			explain(run, row, r);
		}
		if (!text)
			read_row_write(run, row, r);
	}
	if (text)
		read_text_interval(run);
	else
		read_metrics_records(run);
	run->last_ns = run->end_ns;
}
