/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Without sanitizers, a test of many similar cases runs all of them. With sanitizers that would take ten times as long
 * and find little more, so only one of @of cases runs; the date or SEED chooses the first case.
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

static inline unsigned draw_step(unsigned of)
{
	return DRAW ? of : 1;
}

static inline unsigned draw_first(unsigned of)
{
	const char *seed = getenv("SEED");

	return DRAW ? (unsigned)((seed ? strtoul(seed, NULL, 10) : (unsigned long)time(NULL) / 86400) % of) : 0;
}

#endif
