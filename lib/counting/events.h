/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of a session: functions of the route's table (session/route.h). @state is a struct
 * um_msr.
 */
#ifndef UM_COUNTING_EVENTS_H
#define UM_COUNTING_EVENTS_H

#include "counting/plan.h"

int um_msr_claim(void *state, const struct um_event *group, size_t num, bool asked,
		 enum um_answer *answer, struct um_error *e);
int um_msr_blocked(void *state, struct um_error *e);
int um_msr_add(void *state, struct um_error *e);
void um_msr_cut(void *state, size_t num);
int um_msr_join(void *state, size_t *where, struct um_error *e);
void um_msr_facts(const void *state, size_t event, struct uncoremsr_counted *f);
int um_msr_set_counter(void *state, size_t event, unsigned counter, struct um_error *e);

#endif
