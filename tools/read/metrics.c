/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Metrics as text, in units that people use: GB/s, not bytes per second. */
#include <math.h>

#include "read/read.h"

/* Write about four significant digits: "1.334 GB/s", "60.19 %", "0.01984 GB/s". */
static void put_value(struct out *o, double v, const char *unit)
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

void read_metric_text(struct out *o, const struct read_row *row, bool in_line)
{
	size_t start = o->len;

	if (row->metric_reading->status != UNCOREMSR_OK) {
		out_str(o, in_line ? "unknown (" : "unknown  ");
		out_str(o, row->word);
		out_str(o, ": ");
		out_str(o, row->detail);
		out_str(o, in_line ? ")" : "");
		return;
	}
	put_value(o, row->metric_reading->value, row->measure);
	if (!in_line)
		out_pad(o, start, 14, false);
	if (!read_row_is_whole(row))
		out_fmt(o, " (ok, %u of %u)", row->units_known, row->units);
	if (!row->run->takes_turns || !row->enabled_ns)
		return;
	out_str(o, " counted ");
	out_real(o, (double)row->running_ns * 100 / (double)row->enabled_ns, 1);
	out_char(o, '%');
}
