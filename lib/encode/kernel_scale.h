/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The scale of a counter by our tables and by the kernel's files. */
#ifndef UM_KERNEL_SCALE_H
#define UM_KERNEL_SCALE_H

#include "encode/event.h"
#include "names/kernel_pmu.h"

/* The ready-made event that counts the same as @f; NULL: none. The PMU must be loaded. */
const struct um_kernel_alias *um_kernel_alias_of(const struct um_kernel_pmu *pmu,
						 const struct um_fixed *f);
/* Do two scales with their units mean the same? Units may be NULL. */
bool um_same_scale(double scale, const char *unit, double other_scale, const char *other_unit);
/* If the files of @alias disagree with @f: what they say, "3.814697266e-06 MiB", or "1"; else "". */
void um_kernel_other_scale(const struct um_kernel_alias *alias, const struct um_fixed *f,
			   char text[UM_SCALE_TEXT]);
static inline bool um_is_free_running(const struct um_encoding *ev)
{
	return ev->fixed >= 0 && !ev->pmu->fixed[ev->fixed].control.msr;
}

/* Fill ev->kernel_scale if the event is that of a free-running counter. */
void um_kernel_look_at_scale(struct um_kernel_pmus *pmus, struct um_encoding *ev);

#endif
