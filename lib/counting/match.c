/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Can events be counted at once on a unit? Each needs a counter that may count it (constraints of
 * the tables, the user's choice), and those that need the same filter have to agree about it.
 * Finding counters is bipartite matching by augmenting paths; the lowest free counter is tried
 * first, so that without constraints events get counters in their order.
 */
#include "counting/plan.h"

/* Is the slot chosen? A refused one never is: its event is never counted on the unit, so it needs no counter there. */
static bool is_chosen(const struct um_slot *slot, const struct um_choice *choice)
{
	int set = choice && choice->set != UM_NO_SET ? choice->set_of[slot->index] : UM_NO_SET;

	return !slot->refused && (!choice || slot->event->group == choice->group ||
				  (set != UM_NO_SET && (set == choice->set || set == UM_EVERY_SET)));
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

const struct um_slot *um_unit_slot(const struct um_unit *u, size_t event)
{
	size_t k = find_slot(u, event);

	return k < u->num_slots && u->slots[k].index == event ? &u->slots[k] : NULL;
}

/* A counter that the user chose is kept for its event. */
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
	const struct um_unit *u;
	uint32_t free;
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
	uint32_t may = um_allowed(m->u, &m->u->slots[slot]) & m->free;

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
 * The register that the two events cannot share; 0: none. It may be the control of a fixed counter for which they need
 * different settings, such as user mode only and both modes.
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

/* Find two chosen slots from @first to before @end that exclude each other. */
static struct um_clash clash_of(const struct um_unit *u, const struct um_choice *choice, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct um_slot *a = &u->slots[i];

		if ((!a->event->extras && a->event->fixed < 0) || !is_chosen(a, choice))
			continue;
		for (size_t k = i + 1; k < end; k++) {
			const struct um_slot *b = &u->slots[k];
			uint32_t msr = is_chosen(b, choice) ? shared(u, a, b) : 0;

			if (msr)
				return (struct um_clash){ UM_SHARED_REGISTER, .a = a, .b = b, .msr = msr };
		}
	}
	return (struct um_clash){ .what = UM_FITS };
}

struct um_clash um_match(const struct um_unit *u, uint32_t free, const struct um_choice *choice, int *at)
{
	struct um_span events = choice ? choice->events : (struct um_span){ 0, 0 };
	size_t first = find_slot(u, events.first), end = events.end ? find_slot(u, events.end) : u->num_slots;
	struct matching m = { .u = u, .free = free };
	struct um_clash clash;
	unsigned need = 0;

	for (size_t k = first; k < end; k++)
		need += u->slots[k].event->fixed < 0 && is_chosen(&u->slots[k], choice);
	if (need > (unsigned)__builtin_popcount(free))
		return (struct um_clash){ .what = UM_TOO_MANY, .need = need };
	for (unsigned c = 0; c < 32; c++)
		m.owner[c] = -1;
	clash = clash_of(u, choice, first, end);
	for (size_t k = first; k < end && clash.what == UM_FITS; k++) {
		uint32_t tried = 0;

		if (u->slots[k].event->fixed < 0 && is_chosen(&u->slots[k], choice) && !augment(&m, at, k, &tried))
			clash = (struct um_clash){ UM_CONSTRAINT, .a = &u->slots[k] };
	}
	clash.need = need;
	return clash;
}

struct um_clash um_match_all(const struct um_unit *u)
{
	return um_match(u, u->free, NULL, NULL);
}

struct um_clash um_match_group(const struct um_msr *s, const struct um_unit *u, uint32_t free, unsigned group)
{
	return um_match(u, free, &(struct um_choice){ .events = s->groups[group], .group = group, .set = UM_NO_SET },
			NULL);
}
