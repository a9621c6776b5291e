/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Can events be counted at the same time on a unit? Each needs a counter that may count it (constraints of the tables,
 * the user's choice), and events that need the same filter have to agree on its value. Finding counters is bipartite
 * matching by augmenting paths; the lowest free counter is tried first, so that without constraints events get counters
 * in their order.
 */
#include "counting/plan.h"

/* Index of the event's slot or, if the unit has none, the index at which it would be inserted. */
static size_t find_slot(const struct um_unit *u, size_t event)
{
	size_t from = 0, to = u->num_slots;

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (u->slots[middle].index < event)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct um_slot *um_unit_slot(const struct um_unit *u, size_t event)
{
	size_t k = find_slot(u, event);

	return k < u->num_slots && u->slots[k].index == event ? &u->slots[k] : NULL;
}

/* A counter that the user chose for an event is not used for any other event. */
uint32_t um_allowed(const struct um_unit *u, const struct um_slot *slot)
{
	return slot->event->counter >= 0 ? UINT32_C(1) << slot->event->counter : slot->event->counters & ~u->by_hand;
}

uint32_t um_useful(const struct um_unit *u)
{
	uint32_t may = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].event->fixed < 0)
			may |= um_allowed(u, &u->slots[k]);
	return may & u->box.general;
}

struct matching {
	const struct um_msr *s;
	const struct um_unit *u;
	uint32_t free;
	long group;
	int set;
	int owner[32];               /* for each counter, the index of the slot on it; -1: none */
};

/* Does this match have to find a counter for the slot? Refused slots are never counted. */
static bool is_chosen(const struct matching *m, const struct um_slot *slot)
{
	int set = m->set == UM_NONE ? UM_NONE : m->s->set_of[slot->index];
	bool all = m->group == UM_NONE && m->set == UM_NONE;

	return !slot->refused && (all || slot->event->group == m->group ||
				  (set != UM_NONE && (set == m->set || set == UM_EVERY_SET)));
}

/* The limits keep the time to match a group independent of the number of groups. */
static struct um_span events_of(const struct matching *m)
{
	struct um_span events = m->set >= 0 ? m->s->sets[m->set] : (struct um_span){ 0, 0 };

	if (m->group >= 0)
		um_span_add(&events, m->s->groups[m->group]);
	return events.end ? events : (struct um_span){ 0, SIZE_MAX };
}

/* Find a counter for @slot; if necessary, move other slots. @tried: counters that were tried already. */
static bool augment(struct matching *m, size_t slot, uint32_t *tried)
{
	uint32_t may = um_allowed(m->u, &m->u->slots[slot]) & m->free;

	for (unsigned c = 0; c < 32; c++)
		if (may >> c & 1 && m->owner[c] < 0) {
			m->owner[c] = (int)slot;
			return true;
		}
	for (unsigned c = 0; c < 32; c++) {
		if (!(may & ~*tried & UINT32_C(1) << c))
			continue;
		*tried |= UINT32_C(1) << c;
		if (augment(m, (size_t)m->owner[c], tried)) {
			m->owner[c] = (int)slot;
			return true;
		}
	}
	return false;
}

/* The extra register in which the two events need different values; 0: none. */
static uint32_t contradiction(const struct um_unit *u, const struct um_slot *a, const struct um_slot *b)
{
	const struct um_pmu *pmu = u->box.pmu;

	for (size_t i = 0; i < pmu->num_extras; i++)
		for (size_t k = 0; k < pmu->num_extras; k++) {
			const struct um_extra *x = &pmu->extras[i], *y = &pmu->extras[k];
			uint64_t both = um_extra_mask(x) & um_extra_mask(y);
			uint32_t msr = um_extra_msr(&u->box, (unsigned)i);

			if (!(a->event->extras >> i & 1) || !(b->event->extras >> k & 1) ||
			    msr != um_extra_msr(&u->box, (unsigned)k))
				continue;
			if ((um_extra_value(a->event, x) ^ um_extra_value(b->event, y)) & both)
				return msr;
		}
	return 0;
}

/* The register that two events need in two states; 0: none. Includes the control register of a fixed counter. */
static uint32_t shared(const struct um_unit *u, const struct um_slot *a, const struct um_slot *b)
{
	const struct um_encoding *x = a->event, *y = b->event;

	if (x->extras && y->extras)
		return contradiction(u, a, b);
	if (x->fixed < 0 || x->fixed != y->fixed || x->word == y->word)
		return 0;
	return um_counter_regs(&u->box, u->box.num_general + (unsigned)x->fixed).selector;
}

static struct um_clash clash_of(const struct matching *m, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct um_slot *a = &m->u->slots[i];

		if ((!a->event->extras && a->event->fixed < 0) || !is_chosen(m, a))
			continue;
		for (size_t k = i + 1; k < end; k++) {
			const struct um_slot *b = &m->u->slots[k];
			uint32_t msr = is_chosen(m, b) ? shared(m->u, a, b) : 0;

			if (msr)
				return (struct um_clash){ UM_SHARED_REGISTER, .a = a, .b = b, .msr = msr };
		}
	}
	return (struct um_clash){ .what = UM_FITS };
}

struct um_clash um_match(const struct um_msr *s, const struct um_unit *u, uint64_t free, long group, int set, int *at)
{
	struct matching m = { .s = s, .u = u, .free = u->box.general & (uint32_t)free, .group = group, .set = set };
	struct um_span events = events_of(&m);
	size_t first = find_slot(u, events.first), end = find_slot(u, events.end);
	struct um_clash clash;
	unsigned need = 0;

	for (size_t k = first; k < end; k++)
		need += u->slots[k].event->fixed < 0 && is_chosen(&m, &u->slots[k]);
	if (need > (unsigned)__builtin_popcount(m.free))
		return (struct um_clash){ .what = UM_TOO_MANY, .need = need };
	for (unsigned c = 0; c < 32; c++)
		m.owner[c] = -1;
	clash = clash_of(&m, first, end);
	for (size_t k = first; k < end && clash.what == UM_FITS; k++) {
		uint32_t tried = 0;

		if (u->slots[k].event->fixed < 0 && is_chosen(&m, &u->slots[k]) && !augment(&m, k, &tried))
			clash = (struct um_clash){ UM_CONSTRAINT, .a = &u->slots[k] };
	}
	for (unsigned c = 0; at && c < 32; c++)
		if (m.owner[c] >= 0)
			at[m.owner[c]] = (int)c;
	clash.need = need;
	return clash;
}
