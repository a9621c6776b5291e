/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file region.h
 * A program that watches itself: events of the calling thread between two calls.
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
 * Open events for the calling thread. Only the kernel's route, and no uncore events: these belong to
 * everybody. Where processor and kernel allow it the counters are read without a system call.
 * @param events as uncoremsr_session_add() takes them ("instructions,cycles").
 * @return 0 when at least one of them can be counted; -EINVAL, -ENOENT, -ENOTSUP the text, as
 *   uncoremsr_encode(); -EACCES not permitted; or another errno of perf_event_open(2); -ENOMEM.
 */
int uncoremsr_region_new(struct uncoremsr *um, const char *events, struct uncoremsr_region **region);
/** Close them, before the handle is freed. NULL is accepted. */
void uncoremsr_region_free(struct uncoremsr_region *region);
/**
 * Begin and end the part of the program that is counted; it may be passed any number of times, by the
 * thread that made the region.
 * @return 0; -EINVAL it was not begun; or the errno of read(2).
 */
int uncoremsr_region_begin(struct uncoremsr_region *region);
int uncoremsr_region_end(struct uncoremsr_region *region);
/** The events in the order of @events; NULL past the end. */
const char *uncoremsr_region_event_name(const struct uncoremsr_region *region, size_t event);
/** What an event did in all passes together. @return 0; -ENODATA it could not be opened, or
 * others had the counter for a part of the time. */
int uncoremsr_region_count(const struct uncoremsr_region *region, size_t event, uint64_t *count);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
