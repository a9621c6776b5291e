/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Determines causes of throttling without a machine: tests set the values of registers and files of a package with one
 * core. Sources of fields and their units: Intel SDM volume 4; AMD's programmer's manual volume 2, 17.1.1 (P-states).
 *
 * Uses internal headers, because no machine has these readings together.
 */
#ifndef JUDGED_H
#define JUDGED_H

#include <check.h>

#include "throttle/throttle.h"

static struct um_thermal_model model;
static struct um_thermal_reg rows[UM_NUM_ROLES];
static struct um_subject who[2], *const package = &who[0], *const core = &who[1];
static struct uncoremsr_throttle watcher;
static struct uncoremsr *um;
static bool inherits;          /* the package has no status register and inherits the causes of its cores */

static inline void make_handle(void)
{
	inherits = false;
	ck_assert_int_eq(uncoremsr_new(&um), 0);
}

static inline void free_handle(void)
{
	uncoremsr_free(um);
}

/* Set up the state after two readings (uncoremsr_throttle_look()) that are one second apart. */
static inline void begin(unsigned has)
{
	model = (struct um_thermal_model){ .has = has };
	watcher = (struct uncoremsr_throttle){
		.um = um, .model = &model, .subjects = who, .num_subjects = 2,
		.num_listed = 2, .state.interval = 1000000000,
	};
	*package = (struct um_subject){
		.core = -1, .die = -1, .num = 1, .watcher = &watcher, .inherits = inherits,
	};
	*core = (struct um_subject){ .die = -1, .of = package, .watcher = &watcher };
	for (int role = 0; role < UM_NUM_ROLES; role++)
		rows[role] = (struct um_thermal_reg){ .role = (enum um_thermal_role)role };
}

/* Set the values that the last two calls of uncoremsr_throttle_look() have read from a register or file of @s. */
static inline void read_as(struct um_subject *s, int source, uint64_t before, uint64_t value)
{
	s->sources[source] = (struct um_gauge){
		.row = source < UM_NUM_ROLES ? &rows[source] : NULL, .value = value, .before = before,
		.known = true, .had = true,
	};
}

static inline void judge_source(struct um_subject *s, int source, uint64_t before, uint64_t value)
{
	begin(0);
	read_as(s, source, before, value);
	um_judge_all(&watcher);
}

static inline const struct uncoremsr_cause *cause_of(const struct um_subject *s, enum uncoremsr_cause_kind cause)
{
	for (size_t i = 0; i < s->num_causes; i++)
		if (s->causes[i].kind == cause)
			return &s->causes[i];
	return NULL;
}

static inline bool holds(const struct uncoremsr_cause *c)
{
	return c->phase == UNCOREMSR_PHASE_NOW;
}

/* Did the cause hold at some time since the previous reading, and has it ended? */
static inline bool happened(const struct uncoremsr_cause *c)
{
	return c->phase == UNCOREMSR_PHASE_BETWEEN;
}

/* Is the log of the cause a log bit, not a count of the kernel since its start? */
static inline bool log_bit(const struct uncoremsr_cause *c)
{
	return c->since != UNCOREMSR_SINCE_KERNEL_START;
}

static inline const struct uncoremsr_evidence *found(const struct um_subject *s, enum uncoremsr_finding finding)
{
	for (size_t i = 0; i < s->num_evidence; i++)
		if (s->evidence[i].pub.finding == finding)
			return &s->evidence[i].pub;
	return NULL;
}

static inline int64_t amount(const struct um_subject *s, enum uncoremsr_finding finding)
{
	const struct uncoremsr_evidence *e = found(s, finding);

	return e ? (int64_t)e->amount : -1;
}

static inline int64_t of(const struct um_subject *s, enum uncoremsr_finding finding)
{
	const struct uncoremsr_evidence *e = found(s, finding);

	return e ? (int64_t)e->of : -1;
}

#endif
