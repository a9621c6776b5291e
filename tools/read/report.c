/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of an interval: write it, and explain changes on standard error. */
#include <stdio.h>
#include <string.h>

#include "read/read.h"

void read_print_head(struct read_run *run)
{
	if (records_for_people(&run->records))
		read_text_head(run);
	else if (!run->cfg->common.series)
		record_head(&run->records, read_columns, read_num_columns);
}

/* ---- changes ---- */

static int cpu_of(const struct read_row *row)
{
	return row->unit ? row->unit->cpu : -1;
}

/* Does the message about @row explain @other, too? If a CPU or package goes offline, only the registers differ. */
static bool is_explained(const struct read_row *row, const struct read_row *other)
{
	if (!other->changed || other->status != row->status)
		return false;
	if (other->event == row->event && other->metric == row->metric)
		return true;
	return row->status == UNCOREMSR_OFFLINE && row->package && other->package == row->package &&
	       cpu_of(other) == cpu_of(row);
}

/* Records contain only the status word, so the reason goes to stderr. */
static void explain(struct read_run *run, struct read_row *row)
{
	char place[READ_NAME_SIZE], more[48] = "";
	size_t others = 0;

	read_row_again(row);
	for (struct read_row *other = run->rows; other < run->rows + run->num_rows; other++)
		if (other != row && is_explained(row, other)) {
			other->changed = false;
			others++;
		}
	if (others)
		snprintf(more, sizeof(more), " (and %zu more)", others);
	tool_say(0, "%s: %s: %s%s%s%s", read_row_place(row, place, sizeof(place)),
		 row->name, row->word, *row->detail ? ": " : "",
		 row->detail, more);
}

/*
 * Is the row's value missing? UNDEFINED (division by 0) is a result. With SPREAD the count is known and only its time
 * is uncertain, but metrics and events that take turns have no value.
 */
static bool is_missing(const struct read_row *row)
{
	if (row->status == UNCOREMSR_OK || row->status == UNCOREMSR_UNDEFINED)
		return false;
	return row->status != UNCOREMSR_SPREAD || row->metric || !reading_has_value(row->reading);
}

static double share_of(const struct read_row *row)
{
	return (double)row->running_ns * 100 / (double)row->enabled_ns;
}

static void mark_warned(struct read_run *run, size_t event)
{
	for (size_t i = 0; i < run->num_event_rows; i++)
		if (run->rows[i].event == event)
			run->rows[i].warned = true;
}

/* Warn about events that were counted for less than --min-running percent, once for each event and all in one line. */
static void check_shares(struct read_run *run)
{
	const struct read_row *least = NULL;
	char place[READ_NAME_SIZE], more[64] = "";
	size_t num = 0;

	for (size_t i = 0; i < run->num_event_rows; i++) {
		const struct read_row *row = &run->rows[i];

		if (row->warned || is_missing(row) || !read_row_is_partly(row) ||
		    share_of(row) >= run->cfg->min_running)
			continue;
		num++;
		if (!least || share_of(row) < share_of(least))
			least = row;
		mark_warned(run, row->event);
	}
	if (!least)
		return;
	if (num > 1)
		snprintf(more, sizeof(more), ", and %zu other event%s for less than %d %%", num - 1,
			 num == 2 ? "" : "s", run->cfg->min_running);
	/* An event of one kind of core ("cpu_atom") counts only while the task runs on such cores. */
	tool_say(0, "%s: %s: counted for only %.0f %% of the time%s: %s; %s",
		 read_row_place(least, place, sizeof(place)), least->name, share_of(least), more,
		 num > 1 ? "their values are estimates" : "its value is an estimate",
		 least->task && !strncmp(least->counted->pmu, "cpu_", 4) && !strchr(least->counted->pmu, '+')
		 ? "the rest of the time was spent on other kinds of cores, or with other events"
		 : "count fewer events at once");
}

void read_print_interval(struct read_run *run)
{
	bool text = records_for_people(&run->records), partly = false;

	if (log_begins(&run->log, run->out))
		read_print_head(run);
	run->sequence++;
	run->end_ns = uncoremsr_now(run->um);
	run->wall_offset_ns = wait_wall_clock(&run->wait) - run->end_ns;
	run->of_total = false;
	run->has_shares = false;
	run->partial |= read_rows_follow(run) != 0;
	record_interval(&run->records);
	for (size_t i = 0; i < run->num_rows; i++) {
		struct read_row *row = &run->rows[i];
		enum uncoremsr_status status = read_row_take(row, false);

		row->changed = status != row->status;
		row->status = status;
		if (row->metric && (row->metric->on_cpus < 0 || (row->task && status == UNCOREMSR_FAILED)))
			run->left_out = true;
		else if (is_missing(row))
			run->partial = true;
		else
			partly |= !row->metric && read_row_is_partly(row);
		if (!text && !run->cfg->common.series)
			read_row_record(row);
		if (run->cfg->num_whens)
			read_actions_look(run, row);
	}
	if (partly)
		check_shares(run);
	for (size_t i = 0; !text && i < run->num_rows; i++)
		if (run->rows[i].changed && run->rows[i].status != UNCOREMSR_OK)
			explain(run, &run->rows[i]);
	if (text)
		read_text_interval(run);
	if (run->cfg->common.series)
		read_series_interval(run);
	run->last_ns = run->end_ns;
	read_actions_go_on(run);
}
