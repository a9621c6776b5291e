/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Throttling as series. For every package and core and each cause: 1 if the cause slows it down now, else 0; how
 * often the cause began; how long it lasted. What could not be found out is unknown. A check is a call of
 * uncoremsr_throttle_look().
 */
#ifndef TOOL_THROTTLE_SERIES_H
#define TOOL_THROTTLE_SERIES_H

#include "common/series.h"
#include "common/subjects.h"

/* One cause on one package or core, followed from check to check. */
struct throttle_episodes {
	bool now;         /* the cause was seen at the latest check */
	bool decided;     /* the cause has decided a verdict; other causes are written without episodes */
	bool unmeasured;  /* at some check the cause was seen, but its share of the time was not measured */
	uint64_t num;     /* how often the cause began */
	uint64_t ns;      /* how long the cause held, as far as that was measured */
	uint64_t looks;   /* number of checks after the first one at which the cause held */
};

struct throttle_series_track {
	int package, core;
	struct throttle_episodes causes[THROTTLE_CAUSES];
	unsigned told;    /* causes of a package that were reported as holding, as bits */
};

/* Initialise it to zeros: no check has been made yet. */
struct throttle_series {
	struct throttle_series_track *tracks;
	size_t num;
	uint64_t looks;
};

/* Write what the latest check of @t found. Call this once for each check. */
void throttle_series_say(struct throttle_series *ts, struct series *s, const char *machine,
			 const struct uncoremsr_throttle *t);
void throttle_series_free(struct throttle_series *ts);

#endif
