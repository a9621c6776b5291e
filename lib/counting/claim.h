/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Claim: take the leases of a unit's registers, record their contents in the journal, program and restore them. */
#ifndef UM_CLAIM_H
#define UM_CLAIM_H

#include "counting/change.h"

/* ---- free_counters.c ---- */

/* Look for as many free counters as the unit's events need, and take their leases. Sets u->free and u->held. */
int um_claim_free(struct um_msr *s, struct um_unit *u);
/* Write the names of the programs whose sessions hold counters of the unit; "" if none does. */
void um_claim_holders(struct um_msr *s, const struct um_unit *u, char *buf, size_t size);
/* Try to take one more counter while the unit counts. 1 if it was taken, 0 if it is in use, or a negative errno. */
int um_claim_another(struct um_msr *s, struct um_unit *u, unsigned counter);
/* Reads h->old.counter. Sets h->stuck if no write could restore the counter or its selector. 0 or a negative errno. */
int um_change_look(struct um_msr *s, struct um_unit *u, struct um_change *h);
/* After counters were assigned: keep the leases of the counters that the events use, release the others. */
void um_claim_keep(struct um_msr *s, struct um_unit *u);

/* ---- filters.c: extra registers ---- */

/* um_filters_take(): all registers that any event of the unit needs. um_filters_set(): for s->active_set. */
int um_filters_take(struct um_msr *s, struct um_unit *u);
int um_filters_set(struct um_msr *s, struct um_unit *u);
/* Forget the cached values: the next um_filters_set() writes every filter. */
void um_filters_forget(struct um_unit *u);
/* Set *msr to the address of a filter that no longer holds what we wrote; 0: there is none. */
int um_filters_changed(struct um_msr *s, struct um_unit *u, uint32_t *msr);
/*
 * A changed filter is free if it holds 0 or its old value, or if the program that wrote it seems to have ended
 * (um_change_is_quiet()). *used becomes true if a changed filter is not free.
 */
int um_filters_find_free(struct um_msr *s, struct um_unit *u, bool *used);
/* Take the filters that um_filters_find_free() found free. um_filters_set() writes them next. 0 or a negative errno. */
int um_filters_take_again(struct um_msr *s, struct um_unit *u);

/*
 * ---- gate.c ----
 *
 * Gates that several counters need besides their selectors: a global enable bit, the freeze bit of a box. A gate
 * with a bit for each counter is not handled here, but with the counter (struct um_counter_regs).
 */

/* Returns 0 if every gate that has to be opened could be restored later, else a negative errno. Writes nothing. */
int um_gates_look(struct um_msr *s, struct um_unit *u);
int um_gates_open(struct um_msr *s, struct um_unit *u);
/* Time in ns when we opened the last of the unit's gates; 0: all were open already. */
uint64_t um_gates_opened_ns(const struct um_unit *u);
/* A CPU of the unit came back online: open the gates that a reset has closed. */
int um_gates_reopen(struct um_msr *s, struct um_unit *u);
/* um_gates_ops() adds a read of each readable gate; then um_gates_closed() returns the first closed gate or NULL. */
size_t um_gates_ops(const struct um_unit *u, struct um_op *ops);
const struct um_gate_use *um_gates_closed(const struct um_unit *u, const struct um_op *ops);
void um_gate_closed_detail(const struct um_gate_use *use, char *detail, size_t size);
/* Result of um_gate_close(). */
enum um_gate_end {
	UM_GATE_CLOSED,                /* the gate holds its old value again */
	UM_GATE_INHERITED,             /* another session needs the gate, has a record of it, and will close it */
	UM_GATE_OF_USER,               /* another session needs the gate, but we cannot trust that session's journal */
	UM_GATE_NEEDED,                /* a program without a lease needs the gate */
};
/*
 * Restore gate @c, unless another session needs the gate, or more than @waiting enabled counters do (@waiting: their
 * number before we opened the gate). Call it under um_enable_lock(). Returns enum um_gate_end or a negative errno.
 */
int um_gate_close(struct um_msr *s, struct um_unit *u, const struct um_change *c, const struct um_gate *g,
		  unsigned waiting);
void um_gates_restore(struct um_msr *s, struct um_unit *u);

/* ---- program.c: the counters of one unit. On failure @u->error says why. ---- */

/* Before any unit is written to: take the filters, find the gates, and make sure that all of them can be restored. */
int um_unit_look(struct um_msr *s, struct um_unit *u);
/* Program those counters of s->active_set that do not run yet. */
int um_unit_program(struct um_msr *s, struct um_unit *u);

/* Put back all registers of a unit. Goes on after an error, and returns the first error. */
int um_unit_restore(struct um_msr *s, struct um_unit *u);

#endif
