/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters of one unit on and off: their gate bits, or their selectors. */
#include <errno.h>
#include <stdio.h>

#include "counting/session.h"

static uint32_t gate_of(const struct um_unit *u)
{
	return um_counter_regs(&u->box, 0).gate;
}

/*
 * Set our bits of the gate and see that they stay: our own sessions wait for each other, but a
 * stranger who reads, changes and writes the register at the same time may undo it. Try again.
 */
static int set_gate_bits(struct um_msr_session *s, struct um_unit *u, uint64_t bits)
{
	uint32_t msr = gate_of(u);
	uint64_t now = 0;

	for (int tries = 0; tries < 3; tries++) {
		int err = um_unit_write_shared(s, u, msr, bits, bits);

		if (!err)
			err = um_unit_read(s, u, msr, &now);
		if (err || (now & bits) == bits)
			return err;
	}
	return um_unit_not_kept(s, u, msr, now | bits, now);
}

/* When did the counter begin to count? */
static uint64_t began(const struct um_unit *u, const struct um_slot *slot, uint64_t now)
{
	uint64_t t = slot->last_ns;

	if (slot->regs.gate)
		return now;
	for (unsigned i = 0; i < u->box.pmu->num_gates; i++)
		if (u->gates[i] && u->gates[i]->opened_ns > t)
			t = u->gates[i]->opened_ns;
	return t;
}

static int activate(struct um_msr_session *s, struct um_unit *u, struct um_slot *slot,
		    uint64_t now)
{
	int err = 0;

	slot->last = 0;
	if (slot->regs.selector) {
		slot->last_ns = began(u, slot, now);
	} else {
		slot->last_ns = now;
		err = um_unit_read(s, u, slot->regs.counter, &slot->last);
	}
	slot->active = !err;
	return err;
}

static bool waits(const struct um_slot *slot, int set)
{
	return !slot->active && !slot->dirty && um_slot_in_set(slot, set);
}

int um_unit_enable(struct um_msr_session *s, struct um_unit *u, int set)
{
	uint64_t bits = 0, now;
	bool any = false;
	int err;

	for (size_t k = 0; k < u->num_slots; k++)
		if (waits(&u->slots[k], set)) {
			any = true;
			bits |= u->slots[k].regs.gate_bit;
		}
	if (!any)
		return 0;
	err = um_gates_open(s, u);
	if (!err && bits)
		err = set_gate_bits(s, u, bits);
	now = um_now(s->m);
	for (size_t k = 0; k < u->num_slots && !err; k++)
		if (waits(&u->slots[k], set))
			err = activate(s, u, &u->slots[k], now);
	return err;
}

static void tell_of_return(struct um_msr_session *s, struct um_unit *u)
{
	if (!u->site->told)
		um_warn(s->m, "package %d: CPU %u is online: counting begins anew", u->box.package,
			u->box.cpu);
	u->site->told = true;
}

/* Off with what still counts, so that everything begins at the same time. */
static int forget_active(struct um_msr_session *s, struct um_unit *u, uint64_t gate)
{
	uint64_t bits = 0;

	for (size_t k = 0; k < u->num_slots; k++) {
		struct um_slot *slot = &u->slots[k];

		if (!slot->active)
			continue;
		bits |= slot->regs.gate_bit;
		slot->active = false;
		slot->trouble = UNCOREMSR_LOST;
		snprintf(slot->detail, sizeof(slot->detail),
			 "no CPU that reaches it was online; counting has begun anew");
	}
	for (size_t i = 0; i < u->num_extras; i++)
		u->extras[i].mask = 0; /* whatever it holds now, write it again */
	return bits & gate ? um_unit_write_shared(s, u, gate_of(u), bits & gate, 0) : 0;
}

/* Any register will do to see whether a CPU is there. */
static uint32_t probe_of(const struct um_unit *u)
{
	uint32_t gate = gate_of(u);

	return gate || !u->num_slots ? gate : u->slots[0].regs.counter;
}

int um_unit_come_back(struct um_msr_session *s, struct um_unit *u)
{
	uint64_t now = 0;
	int err = um_unit_read(s, u, probe_of(u), &now);

	if (err)
		return err;
	tell_of_return(s, u);
	err = forget_active(s, u, gate_of(u) ? now : 0);
	if (!err)
		err = um_gates_reopen(s, u);
	u->lost = err != 0;
	if (!err)
		err = um_unit_program(s, u, s->active_set);
	return err ? err : um_unit_enable(s, u, s->active_set);
}

/* One counter of a set whose turn ends: by its gate bit (returned in @bits) or by its selector. */
static int switch_off(struct um_msr_session *s, struct um_unit *u, struct um_slot *slot,
		      uint64_t *bits)
{
	struct um_held *c = &u->claims[slot->counter];
	int changed = um_slot_verify(s, u, slot);

	if (changed < 0)
		return changed;
	if (changed) {
		slot->trouble = UNCOREMSR_DISTURBED;
		return 0;
	}
	*bits |= slot->regs.gate_bit;
	return slot->regs.gate ? 0 : um_claim_write(s, u, c, um_off_word(&slot->regs, c->word));
}

static bool ends(const struct um_slot *slot, int set)
{
	return slot->active && slot->regs.selector && (set == UM_EVERY_SET || slot->set == set);
}

/*
 * A set's turn ends: check it, switch it off, take its counts. What needs no turn goes on, unless
 * @set is UM_EVERY_SET: then everything ends.
 */
int um_unit_disable(struct um_msr_session *s, struct um_unit *u, int set)
{
	uint64_t bits = 0;
	int err = 0;

	for (size_t k = 0; !err && k < u->num_slots; k++)
		if (ends(&u->slots[k], set))
			err = switch_off(s, u, &u->slots[k], &bits);
	if (!err && bits)
		err = um_unit_write_shared(s, u, gate_of(u), bits, 0);
	err = err ? um_unit_spoil(u, err) : um_unit_sample(s, u);
	for (size_t k = 0; k < u->num_slots; k++)
		if (set == UM_EVERY_SET || u->slots[k].set == set)
			u->slots[k].active = false;
	return err;
}
