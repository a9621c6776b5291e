/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Claim: take counters and extra registers of a unit, with a lease for each; program them; restore their old contents,
 * which are written to the journal before anything is changed.
 */
#ifndef UM_CLAIM_H
#define UM_CLAIM_H

#include "counting/change.h"

/* ---- free_counters.c ---- */

/*
 * Look for as many free counters as the unit's events need, and take their leases. Sets u->free and u->held.
 */
int um_claim_free(struct um_msr *s, struct um_unit *u);
/* Write the names of the programs whose sessions hold counters of the unit; "" if none does. */
void um_claim_holders(struct um_msr *s, const struct um_unit *u, char *buf, size_t size);
/* Try to take one more counter while the unit counts. 1 if it was taken, 0 if it is in use, or a negative errno. */
int um_claim_another(struct um_msr *s, struct um_unit *u, unsigned counter);
/*
 * Read the counter into h->old, and find out whether a write could restore what the counter and its selector held
 * (h->stuck). A counter that could not be restored must not be overwritten. 0 or a negative errno.
 */
int um_change_look(struct um_msr *s, struct um_unit *u, struct um_change *h);
/* After counters were assigned: keep the leases of the counters that the events use, release the others. */
void um_claim_keep(struct um_msr *s, struct um_unit *u);

/* ---- filters.c: extra registers ---- */

/*
 * um_filters_take(): take the extra registers that any event of the unit needs. um_filters_set(): write what the
 * events of s->active_set need.
 */
int um_filters_take(struct um_msr *s, struct um_unit *u);
int um_filters_set(struct um_msr *s, struct um_unit *u);
/* Forget the cached values: the next um_filters_set() writes every filter. */
void um_filters_forget(struct um_unit *u);
/* Set *msr to the address of a filter that no longer holds what we wrote; 0: there is none. */
int um_filters_changed(struct um_msr *s, struct um_unit *u, uint32_t *msr);
/*
 * For each filter that another program changed: is it free again? A filter is free if it holds 0 or its old value, or
 * if the program that wrote it seems to have ended (um_change_is_quiet()). *used: at least one changed filter is not
 * free.
 */
int um_filters_find_free(struct um_msr *s, struct um_unit *u, bool *used);
/*
 * Take again the filters that um_filters_find_free() found free. um_filters_set() writes them next. 0 or a negative
 * errno.
 */
int um_filters_take_again(struct um_msr *s, struct um_unit *u);

/* ---- program.c: the counters of one unit. On failure @u->error says why. ---- */

/* Take the filters and find the gates, and make sure that they can be restored, before any unit is written to. */
int um_unit_look(struct um_msr *s, struct um_unit *u);
/* Program those counters of s->active_set that do not run yet. */
int um_unit_program(struct um_msr *s, struct um_unit *u);

/* Put back all registers of a unit. Goes on after an error, returns the first one. */
int um_unit_restore(struct um_msr *s, struct um_unit *u);

#endif
