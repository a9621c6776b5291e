/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Count events of the calling thread, through the first route that supports regions. */
#include <errno.h>
#include <stdlib.h>

#include "session/session.h"

struct uncoremsr_region {
	struct uncoremsr_session *s;
	const struct um_route *route;
	struct um_region *counters;
	struct uncoremsr_region_count count;
};

int uncoremsr_region_new(struct uncoremsr *um, const char *events, struct uncoremsr_region **out)
{
	struct um_written w = { NULL, 0 };
	struct uncoremsr_region *r;
	struct um_error before;
	enum um_answer answer;
	size_t i = 0;
	int err = um_check_given(um, out, "region");

	if (out)
		*out = NULL;
	if (err)
		return err;
	if (!events)
		return UM_USAGE(&um->error, "no event");
	before = um->error;
	r = calloc(1, sizeof(*r));
	if (!r)
		return um_no_memory(&um->error);
	err = uncoremsr_session_new(um, &r->s) ?: um_scan_events(&w, events, &um->error);
	while (!err && i < r->s->num_parts && !r->s->parts[i].route->region_open)
		i++;
	if (!err && i == r->s->num_parts)
		err = um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			      "nothing on this machine can count a single thread");
	if (!err) {
		r->route = r->s->parts[i].route;
		err = r->route->claim(r->s->parts[i].state, w.events, w.num, true, &answer, &um->error) ?:
		      r->route->region_open(r->s->parts[i].state, &r->counters, &um->error);
	}
	um_written_free(&w);
	if (err) {
		uncoremsr_region_free(r);
		return err;
	}
	um_fail_as(&um->error, &before);
	*out = r;
	return 0;
}

void uncoremsr_region_free(struct uncoremsr_region *r)
{
	if (!r)
		return;
	if (r->counters)
		r->route->region_free(r->counters);
	uncoremsr_session_free(r->s);
	free(r);
}

/* A child process is refused: it has neither the counters nor the mapped page through which they are read. */
static int mark(struct uncoremsr_region *r, bool begin)
{
	int err = r ? um_check_process(&r->s->um->m, &r->s->um->error) : -EINVAL;

	return err ? err : r->route->region_mark(r->counters, begin, &r->s->um->error);
}

int uncoremsr_region_begin(struct uncoremsr_region *r)
{
	return mark(r, true);
}

int uncoremsr_region_end(struct uncoremsr_region *r)
{
	return mark(r, false);
}

const struct uncoremsr_region_count *uncoremsr_region_count(struct uncoremsr_region *r, size_t event)
{
	if (!r || !r->route->region_count(r->counters, event, &r->count))
		return NULL;
	r->count.size = sizeof(r->count);
	return &r->count;
}
