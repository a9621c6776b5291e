/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Extra registers of a unit (filters, matches). All its counters share them, so only one of our sessions at a
 * time may use such a register. It is set before the selectors, put back after them, and has a record of its
 * own in the journal.
 */
#include <errno.h>
#include <stdlib.h>

#include "counting/claim.h"

/* An extra register of a unit that we have taken, and what it held before. */
struct um_filter {
	uint32_t msr;
	struct um_lease lease;
	bool touched;
	uint64_t old;
	uint64_t mask, word;           /* what we wrote last */
	struct um_strange strange;
	bool again;                    /* it was changed, holds @strange.word, and is free again */
	const char *event;             /* the event that it was taken for */
};

/* What the events of a set need in one register. */
struct wish {
	uint64_t mask, value;
	bool switches;               /* it enables the other filters: write @before first, @value last */
	uint64_t before;
};

static struct wish wish_for(const struct um_unit *u, uint32_t msr, int set)
{
	struct wish w = { .mask = 0 };

	for (size_t k = 0; k < u->num_slots; k++) {
		const struct um_slot *slot = &u->slots[k];

		if (!slot->event->extras || !um_slot_in_set(slot, set))
			continue;
		for (unsigned i = 0; i < u->box.pmu->num_extras; i++) {
			const struct um_extra *x = &u->box.pmu->extras[i];

			if (!(slot->event->extras >> i & 1) || um_extra_msr(&u->box, i) != msr)
				continue;
			w.mask |= um_extra_mask(x);
			w.value |= um_extra_value(slot->event, x);
			w.switches |= x->after != 0;
			w.before |= x->before;
		}
	}
	return w;
}

/* Bits that no event asks for keep their old value. So all words are known beforehand, for the journal. */
static uint64_t word_of(const struct wish *w, uint64_t old)
{
	return (old & ~w->mask) | w->value;
}

/* ---- taking ---- */

static bool taken(const struct um_unit *u, uint32_t msr)
{
	for (size_t i = 0; i < u->num_filters; i++)
		if (u->filters[i].msr == msr)
			return true;
	return false;
}

/* Record in the journal what the register held, and every word that this session may write to it. */
static int store(struct um_msr *s, struct um_unit *u, struct um_filter *f, const char *event)
{
	struct um_record r;

	um_record_begin(&r, s->m, s->guard.boot, &f->lease.id, event);
	r.old_selector = f->old;
	for (int set = 0; set < s->num_sets; set++) {
		struct wish w = wish_for(u, f->msr, set);

		if (w.mask)
			um_record_add_word(&r, word_of(&w, f->old));
		if (w.switches)
			um_record_add_word(&r, w.before);
	}
	return um_lease_store(&s->guard, &f->lease, &r, &u->error);
}

/* A group member has locked the filter, perhaps without counting. Is it set, and a counter of the unit enabled? */
static bool filters_somebody(struct um_msr *s, struct um_unit *u, uint32_t msr)
{
	struct um_error ignored;
	uint64_t now = 0;

	return (um_reg_read(s->m, u->box.cpu, msr, &now, &ignored) || now) &&
	       um_gate_users(s->m, &u->box, NULL, true);
}

static int take(struct um_msr *s, struct um_unit *u, uint32_t msr, const char *event)
{
	struct um_filter *f = &u->filters[u->num_filters];
	struct um_record holder = { .pid = 0 };
	struct um_error ignored;
	char what[96], who[64];
	int err;

	*f = (struct um_filter){
		.msr = msr, .lease = um_unit_lease(u, UM_LEASE_EXTRA, msr), .event = event,
	};
	err = um_lease_take(&s->guard, &f->lease, &holder, &u->error);
	if (!err && f->lease.contested && filters_somebody(s, u, msr)) {
		um_lease_holder(&s->guard, &f->lease, &holder);
		um_lease_release(&s->guard, &f->lease);
		err = -EBUSY;
	}
	if (err == -EBUSY) {
		um_unit_refuse(u, -EBUSY, "%s, which all counters of the unit share, is in use by "
			"%s", um_reg_text(s->m, msr, what, sizeof(what)),
			um_process_text(holder.command, holder.pid, who, sizeof(who)));
		um_hint(&u->error, "events with a filter wait until that one has ended; uncore-doctor "
			"--leases shows it");
	}
	if (err)
		return err;
	u->num_filters++;
	if (f->lease.held) /* its holder may have died since leftovers were looked for */
		um_repair_leased(s->m, &s->guard, &f->lease, &ignored);
	err = um_unit_read(s, u, msr, &f->old);
	if (!err)
		err = um_unit_refuse_stuck(s, u, &(struct um_stuck){ .msr = msr, .holds = f->old,
			.bits = um_reg_unclaimed(s->m, msr, UM_WHOLE, f->old) });
	if (!err)
		err = store(s, u, f, event);
	f->touched = !err;
	f->word = f->old;
	return err;
}

/* Takes the filters of all sets at the start, so that no other process can take one of them between two turns. */
int um_filters_take(struct um_msr *s, struct um_unit *u)
{
	size_t num = u->box.pmu->num_extras;
	int err = 0;

	if (!u->filters && num)
		u->filters = calloc(num, sizeof(*u->filters));
	if (!u->filters && num)
		return um_no_memory(&u->error);
	for (size_t k = 0; k < u->num_slots; k++)
		for (unsigned i = 0; u->slots[k].event->extras && i < num && !err; i++) {
			uint32_t msr = um_extra_msr(&u->box, i);

			if (u->slots[k].event->extras >> i & 1 && !taken(u, msr))
				err = take(s, u, msr, u->slots[k].event->name);
		}
	return err;
}

/* ---- setting ---- */

/* Order of writes: the filter that enables the others gets its first value, then the others, then its last value. */
enum { BEFORE, OTHERS, AFTER };

static int check_kept(struct um_msr *s, struct um_unit *u, const struct um_filter *f)
{
	uint64_t now = 0;
	int err = um_unit_read(s, u, f->msr, &now);

	if (err || ((now ^ f->word) & f->mask) == 0)
		return err;
	return um_unit_not_kept(s, u, f->msr, f->word, now);
}

static int set_step(struct um_msr *s, struct um_unit *u, int set, int step)
{
	int err = 0;

	for (size_t i = 0; i < u->num_filters && !err; i++) {
		struct um_filter *f = &u->filters[i];
		struct wish w = wish_for(u, f->msr, set);
		uint64_t word = step == BEFORE ? w.before : word_of(&w, f->old);

		if (!w.mask || w.switches != (step != OTHERS))
			continue;
		/* Skip a register that holds the word already, unless its position in the order matters. */
		if (!w.switches && word == f->word && f->mask)
			continue;
		err = um_unit_write(s, u, f->msr, UM_WHOLE, word);
		if (err)
			break;
		f->mask |= w.mask;
		f->word = word;
		err = check_kept(s, u, f);
	}
	return err;
}

int um_filters_set(struct um_msr *s, struct um_unit *u, int set)
{
	int err = um_filters_take(s, u);

	for (int step = BEFORE; step <= AFTER && !err; step++)
		err = set_step(s, u, set, step);
	return err;
}

void um_filters_forget(struct um_unit *u)
{
	for (size_t i = 0; i < u->num_filters; i++)
		u->filters[i].mask = 0;
}

int um_filters_changed(struct um_msr *s, struct um_unit *u, uint32_t *msr)
{
	*msr = 0;
	for (size_t i = 0; i < u->num_filters; i++) {
		const struct um_filter *f = &u->filters[i];
		uint64_t now;
		int err;

		if (!f->touched || !f->mask)
			continue;
		err = um_unit_read(s, u, f->msr, &now);
		if (err)
			return err;
		if ((now ^ f->word) & f->mask)
			*msr = f->msr;
	}
	return 0;
}

int um_filters_find_free(struct um_msr *s, struct um_unit *u, bool *used)
{
	*used = false;
	for (size_t i = 0; i < u->num_filters; i++) {
		struct um_filter *f = &u->filters[i];
		uint64_t now;
		int err;

		f->again = false;
		if (!f->touched || !f->mask)
			continue;
		err = um_unit_read(s, u, f->msr, &now);
		if (err)
			return err;
		if (!((now ^ f->word) & f->mask)) {
			f->strange.checks = 0;
			continue;
		}
		f->again = um_is_quiet(&f->strange, now, um_now(s->m)) && !u->box.pmu->only_on_request;
		f->again |= !now || now == f->old;
		*used |= !f->again;
	}
	return 0;
}

/*
 * At the end the register gets the value found there now, if another program left one; if it was cleared, it
 * gets what it held before us.
 */
int um_filters_take_again(struct um_msr *s, struct um_unit *u)
{
	int err = 0;

	for (size_t i = 0; i < u->num_filters && !err; i++) {
		struct um_filter *f = &u->filters[i];

		if (!f->again)
			continue;
		if (f->strange.word && f->strange.word != f->old) {
			f->old = f->strange.word;
			err = store(s, u, f, f->event);
		}
		f->again = err;
		f->mask = err ? f->mask : 0;
		f->strange.checks = err ? f->strange.checks : 0;
	}
	return err;
}

static int restore_one(struct um_msr *s, struct um_unit *u, const struct um_filter *f)
{
	uint64_t now = 0;
	int err = um_unit_read(s, u, f->msr, &now);

	if (err)
		return err;
	if (((now ^ f->word) & f->mask) == 0)
		return um_unit_write(s, u, f->msr, UM_WHOLE, f->old);
	if (now != f->old) /* equal: it never kept our word (a hypervisor), or has been restored already */
		um_warn(s->m, "%s: register 0x%x holds 0x%llx, not our 0x%llx: left as it is, another "
			"program wrote it", u->label, f->msr, (unsigned long long)now,
			(unsigned long long)f->word);
	return 0;
}

int um_filters_restore(struct um_msr *s, struct um_unit *u)
{
	int first = 0;

	while (u->num_filters) {
		struct um_filter *f = &u->filters[--u->num_filters];
		int err = f->touched && f->mask ? restore_one(s, u, f) : 0;

		if (!err)
			um_lease_forget(&s->guard, &f->lease);
		else
			um_unit_left(s, u, f->msr);
		um_lease_release(&s->guard, &f->lease);
		first = first ? first : err;
	}
	return first;
}
