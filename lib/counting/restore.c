/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restoring the registers of a unit when its session ends. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "counting/claim.h"
#include "counting/gate.h"

/* Is the counter still ours? 1 its selector holds our word, 2 only its gate bit is ours, 0 no, or a negative errno. */
static int is_ours(struct um_msr *s, struct um_unit *u, struct um_held *c)
{
	uint64_t selector = 0;
	int err = um_unit_read_selector(s, u, &c->regs, &selector);

	if (err) {
		if (c->regs.gate)
			um_unit_left(s, u, c->regs.gate);
		um_unit_left(s, u, c->regs.counter);
		um_unit_left(s, u, c->regs.selector);
		return err;
	}
	if (um_same_word(&c->regs, selector, c->word))
		return 1;
	c->touched = false;
	/* Our event was moved away because another program took the counter, which has switched it off since. */
	if (c->left && !um_counter_in_use(&c->regs, selector, 0))
		return 2;
	um_warn(s->m, "%s: selector 0x%x holds 0x%" PRIx64 ", not our 0x%" PRIx64
		": left as it is, another program wrote it", u->label, c->regs.selector, selector,
		c->word);
	return 0;
}

/* Set in @ours the counters that are still ours; return their gate bits. @first: the first error. */
static uint64_t still_ours(struct um_msr *s, struct um_unit *u, uint64_t *ours, int *first)
{
	uint64_t bits = 0;

	*ours = 0;
	for (unsigned c = 0; c < um_num_held(u); c++) {
		struct um_held *claim = &u->held[c];
		int is;

		claim->touched &= claim->programmed;
		is = claim->touched ? is_ours(s, u, claim) : 0;
		if (is > 0) {
			*ours |= is == 1 ? UINT64_C(1) << c : 0;
			bits |= claim->old_enabled ? 0 : claim->regs.gate_bit;
		}
		*first = *first || is >= 0 ? *first : is;
	}
	return bits;
}

/* Clear the overflow status that our counting has set; others may look at it. The counter is stopped already. */
static int clear_overflow(struct um_msr *s, struct um_unit *u, const struct um_held *c)
{
	int err = c->wrapped ? um_unit_write(s, u, c->regs.overflow, c->regs.overflow_bit,
					     c->regs.overflow_bit) : 0;

	if (err)
		um_unit_left(s, u, c->regs.overflow);
	return err;
}

/* The first error of several steps, and its sentence. */
struct first {
	int err;
	struct um_error why;
};

static void note(struct first *first, const struct um_unit *u, int err)
{
	if (!err || first->err)
		return;
	first->err = err;
	um_fail_as(&first->why, &u->error);
}

/* If @err, report that register @msr could not be restored; keep the first error and go on. */
static void note_left(struct um_msr *s, struct um_unit *u, struct first *first, uint32_t msr, int err)
{
	if (err)
		um_unit_left(s, u, msr);
	note(first, u, err);
}

/* Set the counter's gate bit again if it was set before us. It still is, unless programming the counter failed. */
static int restore_bit(struct um_msr *s, struct um_unit *u, const struct um_held *c)
{
	uint64_t gate = 0;
	int err = c->old_enabled ? um_unit_read(s, u, c->regs.gate, &gate) : 0;

	if (err || !c->old_enabled || (gate & c->regs.gate_bit))
		return err;
	return um_unit_write_shared(s, u, c->regs.gate, c->regs.gate_bit, c->regs.gate_bit);
}

/*
 * Restore each register of a counter, even if another one fails. The selector comes last, as it was written
 * first: while it holds our word, the next run knows that something is left to restore. If another register
 * could not be restored, the mark of the record says so before the selector is written. @bit_left: our gate
 * bit could not be cleared.
 */
static int restore_claim(struct um_msr *s, struct um_unit *u, struct um_held *c, bool bit_left,
			 struct first *first)
{
	uint64_t off = um_off_word(&c->regs, c->word);
	struct first here = { .err = 0 };
	int err;

	if (um_stops_by_selector(&c->regs) && off != c->word &&
	    !um_unit_write_selector(s, u, &c->regs, off))
		c->word = off;
	err = um_unit_write_counter(s, u, &c->regs, c->old_counter);
	note_left(s, u, &here, c->regs.counter,
		  um_unit_unless_back(s, u, err, c->regs.counter, UM_WHOLE, c->old_counter));
	note_left(s, u, &here, c->regs.gate, restore_bit(s, u, c));
	if (here.err || bit_left)
		um_lease_mark(&s->guard, &c->lease, UM_MARK_GATE);
	/* Skip the write if the selector holds its old value already. */
	err = c->word != c->old_selector || c->dropped
		      ? um_unit_write_selector(s, u, &c->regs, c->old_selector) : 0;
	note_left(s, u, &here, c->regs.selector,
		  um_unit_unless_back(s, u, err, c->regs.selector, c->regs.mask, c->old_selector));
	if (!first->err)
		*first = here;
	return here.err;
}

static bool is_programmed(const struct um_unit *u)
{
	for (unsigned c = 0; c < um_num_held(u); c++)
		if (u->held[c].taken && u->held[c].touched)
			return true;
	return false;
}

static void end_leases(struct um_msr *s, struct um_unit *u, uint64_t failed)
{
	for (unsigned c = 0; c < um_num_held(u); c++) {
		struct um_held *claim = &u->held[c];

		if (!claim->lease.held)
			continue;
		if (claim->taken && !claim->touched && !(failed >> c & 1))
			um_lease_forget(&s->guard, &claim->lease);
		um_lease_release(&s->guard, &claim->lease);
		claim->touched = false; /* its lease is gone, so we may not restore it any more */
	}
}

/*
 * Restore the counters @ours. @off: 0 if their gate bits are cleared, else the error. Returns those not fully restored.
 */
static uint64_t restore_claims(struct um_msr *s, struct um_unit *u, uint64_t ours, int off,
			       struct first *first)
{
	uint64_t failed = 0;

	for (unsigned c = 0; c < um_num_held(u); c++) {
		struct um_held *claim = &u->held[c];
		bool behind = off && !claim->old_enabled;
		int err, marked;

		if (!(ours >> c & 1))
			continue;
		err = restore_claim(s, u, claim, behind, first);
		marked = clear_overflow(s, u, claim);
		if (marked && !behind && !err)
			um_lease_mark(&s->guard, &claim->lease, UM_MARK_WRAP);
		note(first, u, marked);
		claim->touched = false;
		failed |= err || marked || behind ? UINT64_C(1) << c : 0;
	}
	return failed;
}

/*
 * Clear our gate bits, restore counters and the selectors that still hold our word, then filters and gates. Goes
 * on after an error and returns the first one; its sentence is in u->error unless the unit had failed before.
 */
int um_unit_restore(struct um_msr *s, struct um_unit *u)
{
	struct first first = { .err = 0 };
	struct um_error before = u->error;
	uint64_t ours, failed, bits;
	int off;

	s->restoring = true;
	bits = still_ours(s, u, &ours, &first.err);
	um_fail_as(&first.why, &u->error);
	off = bits ? um_unit_write_shared(s, u, u->bits_register, bits, 0) : 0;
	off = um_unit_unless_back(s, u, off, u->bits_register, bits, 0);
	note(&first, u, off);
	if (off)
		um_unit_left(s, u, u->bits_register);
	failed = restore_claims(s, u, ours, off, &first);
	/* A counter that was not fully restored keeps its record, and so do its gates (um_unit_left() noted it). */
	note(&first, u, um_filters_restore(s, u));
	note(&first, u, um_gates_restore(s, u, is_programmed));
	end_leases(s, u, failed);
	if (first.err)
		um_fail_as(&u->error, &first.why);
	if (u->err)
		um_fail_as(&u->error, &before);
	s->restoring = false;
	return first.err;
}
