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
	/* The last count, and how long the event has been enabled without a counter until then, in nanoseconds. */
	uint64_t count, missed;
};

struct um_region {
	struct um_access *access;
	struct um_perf_kernel *kernel;
	struct um_perf_events events;
	struct counter *counters;
	size_t num_counters;
	uint64_t *counts;
	bool *known;
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

static int read_counter(struct um_region *r, struct counter *c, struct um_error *e)
{
	uint64_t v[3];
	ssize_t got;

	if (c->page && um_perf_page_read(c->page, &c->count, &c->missed))
		return 0;
	got = r->kernel->ops->read(r->kernel, c->fd, v, sizeof(v));
	if (got < (ssize_t)sizeof(v))
		return um_fail(e, got < 0 ? (int)got : -ENODEV,
			       UNCOREMSR_ERROR_PARTIAL, "event '%s': reading failed",
			       r->events.events[c->event].name);
	c->count = v[0];
	c->missed = v[1] - v[2];
	return 0;
}

int um_perf_region_mark(struct um_region *r, bool begins, struct um_error *e)
{
	int first = 0;

	if (!begins && !r->inside)
		return UM_USAGE(e, "the region was not begun");
	for (size_t i = 0; i < r->num_counters; i++) {
		struct counter *c = &r->counters[i];
		uint64_t count = c->count, missed = c->missed;
		int err = read_counter(r, c, e);

		if (!begins && !err)
			r->counts[c->event] += c->count - count;
		if (!begins)
			r->known[c->event] &= !err && c->missed == missed;
		first = first ? first : err;
	}
	r->inside = begins && !first;
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
