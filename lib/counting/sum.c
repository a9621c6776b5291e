/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What an event did on a package: on its only unit, or on all units together. Sums are worked out
 * when somebody asks, so that counting does not pay for them. And what the units can be asked.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/session.h"

static const struct uncoremsr_reading *of_slot(const struct um_slot *slot, bool total)
{
	return total ? &slot->seen.total : &slot->seen.reading;
}

static bool counts(const struct um_slot *slot)
{
	return !slot->seen.unit->gone;
}

/* The first unit that is not known makes the sum unknown, and says why. */
static void spoil(struct uncoremsr_reading *sum, const struct um_slot *slot,
		  const struct uncoremsr_reading *r)
{
	const char *name = slot->seen.unit->name;

	if (sum->status != UNCOREMSR_OK || r->status == UNCOREMSR_OK)
		return;
	sum->status = r->status;
	/* The error of a unit names it already. */
	snprintf(sum->detail, sizeof(sum->detail), "%s%s%.*s",
		 slot->seen.unit->err ? "" : name, slot->seen.unit->err ? "" : ": ",
		 (int)(sizeof(sum->detail) - UM_UNIT_NAME - 3), r->detail);
}

/*
 * Of units that are enabled and read one after the other, the times of the one with the least
 * share.
 */
static void add_times(struct uncoremsr_reading *sum, const struct uncoremsr_reading *r)
{
	if (r->time_ns > sum->time_ns)
		sum->time_ns = r->time_ns;
	if (sum->enabled_ns && (double)r->running_ns * (double)sum->enabled_ns >=
				       (double)sum->running_ns * (double)r->enabled_ns)
		return;
	sum->enabled_ns = r->enabled_ns;
	sum->running_ns = r->running_ns;
}

static void add(struct uncoremsr_reading *sum, const struct um_slot *slot,
		const struct uncoremsr_reading *r, bool first)
{
	spoil(sum, slot, r);
	add_times(sum, r);
	sum->counted += r->counted;
	sum->value += r->value;
	if (first)
		sum->counter = r->counter;
	else if (sum->counter != r->counter)
		sum->counter = UM_NO_COUNTER;
}

static void no_units(const struct um_msr_session *s, size_t site, struct uncoremsr_reading *sum)
{
	const struct um_site *at = &s->sites[site];

	sum->counter = UM_NO_COUNTER;
	sum->status = at->err == -ENXIO ? UNCOREMSR_LOST : UNCOREMSR_FAILED;
	snprintf(sum->detail, sizeof(sum->detail), "%s", at->err ? at->error.msg
		 : "this package has no such unit");
}

const struct uncoremsr_reading *um_site_reading(const struct um_msr_session *s, size_t site,
						size_t event, bool total)
{
	struct uncoremsr_reading *sum;
	const struct um_slot *only = NULL;
	struct um_slot **slots;
	size_t num, counting = 0;

	slots = um_slots_of(s, site, event, &num);
	if (!slots)
		return NULL;
	sum = &s->sums[2 * (site * s->num_events + event) + total];
	*sum = (struct uncoremsr_reading){ .status = UNCOREMSR_OK };
	for (size_t i = 0; i < num; i++) {
		if (!counts(slots[i]))
			continue;
		only = slots[i];
		add(sum, slots[i], of_slot(slots[i], total), !counting++);
	}
	if (!counting)
		no_units(s, site, sum);
	return counting == 1 ? of_slot(only, total) : sum;
}

/* ---- units ---- */

static struct um_slot *nth_slot(const struct um_msr_session *s, size_t event, size_t index,
				size_t *count)
{
	struct um_slot *found = NULL;

	*count = 0;
	for (size_t site = 0; site < s->num_sites; site++) {
		size_t num;
		struct um_slot **slots = um_slots_of(s, site, event, &num);

		for (size_t i = 0; slots && i < num; i++) {
			if (!counts(slots[i]))
				continue;
			if ((*count)++ == index)
				found = slots[i];
		}
	}
	return found;
}

size_t um_msr_num_units(const struct um_msr_session *s, size_t event)
{
	size_t count;

	nth_slot(s, event, SIZE_MAX, &count);
	return count;
}

const struct uncoremsr_unit *um_msr_unit(const struct um_msr_session *s, size_t event, size_t index)
{
	size_t count;
	struct um_slot *slot = nth_slot(s, event, index, &count);
	struct um_seen *seen;

	if (!slot)
		return NULL;
	seen = &slot->seen;
	seen->front = (struct uncoremsr_unit){
		.name = seen->unit->name, .number = seen->unit->box.number,
		.package = seen->unit->site->package, .cpu = (int)seen->unit->box.cpu,
		.core = seen->unit->core,
		.error = seen->unit->err ? seen->unit->error.msg : NULL,
		.reading = &seen->reading, .total = &seen->total,
	};
	return &seen->front;
}
