/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks at throttling as series: of every package and core each cause, 1 where it slows it down now
 * and 0 where it does not, how often it began and for how long; what has no answer is unknown.
 */
#ifndef TOOL_THROTTLE_SERIES_H
#define TOOL_THROTTLE_SERIES_H

#include "common/series.h"
#include "common/subjects.h"

/* One cause on one package or core, followed from look to look. */
struct throttle_episodes {
	bool now;         /* at the latest look */
	bool decided;     /* has decided a verdict: others are not told */
	bool unmeasured;  /* at some look it was seen without a share of the time */
	uint64_t num;     /* how often it began */
	uint64_t ns;      /* how long it held, as far as that was measured */
	uint64_t looks;   /* at which it held */
};

struct throttle_series_track {
	int package, core;
	struct throttle_episodes causes[THROTTLE_CAUSES];
	unsigned told;    /* of a package: causes that were said to hold, as bits */
};

/* Zeroed memory is one that has not looked. */
struct throttle_series {
	struct throttle_series_track *tracks;
	size_t num;
	uint64_t looks;
};

/* Say what the latest look of @t found; once for each look. */
void throttle_series_say(struct throttle_series *ts, struct series *s, const char *machine,
			 const struct uncoremsr_throttle *t);
void throttle_series_free(struct throttle_series *ts);

#endif
