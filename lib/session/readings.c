/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Readings of events on a unit, a package, a core, a set of CPUs, or the whole machine. Sums are computed when they are
 * asked for, so counting does not pay for them; each unit is scaled by its own times first.
 */
#include <stdio.h>
#include <stdlib.h>

#include "session/session.h"

/*
 * Index in s->sums of the sum over the whole machine. The array has the sums of packages, then of sets of cores, then
 * of the machine, then of the core or CPU that was requested last.
 */
static size_t whole_place(const struct uncoremsr_session *s)
{
	return s->choices.num_places + s->cores.num;
}

int um_session_make_sums(struct uncoremsr_session *s)
{
	size_t values = 2 * (s->choices.num_places + 2) * s->num_metrics;

	free(s->sums);
	free(s->metric_values);
	s->num_sums = s->num_events;
	s->sums = calloc(2 * (whole_place(s) + 2) * s->num_sums, sizeof(*s->sums));
	s->metric_values = calloc(values + 1, sizeof(*s->metric_values));
	return s->sums && s->metric_values ? 0 : um_no_memory(&s->um->error);
}

static const struct um_front *units_of(const struct uncoremsr_session *s, size_t event, size_t *num)
{
	const struct um_counted *c;
	const struct um_part *p;

	*num = 0;
	if (!s || event >= s->num_events)
		return NULL;
	c = &s->events[event];
	p = &s->parts[c->part];
	return c->index < p->num_started ? p->route->units(p->state, c->index, num) : NULL;
}

const struct uncoremsr_unit *uncoremsr_session_unit(const struct uncoremsr_session *s, size_t event, size_t index)
{
	size_t num;
	const struct um_front *u = units_of(s, event, &num);

	return index < num ? &u[index].shown : NULL;
}

const char *um_status_word(enum uncoremsr_status status)
{
	static const char words[][12] = {
		[UNCOREMSR_OK] = "ok", [UNCOREMSR_NOT_COUNTED] = "not-counted",
		[UNCOREMSR_WRAPPED] = "wrapped", [UNCOREMSR_DISTURBED] = "disturbed",
		[UNCOREMSR_LOST] = "lost", [UNCOREMSR_FAILED] = "failed",
		[UNCOREMSR_IMPLAUSIBLE] = "implausible", [UNCOREMSR_UNDEFINED] = "undefined",
		[UNCOREMSR_SILENT] = "silent", [UNCOREMSR_OFFLINE] = "offline",
		[UNCOREMSR_SPREAD] = "spread", [UNCOREMSR_SUSPENDED] = "suspended",
		[UNCOREMSR_PAUSED] = "paused",
	};

	return words[status];
}

/*
 * Compose the message only on demand: readings in quick succession are often SPREAD, and few callers use the message.
 */
const char *um_reading_detail(struct um_reading *r)
{
	if (r->status == UNCOREMSR_SPREAD && r->unsure_ns)
		snprintf(r->detail, sizeof(r->detail), "the count is exact, but its time is not: "
			 "counting took %.3f ms, reading %.3f ms", (double)r->running_ns / 1e6,
			 (double)r->unsure_ns / 1e6);
	return r->detail;
}

const struct uncoremsr_reading *um_reading_show(struct um_reading *r)
{
	bool counted = um_reading_counted(r), is_ok = r->status == UNCOREMSR_OK;

	r->shown = (struct uncoremsr_reading){
		.size = sizeof(r->shown), .status = r->status, .word = um_status_word(r->status),
		.detail = "",
		.counted = counted ? r->counted : UINT64_MAX,
		/* A SPREAD reading cannot be scaled, because its times are uncertain. */
		.value = is_ok || (counted && r->value == r->counted) ? r->value : UINT64_MAX,
		.raw = r->have_raw ? r->raw : UINT64_MAX, .counter = r->counter >= 0 ? r->counter : -1,
		.units = um_reading_units(r), .units_known = um_reading_units_known(r),
		.enabled_ns = r->enabled_ns, .running_ns = r->running_ns, .time_ns = r->time_ns,
	};
	if (!is_ok)
		r->shown.detail = um_reading_detail(r);
	return &r->shown;
}

/*
 * Give the sum the status and message of the first unit that is not OK; a unit without a known count overrides
 * SPREAD. The error of a unit already contains its name.
 */
static void spoil(struct um_reading *sum, const struct um_front *u, struct um_reading *r)
{
	if (!um_reading_counted(sum) || r->status == UNCOREMSR_OK || r->status == sum->status ||
	    r->status == UNCOREMSR_OFFLINE)
		return;
	sum->status = r->status;
	um_message(sum->detail, sizeof(sum->detail), "%s%s%s", u->shown.error ? "" : u->shown.name,
		    u->shown.error ? "" : ": ", um_reading_detail(r));
}

/*
 * Units are enabled and read one after the other, so their times differ. A sum gets the times of the unit with the
 * smallest ratio of running to enabled time or, if ratios are equal, with the longest enabled time. A unit that was
 * never enabled (a task that slept, an offline CPU) has no ratio and is skipped.
 */
static void add_times(struct um_reading *sum, const struct um_reading *r)
{
	double share = (double)r->running_ns * (double)sum->enabled_ns;
	double least = (double)sum->running_ns * (double)r->enabled_ns;

	if (r->time_ns > sum->time_ns)
		sum->time_ns = r->time_ns;
	if (!r->enabled_ns || r->status == UNCOREMSR_OFFLINE ||
	    (sum->enabled_ns && (share > least || (share >= least && r->enabled_ns <= sum->enabled_ns))))
		return;
	sum->enabled_ns = r->enabled_ns;
	sum->running_ns = r->running_ns;
}

/*
 * Shortest and longest time of the units: they are read one after the other, and the program may be stopped in between.
 */
struct span {
	uint64_t shortest, longest;
};

static void add_span(struct span *s, const struct um_reading *r)
{
	if (!r->stamped || !um_reading_counted(r))
		return;
	s->shortest = r->enabled_ns < s->shortest ? r->enabled_ns : s->shortest;
	s->longest = r->enabled_ns > s->longest ? r->enabled_ns : s->longest;
}

static void judge_times(struct um_reading *sum, const struct span *s)
{
	if (sum->status != UNCOREMSR_OK || s->longest <= s->shortest ||
	    s->longest - s->shortest <= s->longest / UM_SPREAD_SHARE)
		return;
	sum->status = UNCOREMSR_SPREAD;
	snprintf(sum->detail, sizeof(sum->detail), "the count is exact, but its time is not: its units "
		 "were read at different moments and counted for %.3f to %.3f ms",
		 (double)s->shortest / 1e6, (double)s->longest / 1e6);
}

static struct um_reading *sum_at(const struct uncoremsr_session *s, size_t place, size_t event, bool total)
{
	return &s->sums[2 * (place * s->num_sums + event) + total];
}

/* @package is the package that is summed; NULL: the sum is not of one package. */
static void explain(const struct uncoremsr_session *s, struct um_reading *sum, size_t event,
		    const struct uncoremsr_package *package)
{
	const struct um_part *p = &s->parts[s->events[event].part];

	if (!p->num_started)
		um_reading_spoil(sum, UNCOREMSR_FAILED, p->error.msg);
	else if (!package && uncoremsr_session_unit(s, event, 0))
		um_reading_spoil(sum, UNCOREMSR_FAILED, "the event is not counted on this package, core or set of CPUs");
	else
		sum->status = p->route->no_units(p->state, s->events[event].index, package,
						 sum->detail, sizeof(sum->detail));
}

static bool of_package(const struct um_front *u, const void *user)
{
	return u->shown.package == user;
}

/* Does the unit belong to the sum? If sum_of() gets NULL as the function, every unit does. */
typedef bool like_fn(const struct um_front *u, const void *user);

static struct um_reading *sum_of(const struct uncoremsr_session *s, size_t place, size_t event, bool total,
				 like_fn *like, const void *user)
{
	struct um_reading *sum = sum_at(s, place, event, total), *only = NULL;
	size_t num, found = 0;
	const struct um_front *u = units_of(s, event, &num);
	struct span times = { .shortest = UINT64_MAX };

	/* Keep @shown: callers may hold it while a metric computes the same sum again. */
	*sum = (struct um_reading){ .shown = sum->shown, .status = UNCOREMSR_OK, .counter = -1, .is_sum = true };
	for (size_t i = 0; i < num; i++) {
		struct um_reading *r = total ? u[i].total : u[i].reading;

		if (u[i].left_out || (like && !like(&u[i], user)))
			continue;
		spoil(sum, &u[i], r);
		sum->known += um_reading_counted(r);
		sum->of++;
		add_times(sum, r);
		add_span(&times, r);
		if (r->status != UNCOREMSR_OFFLINE) {
			sum->counted += r->counted;
			sum->value += r->value;
		}
		sum->counter = !found || sum->counter == r->counter ? r->counter : -1;
		only = r;
		found++;
	}
	judge_times(sum, &times);
	if (!found)
		explain(s, sum, event, like == of_package ? user : NULL);
	else if (!sum->known && sum->status == UNCOREMSR_OK)
		um_reading_spoil(sum, UNCOREMSR_OFFLINE, "none of the CPUs of the sum is online");
	return found == 1 ? only : sum;
}

static bool of_cpus(const struct um_front *u, const void *user)
{
	return u->shown.cpu >= 0 && um_cpuset_has(user, (unsigned)u->shown.cpu);
}

static bool of_core(const struct um_front *u, const void *user)
{
	const struct uncoremsr_unit *one = user;

	return u->shown.core == one->core && u->shown.package == one->package;
}

static bool of_cpu(const struct um_front *u, const void *user)
{
	return u->shown.cpu == ((const struct uncoremsr_unit *)user)->cpu;
}

static struct um_reading *package_reading(const struct uncoremsr_session *s, size_t place, size_t event, bool total)
{
	return sum_of(s, place, event, total, of_package, s->choices.places[place].package);
}

/*
 * Does the package have no readings of @event? True if it is out of reach or, for uncore events, if it has no online
 * CPU.
 */
static bool is_lost(const struct uncoremsr_session *s, const struct um_part *p, size_t place,
		    const struct uncoremsr_counted *event)
{
	if (event->uncore && !event->cores && s->choices.places[place].package->cpu < 0)
		return true;
	return p->route->place_error && p->route->place_error(p->state, place);
}

/*
 * The sum over the whole machine. A package that was out of reach has no units, so sum_of() does not notice it. In that
 * case the sum gets the status and the message of the package.
 */
static struct um_reading *whole_reading(const struct uncoremsr_session *s, size_t event, bool total)
{
	size_t at = whole_place(s);
	const struct um_part *p = &s->parts[s->events[event].part];
	struct um_reading *sum = sum_at(s, at, event, total), *r = sum_of(s, at, event, total, NULL, NULL);
	const struct uncoremsr_counted *counted = uncoremsr_session_event(s, event);
	struct uncoremsr_reading shown;

	for (size_t i = 0; p->num_started && i < s->choices.num_places; i++) {
		struct um_reading *lost;

		if (!um_reading_counted(r) || !is_lost(s, p, i, counted))
			continue;
		lost = package_reading(s, i, event, total);
		if (um_reading_counted(lost))
			continue;
		shown = sum->shown;
		*sum = *r;
		sum->shown = shown;
		um_reading_spoil(sum, lost->status, um_reading_detail(lost));
		r = sum;
	}
	return r;
}

struct um_reading *um_session_reading(const struct uncoremsr_session *s, size_t event, enum uncoremsr_place place,
				      size_t index, const struct uncoremsr_unit *unit, bool total)
{
	static const struct um_cpuset none = { .num = 0 };
	const struct um_front *units;
	size_t at, num;

	if (!s || !s->sums || event >= s->num_sums)
		return NULL;
	switch (place) {
	case UNCOREMSR_PLACE_PACKAGE:
		return index < s->choices.num_places ? package_reading(s, index, event, total) : NULL;
	case UNCOREMSR_PLACE_EVERYWHERE:
		return whole_reading(s, event, total);
	case UNCOREMSR_PLACE_CORES:
		if (index >= s->cores.num)
			return NULL;
		at = s->choices.num_places + index;
		/*
		 * The uncore belongs to a package, not to the CPU through which it is read, so it is in no sum of CPUs.
		 */
		return sum_of(s, at, event, total, of_cpus,
			      uncoremsr_session_event(s, event)->uncore ? &none : &s->cores.cpus[index]);
	case UNCOREMSR_PLACE_CORE:
	case UNCOREMSR_PLACE_CPU:
		if (!unit) {
			unit = uncoremsr_session_unit(s, event, index);
			if (!unit || unit->core < 0)
				return NULL;
		}
		return sum_of(s, whole_place(s) + 1, event, total, place == UNCOREMSR_PLACE_CPU ? of_cpu : of_core,
			      unit);
	case UNCOREMSR_PLACE_UNIT:
		units = units_of(s, event, &num);
		return index >= num ? NULL : total ? units[index].total : units[index].reading;
	}
	return NULL;
}

const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s, size_t event,
							  enum uncoremsr_place place, size_t index,
							  enum uncoremsr_span span)
{
	struct um_reading *r = um_session_reading(s, event, place, index, NULL, span == UNCOREMSR_TOTAL);

	return r ? um_reading_show(r) : NULL;
}
