/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What one count of a counter is, by our tables and by the kernel's files. */
#ifndef UM_KERNEL_SCALE_H
#define UM_KERNEL_SCALE_H

#include "events/event.h"
#include "events/kernel_pmu.h"

/* The ready-made event that counts what @f counts; NULL: none. The PMU is loaded. */
const struct um_kernel_alias *um_kernel_alias_of(const struct um_kernel_pmu *pmu,
						 const struct um_fixed *f);
/*
 * Where the files of @alias say something else than @f: what they say, "3.814697266e-06 MiB", or "1".
 * Where both agree: "".
 */
void um_kernel_other_scale(const struct um_kernel_alias *alias, const struct um_fixed *f,
			   char text[UM_SCALE_TEXT]);
static inline bool um_is_free_running(const struct um_encoding *ev)
{
	return ev->fixed >= 0 && !ev->pmu->fixed[ev->fixed].control.msr;
}

/* The same for an event that registers count, of a counter that always runs. */
void um_kernel_look_at_scale(struct um_kernel_pmus *pmus, struct um_encoding *ev);

#endif
