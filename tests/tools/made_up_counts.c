/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For LD_PRELOAD: readings of an event that nothing counts, so that totals have any value. In its first
 * interval each reading is the next number of COUNTS in all its parts, and 0 from then on.
 * COUNTS="9007199254740993 5" uncore-agent ...
 */
#include <stdlib.h>

#include "uncoremsr.h"

int uncoremsr_reading_number(const struct uncoremsr_reading *r, enum uncoremsr_reading_number what,
			     uint64_t *v)
{
	static const char *rest;
	static uint64_t number;
	char *end;

	(void)r;
	if (!rest)
		rest = getenv("COUNTS");
	/* It is asked for first. */
	if (what == UNCOREMSR_READING_VALUE) {
		number = strtoull(rest, &end, 10);
		rest = end;
	}
	*v = number;
	return 0;
}
