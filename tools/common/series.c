/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/series.h"

#include <stdlib.h>
#include <unistd.h>

#define TEXT(name, member) { name, offsetof(struct series_labels, member), false }
#define NUMBER(name, member) { name, offsetof(struct series_labels, member), true }

const struct series_label series_label_table[SERIES_NUM_LABELS] = {
	TEXT("machine", machine), NUMBER("package", package), NUMBER("die", die), NUMBER("core", core),
	TEXT("cpu", cpus), NUMBER("cpu", cpu), NUMBER("unit", unit), TEXT("pmu", pmu), TEXT("event", event),
	TEXT("metric", metric), TEXT("measure", measure), TEXT("cause", cause), TEXT("route", route),
	TEXT("reason", reason), TEXT(NULL, unit_name), TEXT(NULL, group), NUMBER(NULL, type),
};

void series_init(struct series *s, const struct series_format *format, struct out *out, uint64_t interval_ns)
{
	const char *host = getenv("COLLECTD_HOSTNAME"); /* set by collectd's exec plugin */

	*s = (struct series){ .out = out, .format = format, .interval_ns = interval_ns,
			     .values = SERIES_COUNTER | SERIES_FOUR };
	if (host && *host && strlen(host) < sizeof(s->host))
		memcpy(s->host, host, strlen(host) + 1);
	else if (gethostname(s->host, sizeof(s->host) - 1) < 0 || !*s->host)
		memcpy(s->host, "localhost", sizeof("localhost"));
	for (size_t i = 0; i < SERIES_BODIES; i++)
		out_init(&s->bodies[i], -1);
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < SERIES_BODIES; i++)
		out_free(&s->bodies[i]);
}
