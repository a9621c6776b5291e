/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What events did: on a unit, on a package, on a group of cores, everywhere. Sums are worked out
 * when somebody asks, each unit being scaled by its own times before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

/* Places that have sums: packages, then groups, then everything, and one for whichever core. */
static size_t whole_place(const struct uncoremsr_session *s)
{
	return um_msr_num_packages(s->msr) + s->groups.num;
}

int um_session_make_sums(struct uncoremsr_session *s)
{
	free(s->sums);
	s->sums = calloc(2 * (whole_place(s) + 2) * s->num_refs, sizeof(*s->sums));
	return s->sums ? 0 : um_front_no_memory(s);
}

/* ---- units ---- */

size_t uncoremsr_session_num_units(const struct uncoremsr_session *s, size_t event)
{
	size_t num = 0;

	if (event >= s->num_refs)
		return 0;
	if (s->refs[event].part == UM_PART_MSR)
		return s->msr_runs ? um_msr_num_units(s->msr, s->refs[event].index) : 0;
	while (um_perf_unit_at(s, event, num))
		num++;
	return num;
}

const struct uncoremsr_unit *uncoremsr_session_unit(const struct uncoremsr_session *s, size_t event,
						    size_t index)
{
	if (event >= s->num_refs)
		return NULL;
	if (s->refs[event].part == UM_PART_MSR)
		return s->msr_runs ? um_msr_unit(s->msr, s->refs[event].index, index) : NULL;
	return um_perf_unit_at(s, event, index);
}

const char *uncoremsr_unit_name(const struct uncoremsr_unit *u)
{
	return u->name;
}

unsigned uncoremsr_unit_number(const struct uncoremsr_unit *u)
{
	return u->number;
}

const struct uncoremsr_package *uncoremsr_unit_package(const struct uncoremsr_unit *u)
{
	return u->package;
}

int uncoremsr_unit_cpu(const struct uncoremsr_unit *u)
{
	return u->cpu;
}

int uncoremsr_unit_core(const struct uncoremsr_unit *u)
{
	return u->core;
}

const struct uncoremsr_reading *uncoremsr_unit_reading(const struct uncoremsr_unit *u)
{
	return u->reading;
}

const struct uncoremsr_reading *uncoremsr_unit_total(const struct uncoremsr_unit *u)
{
	return u->total;
}

const char *uncoremsr_unit_error(const struct uncoremsr_unit *u)
{
	return u->error;
}

/* ---- sums ---- */

typedef bool like_fn(const struct uncoremsr_unit *u, const void *user);

/* The first unit that is not known makes the sum unknown, and says why. */
static void add(struct uncoremsr_reading *sum, const struct uncoremsr_unit *u, bool total,
		bool first)
{
	const struct uncoremsr_reading *r = total ? u->total : u->reading;

	if (sum->status == UNCOREMSR_OK && r->status != UNCOREMSR_OK) {
		sum->status = r->status;
		snprintf(sum->detail, sizeof(sum->detail), "%s%s%.*s", u->error ? "" : u->name,
			 u->error ? "" : ": ", (int)(sizeof(sum->detail) - 40), r->detail);
	}
	sum->time_ns = r->time_ns > sum->time_ns ? r->time_ns : sum->time_ns;
	sum->enabled_ns += r->enabled_ns;
	sum->running_ns += r->running_ns;
	sum->counted += r->counted;
	sum->value += r->value;
	sum->raw = r->raw;
	sum->have_raw = first && r->have_raw;
}

/* Nothing of it counts here: because its part could not be started, or because it is elsewhere. */
static void no_units(const struct uncoremsr_session *s, size_t event, struct uncoremsr_reading *sum)
{
	const struct um_event_ref *ref = &s->refs[event];
	const struct um_perf_part *part = ref->part == UM_PART_TASK ? &s->task : &s->system;
	const char *why = "it is not counted here";

	if (ref->part == UM_PART_MSR && !s->msr_runs)
		why = s->msr_error.msg;
	else if (ref->part != UM_PART_MSR && !part->runs)
		why = part->error.msg;
	sum->status = UNCOREMSR_FAILED;
	snprintf(sum->detail, sizeof(sum->detail), "%s", why);
}

static const struct uncoremsr_reading *sum_of(const struct uncoremsr_session *s, size_t place,
					      size_t event, bool total, like_fn *like,
					      const void *user)
{
	struct uncoremsr_reading *sum = &s->sums[2 * (place * s->num_refs + event) + total];
	const struct uncoremsr_unit *u;
	size_t found = 0;

	*sum = (struct uncoremsr_reading){ .status = UNCOREMSR_OK, .counter = -1 };
	for (size_t i = 0; (u = uncoremsr_session_unit(s, event, i)); i++) {
		if (!like(u, user))
			continue;
		add(sum, u, total, !found);
		found++;
	}
	if (!found)
		no_units(s, event, sum);
	/* Times of one unit, so that the share of time counted can be seen; the mean of several. */
	if (found) {
		sum->enabled_ns /= found;
		sum->running_ns /= found;
	}
	return sum;
}

static bool of_package(const struct uncoremsr_unit *u, const void *user)
{
	return u->package == user;
}

static bool of_group(const struct uncoremsr_unit *u, const void *user)
{
	return u->cpu >= 0 && um_cpuset_has(user, (unsigned)u->cpu);
}

static bool of_nothing(const struct uncoremsr_unit *u, const void *user)
{
	(void)u;
	(void)user;
	return false;
}

/* The CPU that speaks for a package's uncore is not the one who does what is counted there. */
static bool is_uncore(const struct uncoremsr_session *s, size_t event)
{
	const struct um_event_ref *ref = &s->refs[event];

	if (ref->part == UM_PART_MSR)
		return !um_pmu_is_core(s->msr->events.events[ref->index].pmu);
	return um_session_perf_event(s, event)->is_uncore;
}

static bool of_core(const struct uncoremsr_unit *u, const void *user)
{
	const struct uncoremsr_unit *one = user;

	return u->core == one->core && u->package == one->package;
}

static bool of_anything(const struct uncoremsr_unit *u, const void *user)
{
	(void)u;
	(void)user;
	return true;
}

static const struct uncoremsr_reading *of_site(const struct uncoremsr_session *s, size_t package,
					       size_t event, bool total)
{
	const struct um_event_ref *ref;

	if (event >= s->num_refs || package >= um_msr_num_packages(s->msr) || !s->sums)
		return NULL;
	ref = &s->refs[event];
	if (ref->part == UM_PART_MSR && s->msr_runs)
		return total ? um_msr_total(s->msr, package, ref->index)
			     : um_msr_reading(s->msr, package, ref->index);
	return sum_of(s, package, event, total, of_package, um_msr_package(s->msr, package));
}

const struct uncoremsr_reading *uncoremsr_session_reading(const struct uncoremsr_session *s,
							  size_t package, size_t event)
{
	return of_site(s, package, event, false);
}

const struct uncoremsr_reading *uncoremsr_session_total(const struct uncoremsr_session *s,
							size_t package, size_t event)
{
	return of_site(s, package, event, true);
}

const struct uncoremsr_reading *uncoremsr_session_group_reading(const struct uncoremsr_session *s,
								size_t group, size_t event,
								int total)
{
	if (event >= s->num_refs || group >= s->groups.num || !s->sums)
		return NULL;
	return sum_of(s, um_msr_num_packages(s->msr) + group, event, total != 0,
		      is_uncore(s, event) ? of_nothing : of_group, &s->groups.groups[group].cpus);
}

const struct uncoremsr_reading *uncoremsr_session_whole_reading(const struct uncoremsr_session *s,
								size_t event, int total)
{
	if (event >= s->num_refs || !s->sums)
		return NULL;
	return sum_of(s, whole_place(s), event, total != 0, of_anything, NULL);
}

const struct uncoremsr_reading *uncoremsr_session_core_reading(const struct uncoremsr_session *s,
							       size_t event, size_t index,
							       int total)
{
	const struct uncoremsr_unit *u = uncoremsr_session_unit(s, event, index);

	if (!u || u->core < 0 || !s->sums)
		return NULL;
	return sum_of(s, whole_place(s) + 1, event, total != 0, of_core, u);
}
