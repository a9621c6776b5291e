/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Are selectors and enable bits still ours? What cannot be seen: a change that was undone between two
 * checks, and a counter that somebody rewrote.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "counting/session.h"

static void describe(struct um_slot *slot, uint64_t selector, uint64_t word, uint64_t global)
{
	if ((selector ^ word) & slot->regs.compare)
		snprintf(slot->detail, sizeof(slot->detail), "somebody changed selector 0x%x: it "
			 "holds 0x%" PRIx64 ", we wrote 0x%" PRIx64, slot->regs.selector, selector,
			 word);
	else
		snprintf(slot->detail, sizeof(slot->detail), "somebody cleared our global enable "
			 "bit (0x%" PRIx64 " is left of the register)", global);
}

int um_slot_verify(struct uncoremsr_session *s, struct um_unit *u, struct um_slot *slot,
		   uint64_t global)
{
	uint64_t selector = 0, word = slot->event.word;
	bool changed;
	int err = um_unit_read(s, u, slot->regs.selector, &selector);

	if (err)
		return err;
	changed = ((selector ^ word) & slot->regs.compare) || !(global & slot->regs.global_bit);
	if (changed)
		describe(slot, selector, word, global);
	return changed;
}

static void spoil(struct uncoremsr_reading *r, const char *detail)
{
	if (r->status != UNCOREMSR_OK && r->status != UNCOREMSR_NOT_COUNTED)
		return;
	r->status = UNCOREMSR_DISTURBED;
	snprintf(r->detail, sizeof(r->detail), "%s", detail);
}

/* The interval just closed lies between the previous check and this one. */
static bool check_slot(struct uncoremsr_session *s, struct um_unit *u, struct um_slot *slot,
		       uint64_t global, int *first)
{
	bool was_dirty = slot->dirty;
	int changed = um_slot_verify(s, u, slot, global);

	if (changed < 0) {
		*first = *first ? *first : changed;
		return false;
	}
	slot->dirty = changed;
	if (!changed && !was_dirty)
		return false;
	if (!changed)
		snprintf(slot->detail, sizeof(slot->detail),
			 "the interval began while somebody had changed the registers");
	spoil(&slot->reading, slot->detail);
	spoil(&slot->total, slot->detail);
	return true;
}

int uncoremsr_session_verify(struct uncoremsr_session *s)
{
	int num = 0, first = 0;

	for (size_t i = 0; s->running && i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		uint64_t global = 0;
		int err = u->err ? 0 : um_unit_read(s, u, s->pmu->global_control, &global);

		for (size_t k = 0; !u->err && !err && k < s->events.num; k++)
			if (u->slots[k].active)
				num += check_slot(s, u, &u->slots[k], global, &err);
		if (err && !first) {
			first = err;
			s->um->error = u->error;
		}
	}
	return first ? first : num;
}
