/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TOOL_COUNTED_H
#define TOOL_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "uncoremsr.h"
#include "uncoremsr/names.h"

/* Length of the first event, group or metric of @text. Commas within slashes, braces and brackets do not end it. */
static inline size_t counted_text_len(const char *text)
{
	bool slashes = false, braces = false, brackets = false;
	size_t len = 0;

	for (; text[len] && (slashes || braces || brackets || text[len] != ','); len++) {
		slashes ^= text[len] == '/';
		braces = text[len] == '{' || (braces && text[len] != '}');
		brackets = text[len] == '[' || (brackets && text[len] != ']');
	}
	return len;
}

static inline size_t counted_num_events(const struct uncoremsr_session *s)
{
	size_t num = 0;

	while (uncoremsr_session_event(s, num))
		num++;
	return num;
}

/* The name of an event of the session, or of a metric; NULL past the end. */
static inline const char *counted_name(const struct uncoremsr_session *s, bool metric, size_t i)
{
	const struct uncoremsr_counted *ev = metric ? NULL : uncoremsr_session_event(s, i);
	const struct uncoremsr_event *m = metric ? uncoremsr_session_metric(s, i) : NULL;

	return ev ? ev->name : m ? m->name : NULL;
}

/* Is the value known? If the status is OK, even UINT64_MAX is a known value. */
static inline bool reading_has_value(const struct uncoremsr_reading *r)
{
	return r->status == UNCOREMSR_OK || r->value != UINT64_MAX;
}

/* Index of the first event in the formula of a metric; SIZE_MAX: none of its events is counted. */
static inline size_t counted_metric_event(const struct uncoremsr_session *s, size_t metric)
{
	const struct uncoremsr_metric_reading *r =
		uncoremsr_session_metric_reading(s, metric, UNCOREMSR_PLACE_EVERYWHERE, 0, UNCOREMSR_INTERVAL);
	const struct uncoremsr_metric_input *in;

	for (size_t i = 0; r && (in = r->inputs[i]); i++)
		if (in->event != SIZE_MAX)
			return in->event;
	return SIZE_MAX;
}

/* NULL: the route has no name, as that of a metric without events. */
static inline const char *counted_route_word(enum uncoremsr_route route)
{
	static const char *const words[] = {
		[UNCOREMSR_ROUTE_AUTO] = "auto", [UNCOREMSR_ROUTE_MSR] = "msr",
		[UNCOREMSR_ROUTE_PERF] = "perf", [UNCOREMSR_ROUTE_MEMORY] = "memory",
	};

	return (size_t)route < ARRAY_SIZE(words) ? words[route] : NULL;
}

#endif
