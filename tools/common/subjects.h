/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a check for throttling (uncoremsr_throttle_look()) found out about a package or a core. */
#ifndef TOOL_SUBJECTS_H
#define TOOL_SUBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"
#include "uncoremsr/throttle.h"

/* Number of causes that can throttle. Larger values of the enum are only for questions. */
enum { THROTTLE_CAUSES = UNCOREMSR_CAUSE_REGISTERS };

/* Open question @i of a subject; NULL: there is none. */
static inline const struct uncoremsr_question *throttle_question(const struct uncoremsr_subject *s, size_t i)
{
	const struct uncoremsr_question *q = s->questions[i];

	return q && q->state == UNCOREMSR_QUESTION_OPEN ? q : NULL;
}

/* Does the cause hold now, or has it held since the previous check? */
static inline bool throttle_is_now(const struct uncoremsr_cause *c)
{
	return c->phase > UNCOREMSR_PHASE_LOGGED;
}

/* A core, or with @core -1 a package; NULL: it is offline. */
const struct uncoremsr_subject *throttle_find_subject(const struct uncoremsr_throttle *t, int package, int core);
/* Bits of the causes whose question (struct uncoremsr_question) in @package has @state; 0 if @package is NULL. */
unsigned throttle_causes_in(const struct uncoremsr_subject *package,
			    enum uncoremsr_question_state state);

#endif
