/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncore-events period: the start value (preset) with which a counter overflows after a number of events or a time, and
 * the reverse. A counter of W bits overflows when it goes from 2^W - 1 to 0, after 2^W - preset events.
 */
#include <stdio.h>

#include "common/number.h"
#include "events/events.h"

__extension__ typedef unsigned __int128 wide;

#define NS_PER_S UINT64_C(1000000000)
#define MOST_HZ (UINT64_C(1000) * NS_PER_S)

struct period {
	uint64_t width, hz, preset;
	wide period;        /* up to 2^64 */
	bool rounded;
	char text[24];      /* the period, in decimal */
};

/* ---- for programs ---- */

static double seconds(const struct period *p)
{
	return (double)p->period / (double)p->hz;
}

/* Is the period too long to be shown as a time? */
static bool is_endless(const struct period *p)
{
	return seconds(p) >= 0x1p62;
}

static enum record_state get_interval(const void *row, struct record_value *v)
{
	if (is_endless(row))
		return RECORD_UNKNOWN;
	v->real = seconds(row);
	v->digits = v->real < 1 ? 15 : v->real < 1e6 ? 9 : 3;
	return RECORD_KNOWN;
}

static enum record_state get_period(const void *row, struct record_value *v)
{
	return value_text(v, ((const struct period *)row)->text);
}

static const struct record_column columns[] = {
	{ "width", RECORD_INT, RECORD_AT(period, width) },
	{ "frequency_hz", RECORD_INT, RECORD_AT(period, hz) },
	{ "preset", RECORD_WORD, RECORD_AT(period, preset), .all_ones = true },
	{ "period", RECORD_STR, .get = get_period },
	{ "interval_s", RECORD_REAL, .get = get_interval },
};

/* ---- for people ---- */

static void show(struct events *e, const struct period *p)
{
	struct out *o = &e->out;
	unsigned width = (unsigned)p->width;
	uint64_t largest = UINT64_MAX >> (64 - width);

	out_fmt(o, "a counter of %u bits, counting at %llu Hz\n", width, (unsigned long long)p->hz);
	out_fmt(o, "preset    0x%llx (%llu) = 2^%u - period\n", (unsigned long long)p->preset,
		(unsigned long long)p->preset, width);
	out_fmt(o, "period    %s tick%s from the preset to the overflow%s\n", p->text, p->period == 1 ? "" : "s",
		p->rounded ? ", rounded to the nearest" : "");
	out_str(o, "interval  ");
	if (is_endless(p)) {
		out_str(o, "more than 2^62 s\n");
	} else {
		out_real(o, seconds(p), seconds(p) < 1 ? 12 : 6);
		out_str(o, " s, ");
		out_real(o, 1 / seconds(p), 1 / seconds(p) < 10 ? 6 : 2);
		out_str(o, " overflows per second\n");
	}
	/* Many manuals subtract N from the largest value. With that preset the counter overflows one event too late. */
	if (e->preset && p->period > 1 && p->preset)
		out_fmt(o, "note      0x%llx - 0x%llx is this preset, too: a counter that starts at the largest "
			"value minus N overflows after N + 1 ticks\n", (unsigned long long)largest,
			(unsigned long long)(p->period - 1));
}

/* ---- the command line ---- */

/* Compute preset and period from the option that was given, of --preset, --period and --interval. */
static int compute(const struct events *e, struct period *p)
{
	const char *option = e->preset ? "--preset" : e->period ? "--period" : "--interval";
	const char *text = e->preset ? e->preset : e->period ? e->period : e->interval;
	const wide most = (wide)1 << p->width;
	uint64_t number;
	int status = e->interval ? option_seconds(option, text, &number)
				 : option_number(option, text, 0, UINT64_MAX, &number);

	if (status)
		return status;
	if (e->preset && number >= most)
		return tool_usage("%s: %s: a counter of %u bits holds up to 0x%llx", option, text, (unsigned)p->width,
				  (unsigned long long)(most - 1));
	p->period = e->preset ? most - number : number;
	if (e->interval) {
		wide scaled = (wide)number * p->hz;

		p->rounded = scaled % NS_PER_S != 0;
		p->period = (scaled + NS_PER_S / 2) / NS_PER_S;
	}
	if (!p->period)
		return tool_usage("%s: %s: less than one tick of this counter", option, text);
	if (p->period > most)
		return tool_usage("%s: %s: a counter of %u bits overflows after 2^%u ticks at the latest", option, text,
				  (unsigned)p->width, (unsigned)p->width);
	p->preset = (uint64_t)(most - p->period);
	return 0;
}

int events_period(struct events *e)
{
	struct period p = { .width = 0 };
	int given = !!e->preset + !!e->period + !!e->interval, status;

	if (!e->width || !e->frequency)
		return tool_usage("period: --width and --frequency of the counter are needed");
	if (given != 1)
		return tool_usage("period: one of --preset, --period and --interval is needed%s",
				  given ? ", not more" : "");
	status = option_number("--width", e->width, 1, 64, &p.width);
	if (!status)
		status = option_number("--frequency", e->frequency, 1, MOST_HZ, &p.hz);
	if (!status)
		status = compute(e, &p);
	if (status)
		return status;
	if (p.period > UINT64_MAX)
		snprintf(p.text, sizeof(p.text), "18446744073709551616"); /* 2^64, larger than a uint64_t */
	else
		snprintf(p.text, sizeof(p.text), "%llu", (unsigned long long)p.period);
	if (records_for_people(&e->w)) {
		show(e, &p);
		return TOOL_DONE;
	}
	record_head(&e->w, RECORD_COLUMNS(columns));
	record_row(&e->w, RECORD_COLUMNS(columns), &p);
	return TOOL_DONE;
}
