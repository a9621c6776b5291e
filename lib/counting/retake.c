/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters that were changed under a session and are free again: cleared by another program or by a
 * suspend, or taken by a program that has gone since. Events stay on their counters: no other one is
 * looked for.
 */
#include <errno.h>
#include <stdio.h>

#include "counting/claim.h"
#include "counting/gate.h"
#include "counting/run.h"

/*
 * Where nothing but a shared gate is closed another program may have stopped the unit for a moment, to
 * read it: it has the time until the next check to open it again.
 */
static bool is_stopped_for_a_moment(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	bool was = slot->stopped;
	uint64_t gate = 0;

	if (slot->regs.gate && um_unit_read(s, u, slot->regs.gate, &gate))
		return true;
	slot->stopped = (gate & slot->regs.gate_bit) == slot->regs.gate_bit;
	return slot->stopped && !was;
}

/* 1 it can be programmed again, 0 not yet, or a negative errno. @filters: another program's. */
static int is_free(struct um_msr *s, struct um_unit *u, struct um_slot *slot, bool filters)
{
	int state;

	if (!slot->dirty || slot->refused || !um_slot_in_set(slot, s->active_set) ||
	    (filters && slot->event->extras))
		return 0;
	state = um_held_state(s, u, &u->held[slot->counter]);
	if (state == 1 && slot->active && !(slot->event->extras && !filters))
		return !is_stopped_for_a_moment(s, u, slot);
	return state < 0 ? state : state > 0;
}

/* Off with their gate bits, so that they stand still while they are programmed. */
static int forget(struct um_msr *s, struct um_unit *u)
{
	uint64_t bits = 0;

	for (size_t k = 0; k < u->num_slots; k++) {
		struct um_slot *slot = &u->slots[k];

		if (!slot->again || !slot->active)
			continue;
		slot->active = false;
		slot->unsure_ns = 0;
		if (!um_stops_by_selector(&slot->regs))
			bits |= slot->regs.gate_bit;
	}
	return bits ? um_unit_write_shared(s, u, u->bits_register, bits, 0) : 0;
}

/* What is not programmed now is tried again at the next check, and says why until then. */
static void keep_trying(struct um_unit *u, int err)
{
	for (size_t k = 0; k < u->num_slots; k++) {
		struct um_slot *slot = &u->slots[k];

		if (!slot->again || slot->active)
			continue;
		slot->dirty = true;
		slot->trouble = um_status_of(u, err);
		um_sentence(slot->detail, sizeof(slot->detail), "%s", u->error.msg);
	}
}

static int begin_again(struct um_msr *s, struct um_unit *u)
{
	bool ignored;
	int err = forget(s, u);

	if (!err)
		err = um_gates_reopen(s, u);
	if (!err)
		err = um_filters_find_free(s, u, true, &ignored);
	if (!err)
		err = um_unit_program(s, u, s->active_set);
	if (!err)
		err = um_unit_enable(s, u, s->active_set);
	if (err) {
		keep_trying(u, err);
		return err;
	}
	if (!s->num_retaken++)
		s->retaken = u;
	return 0;
}

/* It does not count any more, and is not programmed yet: not for want of a turn. */
static void still_taken(struct um_slot *slot)
{
	slot->trouble = UNCOREMSR_DISTURBED;
	snprintf(slot->detail, sizeof(slot->detail), "another program uses the counter (selector 0x%x)",
		 slot->regs.selector);
}

int um_unit_retake(struct um_msr *s, struct um_unit *u)
{
	bool filters = false, any = false, dirty = false;
	int err;

	for (size_t k = 0; k < u->num_slots; k++)
		dirty |= u->slots[k].dirty;
	if (!dirty)
		return 0;
	err = um_filters_find_free(s, u, false, &filters);
	for (size_t k = 0; k < u->num_slots && !err; k++) {
		struct um_slot *slot = &u->slots[k];
		int is = is_free(s, u, slot, filters);

		slot->again = is > 0;
		any |= slot->again;
		err = is < 0 ? is : 0;
		if (!is && slot->dirty && !slot->active && slot->set == UM_EVERY_SET)
			still_taken(slot);
	}
	return err || !any ? err : begin_again(s, u);
}

void um_tell_retaken(const struct um_msr *s)
{
	char more[48] = "";

	if (s->num_retaken > 1)
		snprintf(more, sizeof(more), " and %zu more", s->num_retaken - 1);
	um_warn(s->m, "%s%s: registers that were changed are free again: counting begins again",
		s->retaken->label, more);
}
