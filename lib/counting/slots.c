/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A slot for each event on each of its units, and the tables to find them by. */
#include <errno.h>
#include <stdlib.h>

#include "counting/session.h"

/* Bounds of the tables, unless the machine itself claims more (a simulated one may). */
static uint64_t max_rate(const struct um_msr_session *s, const struct um_encoding *ev)
{
	uint64_t rate = ev->pmu->max_clock_hz * (ev->max_per_clock ? ev->max_per_clock : 1);

	return rate > s->m->access->max_rate ? rate : s->m->access->max_rate;
}

/* Longest gap in which a counter cannot wrap twice: 2^width over its highest rate. */
static uint64_t max_gap_ns(unsigned width, uint64_t rate)
{
	unsigned __int128 ns = ((unsigned __int128)1000000000u << width) / (rate ? rate : 1);

	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static void clear_reading(struct uncoremsr_reading *r)
{
	*r = (struct uncoremsr_reading){
		.status = UNCOREMSR_NOT_COUNTED, .counter = UM_NO_COUNTER,
		.detail = "not read yet",
	};
}

static unsigned width_of(const struct um_box *b, const struct um_encoding *ev)
{
	if (ev->fixed < 0)
		return b->width;
	return b->fixed_width ? b->fixed_width : ev->pmu->fixed[ev->fixed].width;
}

static void init_slot(struct um_msr_session *s, struct um_unit *u, struct um_slot *slot,
		      size_t k)
{
	const struct um_encoding *ev = &s->events.events[k];

	slot->event = ev;
	slot->index = k;
	slot->counter = UM_NO_COUNTER;
	slot->set = UM_EVERY_SET;
	slot->saturates = ev->pmu->saturates;
	slot->absent = ev->fixed >= 0 && !u->err && !(u->box.fixed >> ev->fixed & 1);
	slot->max_rate = max_rate(s, ev);
	slot->max_gap_ns = max_gap_ns(width_of(&u->box, ev), slot->max_rate);
	slot->seen.unit = u;
	clear_reading(&slot->seen.reading);
	clear_reading(&slot->seen.total);
}

static int init_unit(struct um_msr_session *s, struct um_unit *u, struct um_slot **next)
{
	size_t extras = 0;

	u->slots = *next;
	for (size_t k = 0; k < s->events.num; k++) {
		const struct um_encoding *ev = &s->events.events[k];

		if (u->err ? ev->pmu != u->box.pmu : !um_event_wants(ev, u->box.pmu, u->box.number))
			continue;
		init_slot(s, u, (*next)++, k);
		extras += (size_t)__builtin_popcountll(ev->extras);
	}
	u->num_slots = (size_t)(*next - u->slots);
	u->num_claims = u->box.num_general + u->box.pmu->num_fixed;
	u->claims = calloc(u->num_claims + 1u, sizeof(*u->claims));
	u->extras = calloc(extras + 1, sizeof(*u->extras));
	if (!u->claims || !u->extras)
		return -ENOMEM;
	for (unsigned c = 0; c < u->num_claims; c++)
		u->claims[c].lease = -1;
	return 0;
}

static size_t count_slots(const struct um_msr_session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->num_units; i++) {
		const struct um_unit *u = &s->units[i];

		for (size_t k = 0; k < s->events.num; k++) {
			const struct um_encoding *ev = &s->events.events[k];

			n += u->err ? ev->pmu == u->box.pmu
				    : um_event_wants(ev, u->box.pmu, u->box.number);
		}
	}
	return n;
}

static size_t pair_of(const struct um_msr_session *s, const struct um_slot *slot)
{
	return (size_t)(slot->seen.unit->site - s->sites) * s->num_events + slot->index;
}

/* Slots by site and event, counted first, then put where they belong. */
static void index_slots(struct um_msr_session *s)
{
	size_t pairs = s->num_sites * s->num_events;

	for (size_t i = 0; i < s->num_slots; i++)
		s->first_slot[pair_of(s, &s->slots[i]) + 1]++;
	for (size_t p = 1; p <= pairs; p++)
		s->first_slot[p] += s->first_slot[p - 1];
	for (size_t i = 0; i < s->num_slots; i++)
		s->by_event[s->first_slot[pair_of(s, &s->slots[i])]++] = &s->slots[i];
	/* Each beginning has moved on to where the next one was. */
	for (size_t p = pairs; p > 0; p--)
		s->first_slot[p] = s->first_slot[p - 1];
	s->first_slot[0] = 0;
	for (size_t i = 0; i < s->num_slots; i++)
		s->first_front[s->slots[i].index + 1]++;
	for (size_t k = 0; k < s->num_events; k++)
		s->first_front[k + 1] += s->first_front[k];
}

static int make_tables(struct um_msr_session *s)
{
	size_t most = 0, pairs = s->num_sites * s->events.num;

	for (size_t i = 0; i < s->num_units; i++)
		if (s->units[i].num_slots > most)
			most = s->units[i].num_slots;
	s->ops = calloc(most + UM_MAX_GATES + 1, sizeof(*s->ops));
	s->by_event = calloc(s->num_slots + 1, sizeof(*s->by_event));
	s->first_slot = calloc(pairs + 2, sizeof(*s->first_slot));
	s->fronts = calloc(s->num_slots + 1, sizeof(*s->fronts));
	s->first_front = calloc(s->events.num + 2, sizeof(*s->first_front));
	if (!s->ops || !s->by_event || !s->first_slot ||
	    !s->fronts || !s->first_front)
		return -ENOMEM;
	index_slots(s);
	return 0;
}

int um_slots_make(struct um_msr_session *s)
{
	struct um_slot *next;
	int err = 0;

	s->num_slots = count_slots(s);
	s->num_events = s->events.num;
	s->slots = calloc(s->num_slots + 1, sizeof(*s->slots));
	next = s->slots;
	if (!next)
		return -ENOMEM;
	for (size_t i = 0; i < s->num_units && !err; i++)
		err = init_unit(s, &s->units[i], &next);
	return err ? err : make_tables(s);
}

struct um_slot **um_slots_of(const struct um_msr_session *s, size_t site, size_t event,
			     size_t *num)
{
	size_t pair = site * s->num_events + event;

	*num = 0;
	if (site >= s->num_sites || event >= s->num_events || !s->first_slot)
		return NULL;
	*num = s->first_slot[pair + 1] - s->first_slot[pair];
	return &s->by_event[s->first_slot[pair]];
}
