/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Claim: taking counters and extra registers of a unit, with a lease for each and a journal before
 * anything is changed; programming them; putting back what they held.
 */
#ifndef UM_CLAIM_H
#define UM_CLAIM_H

#include "counting/plan.h"

/* A foreign value that the checks have seen in one of our registers. */
struct um_strange {
	uint64_t word, since_ns;
	unsigned checks;               /* number of checks in a row that saw @word; 0: the register holds our word */
};

/* One counter of a unit, and what it held before. */
struct um_held {
	bool taken;
	bool stranger;                 /* a program without a lease uses it */
	struct um_lease lease;         /* held even while the counter is only looked at */
	bool touched;                  /* old_* are known and are in the journal */
	bool programmed;               /* we wrote to it; false: nothing to put back */
	bool dropped;                  /* the selector did not keep our word: restore it whatever it reads */
	bool left;                     /* its event was moved to another counter */
	bool wrapped;                  /* it may have overflowed under us: clear its overflow status at the end */
	struct um_strange strange;
	bool quiet;                    /* the program that wrote the foreign word seems gone: reprogram the counter */
	bool quiet_enabled;            /* that program left the counter's gate bit on */
	bool old_enabled;              /* the counter's gate bit was on before us */
	struct um_counter_regs regs;
	uint64_t old_selector, old_counter;
	struct um_stuck stuck;         /* bits of old_selector and old_counter that no write could restore */
	uint64_t word;                 /* what we last wrote to the selector */
};

/* ---- free_counters.c ---- */

/*
 * Look for as many free counters as the unit's events need, and take their leases: u->free,
 * u->free_fixed, u->holders.
 */
int um_claim_free(struct um_msr *s, struct um_unit *u);
/* Try to take one more counter while the unit counts: 1 taken, 0 it is in use, or a negative errno. */
int um_claim_another(struct um_msr *s, struct um_unit *u, unsigned counter);
/*
 * Read the counter, and find out whether its value and h->old_selector could be restored (h->stuck). A counter
 * that could not be restored must not be overwritten. 0 or a negative errno.
 */
int um_held_look(struct um_msr *s, struct um_unit *u, struct um_held *h);
/* The events have been placed: keep the leases of the counters that they use, release the others. */
void um_claim_keep(struct um_msr *s, struct um_unit *u);
/* Number of entries in u->held: general counters, then fixed ones; 0 before um_claim_free(). */
unsigned um_num_held(const struct um_unit *u);

/* ---- filters.c: extra registers ---- */

/* Take the registers that any event of the unit needs; write what the events of @set need; restore all. */
int um_filters_take(struct um_msr *s, struct um_unit *u);
int um_filters_set(struct um_msr *s, struct um_unit *u, int set);
int um_filters_restore(struct um_msr *s, struct um_unit *u);
/* Forget the cached values: the next um_filters_set() writes every filter. */
void um_filters_forget(struct um_unit *u);
/* *@msr: a filter that does not hold what we wrote; 0: all do. */
int um_filters_changed(struct um_msr *s, struct um_unit *u, uint32_t *msr);
/*
 * For each filter that was changed under us: is it free again? It is if it holds 0, its old value, or a word
 * that is quiet (um_is_quiet()). Otherwise *used: another program uses it.
 */
int um_filters_find_free(struct um_msr *s, struct um_unit *u, bool *used);
/* Make ours again what um_filters_find_free() found free; the next set writes it. 0 or a negative errno. */
int um_filters_take_again(struct um_msr *s, struct um_unit *u);

/* ---- quiet.c ---- */

/*
 * A check has seen the foreign @word in a register of ours. A program may end and leave its counter running (Intel
 * PCM does), which the hardware does not show. True: @word has stood unchanged for some checks and some seconds, so
 * we take it that the program has ended.
 */
bool um_is_quiet(struct um_strange *strange, uint64_t word, uint64_t now_ns);

/* ---- program.c: the counters of one unit. On failure @u->error says why. ---- */

int um_unit_program(struct um_msr *s, struct um_unit *u, int set);
/*
 * What the selector of a counter whose lease we hold contains. 1: our word; 2: another word, with counting disabled;
 * 0: another word that counts, so that another program uses the counter; or a negative errno.
 */
int um_held_state(struct um_msr *s, struct um_unit *u, const struct um_held *c);
/* um_is_quiet() for a counter whose lease we hold: 1 (and h->quiet is set), 0 or a negative errno. */
int um_held_is_quiet(struct um_msr *s, struct um_unit *u, struct um_held *h);
/* Switch the counter off through its selector, if it has no gate bit. */
int um_slot_switch_off(struct um_msr *s, struct um_unit *u, const struct um_slot *slot);
/*
 * A counter without a gate bit of its own counts as soon as its selector says so, and the kernel's
 * gate bits are on all the time: such a counter is stopped by its selector before it is zeroed.
 */
static inline bool um_stops_by_selector(const struct um_counter_regs *r)
{
	return !r->gate || r->kernels;
}
/* Do the two words agree in all bits that must read back as written? */
static inline bool um_same_word(const struct um_counter_regs *r, uint64_t a, uint64_t b)
{
	return ((a ^ b) & r->compare & r->mask) == 0;
}

/* ---- restore.c ---- */

/* Put back all registers of a unit. Goes on after an error, returns the first one. */
int um_unit_restore(struct um_msr *s, struct um_unit *u);

#endif
