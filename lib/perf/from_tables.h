/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events of our tables for the kernel, under our names. */
#ifndef UM_PERF_FROM_TABLES_H
#define UM_PERF_FROM_TABLES_H

#include "events/event.h"
#include "perf/event.h"

/* Does the kernel have a PMU for each of them? 0, or -ENOENT with a sentence in @e. Reads no format. */
int um_perf_has_pmus(const struct um_perf_scope *scope, const struct um_encodings *list,
		     struct um_error *e) UM_MUST_CHECK;
/*
 * Append them. Returns how many; -ENOENT the kernel has no such PMU; -ENOTSUP its formats cannot
 * express one of them; -ENOMEM. On failure nothing is appended.
 */
int um_perf_add_encodings(struct um_perf_events *to, const struct um_perf_scope *scope,
			  const struct um_encodings *list, struct um_error *e) UM_MUST_CHECK;

#endif
