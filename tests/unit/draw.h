/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A test of many similar cases runs all of them if it is built without sanitizers. With sanitizers all cases would take
 * ten times as long, and most of them would find nothing. So only every @of-th case runs; the date or SEED chooses
 * which.
 */
#ifndef DRAW_H
#define DRAW_H

#include <stdlib.h>
#include <time.h>

#ifdef __SANITIZE_ADDRESS__
enum { DRAW = 1 };
#else
enum { DRAW = 0 };
#endif

/* Step from the number of one case to that of the next case to run. */
static inline unsigned draw_step(unsigned of)
{
	return DRAW ? of : 1;
}

/* Number of the first case to run. */
static inline unsigned draw_first(unsigned of)
{
	const char *seed = getenv("SEED");

	return DRAW ? (unsigned)((seed ? strtoul(seed, NULL, 10) : (unsigned long)time(NULL) / 86400) % of) : 0;
}

#endif
