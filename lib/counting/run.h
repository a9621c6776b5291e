/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the events of a session through registers, from start to stop: reads and checks the counters, and lets groups
 * take turns. Counting on a unit goes on when one of its CPUs is online again. Units that cannot be counted are left
 * out.
 */
#ifndef UM_RUN_H
#define UM_RUN_H

#include "counting/plan.h"

/* ---- events.c: functions of the route's table (session/route.h); @state is a struct um_msr ---- */
int um_msr_claim(void *state, const struct um_event *group, size_t num, bool asked,
		 enum um_answer *answer, struct um_error *e);
int um_msr_blocked(void *state, struct um_error *e);
int um_msr_add(void *state, struct um_error *e);
void um_msr_cut(void *state, size_t num);
int um_msr_join(void *state, size_t *where, struct um_error *e);
void um_msr_facts(const void *state, size_t event, struct uncoremsr_counted *f);
int um_msr_set_counter(void *state, size_t event, unsigned counter, struct um_error *e);

/* ---- turns.c ---- */

/* Start the programmed counters of s->active_set. */
int um_unit_enable(struct um_msr *s, struct um_unit *u);
/* Program the counters of s->active_set and let them run. */
int um_unit_begin(struct um_msr *s, struct um_unit *u);
/* Check, switch off and read the counters whose turn ends; @all: also those that take no turns. */
int um_unit_disable(struct um_msr *s, struct um_unit *u, bool all);
/* Program the unit again if one of its CPUs is online again. 0; or a negative errno, for example if none is online. */
int um_unit_come_back(struct um_msr *s, struct um_unit *u);

/*
 * ---- sample.c ----
 *
 * Read the first @n of s->ops in one batch, if the machine supports batches and nothing is traced. The caller then
 * calls um_unit_finish() for each of them, which reads what the batch has not read and sets the unit's error.
 */
void um_unit_batch(struct um_msr *s, size_t n);
int um_unit_finish(struct um_msr *s, struct um_unit *u, struct um_op *op);
/* Read all counters that run. If no CPU of the unit was online at the last read, call um_unit_come_back() before. */
int um_unit_sample(struct um_msr *s, struct um_unit *u);
/* The unit could not be read: mark its open interval as lost or failed, with u->error as detail. Returns @err. */
int um_unit_spoil(struct um_unit *u, int err);
void um_unit_close(struct um_unit *u);

/* ---- cpu_online.c: begin to count on a unit whose CPU came online. 0 or a negative errno. ---- */
int um_unit_cpu_online(struct um_msr *s, struct um_unit *u);

/*
 * ---- reprogram.c ----
 *
 * Reprogram counters that another program or a suspend has changed, unless they are in use now. Their next interval
 * begins then. 0 or a negative errno; a counter that could not be reprogrammed is tried again at the next call.
 */
int um_unit_reprogram(struct um_msr *s, struct um_unit *u);
void um_tell_reprogrammed(const struct um_msr *s);

/* ---- verify.c ---- */

/* 1 if another program changed the slot's registers (slot->detail says how), 0 if not, or a negative errno. */
int um_slot_verify(struct um_msr *s, struct um_unit *u, struct um_slot *slot);
/* Check all slots, and mark the readings of slots whose registers were changed. 0 or a negative errno. */
int um_unit_verify(struct um_msr *s, struct um_unit *u);

#endif
