/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The public functions to open, enable, wait for and close sampling (samples: merge.c; recordings: recording.c). */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "machine/core_groups.h"
#include "sampling/sampling.h"

/* Maximum frequency of clock events: above it, sampling costs more than the samples are worth. */
enum { COSTLY_FREQUENCY = 20000 };

static uint64_t rate_limit(struct uncoremsr *um)
{
	char line[24];

	if (um_access_line(um->m.access, "proc/sys/kernel/perf_event_max_sample_rate", line, sizeof(line)) <= 0)
		return UINT64_MAX;
	return strtoull(line, NULL, 10) ?: UINT64_MAX;
}

static int choose_rate(struct uncoremsr_sampling *s, const struct uncoremsr_sampling_options *o)
{
	uint64_t limit = rate_limit(s->um), asked = o->frequency ?: UNCOREMSR_SAMPLING_FREQUENCY;

	if (o->period && o->frequency)
		return UM_USAGE(&s->um->error, "give a period or a frequency, not both");
	if (o->period > INT64_MAX)
		return UM_USAGE(&s->um->error, "the period is 2^63 or more, which the kernel does not accept");
	s->settings.by_frequency = !o->period;
	s->asked_frequency = o->frequency != 0;
	s->settings.period = o->period ? o->period : asked < limit ? asked : limit;
	if (o->period)
		return 0;
	if (asked > limit)
		um_warn(&s->um->m, "%" PRIu64 " samples per second: the kernel's limit is %" PRIu64
			" (kernel.perf_event_max_sample_rate), which is used instead", asked, limit);
	if (s->settings.period > COSTLY_FREQUENCY)
		um_warn(&s->um->m, "%" PRIu64 " samples per second and CPU take a large part of the CPU's time",
			s->settings.period);
	return 0;
}

static int choose_cpus(struct uncoremsr_sampling *s, const char *text)
{
	const struct um_cpuset *online = &s->um->m.topo.online;
	struct um_core_groups groups = { .num = 0 };
	int err;

	if (!text)
		return 0;
	err = um_core_groups_add(&groups, text, online->cpus[online->num - 1] + 1, &s->um->error);
	for (size_t i = 0; i < groups.num && !err; i++)
		if (um_cpuset_add_all(&s->cpus, &groups.cpus[i]))
			err = um_no_memory(&s->um->error);
	um_core_groups_free(&groups);
	return err || s->cpus.num ? err : UM_USAGE(&s->um->error, "the list of CPUs is empty");
}

static int choose_target(struct uncoremsr_sampling *s, const struct uncoremsr_sampling_options *o)
{
	bool system = o->target == UNCOREMSR_TARGET_SYSTEM;

	if (o->target > UNCOREMSR_TARGET_COMMAND || (!system && (!o->num_ids || !o->ids)))
		return UM_USAGE(&s->um->error, "no such target, or the id of a process is missing");
	s->target = o->target;
	if (system)
		return 0;
	s->ids = calloc(o->num_ids, sizeof(*s->ids));
	if (!s->ids)
		return um_no_memory(&s->um->error);
	s->num_ids = o->num_ids;
	memcpy(s->ids, o->ids, s->num_ids * sizeof(*s->ids));
	return 0;
}

/* Sample the default event: core cycles, or cpu-clock if there is no event for cycles. */
static int open_default(struct uncoremsr_sampling *s)
{
	static const char *const events[] = { "cycles:P", "cycles" };
	struct um_perf_sampling chosen = s->settings;
	int err = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(events) && err && !um_lacks_permission(err) && err != -ENOMEM; i++) {
		s->settings = chosen;
		err = um_sampling_open_events(s, events[i]);
	}
	if (err != -ENOENT && err != -EOPNOTSUPP && err != -ENOTSUP && err != -EINVAL)
		return err;
	s->settings = chosen;
	if (!s->settings.by_frequency)
		um_warn(&s->um->m, "cycles cannot be counted: sampling cpu-clock instead, every %" PRIu64 " ns",
			s->settings.period);
	else
		um_warn(&s->um->m, "cycles cannot be counted: sampling cpu-clock instead");
	return um_sampling_open_events(s, "cpu-clock");
}

int uncoremsr_sampling_open(struct uncoremsr *um, const struct uncoremsr_sampling_options *o,
			    struct uncoremsr_sampling **out)
{
	struct uncoremsr_sampling *s;
	struct um_error before;
	int err;

	if (!out)
		return -EINVAL;
	*out = NULL;
	err = um_check_open(um);
	if (err || !o)
		return err ? err : UM_USAGE(&um->error, "no options");
	if (o->flags & ~(unsigned)(UNCOREMSR_SAMPLING_CALLCHAIN | UNCOREMSR_SAMPLING_ADDRESS))
		return UM_USAGE(&um->error, "no such flag");
	before = um->error;
	s = calloc(1, sizeof(*s));
	if (!s)
		return um_no_memory(&um->error);
	s->um = um;
	s->settings.sample_type = (o->flags & UNCOREMSR_SAMPLING_CALLCHAIN ? PERF_SAMPLE_CALLCHAIN : 0u) |
				  (o->flags & UNCOREMSR_SAMPLING_ADDRESS ? PERF_SAMPLE_ADDR : 0u);
	err = choose_rate(s, o) ?: choose_target(s, o) ?: choose_cpus(s, o->cpus) ?:
	      (o->events ? um_sampling_open_events(s, o->events) : open_default(s));
	if (err) {
		uncoremsr_sampling_close(s);
		return err;
	}
	um_fail_as(&um->error, &before); /* forget failures of attempts before the one that succeeded */
	*out = s;
	return 0;
}

void uncoremsr_sampling_close(struct uncoremsr_sampling *s)
{
	if (!s)
		return;
	um_recording_drop(s);
	um_sampling_close_events(s);
	um_cpuset_free(&s->cpus);
	free(s->ids);
	free(s);
}

int uncoremsr_sampling_enable(struct uncoremsr_sampling *s, int on)
{
	int err = s ? um_check_process(&s->um->m, &s->um->error) : -EINVAL;

	if (err)
		return err;
	s->off = !on;
	/* The kernel enables the events when COMMAND execs. A simulated kernel does not see that: enable them here. */
	if (on && s->target == UNCOREMSR_TARGET_COMMAND && !s->um->m.access->simulated)
		return 0;
	for (const struct um_stream *t = s->streams; t < s->streams + s->num_streams; t++) {
		err = s->kernel->ops->enable(s->kernel, t->fd, on);
		if (err)
			return um_fail(&s->um->error, err, UNCOREMSR_ERROR_UNSUPPORTED,
				       "event '%s': could not be switched %s: %s", s->names[t->sampled],
				       on ? "on" : "off", strerror(-err));
	}
	return 0;
}

int uncoremsr_sampling_wait(struct uncoremsr_sampling *s, int fd, int timeout_ms)
{
	struct pollfd *own;
	bool runs = false;
	int ready = s ? um_check_process(&s->um->m, &s->um->error) : -EINVAL;

	if (ready)
		return ready;
	for (size_t i = 0; i < s->num_rings; i++) {
		const struct um_sampling_ring *r = &s->rings[i];
		bool has_task = r->polled < r->first + r->num;

		s->polled[i] = (struct pollfd){ .fd = has_task ? s->streams[r->polled].fd : -1, .events = POLLIN };
		runs |= has_task;
	}
	if (!runs)
		return -ENODATA;
	own = &s->polled[s->num_rings];
	*own = (struct pollfd){ .fd = fd, .events = POLLIN };
	ready = s->kernel->ops->wait(s->kernel, s->polled, s->num_rings + 1, timeout_ms);
	if (ready < 0)
		return ready;
	/* A stream whose task has ended would make every poll() return at once, so poll the next stream of its ring. */
	for (size_t i = 0; i < s->num_rings; i++)
		s->rings[i].polled += (s->polled[i].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
	if (own->revents & POLLNVAL)
		return um_fail(&s->um->error, -EBADF, UNCOREMSR_ERROR_USAGE, "descriptor %d is not open", fd);
	return fd >= 0 && own->revents;
}

const struct uncoremsr_sampling_state *uncoremsr_sampling_state(struct uncoremsr_sampling *s)
{
	if (!s)
		return NULL;
	s->state = (struct uncoremsr_sampling_state){
		.size = sizeof(s->state), .events = (const char *const *)s->names,
		.samples = s->tally.samples, .lost = s->tally.lost, .throttled = s->tally.throttled,
		.bytes = s->file.data_offset + s->file.data_size + s->file.facts_size,
		.rate = um_sampling_rate(s), .rings = s->num_rings,
		/* A sample has a header, and 8 bytes for each sampled field (for a call chain, its length). */
		.sample_bytes = 8 + 8 * (uint64_t)__builtin_popcountll(s->settings.sample_type),
		.cost_ns = um_sampling_cost(s),
	};
	return &s->state;
}
