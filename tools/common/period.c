/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/period.h"

#include "common/doubt.h"
#include "common/number.h"

int period_interval(const char *arg, uint64_t *interval_ns)
{
	char why[NUMBER_WHY_SIZE];

	if (!number_parse_seconds(arg, interval_ns, why))
		return tool_usage("--interval: %s", why);
	doubt_number("--interval", arg, false);
	return 0;
}

int period_count(const char *arg, uint64_t *count)
{
	char why[NUMBER_WHY_SIZE];

	if (!number_parse_from(arg, 1, INT64_MAX, count, why))
		return tool_usage("--count: %s", why);
	doubt_number("--count", arg, false);
	return 0;
}
