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

static bool slot_changed(struct um_slot *slot, uint64_t selector, uint64_t global)
{
	uint64_t word = slot->event.word;

	if (!((selector ^ word) & slot->regs.compare) && (global & slot->regs.global_bit))
		return false;
	describe(slot, selector, word, global);
	return true;
}

int um_slot_verify(struct uncoremsr_session *s, struct um_unit *u, struct um_slot *slot,
		   uint64_t global)
{
	uint64_t selector = 0;
	int err = um_unit_read(s, u, slot->regs.selector, &selector);

	return err ? err : slot_changed(slot, selector, global);
}

static void spoil(struct uncoremsr_reading *r, const char *detail)
{
	if (r->status != UNCOREMSR_OK && r->status != UNCOREMSR_NOT_COUNTED)
		return;
	r->status = UNCOREMSR_DISTURBED;
	snprintf(r->detail, sizeof(r->detail), "%s", detail);
}

/* The interval just closed lies between the previous check and this one. */
static bool check_slot(struct um_slot *slot, uint64_t selector, uint64_t global)
{
	bool was_dirty = slot->dirty;

	slot->dirty = slot_changed(slot, selector, global);
	if (!slot->dirty && !was_dirty)
		return false;
	if (!slot->dirty)
		snprintf(slot->detail, sizeof(slot->detail),
			 "the interval began while somebody had changed the registers");
	spoil(&slot->reading, slot->detail);
	spoil(&slot->total, slot->detail);
	return true;
}

/* The global control register first, then the selectors of the active slots in their order. */
static void read_controls(struct uncoremsr_session *s, struct um_unit *u)
{
	struct um_op *op = s->ops;

	*op++ = (struct um_op){ .cpu = u->cpu, .msr = s->pmu->global_control };
	for (size_t k = 0; k < s->events.num; k++)
		if (u->slots[k].active)
			*op++ = (struct um_op){ .cpu = u->cpu, .msr = u->slots[k].regs.selector };
	um_unit_batch(s, (size_t)(op - s->ops));
}

static int check_unit(struct uncoremsr_session *s, struct um_unit *u, int *num)
{
	struct um_op *op = s->ops;
	uint64_t global;
	int err;

	read_controls(s, u);
	err = um_unit_finish(s, u, op);
	global = op++->value;
	for (size_t k = 0; !err && k < s->events.num; k++) {
		if (!u->slots[k].active)
			continue;
		err = um_unit_finish(s, u, op);
		if (!err)
			*num += check_slot(&u->slots[k], op->value, global);
		op++;
	}
	return err;
}

int uncoremsr_session_verify(struct uncoremsr_session *s)
{
	int num = 0, first = 0;

	for (size_t i = 0; s->running && i < s->num_units; i++) {
		struct um_unit *u = &s->units[i];
		int err = u->err ? 0 : check_unit(s, u, &num);

		if (err && !first) {
			first = err;
			s->um->error = u->error;
		}
	}
	return first ? first : num;
}
