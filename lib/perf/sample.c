/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read the counters: one call for each group or single event. Counts are scaled interval by interval, so their sum
 * never falls. If the value of the whole time were scaled (value * enabled / running), the result could fall when the
 * ratio changes (collectd issue 3482).
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "perf/count.h"

__extension__ typedef unsigned __int128 wide;

/*
 * An event's time may differ from ours by the duration of a read or a tick of a coarse clock. If it lags by more, check
 * whether its CPU was offline.
 */
enum { LAG_NS = 10000000 };

/* Returns count * enabled / running; the fraction is carried over to the next call. */
static uint64_t scale(struct um_perf_instance *in, uint64_t count, uint64_t enabled, uint64_t running)
{
	wide product = (wide)count * enabled;
	wide whole = product / running;
	uint64_t fraction = (uint64_t)((product % running << 32) / running) + in->rest;

	in->rest = (uint32_t)fraction;
	whole += fraction >> 32;
	return whole > UINT64_MAX ? UINT64_MAX : (uint64_t)whole;
}

static void account(struct um_perf_count *c, struct um_perf_instance *in, uint64_t raw,
		    uint64_t enabled, uint64_t running, uint64_t now)
{
	uint64_t count = raw - in->raw, more = enabled - in->enabled, ran = running - in->running;

	in->stalled = !more && now > in->seen && !um_perf_counts_tasks(c, in);
	in->lags = c->running && !um_perf_counts_tasks(c, in) && now > in->seen + more + LAG_NS;
	in->seen = now;
	if (in->missed && in->trouble == UNCOREMSR_FAILED)
		in->trouble = UNCOREMSR_OK; /* this read includes the counts that the failed read missed */
	in->missed = false;
	if (c->events.events[in->event].snapshot)
		in->counted = in->value = raw;
	else if (ran) {
		in->counted += count;
		in->value += ran == more ? count : scale(in, count, more, ran);
	} else if (count && !more) {
		um_perf_mark(in, UNCOREMSR_NOT_COUNTED,
				"the event counted, but its running time in the kernel did not advance");
	}
	in->enabled_ns += more;
	in->running_ns += ran;
	in->raw = raw;
	in->enabled = enabled;
	in->running = running;
	in->reading.raw = in->total.raw = raw;
	in->reading.have_raw = in->total.have_raw = true;
}

static int failed(struct um_perf_instance *in, int err)
{
	char why[96];

	snprintf(why, sizeof(why), "reading failed: %s", strerror(-err));
	um_perf_mark(in, UNCOREMSR_FAILED, why);
	in->missed = true;
	in->reading.have_raw = in->total.have_raw = false;
	return err;
}

/* If the read returns 0 bytes, the event is pinned and has lost its counter. */
static int read_alone(struct um_perf_count *c, struct um_perf_instance *in, uint64_t now)
{
	uint64_t v[4];
	ssize_t got = c->kernel->ops->read(c->kernel, in->fd, v, sizeof(v));

	if (got < 0)
		return failed(in, (int)got);
	if (got < (ssize_t)(3 * sizeof(*v))) {
		um_perf_mark(in, UNCOREMSR_LOST, "no counter was left for this pinned event");
		return -ENODEV;
	}
	account(c, in, v[0], v[1], v[2], now);
	return 0;
}

/*
 * Find the open member with this id; -1: none. The kernel returns members in the order of the list, so search from
 * @from on first, then from the leader.
 */
static int member_with(const struct um_perf_count *c, int leader, int from, uint64_t id)
{
	const struct um_perf_instance *in = c->instances;

	for (int i = from; i >= 0; i = in[i].next)
		if (in[i].id == id && in[i].fd >= 0)
			return i;
	for (int i = leader; i >= 0 && i != from; i = in[i].next)
		if (in[i].id == id && in[i].fd >= 0)
			return i;
	return -1;
}

/*
 * Store a value of a group read in the open member with this id, if there is one. Returns the index from which to
 * search for the next member.
 */
static int account_member(struct um_perf_count *c, size_t leader, int from, uint64_t id, uint64_t value,
			  const uint64_t *v, uint64_t now)
{
	int i = member_with(c, (int)leader, from, id);

	if (i < 0)
		return from;
	account(c, &c->instances[i], value, v[1], v[2], now);
	return c->instances[i].next;
}

static int failed_group(struct um_perf_count *c, struct um_perf_instance *leader, ssize_t got)
{
	int err = got < 0 ? (int)got : -ENODEV;

	for (struct um_perf_instance *in = leader; in; in = um_perf_next(c, in)) {
		if (in->fd < 0)
			continue;
		if (got < 0)
			failed(in, err);
		else
			um_perf_mark(in, UNCOREMSR_LOST, "no counters were left for this pinned group");
	}
	return err;
}

/* The kernel breaks up a group whose CPU goes offline: read each member alone. */
static void read_members(struct um_perf_count *c, size_t leader, uint64_t now)
{
	uint64_t *v = c->buffer;

	for (int i = c->instances[leader].next; i >= 0; i = c->instances[i].next) {
		struct um_perf_instance *in = &c->instances[i];

		if (in->fd >= 0 && in->seen != now &&
		    c->kernel->ops->read(c->kernel, in->fd, v, c->buffer_size) >=
			    (ssize_t)(5 * sizeof(*v)))
			(void)account_member(c, leader, i, v[4], v[3], v, now);
	}
}

static int read_group(struct um_perf_count *c, size_t leader, uint64_t now)
{
	uint64_t *v = c->buffer;
	ssize_t got = c->kernel->ops->read(c->kernel, c->instances[leader].fd, v, c->buffer_size);
	int at = (int)leader;

	if (got < (ssize_t)(3 * sizeof(*v)) || (size_t)got < (3 + 2 * v[0]) * sizeof(*v))
		return failed_group(c, &c->instances[leader], got);
	for (uint64_t i = 0; i < v[0]; i++)
		at = account_member(c, leader, at, v[4 + 2 * i], v[3 + 2 * i], v, now);
	if (c->instances[leader].stalled || v[0] == 1)
		read_members(c, leader, now);
	return 0;
}

/* The PMU of the instance if the PMU's core type has no CPU online, so that a task cannot have run there; else NULL. */
static const struct um_kernel_pmu *away_kind(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	struct um_kernel_pmu *pmu = um_perf_unit_of(c, in)->pmu;

	if (in->running_ns || !pmu || !um_kernel_pmu_is_away(pmu) || um_kernel_pmu_reload_cpus(pmu))
		return NULL;
	return um_kernel_pmu_is_away(pmu) ? pmu : NULL;
}

/*
 * The time of a task's event advances only while the task runs. A task that slept has caused no events, so its count is
 * 0.
 */
static void fill(struct um_reading *r, const struct um_kernel_pmu *away, bool task, uint64_t now)
{
	r->time_ns = now;
	if (task && !r->enabled_ns)
		return;
	if (r->status == UNCOREMSR_OK && !r->running_ns) {
		r->status = UNCOREMSR_NOT_COUNTED;
		if (away)
			snprintf(r->detail, sizeof(r->detail), UM_NO_CPU_OF_KIND, away->name);
		else
			snprintf(r->detail, sizeof(r->detail), "%s",
				 r->enabled_ns ? "the kernel gave the event no counter in this interval"
					       : "the event was never switched on in this interval");
	} else if (r->status == UNCOREMSR_NOT_COUNTED && r->running_ns) {
		r->status = UNCOREMSR_OK;
	}
}

static void close_interval(struct um_perf_count *c, struct um_perf_instance *in, uint64_t now)
{
	struct um_reading *r = &in->reading, *total = &in->total;
	const struct um_kernel_pmu *away = away_kind(c, in);
	bool level = c->events.events[in->event].snapshot;
	bool task = um_perf_counts_tasks(c, in);

	r->counted = in->counted;
	r->value = in->value;
	r->enabled_ns = in->enabled_ns;
	r->running_ns = in->running_ns;
	r->status = UNCOREMSR_OK;
	if (in->trouble != UNCOREMSR_OK) {
		um_reading_spoil(r, in->trouble, in->detail);
		um_reading_spoil(total, in->trouble, in->detail);
	} else if (total->status == UNCOREMSR_FAILED || !total->time_ns) {
		total->status = UNCOREMSR_OK; /* the first read, or the kernel went on counting while reading failed */
	}
	if (in->late && !in->missed && !level && in->trouble == UNCOREMSR_OK)
		um_reading_spoil(r, UNCOREMSR_FAILED, UM_LATE);
	in->late = in->missed;
	total->counted = level ? in->counted : total->counted + in->counted;
	total->value = level ? in->value : total->value + in->value;
	total->enabled_ns += in->enabled_ns;
	total->running_ns += in->running_ns;
	fill(r, away, task, now);
	fill(total, away, task, now);
	in->counted = in->value = in->enabled_ns = in->running_ns = 0;
	if (in->fd >= 0)
		in->trouble = UNCOREMSR_OK;
}

/*
 * On a hybrid processor a task has one event per core type. The enabled time of each also advances while the task runs
 * on another type, but that is no multiplexing, so do not scale by it. Only the time in which no event counted is
 * multiplexing; it is shared out in proportion to the running times.
 */
static void share_kinds(struct um_perf_count *c, const struct um_perf_instance *first)
{
	size_t from = c->first[first->event], end = c->first[first->event + 1];
	uint64_t enabled = 0, running = 0;

	for (size_t i = from; i < end; i++) {
		const struct um_perf_instance *in = &c->instances[i];

		if (in->pid != first->pid)
			continue;
		running += in->running_ns;
		enabled = in->enabled_ns > enabled ? in->enabled_ns : enabled;
	}
	enabled = enabled > running ? enabled : running;
	for (size_t i = from; i < end && running; i++) {
		struct um_perf_instance *in = &c->instances[i];

		if (in->pid != first->pid)
			continue;
		in->value = (uint64_t)((wide)in->counted * enabled / running);
		in->enabled_ns = (uint64_t)((wide)in->running_ns * enabled / running);
	}
}

/* Did the event's CPU go offline and come back within the interval? Then the event's enabled time stands still. */
static bool is_dead(struct um_perf_count *c, const struct um_perf_instance *in)
{
	uint64_t *v = c->buffer;

	return c->kernel->ops->read(c->kernel, in->fd, v, c->buffer_size) >=
		       (ssize_t)(3 * sizeof(*v)) && v[1] == in->enabled;
}

static int read_one(struct um_perf_count *c, size_t i, uint64_t now, bool close)
{
	struct um_perf_instance *in = &c->instances[i];
	int err;

	if (in->away && close && in->leader < 0 && !um_perf_is_gone(c, in))
		um_perf_reopen(c, in);
	if (in->fd < 0 || (in->grouped && in->leader >= 0))
		return 0;
	err = in->grouped ? read_group(c, i, now) : read_alone(c, in, now);
	if (close && (in->stalled || um_perf_is_gone(c, in) || (in->lags && is_dead(c, in))))
		um_perf_reopen(c, in);
	return err;
}

int um_perf_count_read(struct um_perf_count *c, uint64_t now, bool close, struct um_error *e)
{
	int first = 0;

	if (!c->running)
		now = c->stopped_ns;
	if (close)
		um_perf_look(c);
	for (size_t i = 0; i < c->num_instances; i++) {
		int err = read_one(c, i, now, close);

		if (err && !first)
			first = um_fail(e, err, UNCOREMSR_ERROR_PARTIAL, "event '%s': %s",
					c->events.events[c->instances[i].event].name,
					c->instances[i].detail);
	}
	for (size_t i = 0; close && i < c->num_instances; i++) {
		const struct um_perf_instance *in = &c->instances[i];

		if (in->pid >= 0 && in->cpu < 0 && !in->unit && um_perf_is_of_kinds(&c->events.events[in->event]))
			share_kinds(c, in);
	}
	for (size_t i = 0; close && i < c->num_instances; i++)
		close_interval(c, &c->instances[i], now);
	return first;
}

/*
 * Can a suspend make the count wrong? Not for software events, which have no hardware counter, nor for a level
 * (snapshot), which was read after the suspend.
 */
static bool on_hardware(const struct um_perf_count *c, const struct um_perf_instance *in)
{
	uint32_t type = um_perf_unit_of(c, in)->attr.type;

	return type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT &&
	       !c->events.events[in->event].snapshot;
}

static int switch_off_and_on(struct um_perf_count *c)
{
	int first = 0;

	for (int on = 0; on <= 1; on++)
		for (size_t i = 0; i < c->num_instances; i++) {
			const struct um_perf_instance *in = &c->instances[i];
			int err = in->fd < 0 || in->leader >= 0 ? 0
				: c->kernel->ops->enable(c->kernel, in->fd, on);

			first = first ? first : err;
		}
	return first;
}

int um_perf_count_suspended(struct um_perf_count *c, uint64_t now, uint64_t ns, struct um_error *e)
{
	int err = c->running ? switch_off_and_on(c) : 0;

	if (err)
		um_fail(e, err, UNCOREMSR_ERROR_PARTIAL, "an event could not be switched on again: %s", strerror(-err));
	else if (c->running)
		err = um_perf_count_read(c, now, false, e);
	for (size_t i = 0; i < c->num_instances; i++) {
		struct um_perf_instance *in = &c->instances[i];

		if (!on_hardware(c, in))
			continue;
		um_reading_suspended(&in->reading, ns);
		um_reading_suspended(&in->total, ns);
		in->counted = in->value = in->enabled_ns = in->running_ns = 0;
	}
	return err;
}
