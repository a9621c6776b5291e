/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters that are asked for by their number. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/session.h"

static int refuse_counter(struct um_msr_session *s, const struct um_encoding *ev, unsigned counter)
{
	struct um_error *e = s->error;

	if (ev->fixed >= 0)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s is counted by its own fixed counter only", ev->name);
	if (counter >= ev->pmu->num_general)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "counter %u does not exist: %s has general counters 0 to %u",
			       counter, ev->pmu->units.max > 1 || ev->pmu->only_on_request ? ev->pmu->name
			       : um_processor_name(s->m), ev->pmu->num_general - 1);
	if (!(ev->counters >> counter & 1))
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "counter %u cannot count %s",
			       counter, ev->name);
	return 0;
}

static bool same_units(const struct um_encoding *a, const struct um_encoding *b)
{
	return a->pmu == b->pmu && (a->unit < 0 || b->unit < 0 || a->unit == b->unit);
}

int um_msr_set_counter(struct um_msr_session *s, size_t event, unsigned counter)
{
	struct um_encoding *ev = &s->events.events[event];
	int err = refuse_counter(s, ev, counter);

	if (err)
		return err;
	for (size_t i = 0; i < s->events.num; i++)
		if (i != event && same_units(&s->events.events[i], ev) &&
		    s->events.events[i].counter == (int)counter)
			return um_fail(s->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "counter %u was already asked for by %s", counter,
				       s->events.events[i].name);
	ev->counter = (int)counter;
	return 0;
}
