/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Choose a counter and a set for each event. If all events of a PMU fit on its counters at the same time, they are
 * counted all the time. Otherwise groups of events take turns. A group is never split, even if its events are on
 * several PMUs, so all PMUs of a session have the same sets. Events on fixed and free-running counters need no turn,
 * unless two events need different settings of the same counter.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "counting/plan.h"

static bool fits_at_once(const struct um_msr *s, const struct um_pmu *pmu)
{
	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++)
		if (!u->err && u->box.pmu == pmu && um_match(s, u, u->free, UM_NONE, UM_NONE, NULL).what != UM_FITS)
			return false;
	return true;
}

/* An event on a fixed counter needs turns only if another event needs the counter in another mode (user mode only). */
static bool needs_turn(const struct um_msr *s, size_t k)
{
	const struct um_encoding *ev = &s->events.events[k];

	if (ev->fixed < 0)
		return true;
	for (const struct um_encoding *other = s->events.events; other < s->events.events + s->events.num; other++) {
		if (other->pmu == ev->pmu && other->fixed == ev->fixed && other->word != ev->word &&
		    (!ev->core_type || !other->core_type || ev->core_type == other->core_type))
			return true;
	}
	return false;
}

static bool takes_turns(const struct um_msr *s, const struct um_unit *u)
{
	for (size_t k = 0; k < u->num_slots; k++)
		if (s->set_of[u->slots[k].index] != UM_EVERY_SET)
			return true;
	return false;
}

static bool fits_into(const struct um_msr *s, int set, unsigned group)
{
	for (const struct um_unit *u = s->units; u < s->units + s->num_units; u++)
		if (!u->err && takes_turns(s, u) && um_match(s, u, u->free, group, set, NULL).what != UM_FITS)
			return false;
	return true;
}

static bool is_in_turns(const struct um_msr *s, size_t k, unsigned group)
{
	return s->events.events[k].group == group && s->set_of[k] != UM_EVERY_SET;
}

static bool group_takes_turns(const struct um_msr *s, unsigned group)
{
	for (size_t k = s->groups[group].first; k < s->groups[group].end; k++)
		if (is_in_turns(s, k, group))
			return true;
	return false;
}

static void add_to_set(struct um_msr *s, int set, unsigned group)
{
	for (size_t k = s->groups[group].first; k < s->groups[group].end; k++)
		if (is_in_turns(s, k, group))
			s->set_of[k] = set;
	um_span_add(&s->sets[set], s->groups[group]);
}

static void make_sets(struct um_msr *s)
{
	for (const struct um_pmu *pmu = s->m->pmus; pmu < s->m->pmus + s->m->num_pmus; pmu++) {
		bool at_once = fits_at_once(s, pmu);

		for (size_t k = 0; k < s->events.num; k++)
			if (s->events.events[k].pmu == pmu)
				s->set_of[k] = at_once || !needs_turn(s, k) ? UM_EVERY_SET : UM_NONE;
	}
	s->num_sets = 1;
	for (size_t k = 0; k < s->events.num; k++) {
		unsigned group = s->events.events[k].group;

		if (!um_begins_group(s, k) || !group_takes_turns(s, group))
			continue;
		/* Every group fits into an empty set. */
		if (!fits_into(s, s->num_sets - 1, group))
			s->num_sets++;
		add_to_set(s, s->num_sets - 1, group);
	}
	for (size_t k = 0; k < s->events.num && s->num_sets == 1; k++)
		s->set_of[k] = UM_EVERY_SET;
}

void um_slot_put_on(const struct um_unit *u, struct um_slot *slot, unsigned counter)
{
	slot->counter = (int)counter;
	slot->regs = um_counter_regs(&u->box, counter);
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

/* Log which counter counts the event, in one line for all units that use the same counter. */
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

int um_assign_unit_counters(struct um_msr *s, struct um_unit *u)
{
	int *at = calloc(u->num_slots + 1, sizeof(*at));
	bool turns = takes_turns(s, u), fits = true;
	int num_sets = turns ? s->num_sets : 1;

	if (!at)
		return um_no_memory(&u->error);
	for (size_t k = 0; k < u->num_slots; k++)
		u->slots[k].set = s->set_of[u->slots[k].index];
	for (int set = 0; set < num_sets && fits; set++)
		fits = um_match(s, u, u->free, UM_NONE, turns ? set : UM_EVERY_SET, at).what == UM_FITS;
	for (size_t k = 0; k < u->num_slots && fits; k++) {
		struct um_slot *slot = &u->slots[k];
		int fixed = slot->event->fixed;

		if (slot->refused)
			continue;
		um_slot_put_on(u, slot, fixed < 0 ? (unsigned)at[k] : u->box.num_general + (unsigned)fixed);
		slot->reading.counter = slot->total.counter = slot->counter;
	}
	free(at);
	return fits ? 0 : um_unit_refuse(u, -EBUSY, "fewer counters are free than on the CPUs that were online at the "
					 "start");
}

int um_assign_counters(struct um_msr *s)
{
	s->set_of = calloc(s->events.num, sizeof(*s->set_of));
	s->sets = calloc(s->events.num + 1, sizeof(*s->sets)); /* at most one set per event */
	if (!s->set_of || !s->sets)
		return um_no_memory(s->error);
	make_sets(s);
	for (struct um_unit *u = s->units; u < s->units + s->num_units; u++)
		if (!u->err)
			u->err = um_assign_unit_counters(s, u);
	for (size_t k = 0; k < s->events.num; k++)
		remark_on(s, k);
	return 0;
}
