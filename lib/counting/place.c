/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which event goes on which counter, and in which set. If all events of a PMU fit at once they count all the
 * time; else groups take turns. A group is never split, even if its events are on several PMUs, so all PMUs
 * of a session have the same sets. Events on fixed and free-running counters need no turn, unless two of them
 * need different settings of one counter.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "counting/plan.h"

/* An event that has no set yet. */
enum { NO_SET = -2 };

struct placing {
	struct um_msr *s;
	int *set;                      /* for each event the number of its set, or UM_EVERY_SET, or NO_SET */
	struct um_span *events;        /* span of the events of each set */
};

struct wanted_set {
	const struct placing *p;
	int set;
	unsigned group;                /* would the events of this group fit beside those of the set? */
};

static bool of_set_or_group(const struct um_slot *slot, const void *user)
{
	const struct wanted_set *w = user;

	return w->p->set[slot->index] == w->set || slot->event->group == w->group;
}

/* ---- sets ---- */

/* Do all events of the PMU fit at the same time on each of its units? */
static bool fits_at_once(const struct um_msr *s, const struct um_pmu *pmu)
{
	for (size_t i = 0; i < s->num_units; i++) {
		const struct um_unit *u = &s->units[i];

		if (!u->err && u->box.pmu == pmu &&
		    um_match(u, u->free, um_any_slot, NULL, NULL).what != UM_FITS)
			return false;
	}
	return true;
}

/* Does @group fit into @set, whose events are @of? */
static bool fits_into(const struct placing *p, int set, struct um_span of, unsigned group)
{
	struct wanted_set w = { p, set, group };

	um_span_add(&of, p->s->groups[group].first);
	um_span_add(&of, p->s->groups[group].end - 1);

	for (size_t i = 0; i < p->s->num_units; i++) {
		const struct um_unit *u = &p->s->units[i];
		struct um_unit part;

		if (u->err || !u->num_slots || p->set[u->slots[0].index] == UM_EVERY_SET)
			continue;
		part = um_unit_part(u, of);
		if (um_match(&part, u->free, of_set_or_group, &w, NULL).what != UM_FITS)
			return false;
	}
	return true;
}

/* Give UM_EVERY_SET to events that need no turn. Returns whether any event needs one. */
static bool find_lasting(struct placing *p)
{
	struct um_msr *s = p->s;
	bool turns = false;

	for (size_t i = 0; i < s->m->num_pmus; i++) {
		const struct um_pmu *pmu = &s->m->pmus[i];
		bool at_once = fits_at_once(s, pmu);

		for (size_t k = 0; k < s->events.num; k++) {
			const struct um_encoding *ev = &s->events.events[k];

			if (ev->pmu != pmu)
				continue;
			p->set[k] = at_once ? UM_EVERY_SET : NO_SET;
			turns |= !at_once;
		}
	}
	return turns;
}

/* An event on a fixed counter needs turns only if another event needs the counter with other settings (user mode). */
static bool needs_turn(const struct um_msr *s, size_t k)
{
	const struct um_encoding *ev = &s->events.events[k];

	if (ev->fixed < 0)
		return true;
	for (size_t i = 0; i < s->events.num; i++) {
		const struct um_encoding *other = &s->events.events[i];

		if (other->pmu == ev->pmu && other->fixed == ev->fixed && other->word != ev->word &&
		    (!ev->core_type || !other->core_type || ev->core_type == other->core_type))
			return true;
	}
	return false;
}

static void set_of_group(struct placing *p, unsigned group, int set)
{
	for (size_t k = p->s->groups[group].first; k < p->s->groups[group].end; k++)
		if (p->s->events.events[k].group == group && p->set[k] == NO_SET)
			p->set[k] = set;
}

static bool takes_turns(const struct placing *p, unsigned group)
{
	for (size_t k = p->s->groups[group].first; k < p->s->groups[group].end; k++)
		if (p->s->events.events[k].group == group && p->set[k] == NO_SET &&
		    needs_turn(p->s, k))
			return true;
	return false;
}

/* Fill a set with whole groups until the next group does not fit; then begin another set. */
static void make_sets(struct placing *p)
{
	struct um_msr *s = p->s;
	struct um_span of = { 0, 0 }; /* the events of the last set */

	s->num_sets = 1;
	if (!find_lasting(p))
		return;
	for (size_t i = 0; i < s->events.num; i++) {
		unsigned group = s->events.events[i].group;

		if (!um_begins_group(s, i) || !takes_turns(p, group))
			continue;
		/* Every group fits into an empty set. */
		if (!fits_into(p, s->num_sets - 1, of, group)) {
			s->num_sets++;
			of = (struct um_span){ 0, 0 };
		}
		set_of_group(p, group, s->num_sets - 1);
		um_span_add(&of, s->groups[group].first);
		um_span_add(&of, s->groups[group].end - 1);
	}
	for (size_t k = 0; k < s->events.num; k++)
		if (!needs_turn(s, k) || s->num_sets == 1)
			p->set[k] = UM_EVERY_SET;
}

/* ---- counters ---- */

void um_slot_put_on(const struct um_unit *u, struct um_slot *slot, unsigned counter)
{
	slot->counter = (int)counter;
	slot->regs = um_counter_regs(&u->box, counter);
	slot->reading.counter = slot->total.counter = (int)counter;
}

static void remark(struct um_msr *s, const struct um_slot *slot, const char *more)
{
	const struct um_unit *u = slot->unit;
	bool fixed = (unsigned)slot->counter >= u->box.num_general;

	if (!slot->regs.selector)
		um_log(s->m, "%s: %s is counted by a free-running counter (0x%x), read through CPU "
		       "%u%s", u->label, slot->event->name, slot->regs.counter, u->box.cpu, more);
	else
		um_log(s->m, "%s: %s is counted by %s %u (selector 0x%x) through CPU %u: its "
		       "selector%s %s%s", u->label, slot->event->name,
		       fixed ? "fixed counter" : "counter",
		       (unsigned)slot->counter - (fixed ? u->box.num_general : 0),
		       slot->regs.selector, u->box.cpu, slot->regs.gate && !slot->regs.kernels
		       ? " and its global enable bit were" : " was",
		       s->env->choices->force ? "looked at" : "off", more);
}

/* Log which counter an event is on: one line for all units that have it on the same counter. */
static void remark_on(struct um_msr *s, size_t event)
{
	const struct um_slot *first[64] = { NULL };
	size_t num[64] = { 0 };

	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++) {
		const struct um_slot *slot = um_unit_slot(u, event);
		unsigned counter = slot ? (unsigned)slot->counter & 63 : 0;

		if (!slot || slot->counter == UM_NO_COUNTER || u->err)
			continue;
		first[counter] = first[counter] ? first[counter] : slot;
		num[counter]++;
	}
	for (unsigned c = 0; c < 64; c++) {
		char more[48] = "";

		if (num[c] > 1)
			snprintf(more, sizeof(more), "; on %zu other unit%s as well", num[c] - 1,
				 num[c] == 2 ? "" : "s");
		if (first[c])
			remark(s, first[c], more);
	}
}

static bool of_set(const struct um_slot *slot, const void *user)
{
	return slot->set == *(const int *)user || slot->set == UM_EVERY_SET;
}

/* Find the span of the events of each set. */
static int find_events(struct placing *p)
{
	p->events = calloc((size_t)p->s->num_sets, sizeof(*p->events));
	if (!p->events)
		return um_no_memory(p->s->error);
	for (size_t k = 0; k < p->s->events.num; k++)
		if (p->set[k] >= 0)
			um_span_add(&p->events[p->set[k]], k);
	return 0;
}

/* Do the unit's general counters count the same events all the time? Then UM_EVERY_SET is its only set. */
static bool lasts(const struct um_unit *u)
{
	size_t k = 0;

	while (k < u->num_slots && u->slots[k].event->fixed >= 0)
		k++;
	return k == u->num_slots || u->slots[k].set == UM_EVERY_SET;
}

static int first_set(const struct um_unit *u)
{
	return lasts(u) ? UM_EVERY_SET : 0;
}

static int last_set(const struct um_msr *s, const struct um_unit *u)
{
	return lasts(u) ? UM_EVERY_SET : s->num_sets - 1;
}

/* A copy of the unit with only the slots that count in @set. */
static struct um_unit part_of_set(const struct placing *p, const struct um_unit *u, int set)
{
	return set == UM_EVERY_SET ? *u : um_unit_part(u, p->events[set]);
}

static int place_unit(struct um_msr *s, struct um_unit *u, const struct placing *p)
{
	int *at = calloc(u->num_slots + 1, sizeof(*at));

	if (!at)
		return um_no_memory(s->error);
	for (size_t k = 0; k < u->num_slots; k++) {
		u->slots[k].set = p->set[u->slots[k].index];
		if (u->slots[k].event->fixed >= 0 && !u->slots[k].refused)
			um_slot_put_on(u, &u->slots[k],
				       u->box.num_general + (unsigned)u->slots[k].event->fixed);
	}
	for (int set = first_set(u); set <= last_set(s, u); set++) {
		const struct um_unit part = part_of_set(p, u, set);

		um_match(&part, u->free, of_set, &set, at);
		for (size_t k = 0; k < part.num_slots; k++)
			if (part.slots[k].event->fixed < 0 && of_set(&part.slots[k], &set) &&
			    !part.slots[k].refused && part.slots[k].counter == UM_NO_COUNTER)
				um_slot_put_on(u, &part.slots[k], (unsigned)at[k]);
	}
	free(at);
	return 0;
}

int um_place(struct um_msr *s)
{
	struct placing p = { .s = s, .set = calloc(s->events.num, sizeof(*p.set)) };
	int err = 0;

	if (!p.set)
		return um_no_memory(s->error);
	make_sets(&p);
	err = find_events(&p);
	for (size_t i = 0; i < s->num_units && !err; i++)
		if (!s->units[i].err)
			err = place_unit(s, &s->units[i], &p);
	free(p.events);
	free(s->set_of);
	s->set_of = p.set;
	for (size_t k = 0; k < s->events.num && !err; k++)
		remark_on(s, k);
	return err;
}

int um_place_late(struct um_msr *s, struct um_unit *u)
{
	struct placing p = { .s = s, .set = s->set_of };
	int err = find_events(&p);

	for (size_t k = 0; k < u->num_slots; k++)
		u->slots[k].set = s->set_of[u->slots[k].index];
	for (int set = first_set(u); set <= last_set(s, u) && !err; set++) {
		const struct um_unit part = part_of_set(&p, u, set);

		if (um_match(&part, u->free, of_set, &set, NULL).what != UM_FITS)
			err = um_unit_refuse(u, -EBUSY, "fewer counters are free than on the CPUs "
					     "that were online at the start");
	}
	if (!err)
		err = place_unit(s, u, &p);
	free(p.events);
	return err;
}
