/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Count events of the calling thread between two calls. The kernel's page is read without a system call if the
 * processor lets user space read its counters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf/count.h"
#include "perf/page.h"
#include "perf/region.h"

/* One counter of an event; on hybrid processors an event has one for each core type. */
struct counter {
	size_t event;
	int fd;
	void *page;                  /* NULL: use read() */
	uint64_t begin, missed;
};

struct um_region {
	struct um_access *access;
	struct um_perf_kernel *kernel;
	struct um_perf_events events;
	struct counter *counters;
	size_t num_counters;
	uint64_t *counts;
	bool *known;                 /* the count is known: a unit of the event is open, and nothing was missed */
	bool inside;
};

static int open_unit(struct um_region *r, size_t event, unsigned unit, struct um_error *e)
{
	const struct um_perf_event *ev = &r->events.events[event];
	struct counter *c = &r->counters[r->num_counters];

	c->fd = um_perf_open_event(r->kernel, ev->units[unit].attr, 0, -1, -1, 0);
	if (c->fd < 0)
		return um_perf_explain(r->access, ev, unit, -1, 0, c->fd, e);
	c->event = event;
	c->page = r->kernel->ops->map ? r->kernel->ops->map(r->kernel, c->fd) : NULL;
	r->known[event] = true;
	r->num_counters++;
	return 0;
}

static int open_all(struct um_region *r, struct um_error *error)
{
	struct um_error first = { .msg = "" };
	size_t units = 0;
	int err = 0;

	for (size_t i = 0; i < r->events.num; i++)
		units += r->events.events[i].num_units;
	r->counters = calloc(units + 1, sizeof(*r->counters));
	r->counts = calloc(r->events.num + 1, sizeof(*r->counts));
	r->known = calloc(r->events.num + 1, sizeof(*r->known));
	if (!r->counters || !r->counts || !r->known)
		return um_no_memory(error);
	for (size_t i = 0; i < r->events.num; i++)
		for (unsigned u = 0; u < r->events.events[i].num_units; u++) {
			struct um_error e;
			int failed = open_unit(r, i, u, &e);

			if (!failed || err)
				continue;
			err = failed;
			um_fail_as(&first, &e);
		}
	if (r->num_counters)
		return 0;
	um_fail_as(error, &first);
	return err;
}

int um_perf_region_open(struct um_region **out, const struct um_machine *m,
			struct um_perf_events *events, struct um_error *e)
{
	struct um_region *r = calloc(1, sizeof(*r));
	int err;

	*out = NULL;
	if (!r)
		return um_no_memory(e);
	r->access = m->access;
	r->events = *events;
	*events = (struct um_perf_events){ .num = 0 };
	err = m->kernel(m->kernel_user, &r->kernel, e) ?: open_all(r, e);
	if (err)
		um_perf_region_free(r);
	else
		*out = r;
	return err;
}

void um_perf_region_free(struct um_region *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->num_counters; i++) {
		if (r->counters[i].page)
			r->kernel->ops->unmap(r->kernel, r->counters[i].page);
		r->kernel->ops->close(r->kernel, r->counters[i].fd);
	}
	um_perf_events_free(&r->events);
	free(r->counters);
	free(r->counts);
	free(r->known);
	free(r);
}

/* *missed becomes the time in which the event was enabled without a counter. */
static int look(struct um_region *r, const struct counter *c, uint64_t *value,
		uint64_t *missed, struct um_error *e)
{
	uint64_t v[3];
	ssize_t got;

	if (c->page && um_perf_page_read(c->page, value, missed))
		return 0;
	got = r->kernel->ops->read(r->kernel, c->fd, v, sizeof(v));
	if (got < (ssize_t)sizeof(v))
		return um_fail(e, got < 0 ? (int)got : -ENODEV,
			       UNCOREMSR_ERROR_PARTIAL, "event '%s': reading failed",
			       r->events.events[c->event].name);
	*value = v[0];
	*missed = v[1] - v[2];
	return 0;
}

static int begin(struct um_region *r, struct um_error *e)
{
	int err = 0;

	for (size_t i = 0; i < r->num_counters && !err; i++)
		err = look(r, &r->counters[i], &r->counters[i].begin, &r->counters[i].missed, e);
	r->inside = !err;
	return err;
}

int um_perf_region_mark(struct um_region *r, bool begins, struct um_error *e)
{
	int first = 0;

	if (begins)
		return begin(r, e);
	if (!r->inside)
		return UM_USAGE(e, "the region was not begun");
	for (size_t i = 0; i < r->num_counters; i++) {
		const struct counter *c = &r->counters[i];
		uint64_t now, missed;
		int err = look(r, c, &now, &missed, e);

		if (!err)
			r->counts[c->event] += now - c->begin;
		r->known[c->event] &= !err && missed == c->missed;
		first = first ? first : err;
	}
	r->inside = false;
	return first;
}

bool um_perf_region_count(const struct um_region *r, size_t event, struct uncoremsr_region_count *count)
{
	if (event >= r->events.num)
		return false;
	count->name = r->events.events[event].name;
	count->count = r->known[event] ? r->counts[event] : UINT64_MAX;
	return true;
}
