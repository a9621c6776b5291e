/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Throttling as series. For every package and core and each cause: whether the cause slows it down now (1 or 0), how
 * often the cause began, and how long it lasted. What could not be determined is unknown. A check is a call of
 * uncoremsr_throttle_look().
 */
#ifndef TOOL_THROTTLE_SERIES_H
#define TOOL_THROTTLE_SERIES_H

#include "common/series.h"
#include "common/set.h"
#include "uncoremsr.h"
#include "uncoremsr/throttle.h"

/* Number of causes of throttling. Larger values of the enum occur only in questions. */
enum { THROTTLE_CAUSES = UNCOREMSR_CAUSE_REGISTERS };

/* Question @i of a subject; NULL if there is none, or if it is not open. */
static inline const struct uncoremsr_question *throttle_question(const struct uncoremsr_subject *s, size_t i)
{
	const struct uncoremsr_question *q = s->questions[i];

	return q && q->state == UNCOREMSR_QUESTION_OPEN ? q : NULL;
}

/* Is the cause active now, or was it active since the previous check? */
static inline bool throttle_is_now(const struct uncoremsr_cause *c)
{
	return c->phase > UNCOREMSR_PHASE_LOGGED;
}

/* One cause on one package or core, followed from check to check. */
struct throttle_episodes {
	bool now;         /* the cause was active at the latest check */
	bool decided;     /* the cause has decided a verdict; other causes are written without episodes */
	bool unmeasured;  /* at some check the cause was active, but its share of the time was not measured */
	uint64_t num;     /* how often the cause began */
	uint64_t ns;      /* total time for which the cause was active, as far as it was measured */
	uint64_t looks;   /* number of checks after the first one at which the cause was active */
};

/* A package or a core. */
struct throttle_series_track {
	int package, core;
	struct throttle_episodes causes[THROTTLE_CAUSES];
	unsigned told;    /* bit mask of the causes of a package that were reported as active */
};

/* Write what the latest check of @t found. Call this once for each check. The items of @tracks are kept for the next. */
void throttle_series_put(struct series *out, struct set *tracks, const char *machine,
			 const struct uncoremsr_throttle *t);

#endif
