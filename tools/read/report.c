/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of an interval: what is written, and what is said on standard error. */
#include "read/read.h"

void read_print_head(struct read_run *run)
{
	if (records_for_people(&run->records))
		read_text_head(run);
	else
		record_head(&run->records, read_columns, read_num_columns);
}

/* Records hold only the word; the sentence goes to stderr, once for each change. */
static void explain(const struct read_row *row)
{
	const char *detail = read_row_detail(row);
	char place[READ_NAME_SIZE];

	if (row->status != UNCOREMSR_OK)
		tool_say(&read_tool, 0, "%s: %s: %s%s%s", read_row_place(row, place, sizeof(place)),
			 read_row_name(row), uncoremsr_status_word(row->status),
			 *detail ? ": " : "", detail);
}

/* Said once per event, when it was counted for less than --min-running percent of the time. */
static void check_share(struct read_run *run, struct read_row *row)
{
	double enabled = (double)row->enabled_ns, running = (double)row->running_ns;
	char place[READ_NAME_SIZE];

	if (row->warned || running * 100 >= enabled * run->cfg->target.min_running)
		return;
	for (size_t i = 0; i < run->num_event_rows; i++)
		if (run->rows[i].event == row->event)
			run->rows[i].warned = true;
	tool_say(&read_tool, 0, "%s: %s: counted for only %.0f %% of the time: its value is an "
		 "estimate; count fewer events at once", read_row_place(row, place, sizeof(place)),
		 read_row_name(row), running * 100 / enabled);
}

/*
 * A value is. What was counted and was nothing is known; and so is a count whose time is not, unless its
 * value is made from that: of a metric, and of what takes turns.
 */
static bool is_missing(const struct read_row *row)
{
	uint64_t value;

	if (row->status == UNCOREMSR_OK || row->status == UNCOREMSR_UNDEFINED)
		return false;
	return row->status != UNCOREMSR_SPREAD || row->metric ||
	       uncoremsr_reading_number(row->reading, UNCOREMSR_READING_VALUE, &value) < 0;
}

void read_print_interval(struct read_run *run, const struct tool_wait *wait)
{
	bool text = records_for_people(&run->records);

	run->end_ns = uncoremsr_now(run->um);
	run->wall_offset_ns = wait_wall_clock(wait) - run->end_ns;
	run->of_total = false;
	run->has_shares = false;
	run->partial |= read_rows_follow(run) != 0;
	for (size_t i = 0; i < run->num_rows; i++) {
		struct read_row *row = &run->rows[i];
		enum uncoremsr_status status = read_row_take(row, false);
		bool changed = status != row->status;

		row->status = status;
		if (is_missing(row))
			run->partial = true;
		else if (!row->metric)
			check_share(run, row);
		if (changed && !text)
			explain(row);
		if (!text)
			record_write(&run->records, &row->template, row);
	}
	if (text)
		read_text_interval(run);
	run->last_ns = run->end_ns;
}
