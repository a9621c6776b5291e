/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The route that counts through the kernel (perf). */
#ifndef UM_PERF_ROUTE_H
#define UM_PERF_ROUTE_H

#include "session/route.h"

extern const struct um_route um_route_perf;

struct um_perf_event;
/* The event @event of a route's state, for tests. */
const struct um_perf_event *um_perf_event_of(const void *state, size_t event);

#endif
