/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare our scales of fixed counters with those in the kernel's files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "encode/perf_event.h"

const struct um_kernel_alias *um_kernel_alias_of(const struct um_kernel_pmu *pmu,
						 const struct um_fixed *f)
{
	const struct um_kernel_alias *alias = um_kernel_alias(pmu, f->event, strlen(f->event));

	for (size_t i = 0; !alias && *f->aliases[i]; i++)
		alias = um_kernel_alias(pmu, f->aliases[i], strlen(f->aliases[i]));
	return alias;
}

/* Compare with tolerance: the files have only as many digits as their author wrote ("3.814697266e-6"). */
bool um_same_scale(double scale, const char *unit, double other_scale, const char *other_unit)
{
	return !strcmp(unit ? unit : "", other_unit ? other_unit : "") &&
	       fabs(scale - other_scale) <= 1e-6 * fabs(other_scale);
}

void um_kernel_other_scale(const struct um_kernel_alias *alias, const struct um_fixed *f,
			   char text[UM_SCALE_TEXT])
{
	const char *theirs = alias->base.pub.measure ? alias->base.pub.measure : "";

	text[0] = '\0';
	if (um_same_scale(alias->scale, theirs, *f->unit ? f->scale : 1, f->unit))
		return;
	snprintf(text, UM_SCALE_TEXT, "%.10g%s%.16s", alias->scale, *theirs ? " " : "", theirs);
}

void um_kernel_look_at_scale(struct um_kernel_pmus *pmus, struct um_encoding *ev)
{
	const struct um_kernel_alias *alias;
	struct um_kernel_pmu *pmu;
	size_t i = 0;

	if (!um_is_free_running(ev) || um_kernel_pmus_list(pmus))
		return;
	pmu = um_kernel_pmus_next(pmus, &i, ev->pmu->kernel);
	if (!pmu || um_kernel_pmu_load(pmu))
		return;
	alias = um_kernel_alias_of(pmu, &ev->pmu->fixed[ev->fixed]);
	if (alias)
		um_kernel_other_scale(alias, &ev->pmu->fixed[ev->fixed], ev->kernel_scale);
}
