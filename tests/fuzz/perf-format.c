/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format files of the kernel's PMUs, and scales. */
#include <math.h>

#include "fuzz.h"

#include "common/number.h"
#include "events/kernel_pmu.h"

/* A value with all bits set sets exactly the bits of the mask; the next larger value does not fit. */
static void check_fill(const struct um_kernel_format *f)
{
	uint64_t configs[UM_CONFIGS] = { 0 }, max;

	REQUIRE(f->config < UM_CONFIGS && f->mask);
	REQUIRE(um_format_fill(f, 0, configs, &max) == 0);
	REQUIRE(um_format_fill(f, max, configs, &max) == 0);
	for (unsigned i = 0; i < UM_CONFIGS; i++)
		REQUIRE(configs[i] == (i == f->config ? f->mask : 0));
	REQUIRE(max == UINT64_MAX || um_format_fill(f, max + 1, configs, &max) < 0);
	memset(configs, 0, sizeof(configs));
	REQUIRE(um_format_fill(f, 1, configs, &max) == 0 &&
		configs[f->config] == (f->mask & -f->mask));
}

static void target(const char *text, size_t size)
{
	struct um_kernel_format f = { .name = NULL };
	double scale;

	(void)size;
	if (um_format_parse(&f, text) == 0)
		check_fill(&f);
	if (um_perf_scale(text, &scale))
		REQUIRE(isfinite(scale));
}
