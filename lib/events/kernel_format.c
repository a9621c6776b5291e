/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parse files format/TERM: "config:0-7,21" (Linux tools/perf/util/pmu.y). perf skips characters outside the
 * grammar; here they make the file malformed, because a term with wrong bits would count something else.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "events/kernel_format.h"

static bool bit_number(const char **at, unsigned *bit)
{
	unsigned v = 0, digits = 0;

	for (; **at >= '0' && **at <= '9' && digits < 3; (*at)++, digits++)
		v = 10 * v + (unsigned)(**at - '0');
	*bit = v;
	return digits && v < 64;
}

static bool range(const char **at, uint64_t *mask)
{
	unsigned from, to;

	if (!bit_number(at, &from))
		return false;
	to = from;
	if (**at == '-') {
		(*at)++;
		if (!bit_number(at, &to) || to < from)
			return false;
	}
	*mask |= (to - from == 63 ? UINT64_MAX : (UINT64_C(1) << (to - from + 1)) - 1) << from;
	return true;
}

int um_format_parse(struct um_kernel_format *f, const char *text)
{
	const char *at = text + 6;

	if (strncmp(text, "config", 6))
		return -EINVAL;
	f->config = 0;
	f->mask = 0;
	if (*at >= '1' && *at <= '3')
		f->config = (unsigned)(*at++ - '0');
	if (*at != ':')
		return -EINVAL;
	do {
		at++;
		if (!range(&at, &f->mask))
			return -EINVAL;
	} while (*at == ',');
	return *at ? -EINVAL : 0;
}

int um_format_fill(const struct um_kernel_format *f, uint64_t value, uint64_t configs[UM_CONFIGS],
		   uint64_t *max)
{
	int width = __builtin_popcountll(f->mask);
	uint64_t mask = f->mask;

	*max = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
	if (value > *max)
		return -ERANGE;
	for (; value; value >>= 1, mask &= mask - 1)
		if (value & 1)
			configs[f->config] |= mask & -mask;
	return 0;
}
