/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Built without sanitizers, a test of many similar cases runs all of them. With sanitizers that would take ten times as
 * long and find little more, so only every @of-th case runs; the date or SEED chooses the first one.
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

/* Difference between the numbers of two cases that run one after the other. */
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
