/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gates that several counters share: a global enable bit, the freeze bit of a box. An open gate is left as it is. A
 * closed gate is opened and gets a record in the journal. The last session that needs the gate closes it again. After a
 * crash, the next session finds the record and closes the gate. If another program needs the gate at that time, it
 * stays open.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "counting/claim.h"

struct um_gate_use {
	struct um_change change;       /* recorded in the journal if any session of ours opened the gate */
	const struct um_gate *gate;
	const struct um_unit *of;      /* the only unit that needs the gate; NULL: all units of the site share it */
	unsigned users;                /* number of this session's units that need the gate open */
	bool absent;
	bool readable;                 /* we found the gate open or opened it, and it reads back as open */
	unsigned waiting;              /* number of foreign counters that were enabled behind the closed gate */
	uint64_t opened_ns;            /* when we opened the gate; 0: it was open already */
};

static uint32_t msr_of(const struct um_gate_use *use)
{
	return use->change.regs.selector;
}

static struct um_gate_use *use_of(struct um_unit *u, const struct um_gate *g)
{
	/* A box control serves one unit only. So does any gate of a unit that belongs to a node, L3, core or CPU. */
	const struct um_unit *of = g->of_unit || u->box.pmu->scope > UM_SCOPE_DIE ? u : NULL;
	struct um_site *site = u->site;
	struct um_gate_use *use;
	uint32_t msr = um_gate_msr(&u->box, g);

	for (size_t i = 0; i < site->num_gates; i++)
		if (msr_of(&site->gates[i]) == msr && site->gates[i].of == of)
			return &site->gates[i];
	use = &site->gates[site->num_gates++];
	*use = (struct um_gate_use){ .gate = g, .of = of, .change = um_unit_change(u, UM_LEASE_GATE, msr) };
	if (!of)
		use->change.lease.id.unit[0] = '\0';
	return use;
}

/* ---- opening ---- */

static int refuse_frozen(struct um_msr *s, struct um_unit *u, const struct um_gate_use *use)
{
	um_unit_refuse(u, -EBUSY, "its counters are frozen by another program: bit %d of %s is set",
		__builtin_ctzll(use->gate->mask), UM_REG_TEXT(s->m, msr_of(use)));
	return um_advise(&u->error, -EBUSY, "this register stops all counters and is never written here; the "
		       "program that set the bit has to clear it");
}

static int write_bits(struct um_msr *s, struct um_unit *u, const struct um_gate_use *use, uint64_t now, uint64_t want)
{
	const struct um_gate *g = use->gate;
	uint64_t change = (now ^ want) & g->mask;
	int err = 0;

	if (!g->bit_by_bit)
		return um_unit_write(s, u, msr_of(use), g->plain ? UM_WHOLE : g->mask, want & g->mask);
	while (change && !err) {
		uint64_t bit = change & -change;

		change ^= bit;
		now ^= bit;
		err = um_unit_write(s, u, msr_of(use), g->plain ? UM_WHOLE : bit, now & (g->plain ? g->mask : bit));
	}
	return err;
}

/* Sets @use->readable if the register shows the gate as open after the write. */
static int write_open(struct um_msr *s, struct um_unit *u, struct um_gate_use *use, uint64_t now)
{
	const struct um_gate *g = use->gate;
	int err = write_bits(s, u, use, now, g->value) ?: um_unit_read(s, u, msr_of(use), &now);

	use->readable = !err && um_gate_is_open(g, now);
	if (err || use->readable || g->plain)
		return err;
	return um_unit_not_kept(s, u, msr_of(use), g->value, now & g->mask);
}

static int record(struct um_msr *s, struct um_unit *u, struct um_gate_use *use)
{
	struct um_record r;

	use->change.event = u->num_slots ? u->slots[0].event->name : u->name;
	um_record_begin(&r, s->m, s->guard->boot, &use->change.lease.id, use->change.event);
	um_record_add_word(&r, use->gate->value);
	return um_change_record(s, u, &use->change, &r);
}

/*
 * The gate is open. If another session has opened it, that session's record has the old value. Copy this value into our
 * journal, because the session that ends last has to restore the gate. Root copies nothing from records of group
 * members, because root trusts nothing that others can write. The member's own tool closes the gate when it is no
 * longer needed.
 */
static int inherit(struct um_msr *s, struct um_unit *u, struct um_gate_use *use)
{
	struct um_record r;

	if (!use->change.lease.held || um_change_is_recorded(&use->change) ||
	    !um_journal_find(s->guard, &use->change.lease.id, false, &r))
		return 0;
	use->change.old.word = r.old.word & use->gate->mask;
	return record(s, u, use);
}

static int look_at(struct um_msr *s, struct um_unit *u, struct um_gate_use *use)
{
	uint64_t now = 0;
	int err = um_unit_read(s, u, msr_of(use), &now);

	if (err)
		return err == -EIO && use->gate->may_be_absent ? 0 : err;
	use->change.stuck = um_gate_stuck(&u->box, use->gate, now);
	err = um_unit_refuse_stuck(s, u, &use->change.stuck);
	if (!err && !um_gate_is_open(use->gate, now))
		use->waiting = um_gate_users(s->m, &u->box, use->gate, use->of != NULL);
	return err;
}

int um_gates_look(struct um_msr *s, struct um_unit *u)
{
	const struct um_pmu *pmu = u->box.pmu;
	int err = 0;

	/* Allocate room for all gates of all units at once, so that pointers into the list stay valid. */
	if (!u->site->gates)
		u->site->gates = calloc(s->num_units * UM_MAX_GATES, sizeof(*u->site->gates));
	if (!u->site->gates)
		return um_no_memory(&u->error);
	for (const struct um_gate *g = pmu->gates; g < pmu->gates + pmu->num_gates && !err; g++) {
		size_t before = u->site->num_gates;

		if (g->per_counter)
			continue;
		u->gates[u->num_gates] = use_of(u, g);
		/* Check the gate only if it was just added to the site's list, not if another unit had added it
		 * before. */
		if (g->reg.write_mask && u->site->num_gates > before)
			err = look_at(s, u, u->gates[u->num_gates]);
		u->num_gates++;
	}
	return err;
}

static int open_locked(struct um_msr *s, struct um_unit *u, struct um_gate_use *use)
{
	const struct um_gate *g = use->gate;
	uint64_t now = 0;
	int err = um_unit_read(s, u, msr_of(use), &now);

	if (err == -EIO && g->may_be_absent) {
		use->absent = true;
		return 0;
	}
	if (err)
		return err;
	if (!g->reg.write_mask) {
		use->readable = um_gate_is_open(g, now);
		return use->readable ? 0 : refuse_frozen(s, u, use);
	}
	err = um_lease_take(s->guard, &use->change.lease, &u->error);
	if (err)
		return err;
	use->readable = true;
	if (um_gate_is_open(g, now))
		return inherit(s, u, use);
	use->change.old.word = now & g->mask;
	use->change.stuck = um_gate_stuck(&u->box, g, now);
	err = record(s, u, use);
	if (err)
		return err;
	use->change.stage = UM_CHANGE_WRITTEN; /* even a failed write may have changed some bits */
	err = write_open(s, u, use, now);
	use->opened_ns = u->written.ns;
	return err;
}

static unsigned num_opened(const struct um_unit *u)
{
	return u->behind_gates ? u->num_gates : 0;
}

int um_gates_open(struct um_msr *s, struct um_unit *u)
{
	int err = 0;

	for (unsigned i = 0; i < u->num_gates && !u->behind_gates; i++) {
		struct um_gate_use *use = u->gates[i];

		/* After an error, only count the unit as a user: um_gates_restore() subtracts it from all gates. */
		if (use->users++ || err)
			continue;
		err = um_enable_lock(s->guard, &u->box, &u->error) ?: open_locked(s, u, use);
		um_enable_unlock(s->guard, &u->box);
	}
	u->behind_gates = true;
	return err;
}

int um_gates_reopen(struct um_msr *s, struct um_unit *u)
{
	uint64_t now = 0;
	int err = um_enable_lock(s->guard, &u->box, &u->error);

	for (unsigned i = 0; i < num_opened(u) && !err; i++) {
		struct um_gate_use *use = u->gates[i];

		if (use->absent)
			continue;
		err = um_unit_read(s, u, msr_of(use), &now);
		if (err || um_gate_is_open(use->gate, now))
			continue;
		err = !use->gate->reg.write_mask ? refuse_frozen(s, u, use) : write_open(s, u, use, now);
	}
	um_enable_unlock(s->guard, &u->box);
	return err;
}

size_t um_gates_ops(const struct um_unit *u, struct um_op *ops)
{
	size_t n = 0;

	for (unsigned i = 0; i < num_opened(u); i++)
		if (u->gates[i]->readable)
			ops[n++] = (struct um_op){ .cpu = u->box.cpu, .msr = msr_of(u->gates[i]) };
	return n;
}

const struct um_gate_use *um_gates_closed(const struct um_unit *u, const struct um_op *ops)
{
	for (unsigned i = 0; i < num_opened(u); i++)
		if (u->gates[i]->readable && !um_gate_is_open(u->gates[i]->gate, ops++->value))
			return u->gates[i];
	return NULL;
}

void um_gate_closed_detail(const struct um_gate_use *use, char *detail, size_t size)
{
	if (use->gate->reg.write_mask)
		snprintf(detail, size, "another program disabled all counters of the unit through 0x%x (global "
			 "enable or box control)", msr_of(use));
	else
		snprintf(detail, size, "another program has frozen the counters: bit %d of 0x%x is set",
			 __builtin_ctzll(use->gate->mask), msr_of(use));
}

uint64_t um_gates_opened_ns(const struct um_unit *u)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < num_opened(u); i++)
		if (u->gates[i]->opened_ns > last)
			last = u->gates[i]->opened_ns;
	return last;
}

/* ---- closing ---- */

static unsigned num_running(struct um_msr *s, struct um_unit *u, const struct um_change *c, const struct um_gate *g)
{
	uint64_t now = 0;

	if (!um_unit_read(s, u, c->regs.selector, &now) && !um_gate_is_open(g, now))
		return 0;
	return um_gate_users(s->m, &u->box, g, c->lease.id.unit[0] != '\0');
}

int um_gate_close(struct um_msr *s, struct um_unit *u, const struct um_change *c, const struct um_gate *g,
		  unsigned waiting)
{
	struct um_record heir;
	int err;

	if (!um_lease_is_last(s->guard, &c->lease))
		return um_journal_find(s->guard, &c->lease.id, true, &heir) ? UM_GATE_INHERITED : UM_GATE_OF_USER;
	if (num_running(s, u, c, g) > waiting)
		return um_lease_has_members(s->guard, &c->lease) ? UM_GATE_OF_USER : UM_GATE_NEEDED;
	err = um_unit_write(s, u, c->regs.selector, g->plain ? UM_WHOLE : g->mask, c->old.word & g->mask);
	return um_unit_unless_back(s, u, err, c->regs.selector, g->mask, c->old.word);
}

/* Close the gate. If it has to stay open, its record stays in the journal for the session that will close it. */
static int close_locked(struct um_msr *s, struct um_unit *u, struct um_gate_use *use)
{
	int end = um_change_is_recorded(&use->change)
		  ? um_gate_close(s, u, &use->change, use->gate, use->waiting) : UM_GATE_CLOSED;

	if (end != UM_GATE_OF_USER && end != UM_GATE_NEEDED)
		return end < 0 ? end : 0;
	return um_fail(&u->error, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED, end == UM_GATE_OF_USER
		       ? "another user's session needs it" : u->site->has_left
		       ? "a counter that needs it was not put back"
		       : "another program has enabled a counter that needs it");
}

static void close_gate(struct um_msr *s, struct um_unit *u, struct um_gate_use *use)
{
	int err = um_enable_lock(s->guard, &u->box, &u->error) ?: close_locked(s, u, use);

	if (err)
		use->change.stage = UM_CHANGE_FAILED;
	um_changes_end(s, &use->change, 1);
	um_enable_unlock(s->guard, &u->box);
	um_unit_left(s, u, msr_of(use), err);
}

static bool is_programmed(const struct um_unit *u)
{
	for (unsigned c = 0; c < um_num_counters(u); c++)
		if (um_change_is_recorded(&u->counters[c]))
			return true;
	return false;
}

/* Has another unit that needs the gate been programmed? use->users does not include units that are still starting. */
static bool is_needed(const struct um_msr *s, const struct um_unit *u, const struct um_gate_use *use)
{
	if (use->of)
		return use->of != u;
	for (const struct um_unit *v = s->units; v < s->units + s->num_units; v++)
		if (v != u && v->site == u->site && um_gate_at(&v->box, msr_of(use)) && is_programmed(v))
			return true;
	return false;
}

void um_gates_restore(struct um_msr *s, struct um_unit *u)
{
	for (unsigned i = 0; i < num_opened(u); i++)
		u->gates[i]->users--;
	u->behind_gates = false;
	for (size_t i = u->site->num_gates; i-- > 0;) {
		struct um_gate_use *use = &u->site->gates[i];

		if ((um_change_is_recorded(&use->change) || use->change.lease.held) && !use->users &&
		    !is_needed(s, u, use))
			close_gate(s, u, use);
	}
}
