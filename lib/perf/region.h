/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Count events of the calling thread between two calls; see uncoremsr_region_new(). */
#ifndef UM_PERF_REGION_H
#define UM_PERF_REGION_H

#include "machine/machine.h"
#include "encode/perf_event.h"
#include "uncoremsr/region.h"

struct um_region;

/* Make a region of these events; it owns them, and the list becomes empty. 0 if at least one of them can be counted. */
int um_perf_region_open(struct um_region **region, const struct um_machine *m,
			struct um_perf_events *events, struct um_error *e) UM_MUST_CHECK;
void um_perf_region_free(struct um_region *r);
int um_perf_region_mark(struct um_region *r, bool begin, struct um_error *e);
bool um_perf_region_count(const struct um_region *r, size_t event, struct uncoremsr_region_count *count);

#endif
