/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a look at throttling found of a package or core: numbers of the library, -1 unknown. */
#ifndef TOOL_SUBJECTS_H
#define TOOL_SUBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"
#include "uncoremsr/throttle.h"

/* Causes that there are. */
enum { THROTTLE_CAUSES = UNCOREMSR_CAUSE_REGISTERS };

static inline int64_t throttle_subject_number(const struct uncoremsr_subject *s,
					      enum uncoremsr_subject_property property)
{
	uint64_t v;

	return uncoremsr_subject_number(s, property, &v) ? -1 : (int64_t)v;
}

static inline int64_t throttle_cause_number(const struct uncoremsr_cause *c,
					    enum uncoremsr_cause_property property)
{
	uint64_t v;

	return uncoremsr_cause_number(c, property, &v) ? -1 : (int64_t)v;
}

static inline int64_t throttle_evidence_number(const struct uncoremsr_cause *c, size_t i,
					       enum uncoremsr_evidence_property property)
{
	uint64_t v;

	return uncoremsr_evidence_number(c, i, property, &v) ? -1 : (int64_t)v;
}

/* What open question @i of a subject asks, enum uncoremsr_cause_kind; -1: there is none. */
static inline int throttle_question(const struct uncoremsr_subject *s, size_t i)
{
	uint64_t v;

	if (uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_STATE, &v) || v != UNCOREMSR_QUESTION_OPEN ||
	    uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_CAUSE, &v))
		return -1;
	return (int)v;
}

/* Degrees C, which may be negative. False: unknown. */
static inline bool throttle_temperature(const struct uncoremsr_subject *s, int *celsius)
{
	uint64_t v;

	if (uncoremsr_subject_number(s, UNCOREMSR_SUBJECT_TEMPERATURE, &v))
		return false;
	*celsius = (int)(int64_t)v;
	return true;
}

static inline int throttle_package(const struct uncoremsr_subject *s)
{
	return (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_PACKAGE);
}

/* -1: a package */
static inline int throttle_core(const struct uncoremsr_subject *s)
{
	return (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_CORE);
}

static inline int throttle_cpu(const struct uncoremsr_subject *s)
{
	return (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_CPU);
}

static inline enum uncoremsr_verdict throttle_verdict(const struct uncoremsr_subject *s)
{
	return (enum uncoremsr_verdict)throttle_subject_number(s, UNCOREMSR_SUBJECT_VERDICT);
}

static inline enum uncoremsr_cause_kind throttle_kind(const struct uncoremsr_cause *c)
{
	return (enum uncoremsr_cause_kind)throttle_cause_number(c, UNCOREMSR_CAUSE_KIND);
}

/* It holds, or did since the look before. */
static inline bool throttle_is_now(const struct uncoremsr_cause *c)
{
	return throttle_cause_number(c, UNCOREMSR_CAUSE_PHASE) > UNCOREMSR_PHASE_LOGGED;
}

/* The package that a core belongs to, or the package itself. */
const struct uncoremsr_subject *throttle_package_of(const struct uncoremsr_throttle *t,
						    const struct uncoremsr_subject *s);
/* Causes about which nothing can be found out on this package and its cores, for this reason; as bits. */
unsigned throttle_causes_in(const struct uncoremsr_subject *package,
			    enum uncoremsr_question_state state);

#endif
