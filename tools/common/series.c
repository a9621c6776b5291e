/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/series.h"

#include <stdlib.h>
#include <unistd.h>

void series_init(struct series *s, const struct tool_common *common, struct out *out,
		 uint64_t interval_ns)
{
	const char *host = getenv("COLLECTD_HOSTNAME"); /* of collectd's exec plugin */

	*s = (struct series){ .out = out, .format = common->series, .interval_ns = interval_ns,
			     .values = SERIES_COUNTER | SERIES_FOUR };
	if (host && *host && strlen(host) < sizeof(s->host))
		memcpy(s->host, host, strlen(host) + 1);
	else if (gethostname(s->host, sizeof(s->host) - 1) < 0 || !*s->host)
		memcpy(s->host, "localhost", sizeof("localhost"));
	for (size_t i = 0; i < SERIES_FAMILIES; i++)
		out_init(&s->bodies[i], -1);
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < SERIES_FAMILIES; i++)
		out_free(&s->bodies[i]);
}

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
	/* A sum from which units are missing is not to be taken for all of them. */
	uncoremsr_reading_number(r, UNCOREMSR_READING_UNITS_KNOWN, &known);
	uncoremsr_reading_number(r, UNCOREMSR_READING_UNITS, &of);
	if (known < of)
		s->format->unknown(s, l, "partial");
}
