/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A test of many cases of one kind runs all of them without sanitizers. With sanitizers it would take ten times as long
 * and find nothing in most cases: so only every @of-th case runs, and the date or SEED chooses which.
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

/* Distance from one case to the next. */
static inline unsigned draw_step(unsigned of)
{
	return DRAW ? of : 1;
}

/* Number of the first case. */
static inline unsigned draw_first(unsigned of)
{
	const char *seed = getenv("SEED");

	return DRAW ? (unsigned)((seed ? strtoul(seed, NULL, 10) : (unsigned long)time(NULL) / 86400) % of) : 0;
}

#endif
