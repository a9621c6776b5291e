/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A long walk through cases of one kind is whole without sanitizers. With them it takes ten times as long and learns
 * nothing from most cases: there one case of "of" runs, and which ones changes with the day, or with SEED.
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

/* From one case to the next. */
static inline unsigned draw_step(unsigned of)
{
	return DRAW ? of : 1;
}

/* The first case. */
static inline unsigned draw_first(unsigned of)
{
	const char *seed = getenv("SEED");

	return DRAW ? (unsigned)((seed ? strtoul(seed, NULL, 10) : (unsigned long)time(NULL) / 86400) % of) : 0;
}

#endif
