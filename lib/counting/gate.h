/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gates that several counters need besides their selectors: a global enable bit, the freeze bit of a box. A gate
 * with a bit for each counter is not handled here, but with the counter (struct um_counter_regs).
 */
#ifndef UM_GATE_H
#define UM_GATE_H

#include "counting/change.h"

/*
 * Before anything is written: find the gates of the unit. Returns 0 if all gates that have to be opened could be
 * restored later, else a negative errno.
 */
int um_gates_look(struct um_msr *s, struct um_unit *u);
int um_gates_open(struct um_msr *s, struct um_unit *u);
/* When we opened the last of the unit's gates, in nanoseconds; 0: all were open already. */
uint64_t um_gates_opened_ns(const struct um_unit *u);
/* When a CPU of the unit is online again: open gates that a reset has closed. */
int um_gates_reopen(struct um_msr *s, struct um_unit *u);
/*
 * Check whether gates are still open: um_gates_ops() adds a read of each readable gate to @ops; um_gates_closed()
 * returns the first gate that these reads show closed, or NULL.
 */
size_t um_gates_ops(const struct um_unit *u, struct um_op *ops);
const struct um_gate_use *um_gates_closed(const struct um_unit *u, const struct um_op *ops);
/* Write the message for a reading during which the gate was closed. */
void um_gate_closed_detail(const struct um_gate_use *use, char *detail, size_t size);
/* How closing a gate ended. */
enum um_gate_end {
	UM_GATE_CLOSED,                /* 0: the gate holds its old value again */
	UM_GATE_INHERITED,             /* a session that counts behind the gate has a record of it, and closes it
				        * later */
	UM_GATE_OF_USER,               /* another session needs the gate, but we cannot trust its journal */
	UM_GATE_NEEDED,                /* a program without a lease counts behind the gate */
};
/*
 * Restore gate @c if no other session of this library counts behind it and at most @waiting counters are enabled there.
 * @waiting: how many counters were enabled behind the gate before we opened it. Call it under um_enable_lock(). Returns
 * enum um_gate_end, or a negative errno.
 */
int um_gate_close(struct um_msr *s, struct um_unit *u, const struct um_change *c, const struct um_gate *g,
		  unsigned waiting);
/* Close the gates that no unit needs any more. */
void um_gates_restore(struct um_msr *s, struct um_unit *u);

#endif
