/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Run: from start to stop. Samples, checks, turns, coming back after all CPUs of a unit were
 * offline, and what becomes of a session when some of its units cannot be counted.
 */
#ifndef UM_RUN_H
#define UM_RUN_H

#include "counting/plan.h"

/* ---- life.c: functions of the route's table; @state is a struct um_msr with its sites ---- */
int um_run_start(void *state, struct um_error *e);
int um_run_read(void *state, bool close, struct um_error *e);
int um_run_verify(void *state, struct um_error *e);
int um_run_suspended(void *state, uint64_t ns, struct um_error *e);
int um_run_rotate(void *state, struct um_error *e);
int um_run_pause(void *state, struct um_error *e);
int um_run_stop(void *state, struct um_error *e);

/* ---- turns.c ---- */

int um_unit_enable(struct um_msr *s, struct um_unit *u, int set);
/*
 * A set's turn ends: check it, switch it off, take its counts. What needs no turn goes on, unless
 * @set is UM_EVERY_SET: then everything ends.
 */
int um_unit_disable(struct um_msr *s, struct um_unit *u, int set);
/* A CPU of the unit is online again: begin again. The error says that there is none yet. */
int um_unit_come_back(struct um_msr *s, struct um_unit *u);

/*
 * ---- sample.c ----
 *
 * Read the first @n of s->ops in one go where the machine can (never while tracing); then
 * um_unit_finish() on each of them, which reads and explains what is still missing.
 */
void um_unit_batch(struct um_msr *s, size_t n);
int um_unit_finish(struct um_msr *s, struct um_unit *u, struct um_op *op);
/* Read all that counts; after a time without any CPU counting begins again first. */
int um_unit_sample(struct um_msr *s, struct um_unit *u);
/* It cannot be read: what it counted is lost or failed, as u->error tells. Returns @err. */
int um_unit_spoil(struct um_unit *u, int err);
/* The interval ends: readings and totals of all slots. */
void um_unit_close(struct um_unit *u);

/* It has begun within the interval. */
void um_unit_spoil_begun(struct um_unit *u);

/* ---- arrive.c: the CPU of a unit that waits has come. 0 unless it cannot be counted. ---- */
int um_unit_arrive(struct um_msr *s, struct um_unit *u);

/*
 * ---- retake.c ----
 *
 * Counters that another program or a suspend has changed, and that are not in use now, are programmed
 * anew: the next interval begins there. 0 or a negative errno; what fails is tried again at the next
 * call.
 */
int um_unit_retake(struct um_msr *s, struct um_unit *u);
/* One line about the units for which it did. */
void um_tell_retaken(const struct um_msr *s);

/* ---- verify.c ---- */

/* 1 the slot's registers were changed (its detail tells), 0 not; or a negative errno. */
int um_slot_verify(struct um_msr *s, struct um_unit *u, struct um_slot *slot);
/* Spoil the readings of slots that were changed. 0, or a negative errno. */
int um_unit_verify(struct um_msr *s, struct um_unit *u);

#endif
