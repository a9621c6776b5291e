/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readings as a table for people: one row each, with the columns that the run has something for. */
#include <stdio.h>
#include <string.h>

#include "read/read.h"

#define CLEAR_LINE_END "\033[K"

struct table_column {
	enum read_column column;
	const char *head;
	size_t width; /* 0: that of the longest event name; the last column is as wide as it gets */
	bool left;
};

static const struct table_column table_columns[] = {
	{ READ_PACKAGE, "package", 7, false },
	{ READ_DIE, "die", 3, false },
	{ READ_PLACE_NAME, "place", 8, true },
	{ READ_UNIT_NAME, "unit", 4, true },
	{ READ_CPU, "cpu", 4, false },
	{ READ_COUNTER, "counter", 7, false },
	{ READ_EVENT, "event", 0, true },
	{ READ_HEX_RAW, "raw (hex)", 12, false },
	{ READ_RAW, "raw", 15, false },
	{ READ_VALUE, "increase", 15, false },
	{ READ_RATE, "per second", 15, false },
	{ READ_AMOUNT, "amount", 13, false },
	{ READ_SHARE, "counted", 7, false },
	{ READ_NOTE, "", 1, true },
};

static bool column_shown(const struct read_run *run, enum read_column column)
{
	switch (column) {
	case READ_PACKAGE:
		return run->has_packages;
	case READ_PLACE_NAME:
		return run->cfg->target.cores.num || run->cfg->target.per == READ_PER_CORE;
	case READ_CPU:
		return run->has_cpus;
	case READ_COUNTER:
		return run->has_msr;
	case READ_DIE:
		return run->has_dies && run->has_packages;
	case READ_UNIT_NAME:
		return (run->cfg->flags & READ_PER_UNIT) || run->has_levels;
	case READ_HEX_RAW:
		return run->has_raw && (run->cfg->flags & READ_HEX);
	case READ_RAW:
		return run->has_raw && (run->cfg->periodic || (run->cfg->flags & READ_HEX));
	case READ_AMOUNT:
		return run->has_amounts;
	case READ_SHARE:
		return uncoremsr_session_num_groups(run->session) > 1 || run->has_shares;
	default:
		return true;
	}
}

static size_t column_width(const struct read_run *run, const struct table_column *t)
{
	size_t head = strlen(t->head), width = t->width ? t->width : run->event_width;

	if (t->column == READ_UNIT_NAME || t->column == READ_PLACE_NAME)
		width = run->unit_width;
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

static void put_place(struct read_run *run, const struct read_row *row)
{
	char name[READ_WORDS];

	if (row->place == READ_AT_PACKAGE)
		snprintf(name, sizeof(name), "-");
	else
		read_places_name(run, row, name, sizeof(name));
	out_str(run->out, name);
}

static void write_table_cell(struct read_run *run, const struct read_row *row,
			     const struct uncoremsr_reading *r, enum read_column column)
{
	const struct uncoremsr_session *s = run->session;
	const struct uncoremsr_package *p = uncoremsr_session_package(s, row->package);
	char words[READ_WORDS];

	if (column <= READ_DIE && row->place > READ_AT_CORE)
		out_char(run->out, '-');
	else if (column == READ_PACKAGE)
		out_u64(run->out, (uint64_t)uncoremsr_package_id(p));
	else if (column == READ_PLACE_NAME)
		put_place(run, row);
	else if (column == READ_DIE)
		out_u64(run->out, (uint64_t)uncoremsr_package_die(p));
	else if (column == READ_UNIT_NAME)
		out_str(run->out, row->unit ? uncoremsr_unit_name(row->unit) : "-");
	else if (column == READ_EVENT)
		out_str(run->out, read_event_words(run, row->event, words, sizeof(words)));
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
void read_table_write(struct read_run *run, bool total)
{
	run->of_total = total;
	for (size_t i = 0; i < run->num_rows; i++)
		if (run->rows[i].perf && read_is_partly(read_row_reading(run, &run->rows[i], total)))
			run->has_shares = true;
	if (run->num_rows)
		write_heads(run);
	for (size_t i = 0; i < run->num_rows; i++) {
		const struct read_row *row = &run->rows[i];

		write_table_row(run, row, read_row_reading(run, row, total));
	}
	read_ipc_table(run, total);
	if (run->num_rows && run->num_metric_rows)
		read_text_end_line(run);
	read_metrics_table(run, total);
}
