/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/region.h Self-monitoring: events of the calling thread between two calls. Rules about
 * errors, threads, ownership and structs: uncoremsr.h.
 */
#ifndef UNCOREMSR_REGION_H
#define UNCOREMSR_REGION_H

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_region;    /* events of the calling thread between two calls */

/**
 * Open events for the calling thread. They are counted by the kernel. Uncore events are refused, because they count a
 * whole package. If processor and kernel allow it, the counters are read without a system call. @param events as for
 * uncoremsr_session_add() ("instructions,cycles").
 * @return 0 if at least one event can be counted; -EINVAL, -ENOENT, -ENOTSUP for the text, as
 *   uncoremsr_encode(); -EACCES not permitted; or another errno of perf_event_open(2); -ENOMEM.
 */
int uncoremsr_region_new(struct uncoremsr *um, const char *events, struct uncoremsr_region **region);
/** Close the events. Call this before the handle is freed. NULL is accepted. */
void uncoremsr_region_free(struct uncoremsr_region *region);
/**
 * Begin and end the counted part of the program. The part may run any number of times, always in the thread that made
 * the region.
 * @return 0; -EINVAL an end without a beginning; or the errno of read(2).
 */
int uncoremsr_region_begin(struct uncoremsr_region *region);
int uncoremsr_region_end(struct uncoremsr_region *region);
/** Count of an event. */
struct uncoremsr_region_count {
	size_t size;
	const char *name;
	uint64_t count; /* summed over all runs of the counted part; unknown if the event could not be opened, or if
			 * other events used the counter for a part of the time */
};
/** Counts in the order of @p events; NULL past the end. Valid until the next call. */
const struct uncoremsr_region_count *uncoremsr_region_count(struct uncoremsr_region *region, size_t event);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
