/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For LD_PRELOAD: replaces readings, so that totals can have any value. In the first interval all numbers of a
 * reading are the next number of COUNTS; later they are 0. COUNTS="9007199254740993 5" uncore-agent ...
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
	/* The library's caller asks for this number first. */
	if (what == UNCOREMSR_READING_VALUE) {
		number = strtoull(rest, &end, 10);
		rest = end;
	}
	*v = number;
	return 0;
}
