/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --oneline has a stable format. The name of a count is EVENT@PLACE; the last "=" of a word precedes the value. */
#include <string.h>

#include "read/read.h"
#include "uncoremsr/machine.h"

static void put_word(struct out *o, const char *text)
{
	char shown[OUT_SHOWN];

	for (size_t len = strlen(text), used; len; text += used, len -= used) {
		used = out_show(shown, text, len, "");
		out_str(o, *text == ' ' ? "\\040" : shown);
	}
}

/* The place "package 0 die 1 cbo3" becomes the word package0.die1.cbo3. */
static void put_place(struct out *o, const struct read_row *row)
{
	const struct read_config *cfg = row->run->cfg;
	char place[READ_NAME_SIZE];

	read_row_place(row, place, sizeof(place));
	if (read_row_is_of_task(row)) {
		put_word(o, place);
		return;
	}
	for (const char *c = place; *c; c++)
		if (*c != ' ')
			out_char(o, *c);
		else if (c[1] < '0' || c[1] > '9')
			out_char(o, '.');
	if (cfg->cgroups.num < 2 || !row->task)
		return;
	out_char(o, '.');
	put_word(o, read_target_name(cfg, row->event, place, sizeof(place)));
}

static void put_row(struct read_run *run, struct read_row *row)
{
	struct out *o = run->out;

	out_char(o, ' ');
	put_word(o, row->name);
	out_char(o, '@');
	put_place(o, row);
	out_char(o, '=');
	read_row_again(row);
	if (row->metric && row->metric_reading->status == UNCOREMSR_OK) {
		out_real(o, row->metric_reading->value, 6);
		put_word(o, row->measure);
	} else if (!row->metric && reading_has_value(row->reading)) {
		out_u64(o, row->reading->value);
	} else {
		out_str(o, "unknown:");
		put_word(o, row->word);
	}
	if (row->units_known && row->units_known < row->units)
		out_fmt(o, ":%uof%u", row->units_known, row->units);
}

void read_one_line(struct read_run *run)
{
	struct out *o = run->out;

	if (*run->cfg->host) {
		out_str(o, "host=");
		put_word(o, run->cfg->host);
		out_char(o, ' ');
	}
	out_str(o, "machine=");
	put_word(o, uncoremsr_machine(run->um)->name);
	if (machine_simulated_name(run->um))
		out_str(o, " numbers=SIMULATED");
	if (run->number) {
		out_str(o, " run=");
		out_u64(o, run->number);
	}
	out_str(o, " sequence=");
	out_u64(o, run->sequence);
	out_str(o, " timestamp=");
	out_timestamp(o, run->end_ns + run->wall_offset_ns, 9);
	out_str(o, " time=");
	out_fixed(o, run->end_ns - run->start_ns, 9);
	out_str(o, " interval=");
	out_fixed(o, run->end_ns - run->last_ns, 9);
	for (size_t i = 0; i < run->num_rows; i++)
		put_row(run, &run->rows[i]);
	out_char(o, '\n');
}
