/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The only file of the series that knows readings: the agent's outputs have none, and are built without the library. */
#include "common/series.h"

/* An interval that is unknown adds nothing: what it was is not made up. */
void series_put_counted(struct series *s, const struct series_labels *l, struct series_total *since,
			const struct uncoremsr_reading *r, enum uncoremsr_status status)
{
	uint64_t value, counted, enabled_ns = 0, running_ns = 0, known = 0, of = 0;

	if (uncoremsr_reading_number(r, UNCOREMSR_READING_VALUE, &value) < 0 ||
	    uncoremsr_reading_number(r, UNCOREMSR_READING_COUNTED, &counted) < 0) {
		s->format->unknown(s, l, uncoremsr_status_word(status));
		return;
	}
	uncoremsr_reading_number(r, UNCOREMSR_READING_ENABLED_NS, &enabled_ns);
	uncoremsr_reading_number(r, UNCOREMSR_READING_RUNNING_NS, &running_ns);
	since->value += value;
	since->counted += counted;
	since->enabled_ns += enabled_ns;
	since->running_ns += running_ns;
	s->format->event(s, l, since);
	/* Mark a sum as partial if units are missing. */
	uncoremsr_reading_number(r, UNCOREMSR_READING_UNITS_KNOWN, &known);
	uncoremsr_reading_number(r, UNCOREMSR_READING_UNITS, &of);
	if (known < of)
		s->format->unknown(s, l, "partial");
}
