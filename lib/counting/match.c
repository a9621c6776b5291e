/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Can events be counted at once on a unit? Each needs a counter that may count it (constraints of
 * the tables, a choice by hand), and those that need the same filter have to agree about it.
 * Finding counters is bipartite matching by augmenting paths; the lowest free counter is tried
 * first, so that without constraints events get counters in their order.
 */
#include "counting/plan.h"

bool um_any_slot(const struct um_slot *slot, const void *user)
{
	(void)slot;
	(void)user;
	return true;
}

bool um_slot_of_group(const struct um_slot *slot, const void *user)
{
	return slot->event->group == *(const unsigned *)user;
}

/* Chosen, and not refused: an event that is never counted on the unit needs no counter there. */
static bool is_chosen(const struct um_slot *slot, um_choose_fn *choose, const void *user)
{
	return !slot->refused && choose(slot, user);
}

unsigned um_num_chosen(const struct um_unit *u, um_choose_fn *choose, const void *user)
{
	unsigned n = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		n += u->slots[k].event->fixed < 0 && is_chosen(&u->slots[k], choose, user);
	return n;
}

/* Index of the event's slot; if the unit has none, where it would be. */
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

struct um_unit um_unit_part(const struct um_unit *u, struct um_span events)
{
	struct um_unit part = *u;

	if (u->by_hand)
		return part;
	part.slots += find_slot(u, events.first);
	part.num_slots = find_slot(u, events.end) - find_slot(u, events.first);
	return part;
}

const struct um_slot *um_unit_slot(const struct um_unit *u, size_t event)
{
	size_t k = find_slot(u, event);

	return k < u->num_slots && u->slots[k].index == event ? &u->slots[k] : NULL;
}

/* Counters that were asked for by number. */
static uint32_t chosen_by_hand(const struct um_unit *u)
{
	uint32_t counters = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].event->counter >= 0)
			counters |= UINT32_C(1) << u->slots[k].event->counter;
	return counters;
}

/* Counters that the slot may be on; a counter chosen by hand is kept for its event. */
static uint32_t allowed(const struct um_slot *slot, uint32_t by_hand)
{
	return slot->event->counter >= 0 ? UINT32_C(1) << slot->event->counter : slot->event->counters & ~by_hand;
}

uint32_t um_allowed(const struct um_unit *u, const struct um_slot *slot)
{
	return allowed(slot, chosen_by_hand(u));
}

uint32_t um_useful(const struct um_unit *u)
{
	uint32_t may = 0, by_hand = chosen_by_hand(u);

	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].event->fixed < 0)
			may |= allowed(&u->slots[k], by_hand);
	return may & u->box.general;
}

struct matching {
	const struct um_unit *u;
	uint32_t free, by_hand;
	int owner[32];               /* slot on this counter, -1 none */
};

static void put(struct matching *m, int *at, size_t slot, unsigned counter)
{
	m->owner[counter] = (int)slot;
	if (at)
		at[slot] = (int)counter;
}

/* Give @slot a counter; if need be, move other slots. @tried: counters that were tried already. */
static bool augment(struct matching *m, int *at, size_t slot, uint32_t *tried)
{
	uint32_t may = allowed(&m->u->slots[slot], m->by_hand) & m->free;

	for (unsigned c = 0; c < 32; c++)
		if (may >> c & 1 && m->owner[c] < 0) {
			put(m, at, slot, c);
			return true;
		}
	for (unsigned c = 0; c < 32; c++) {
		if (!(may & ~*tried & UINT32_C(1) << c))
			continue;
		*tried |= UINT32_C(1) << c;
		if (augment(m, at, (size_t)m->owner[c], tried)) {
			put(m, at, slot, c);
			return true;
		}
	}
	return false;
}

/* The extra register in which the two events need different values; 0: none. */
static uint32_t contradiction(const struct um_unit *u, const struct um_slot *a,
			      const struct um_slot *b)
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

/*
 * The register that the two cannot share; 0: none. It may be the control of a fixed counter that they want to
 * count different things, such as user mode only and both modes.
 */
static uint32_t shared(const struct um_unit *u, const struct um_slot *a, const struct um_slot *b)
{
	const struct um_encoding *x = a->event, *y = b->event;

	if (x->extras && y->extras)
		return contradiction(u, a, b);
	if (x->fixed < 0 || x->fixed != y->fixed || x->word == y->word)
		return 0;
	return um_counter_regs(&u->box, u->box.num_general + (unsigned)x->fixed).selector;
}

static struct um_clash clash_of(const struct um_unit *u, um_choose_fn *choose, const void *user)
{
	for (size_t i = 0; i < u->num_slots; i++) {
		const struct um_slot *a = &u->slots[i];

		if ((!a->event->extras && a->event->fixed < 0) || !is_chosen(a, choose, user))
			continue;
		for (size_t k = i + 1; k < u->num_slots; k++) {
			const struct um_slot *b = &u->slots[k];
			uint32_t msr = is_chosen(b, choose, user) ? shared(u, a, b) : 0;

			if (msr)
				return (struct um_clash){ UM_SHARED_REGISTER, a, b, msr };
		}
	}
	return (struct um_clash){ .what = UM_FITS };
}

struct um_clash um_match(const struct um_unit *u, uint32_t free, um_choose_fn *choose,
			 const void *user, int *at)
{
	struct matching m = { .u = u, .free = free, .by_hand = chosen_by_hand(u) };
	struct um_clash clash = clash_of(u, choose, user);

	for (unsigned c = 0; c < 32; c++)
		m.owner[c] = -1;
	if (um_num_chosen(u, choose, user) > (unsigned)__builtin_popcount(free))
		return (struct um_clash){ .what = UM_TOO_MANY };
	for (size_t k = 0; k < u->num_slots && clash.what == UM_FITS; k++) {
		uint32_t tried = 0;

		if (u->slots[k].event->fixed >= 0 || !is_chosen(&u->slots[k], choose, user))
			continue;
		if (!augment(&m, at, k, &tried))
			clash = (struct um_clash){ UM_CONSTRAINT, &u->slots[k], NULL, 0 };
	}
	return clash;
}
