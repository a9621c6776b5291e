/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a unit's session: everything as it was found. */
#include <inttypes.h>
#include <stdio.h>

#include "counting/claim.h"
#include "counting/gate.h"

/* Which claims still hold our word? Their bits of the gate. */
static uint64_t still_ours(struct um_msr *s, struct um_unit *u, uint64_t *ours,
			   int *first)
{
	uint64_t bits = 0;

	*ours = 0;
	for (unsigned c = 0; c < um_num_held(u); c++) {
		struct um_held *claim = &u->held[c];
		uint64_t selector = 0;
		int err;

		claim->touched &= claim->programmed;
		if (!claim->touched)
			continue;
		err = um_unit_read_selector(s, u, &claim->regs, &selector);
		if (err) {
			*first = *first ? *first : err;
			continue;
		}
		if (um_same_word(&claim->regs, selector, claim->word)) {
			*ours |= UINT64_C(1) << c;
			bits |= claim->old_enabled ? 0 : claim->regs.gate_bit;
			continue;
		}
		claim->touched = false;
		um_warn(s->m, "%s: selector 0x%x holds 0x%" PRIx64 ", not our 0x%" PRIx64
			": left as it is, another program wrote it", u->label,
			claim->regs.selector, selector, claim->word);
	}
	return bits;
}

/*
 * The selector last, for the same reason that it was the first to be written, and only when
 * everything else is back: after an error it keeps our word and the record stays in the lease file,
 * so that the next run can tell that there is something left to do.
 */
static int restore_claim(struct um_msr *s, struct um_unit *u, struct um_held *c)
{
	uint64_t off = um_off_word(&c->regs, c->word);
	int err = 0;

	if (um_stops_by_selector(&c->regs) && off != c->word)
		err = um_unit_write_selector(s, u, &c->regs, off);
	if (um_stops_by_selector(&c->regs) && !err)
		c->word = off;
	if (!err)
		err = um_unit_write_counter(s, u, &c->regs, c->old_counter);
	if (c->old_enabled && !err)
		err = um_unit_write_shared(s, u, c->regs.gate, c->regs.gate_bit, c->regs.gate_bit);
	if (!err)
		err = um_unit_write_selector(s, u, &c->regs, c->old_selector);
	c->touched = false;
	return err;
}

static bool is_programmed(const struct um_unit *u)
{
	for (unsigned c = 0; c < um_num_held(u); c++)
		if (u->held[c].taken && u->held[c].touched)
			return true;
	return false;
}

static void end_leases(struct um_unit *u, uint64_t failed)
{
	for (unsigned c = 0; c < um_num_held(u); c++) {
		struct um_held *claim = &u->held[c];

		if (claim->lease < 0)
			continue;
		if (claim->taken && !claim->touched && !(failed >> c & 1))
			um_lease_forget(claim->lease);
		um_lease_release(claim->lease);
		claim->lease = -1;
		claim->taken = false;
		claim->touched = false; /* without the lease it is no longer ours to restore */
	}
}

/* Which other units of the site still need its lock? */
static void close_lock(struct um_msr *s, const struct um_unit *u)
{
	if (u->site->enable < 0)
		return;
	for (size_t i = 0; i < s->num_units; i++) {
		const struct um_unit *v = &s->units[i];

		for (unsigned c = 0; v->site == u->site && c < um_num_held(v); c++)
			if (v->held[c].taken)
				return;
	}
	um_lease_release(u->site->enable);
	u->site->enable = -1;
}

/*
 * Put back what was there: our gate bits (they were off), selectors that still hold our word and
 * their counters, then what they needed besides. Goes on after an error and returns the first one;
 * its sentence is in u->error unless the unit had failed before.
 */
int um_unit_restore(struct um_msr *s, struct um_unit *u)
{
	struct um_error before = u->error;
	int first = 0, err, off;
	uint64_t ours, failed = 0, bits = still_ours(s, u, &ours, &first);

	off = bits ? um_unit_write_shared(s, u, um_counter_regs(&u->box, 0).gate, bits, 0) : 0;
	first = first ? first : off;
	for (unsigned c = 0; c < um_num_held(u); c++) {
		if (!(ours >> c & 1))
			continue;
		err = off ? off : restore_claim(s, u, &u->held[c]);
		failed |= err ? UINT64_C(1) << c : 0;
		first = first ? first : err;
	}
	/* What could not be put back keeps its record, and so do its gates. */
	u->site->has_left |= is_programmed(u) || failed;
	err = um_filters_restore(s, u);
	first = first ? first : err;
	err = um_gates_restore(s, u, is_programmed);
	first = first ? first : err;
	end_leases(u, failed);
	close_lock(s, u);
	for (size_t k = 0; k < u->num_slots; k++)
		u->slots[k].active = false;
	if (u->err)
		u->error = before;
	return first;
}
