/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Extra registers of a unit (filters, matches). All counters of the unit share them, so only one of our sessions at a
 * time may use an extra register. Extra registers are set before the selectors and restored after them. Each has its
 * own record in the journal.
 */
#include <errno.h>

#include "common/array.h"
#include "counting/claim.h"

/* Bits of a register that the events of a set need. */
struct wish {
	uint64_t mask, value;
	bool switches;               /* this filter enables the other filters: write @before first, @value last */
	uint64_t before;
};

static struct wish wish_of(const struct um_unit *u, const struct um_change *c, int set)
{
	struct wish w = { .mask = 0 };

	for (const struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++)
		for (unsigned i = 0; i < u->box.pmu->num_extras && um_slot_in_set(slot, set); i++) {
			const struct um_extra *x = &u->box.pmu->extras[i];

			if (!(slot->event->extras >> i & 1) || um_extra_msr(&u->box, i) != c->regs.selector)
				continue;
			w.mask |= um_extra_mask(x);
			w.value |= um_extra_value(slot->event, x);
			w.switches |= x->after != 0;
			w.before |= x->before;
		}
	return w;
}

/* Bits that no event uses keep their old value, so every word can be recorded in the journal at the start. */
static uint64_t word_of(const struct wish *w, uint64_t old)
{
	return (old & ~w->mask) | w->value;
}

static int add_filter(struct um_unit *u, uint32_t msr, const char *event)
{
	struct um_change c = um_unit_change(u, UM_LEASE_EXTRA, msr);

	for (size_t i = 0; i < u->num_filters; i++)
		if (u->filters[i].regs.selector == msr)
			return 0;
	c.event = event;
	c.regs.compare = 0; /* compare nothing before the first write */
	return ARRAY_APPEND(u->filters, u->num_filters, c) ? um_no_memory(&u->error) : 0;
}

static int record(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	uint32_t msr = c->regs.selector;
	struct um_record r;

	c->stuck = (struct um_stuck){
		.msr = msr, .holds = c->old.word,
		.bits = um_reg_unclaimed(um_reg_row(s->m, msr), UM_WHOLE, c->old.word),
	};
	um_record_begin(&r, s->m, s->guard->boot, &c->lease.id, c->event);
	for (int set = 0; set < s->num_sets; set++) {
		const struct wish w = wish_of(u, c, set);

		if (w.mask)
			um_record_add_word(&r, word_of(&w, c->old.word));
		if (w.switches)
			um_record_add_word(&r, w.before);
	}
	return um_change_record(s, u, c, &r);
}

/* Do registers show that a counter uses the filter? A group member may have locked it without counting. */
static bool filters_somebody(struct um_msr *s, struct um_unit *u, uint32_t msr)
{
	uint64_t now = 0;

	return (um_reg_read(s->m, u->box.cpu, msr, &now, NULL) || now) && um_gate_users(s->m, &u->box, NULL, true);
}

static int in_use(struct um_msr *s, struct um_unit *u, const struct um_lease *l)
{
	struct um_record holder;

	um_lease_holder(s->guard, l, &holder);
	um_unit_refuse(u, -EBUSY, "%s, which all counters of the unit share, is in use by %s",
		       UM_REG_TEXT(s->m, l->id.number), UM_PROCESS_TEXT(holder.command, holder.pid));
	return um_advise(&u->error, -EBUSY, "events with a filter can be counted when that session has ended; "
			 "uncore-doctor --leases lists all sessions");
}

static int take_one(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	int err = um_lease_take(s->guard, &c->lease, &u->error);

	if (!err && c->lease.contested && filters_somebody(s, u, c->regs.selector)) {
		um_lease_release(s->guard, &c->lease);
		err = -EBUSY;
	}
	if (err)
		return err == -EBUSY ? in_use(s, u, &c->lease) : err;
	c->stage = UM_CHANGE_TAKEN;
	if (c->lease.held) /* the previous holder may have died after um_repair_all() and left the filter changed */
		um_repair_leased(s->m, s->guard, &c->lease);
	return um_unit_read(s, u, c->regs.selector, &c->old.word) ?: record(s, u, c);
}

/* Take the filters of all sets at the start, so that no other process can take one of them between two turns. */
int um_filters_take(struct um_msr *s, struct um_unit *u)
{
	int err = 0;

	for (const struct um_slot *slot = u->slots; slot < u->slots + u->num_slots; slot++)
		for (unsigned i = 0; i < u->box.pmu->num_extras && !err; i++)
			if (slot->event->extras >> i & 1)
				err = add_filter(u, um_extra_msr(&u->box, i), slot->event->name);
	for (struct um_change *c = u->filters; c < u->filters + u->num_filters && !err; c++)
		err = take_one(s, u, c);
	return err;
}

/* Steps: write @before to the filter that enables the others, write the others, write @value to the first filter. */
enum { BEFORE, OTHERS, AFTER };

static int set_step(struct um_msr *s, struct um_unit *u, int step)
{
	int err = 0;

	for (struct um_change *c = u->filters; c < u->filters + u->num_filters && !err; c++) {
		const struct wish w = wish_of(u, c, s->active_set);
		uint64_t word = step == BEFORE ? w.before : word_of(&w, c->old.word);

		if (!w.mask || w.switches != (step != OTHERS))
			continue;
		/* Skip a register that holds the word already, unless its position in the order matters. */
		if (!w.switches && word == c->ours && c->stage == UM_CHANGE_WRITTEN)
			continue;
		err = um_change_write(s, u, c, word);
		c->regs.compare |= err ? 0 : w.mask;
		if (!err)
			err = um_change_check(s, u, c);
	}
	return err;
}

int um_filters_set(struct um_msr *s, struct um_unit *u)
{
	int err = 0;

	for (int step = BEFORE; step <= AFTER && !err; step++)
		err = set_step(s, u, step);
	return err;
}

void um_filters_forget(struct um_unit *u)
{
	for (size_t i = 0; i < u->num_filters; i++)
		if (um_change_is_written(&u->filters[i]))
			u->filters[i].stage = UM_CHANGE_STALE;
}

/* A filter that is not written yet counts as ours: it will be written before an event needs it. */
static int state_of(struct um_msr *s, struct um_unit *u, struct um_change *c)
{
	return c->stage >= UM_CHANGE_WRITTEN ? um_change_state(s, u, c) : UM_HOLDS_OURS;
}

int um_filters_changed(struct um_msr *s, struct um_unit *u, uint32_t *msr)
{
	*msr = 0;
	for (size_t i = 0; i < u->num_filters; i++) {
		int is = state_of(s, u, &u->filters[i]);

		if (is < 0)
			return is;
		if (is != UM_HOLDS_OURS)
			*msr = u->filters[i].regs.selector;
	}
	return 0;
}

int um_filters_find_free(struct um_msr *s, struct um_unit *u, bool *used)
{
	*used = false;
	for (struct um_change *c = u->filters; c < u->filters + u->num_filters; c++) {
		int is = state_of(s, u, c);

		if (is < 0)
			return is;
		if (is == UM_HOLDS_OURS) {
			c->strange = (struct um_strange){ .word = 0 };
			continue;
		}
		um_change_is_quiet(s, u, c);
		c->strange.quiet |= is == UM_HOLDS_UNUSED || c->seen == c->old.word;
		*used |= !c->strange.quiet;
	}
	return 0;
}

/* A word that another program left becomes the old value. A cleared filter keeps its old value. */
int um_filters_take_again(struct um_msr *s, struct um_unit *u)
{
	int err = 0;

	for (struct um_change *c = u->filters; c < u->filters + u->num_filters && !err; c++) {
		uint64_t old = c->old.word;

		if (!c->strange.quiet)
			continue;
		if (c->strange.word && c->strange.word != old) {
			c->old.word = c->strange.word;
			err = record(s, u, c);
		}
		if (err) {
			c->old.word = old;
			continue;
		}
		c->stage = UM_CHANGE_STALE;
		c->strange = (struct um_strange){ .word = 0 };
	}
	return err;
}
