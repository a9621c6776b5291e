/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Claim: taking counters and extra registers of a unit, with a lease for each and a journal before
 * anything is changed; programming them; putting back what they held.
 */
#ifndef UM_CLAIM_H
#define UM_CLAIM_H

#include "counting/plan.h"

/* What another program wrote into a register of ours, as the checks since have seen it. */
struct um_strange {
	uint64_t word, since_ns;
	unsigned checks;               /* in a row that saw this word; 0: it is ours */
};

/* One counter of a unit, and what it held before. */
struct um_held {
	bool taken;
	bool stranger;                 /* it is in use without a lease */
	struct um_lease lease;         /* held also while it is only looked at */
	bool touched;                  /* old_* are known and stand in the journal */
	bool programmed;               /* a word of ours was written: else nothing was changed */
	bool dropped;                  /* the selector did not keep it: put back whatever it reads */
	bool left;                     /* its event has gone on with another counter */
	bool wrapped;                  /* since it is ours: there may be a mark of it */
	struct um_strange strange;
	bool quiet;                    /* its user has gone and left it so: it may be programmed again */
	bool quiet_enabled;            /* with its bit of the gate on */
	bool old_enabled;              /* its bit of the gate was on */
	struct um_counter_regs regs;
	uint64_t old_selector, old_counter;
	struct um_stuck stuck;         /* what could not be put back of the two */
	uint64_t word;                 /* what we last wrote to the selector */
};

/* ---- free_counters.c ---- */

/*
 * Look for as many free counters as the unit's events need, and take their leases: u->free,
 * u->free_fixed, u->holders.
 */
int um_claim_free(struct um_msr *s, struct um_unit *u);
/* The same for one counter while it runs: 1 it is ours now, 0 it is in use, or a negative errno. */
int um_claim_another(struct um_msr *s, struct um_unit *u, unsigned counter);
/*
 * What its counter holds, and whether restoring can write that and h->old_selector: what cannot be put
 * back is not to be overwritten. 0 or a negative errno.
 */
int um_held_look(struct um_msr *s, struct um_unit *u, struct um_held *h);
/* Events have their counters now: keep these, and give the others back. */
void um_claim_keep(struct um_msr *s, struct um_unit *u);
/* General counters and behind them the fixed ones; 0 as long as nothing was looked at. */
unsigned um_num_held(const struct um_unit *u);

/* ---- filters.c: extra registers ---- */

/* Take those that any event of the unit needs; set those that a set's events need; put all back. */
int um_filters_take(struct um_msr *s, struct um_unit *u);
int um_filters_set(struct um_msr *s, struct um_unit *u, int set);
int um_filters_restore(struct um_msr *s, struct um_unit *u);
/* Whatever they hold now, set them all next time. */
void um_filters_forget(struct um_unit *u);
/* One that holds something else than we wrote, in *@msr; 0: none. */
int um_filters_changed(struct um_msr *s, struct um_unit *u, uint32_t *msr);
/*
 * At a check, those that were changed: one that holds what it held before us, or 0, or what another program
 * has left there, is set next time; anything else is another program's (*used).
 */
int um_filters_find_free(struct um_msr *s, struct um_unit *u, bool *used);
/* Those that it has found free are set next time. 0 or a negative errno. */
int um_filters_take_again(struct um_msr *s, struct um_unit *u);

/* ---- quiet.c ---- */

/*
 * A check has seen @word of another program. A program that has gone may leave its counter on (Intel PCM does),
 * and nothing in the hardware tells that it has. True: for some checks and some seconds nothing was changed.
 */
bool um_is_quiet(struct um_strange *strange, uint64_t word, uint64_t now_ns);

/* ---- program.c: the counters of one unit. On failure @u->error tells. ---- */

int um_unit_program(struct um_msr *s, struct um_unit *u, int set);
/*
 * A counter that is ours by its lease: is its selector as we left it (1), something else that does not
 * count (2), or another program's (0)? Or a negative errno.
 */
int um_held_state(struct um_msr *s, struct um_unit *u, const struct um_held *c);
/* um_is_quiet() of a counter that is ours by its lease: 1 (h->quiet is set), 0 or a negative errno. */
int um_held_is_quiet(struct um_msr *s, struct um_unit *u, struct um_held *h);
/* Off by its selector, where the counter has no enable bit. */
int um_slot_switch_off(struct um_msr *s, struct um_unit *u, const struct um_slot *slot);
/*
 * A counter without a gate bit of its own counts as soon as its selector says so, and the kernel's
 * gate bits are on all the time: such a counter is stopped by its selector before it is zeroed.
 */
static inline bool um_stops_by_selector(const struct um_counter_regs *r)
{
	return !r->gate || r->kernels;
}
/* Are these the same word, as far as it reads back? */
static inline bool um_same_word(const struct um_counter_regs *r, uint64_t a, uint64_t b)
{
	return ((a ^ b) & r->compare & r->mask) == 0;
}

/* ---- restore.c ---- */

/* Everything of a unit as it was found. Goes on after an error, returns the first one. */
int um_unit_restore(struct um_msr *s, struct um_unit *u);

#endif
