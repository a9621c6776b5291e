/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which event on which counter. A counter is free when its selector is not enabled and its global
 * enable bit is off. Every event of this family may be on every general counter (facts: libpfm4,
 * likwid and FreeBSD know no constraint).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "counting/session.h"

static unsigned num_general_events(const struct uncoremsr_session *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->events.num; i++)
		n += !s->events.events[i].fixed;
	return n;
}

static bool counters_were_chosen(const struct uncoremsr_session *s)
{
	for (size_t i = 0; i < s->events.num; i++)
		if (s->events.events[i].counter >= 0)
			return true;
	return false;
}

/* Is it the first event of its group? The others need not follow at once: metrics share events. */
static bool begins_group(const struct uncoremsr_session *s, size_t event)
{
	const struct um_event *ev = s->events.events;

	for (size_t i = 0; i < event; i++)
		if (ev[i].group == ev[event].group)
			return false;
	return true;
}

/* Events of a group that need a general counter. */
static unsigned group_size(const struct uncoremsr_session *s, unsigned group)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->events.num; i++)
		n += s->events.events[i].group == group && !s->events.events[i].fixed;
	return n;
}

static unsigned largest_group(const struct uncoremsr_session *s)
{
	unsigned largest = 0;

	for (size_t i = 0; i < s->events.num; i++) {
		unsigned n = begins_group(s, i) ? group_size(s, s->events.events[i].group) : 0;

		if (n > largest)
			largest = n;
	}
	return largest;
}

static bool is_free(const struct um_unit *u, unsigned counter)
{
	for (unsigned i = 0; i < u->num_free; i++)
		if (u->free[i] == counter)
			return true;
	return false;
}

static int in_use(struct um_unit *u, const char *which)
{
	um_fail(&u->error, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED,
		"package %d: %s is in use by %s", u->package->id, which,
		u->holders[0] ? u->holders : "somebody else");
	um_hint(&u->error, "uncore-info shows the counters in use, uncore-doctor --leases whose they are");
	return -EBUSY;
}

/*
 * Does everything that was asked for fit on this package at all? Events take turns only where any
 * counter will do: a counter chosen by hand stays with its event.
 */
static int check_unit(struct uncoremsr_session *s, struct um_unit *u)
{
	bool at_once = s->no_multiplex || counters_were_chosen(s);
	unsigned need = at_once ? num_general_events(s) : largest_group(s);
	char which[48];

	for (size_t i = 0; i < s->events.num; i++) {
		const struct um_event *ev = &s->events.events[i];

		if (ev->fixed && !u->fixed_free)
			return in_use(u, "the fixed counter");
		snprintf(which, sizeof(which), "counter %d", ev->counter);
		if (ev->counter >= 0 && !is_free(u, (unsigned)ev->counter))
			return in_use(u, which);
	}
	if (u->num_free >= need)
		return 0;
	um_fail(&u->error, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED,
		"package %d: no free counter: %u needed at the same time, %u of %u free%s%s",
		u->package->id, need, u->num_free, s->pmu->num_general,
		u->holders[0] ? "; held by " : "", u->holders);
	um_hint(&u->error, "%s", u->num_free && at_once
		? "count fewer events, or let them take turns (multiplexing, any counter)"
		: "uncore-info shows the counters in use");
	return -EBUSY;
}

/* The smallest number of free counters on a package that counts. */
static unsigned capacity(const struct uncoremsr_session *s)
{
	unsigned least = s->pmu->num_general;

	for (size_t i = 0; i < s->num_units; i++)
		if (!s->units[i].err && s->units[i].num_free < least)
			least = s->units[i].num_free;
	return least;
}

static void set_of_group(struct uncoremsr_session *s, unsigned group, int set)
{
	for (size_t k = 0; k < s->events.num; k++) {
		const struct um_event *ev = &s->events.events[k];

		for (size_t i = 0; ev->group == group && i < s->num_units; i++)
			s->units[i].slots[k].set = ev->fixed ? UM_EVERY_SET : set;
	}
}

static void all_in_every_set(struct uncoremsr_session *s)
{
	for (size_t i = 0; i < s->num_units; i++)
		for (size_t k = 0; k < s->events.num; k++)
			s->units[i].slots[k].set = UM_EVERY_SET;
}

/* Whole groups go into a set until the next one does not fit any more. */
static void make_sets(struct uncoremsr_session *s, unsigned room)
{
	unsigned used = 0;

	s->num_sets = 1;
	for (size_t i = 0; i < s->events.num; i++) {
		unsigned group = s->events.events[i].group, n;

		if (!begins_group(s, i))
			continue;
		n = group_size(s, group);
		if (used && used + n > room) {
			s->num_sets++;
			used = 0;
		}
		used += n;
		set_of_group(s, group, s->num_sets - 1);
	}
	if (s->num_sets == 1)
		all_in_every_set(s);
}

static void take(struct uncoremsr_session *s, struct um_unit *u, struct um_slot *slot,
		 unsigned counter)
{
	slot->counter = (int)counter;
	slot->regs = um_counter_regs(s->pmu, counter);
	slot->reading.counter = slot->total.counter = (int)counter;
	u->claims[counter] = (struct um_claim){
		.taken = true, .lease = u->leases[counter], .regs = slot->regs,
	};
	um_log(s->um, "package %d: %s is counted by %s %u (selector 0x%x) through CPU %u: its "
	       "selector and its global enable bit were %s", u->package->id, slot->event.name,
	       slot->event.fixed ? "fixed counter" : "counter",
	       slot->event.fixed ? counter - s->pmu->num_general : counter, slot->regs.selector,
	       u->cpu, s->force ? "looked at" : "off");
}

/* Counters asked for by number are kept for their events; the others take the lowest free ones. */
static void place_set(struct uncoremsr_session *s, struct um_unit *u, int set)
{
	unsigned at = 0;

	for (size_t k = 0; k < s->events.num; k++) {
		struct um_slot *slot = &u->slots[k];

		if (slot->event.fixed || (slot->set != set && slot->set != UM_EVERY_SET))
			continue;
		if (slot->event.counter >= 0) {
			take(s, u, slot, (unsigned)slot->event.counter);
			continue;
		}
		while (at < u->num_free && um_is_wanted(s, u->free[at]))
			at++;
		if (at < u->num_free)
			take(s, u, slot, u->free[at++]);
	}
}

/* Leases of counters that turned out not to be needed, or of a package that is not counted. */
static void give_back(struct um_unit *u)
{
	for (unsigned c = 0; c < UM_MAX_COUNTERS; c++) {
		if (!u->claims[c].taken)
			um_lease_release(u->leases[c]);
		u->leases[c] = -1;
	}
}

/* pcm, likwid, perf, or what a dead program left: they may not mind our bits as we mind theirs. */
static void warn_of_strangers(struct uncoremsr_session *s, const struct um_unit *u)
{
	char list[64] = "";
	size_t len = 0;

	for (unsigned c = 0; c < UM_MAX_COUNTERS && len < sizeof(list); c++)
		if (u->strangers >> c & 1)
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%u", len ? ", " : "",
						c);
	if (len)
		um_warn(s->um, "package %d: somebody without a lease counts on counter %s: left alone, "
			"but watch for disturbed intervals", u->package->id, list);
}

static void place_unit(struct uncoremsr_session *s, struct um_unit *u)
{
	for (size_t k = 0; k < s->events.num; k++)
		if (u->slots[k].event.fixed)
			take(s, u, &u->slots[k], s->pmu->num_general);
	for (int set = 0; set < s->num_sets; set++)
		place_set(s, u, set);
}

int um_place(struct uncoremsr_session *s)
{
	unsigned room;

	if (largest_group(s) > s->pmu->num_general)
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "a group has %u events, but there are only %u general counters",
			       largest_group(s), s->pmu->num_general);
	for (size_t i = 0; i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : um_unit_find_free(s, u);

		if (!err && !u->err)
			err = check_unit(s, u);
		if (err)
			um_unit_fail(u, err);
	}
	room = capacity(s);
	make_sets(s, room);
	for (size_t i = 0; i < s->num_units; i++) {
		if (!s->units[i].err) {
			warn_of_strangers(s, &s->units[i]);
			place_unit(s, &s->units[i]);
		}
		give_back(&s->units[i]);
	}
	return 0;
}
