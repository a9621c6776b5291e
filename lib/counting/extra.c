/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Extra registers of a unit (filters, matches). They are shared by all its counters, so one session
 * of ours has such a register at a time; it is set before the selectors and put back after them,
 * with a journal of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counting/session.h"

/* What a set wants in one register. */
struct wish {
	uint32_t msr;
	uint64_t mask, value;
	bool switches;               /* it switches the others on: @before first, @value last */
	uint64_t before;
};

static void add_wish(struct wish *w, const struct um_extra *x, const struct um_slot *slot)
{
	uint64_t mask = x->mask ? x->mask : x->reg.valid;

	w->mask |= mask;
	w->value |= x->after ? x->after : slot->event->extra[x->slot] & mask;
	w->switches |= x->after != 0;
	w->before |= x->before;
}

static struct wish wish_for(const struct um_unit *u, uint32_t msr, int set)
{
	struct wish w = { .msr = msr };

	for (size_t k = 0; k < u->num_slots; k++) {
		const struct um_slot *slot = &u->slots[k];

		if (!slot->event->extras || !um_slot_in_set(slot, set))
			continue;
		for (size_t i = 0; i < u->box.pmu->num_extras; i++)
			if (slot->event->extras >> i & 1 &&
			    um_extra_msr(&u->box, (unsigned)i) == msr)
				add_wish(&w, &u->box.pmu->extras[i], slot);
	}
	return w;
}

/* What nobody asked for stays as it was found, so that the journal can name every word. */
static uint64_t word_of(const struct wish *w, uint64_t old)
{
	return (old & ~w->mask) | w->value;
}

static struct um_extra_claim *claim_of(struct um_unit *u, uint32_t msr)
{
	for (size_t i = 0; i < u->num_extras; i++)
		if (u->extras[i].msr == msr)
			return &u->extras[i];
	return NULL;
}

/* ---- taking ---- */

static int busy(struct um_msr_session *s, struct um_unit *u, uint32_t msr,
		const struct um_record *holder)
{
	char what[96];

	um_fail(&u->error, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED, "%s: %s, which all counters of the "
		"unit share, is in use by %s (pid %ld)", u->label,
		um_reg_text(s->m, msr, what, sizeof(what)), holder->command, holder->pid);
	um_hint(&u->error, "events with a filter wait until that one has ended; uncore-doctor "
		"--leases shows it");
	return -EBUSY;
}

static void collect_words(const struct um_msr_session *s, const struct um_unit *u, uint32_t msr,
			  uint64_t old, struct um_record *r)
{
	for (int set = 0; set < s->num_sets; set++) {
		struct wish w = wish_for(u, msr, set);
		uint64_t word = word_of(&w, old);

		if (w.mask)
			um_record_add_word(r, word);
		if (w.switches)
			um_record_add_word(r, w.before);
	}
}

static int store(struct um_msr_session *s, struct um_unit *u, struct um_extra_claim *c,
		 const struct um_lease_id *id, const char *event)
{
	struct um_record r;

	if (c->lease < 0)
		return 0;
	um_record_begin(&r, s->m, s->guard.boot, id, event);
	r.old_selector = c->old;
	collect_words(s, u, c->msr, c->old, &r);
	return um_lease_store(&s->guard, c->lease, &r, &u->error);
}

static int take(struct um_msr_session *s, struct um_unit *u, uint32_t msr, const char *event)
{
	struct um_lease_id id = um_unit_lease_id(u, UM_LEASE_EXTRA, msr);
	struct um_extra_claim *c = &u->extras[u->num_extras];
	struct um_record holder = { .pid = 0 };
	struct um_error ignored;
	int err;

	*c = (struct um_extra_claim){ .msr = msr, .lease = -1 };
	err = um_lease_take(&s->guard, &id, &c->lease, &holder, &u->error);
	if (err == -EBUSY)
		return busy(s, u, msr, &holder);
	if (err)
		return err;
	u->num_extras++;
	if (c->lease >= 0) /* its holder may have died since leftovers were looked for */
		um_repair_leased(s->m, &s->guard, c->lease, &id, &ignored);
	err = um_unit_read(s, u, msr, &c->old);
	if (!err)
		err = store(s, u, c, &id, event);
	c->touched = !err;
	c->word = c->old;
	return err;
}

/* Those of all sets at once: who begins to count must not lose a filter to somebody else later. */
static int take_all(struct um_msr_session *s, struct um_unit *u)
{
	int err = 0;

	for (size_t k = 0; k < u->num_slots; k++)
		for (size_t i = 0; u->slots[k].event->extras && i < u->box.pmu->num_extras; i++) {
			uint32_t msr = um_extra_msr(&u->box, (unsigned)i);

			if (err || !(u->slots[k].event->extras >> i & 1) || claim_of(u, msr))
				continue;
			err = take(s, u, msr, u->slots[k].event->name);
		}
	return err;
}

/* ---- setting ---- */

static int write_word(struct um_msr_session *s, struct um_unit *u, struct um_extra_claim *c,
		      uint64_t mask, uint64_t word)
{
	int err = um_unit_write(s, u, c->msr, UM_WHOLE, word);

	if (!err) {
		c->mask |= mask;
		c->word = word;
	}
	return err;
}

/*
 * First what switches the others is put to its first value, then the others, then it to its last.
 */
enum { BEFORE, OTHERS, AFTER };

static int set_step(struct um_msr_session *s, struct um_unit *u, int set, int step)
{
	int err = 0;

	for (size_t i = 0; i < u->num_extras && !err; i++) {
		struct um_extra_claim *c = &u->extras[i];
		struct wish w = wish_for(u, c->msr, set);
		uint64_t word = word_of(&w, c->old);

		if (!w.mask || w.switches != (step != OTHERS))
			continue;
		if (step == BEFORE)
			word = w.before;
		/* What it holds already need not be written, unless an order is asked for. */
		if (w.switches || word != c->word || !c->mask)
			err = write_word(s, u, c, w.mask, word);
	}
	return err;
}

int um_extras_set(struct um_msr_session *s, struct um_unit *u, int set)
{
	int err = take_all(s, u);

	for (int step = BEFORE; step <= AFTER && !err; step++)
		err = set_step(s, u, set, step);
	return err;
}

int um_extras_changed(struct um_msr_session *s, struct um_unit *u, uint32_t *msr)
{
	*msr = 0;
	for (size_t i = 0; i < u->num_extras; i++) {
		const struct um_extra_claim *c = &u->extras[i];
		uint64_t now = 0;
		int err = c->touched && c->mask ? um_unit_read(s, u, c->msr, &now) : 0;

		if (err)
			return err;
		if (c->touched && (now ^ c->word) & c->mask)
			*msr = c->msr;
	}
	return 0;
}

static int restore_one(struct um_msr_session *s, struct um_unit *u, struct um_extra_claim *c)
{
	uint64_t now = 0;
	int err = um_unit_read(s, u, c->msr, &now);

	if (err)
		return err;
	if (((now ^ c->word) & c->mask) == 0)
		return um_unit_write(s, u, c->msr, UM_WHOLE, c->old);
	if (now == c->old) /* never kept our word, as under a hypervisor, or is back already */
		return 0;
	um_warn(s->m, "%s: register 0x%x holds 0x%llx, not our 0x%llx: left to whoever wrote it",
		u->label, c->msr, (unsigned long long)now, (unsigned long long)c->word);
	return 0;
}

int um_extras_restore(struct um_msr_session *s, struct um_unit *u)
{
	int first = 0;

	for (size_t i = u->num_extras; i-- > 0;) {
		struct um_extra_claim *c = &u->extras[i];
		int err = c->touched && c->mask ? restore_one(s, u, c) : 0;

		if (!err)
			um_lease_forget(c->lease);
		um_lease_release(c->lease);
		first = first ? first : err;
	}
	u->num_extras = 0;
	return first;
}
