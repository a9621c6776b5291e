/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reprogram counters that were changed during a session, once they are free again. A counter is free if another program
 * or a suspend has cleared it. It is also free if the program that took it has ended, even if that program left the
 * counter running. Until then the event is counted on another free counter that can count it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "counting/claim.h"
#include "counting/run.h"

/* Another program may have closed the gate for a moment, to read the unit: wait for the next check. */
static bool is_stopped_for_a_moment(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	bool was = slot->stopped;
	uint64_t gate = 0;

	if (slot->regs.gate && um_unit_read(s, u, slot->regs.gate, &gate))
		return true;
	slot->stopped = (gate & slot->regs.gate_bit) == slot->regs.gate_bit;
	return slot->stopped && !was;
}

/* Does the program that took the counter seem to have ended? 1 yes, 0 no, or a negative errno. */
static int is_quiet(struct um_msr *s, struct um_unit *u, struct um_change *h)
{
	int is = um_change_is_quiet(s, u, h);

	if (is > 0)
		um_warn(s->m, "%s: selector 0x%x has held 0x%" PRIx64 " for %u checks, and the program that wrote it "
			"seems to have ended: the counter is taken again, and its contents are put back at the end",
			u->label, h->regs.selector, h->seen, h->strange.checks - 1);
	return is;
}

/* 1 if the counter can be reprogrammed, 0 if not yet, or a negative errno. */
static int is_free(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	struct um_change *h = &u->counters[slot->counter];
	int state = um_change_state(s, u, h);

	if (state == UM_HOLDS_OTHER)
		return is_quiet(s, u, h);
	h->strange.checks = 0;
	if (state == UM_HOLDS_OURS && slot->active && !slot->event->extras)
		return !is_stopped_for_a_moment(s, u, slot);
	return state < 0 ? state : state > 0;
}

/* Clear the gate bits of the counters that will be reprogrammed, so that they do not count meanwhile. */
static int forget(struct um_msr *s, struct um_unit *u)
{
	uint64_t bits = 0;

	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		if (!slot->again || !slot->active)
			continue;
		slot->active = false;
		slot->unsure_ns = 0;
		if (!um_stops_by_selector(&slot->regs))
			bits |= slot->regs.gate_bit;
	}
	return um_unit_clear_bits(s, u, bits);
}

static void keep_trying(struct um_unit *u, int err)
{
	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		if (!slot->again || slot->active)
			continue;
		slot->dirty = true;
		um_slot_mark(slot, um_status_of(u, err), "%s", u->error.msg);
	}
}

static int begin_again(struct um_msr *s, struct um_unit *u, bool free_again)
{
	int err = forget(s, u) ?: um_gates_reopen(s, u) ?: um_filters_take_again(s, u) ?: um_unit_begin(s, u);

	if (err) {
		keep_trying(u, err);
		return err;
	}
	if (free_again && !s->num_reprogrammed++)
		s->reprogrammed = u;
	return 0;
}

/* Returns > 0 if the counter is free (the gate bit that we had set is cleared), 0 if not, or a negative errno. */
static int claim_back(struct um_msr *s, struct um_unit *u, struct um_change *h)
{
	int is = um_change_state(s, u, h);
	int err = um_unit_clear_bits(s, u, is > 0 && !um_stops_by_selector(&h->regs) ? h->regs.gate_bit : 0);

	return err ? err : is;
}

/* Returns 1, 0 (none free) or a negative errno. Fixed events, and events with a chosen counter, cannot move. */
static int find_other(struct um_msr *s, struct um_unit *u, const struct um_slot *slot, unsigned *counter)
{
	uint32_t may = um_allowed(u, slot) & u->box.general;
	int is = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		if (u->slots[k].counter != UM_NO_COUNTER && (unsigned)u->slots[k].counter < u->box.num_general)
			may &= ~(UINT32_C(1) << u->slots[k].counter);
	for (unsigned c = 0; c < u->box.num_general && !is; c++) {
		if (!(may >> c & 1))
			continue;
		*counter = c;
		is = u->counters[c].stage >= UM_CHANGE_TAKEN ? claim_back(s, u, &u->counters[c])
				      : um_claim_another(s, u, c);
	}
	return is < 0 ? is : is > 0;
}

static int move(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	int from = slot->counter, is = um_change_state(s, u, &u->counters[from]);
	unsigned to = 0;

	if (is > 0)
		return 0; /* the counter is free again or still ours, so the event stays on it */
	if (is == UM_HOLDS_OTHER)
		is = find_other(s, u, slot, &to);
	if (is <= 0)
		return is;
	if (um_change_is_written(&u->counters[from]))
		u->counters[from].stage = UM_CHANGE_LEFT;
	u->counters[from].strange.checks = 0;
	um_slot_put_on(u, slot, to);
	if (!s->num_moved++) {
		s->moved = slot;
		s->moved_from = from;
	}
	return 1;
}

int um_unit_reprogram(struct um_msr *s, struct um_unit *u)
{
	bool filters = false, any = false, dirty = false, free_again = false;
	int err;

	for (size_t k = 0; k < u->num_slots; k++)
		dirty |= u->slots[k].dirty;
	if (!dirty)
		return 0;
	err = um_filters_find_free(s, u, &filters);
	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots && !err; slot++) {
		int is = 0;

		slot->again = false;
		if (!slot->dirty || slot->refused || !um_slot_in_set(slot, s->active_set))
			continue;
		/* Another counter does not help if the other program has changed a filter: all counters share it. */
		if (!filters || !slot->event->extras) {
			is = is_free(s, u, slot);
			free_again |= is > 0;
			if (!is && !slot->stopped)
				is = move(s, u, slot);
		}
		slot->again = is > 0;
		any |= slot->again;
		err = is < 0 ? is : 0;
		/* An event that takes no turns, but does not count: another program uses its counter. */
		if (!is && !slot->active && slot->set == UM_EVERY_SET)
			um_slot_mark(slot, UNCOREMSR_DISTURBED, "another program uses the counter (selector 0x%x)",
				     slot->regs.selector);
	}
	return err || !any ? err : begin_again(s, u, free_again);
}

void um_tell_reprogrammed(const struct um_msr *s)
{
	char more[48] = "";

	if (s->num_reprogrammed > 1)
		snprintf(more, sizeof(more), " and %zu more", s->num_reprogrammed - 1);
	if (s->num_reprogrammed)
		um_warn(s->m, "%s%s: counters that another program or a suspend changed are free again: "
			"counting begins again", s->reprogrammed->label, more);
	*more = '\0';
	if (s->num_moved > 1)
		snprintf(more, sizeof(more), " (and %zu more)", s->num_moved - 1);
	if (s->num_moved)
		um_warn(s->m, "%s: %s: another program took counter %d: now counted on counter %d%s",
			s->moved->unit->label, s->moved->event->name, s->moved_from, s->moved->counter, more);
}
