/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Metrics for people, with the units that they use. */
#include <math.h>
#include <string.h>

#include "read/read.h"

/* Four digits or so and a prefix: "1.334 GB/s", "60.19 %", "83.2 ns". */
static void put_value(struct out *o, double v, const char *unit)
{
	static const struct {
		double from;
		const char *prefix;
	} steps[] = {
		{ 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 1, "" }, { 1e-3, "m" }, { 1e-6, "u" },
		{ 1e-9, "n" },
	};
	const char *prefix = "";
	size_t i = 0;

	if (strcmp(unit, "ratio") == 0) {
		v *= 100;
		unit = "%";
	} else if (strcmp(unit, "clocks") != 0 && (v < 0 || v > 0)) {
		while (i + 1 < sizeof(steps) / sizeof(steps[0]) && fabs(v) < steps[i].from)
			i++;
		v /= steps[i].from;
		prefix = steps[i].prefix;
	}
	/* What will be rounded up to the next digit has it already. */
	out_real(o, v, fabs(v) < 9.9995 ? 3 : fabs(v) < 99.995 ? 2 : 1);
	out_char(o, ' ');
	out_str(o, prefix);
	out_text_str(o, unit);
}

void read_metric_text(struct out *o, const struct read_row *row, bool in_line)
{
	size_t start = o->len;

	if (row->metric_status != UNCOREMSR_OK) {
		out_str(o, in_line ? "unknown (" : "unknown  ");
		out_str(o, uncoremsr_status_word(row->metric_status));
		out_str(o, ": ");
		out_str(o, read_row_detail(row));
		out_str(o, in_line ? ")" : "");
		return;
	}
	put_value(o, row->metric_value, row->measure);
	if (!in_line)
		out_pad(o, start, 14, false);
	if (!read_row_is_whole(row))
		out_fmt(o, " (ok, %u of %u)",
			(unsigned)read_row_units(row, UNCOREMSR_READING_UNITS_KNOWN),
			(unsigned)read_row_units(row, UNCOREMSR_READING_UNITS));
	if (!row->run->takes_turns || !row->enabled_ns)
		return;
	out_str(o, " counted ");
	out_real(o, (double)row->running_ns * 100 / (double)row->enabled_ns, 1);
	out_char(o, '%');
}
