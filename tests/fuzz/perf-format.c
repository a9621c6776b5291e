/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format files of the kernel's PMUs, and scales. */
#include <math.h>

#include "fuzz.h"

#include "common/number.h"
#include "names/kernel_pmu.h"

/* A value with all bits set sets exactly the bits of the format's mask; the next larger value does not fit. */
static void check_fill(const struct um_term *f)
{
	struct um_words all = { .at = { 0 } }, one = { .at = { 0 } };
	uint64_t max = um_term_max(f);

	REQUIRE(f->word < UM_CONFIGS && f->mask);
	REQUIRE(um_term_put(f, 0, &all, "", NULL) == 0 && um_term_put(f, max, &all, "", NULL) == 0);
	for (unsigned i = 0; i < UM_CONFIGS; i++)
		REQUIRE(all.at[i] == (i == f->word ? f->mask : 0));
	REQUIRE(um_term_get(f, all.at[f->word]) == max);
	REQUIRE(max == UINT64_MAX || um_term_put(f, max + 1, &all, "", NULL) < 0);
	REQUIRE(um_term_put(f, 1, &one, "", NULL) == 0 && one.at[f->word] == (f->mask & -f->mask));
}

static void target(const char *text, size_t size)
{
	struct um_term f = { .name = "term" };
	double scale;

	(void)size;
	if (um_format_parse(&f, text) == 0)
		check_fill(&f);
	if (um_perf_scale(text, &scale))
		REQUIRE(isfinite(scale));
}
