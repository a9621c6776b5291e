/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Switch the counters of a unit on and off; start again when a CPU of the unit is back online. */
#include "counting/claim.h"
#include "counting/run.h"

/* When did the counter begin to count? At the last write to its gate bit, a shared gate or its selector. */
static struct um_moment began(const struct um_unit *u, const struct um_slot *slot)
{
	struct um_moment at = slot->last_read;
	uint64_t opened = um_gates_opened_ns(u);

	at.ns = opened > at.ns ? opened : at.ns;
	return slot->regs.gate || at.ns == u->written.ns ? u->written : at;
}

static int activate(struct um_msr *s, struct um_unit *u, struct um_slot *slot)
{
	uint64_t begin = um_now(s->m);
	int err = 0;

	slot->last = UM_COUNTER_START;
	slot->stop.ns = 0;
	if (slot->regs.selector) {
		slot->last_read = began(u, slot);
	} else {
		err = um_unit_read(s, u, slot->regs.counter, &slot->last);
		slot->last_read.ns = um_now(s->m);
		slot->last_read.window_ns = slot->last_read.ns - begin;
	}
	slot->unsure_ns += slot->last_read.window_ns;
	slot->total_unsure_ns += slot->last_read.window_ns;
	slot->active = !err;
	return err;
}

static bool waits(const struct um_msr *s, const struct um_slot *slot)
{
	return !slot->active && !slot->dirty && !slot->refused && um_slot_in_set(slot, s->active_set);
}

int um_unit_enable(struct um_msr *s, struct um_unit *u)
{
	uint64_t bits = 0;
	bool any = false;
	int err;

	for (size_t k = 0; k < u->num_slots; k++)
		if (waits(s, &u->slots[k])) {
			any = true;
			bits |= u->slots[k].regs.gate_bit;
		}
	if (!any)
		return 0;
	err = um_gates_open(s, u);
	if (!err && bits)
		err = um_unit_set_bits(s, u, bits);
	for (size_t k = 0; k < u->num_slots && !err; k++)
		if (waits(s, &u->slots[k]))
			err = activate(s, u, &u->slots[k]);
	return err;
}

int um_unit_begin(struct um_msr *s, struct um_unit *u)
{
	return um_unit_program(s, u) ?: um_unit_enable(s, u);
}

/* Switch off the counters that still run, so that all counters of the unit start again together. */
static int forget_active(struct um_msr *s, struct um_unit *u, uint64_t gate)
{
	uint64_t bits = 0;

	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		if (!slot->active)
			continue;
		bits |= slot->regs.gate_bit;
		slot->active = false;
		um_slot_mark(slot, um_status_away(u),
			     "no CPU that reaches the unit was online; counting has begun again");
	}
	um_filters_forget(u);
	return um_unit_clear_bits(s, u, bits & gate);
}

int um_unit_come_back(struct um_msr *s, struct um_unit *u)
{
	/* Read some register of the unit, to see whether one of its CPUs is online. */
	uint32_t bits = u->bits_register, msr = bits;
	uint64_t now = 0;
	int err;

	for (size_t k = 0; k < u->num_slots && !msr; k++)
		msr = u->slots[k].regs.counter; /* 0 if the event was refused before it got a counter */
	err = um_unit_read(s, u, msr, &now);
	if (err)
		return err;
	if (um_status_away(u) == UNCOREMSR_OFFLINE || !u->site->told)
		um_tell_came(s->m, u->site->package, u->box.cpu);
	u->site->told = true;
	err = forget_active(s, u, bits ? now : 0) ?: um_gates_reopen(s, u) ?: um_unit_begin(s, u);
	u->lost = err != 0; /* after a failure, each read tries again */
	return err;
}

/* Switch off a counter whose turn ends: through its selector, or by adding its gate bit to @bits. */
static int switch_off(struct um_msr *s, struct um_unit *u, struct um_slot *slot, uint64_t *bits)
{
	struct um_change *c = &u->counters[slot->counter];
	int err = 0, changed = um_slot_verify(s, u, slot);

	if (changed < 0)
		return changed;
	if (changed) {
		slot->trouble = UNCOREMSR_DISTURBED;
		if (um_change_state(s, u, c) <= 0)
			return 0;
	}
	*bits |= slot->regs.gate_bit;
	if (!slot->regs.gate) {
		err = um_change_write(s, u, c, um_off_word(&slot->regs, c->ours));
		slot->stop = u->written;
	}
	return err;
}

static bool ends(const struct um_msr *s, const struct um_slot *slot, bool all)
{
	return slot->active && (all || !um_slot_in_set(slot, s->active_set));
}

int um_unit_disable(struct um_msr *s, struct um_unit *u, bool all)
{
	uint64_t bits = 0;
	int err = 0;

	for (size_t k = 0; !err && k < u->num_slots; k++)
		if (u->slots[k].regs.selector && ends(s, &u->slots[k], all))
			err = switch_off(s, u, &u->slots[k], &bits);
	if (!err)
		err = um_unit_clear_bits(s, u, bits);
	for (size_t k = 0; k < u->num_slots; k++)
		if (bits & u->slots[k].regs.gate_bit && ends(s, &u->slots[k], all))
			u->slots[k].stop = u->written;
	if (!err && u->lost)
		err = um_unit_come_back(s, u);
	err = err ? um_unit_spoil(u, err) : um_unit_sample(s, u);
	for (struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++) {
		if (!ends(s, slot, all))
			continue;
		slot->unsure_ns += slot->last_read.window_ns;
		slot->total_unsure_ns += slot->last_read.window_ns;
		slot->active = false;
	}
	return err;
}
