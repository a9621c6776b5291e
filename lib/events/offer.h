/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which names of any source may have been meant. */
#ifndef UM_OFFER_H
#define UM_OFFER_H

#include <stddef.h>

#include "events/source.h"

/*
 * The likeliest names, as a list for an advice: "a, b or c"; "" none is like it. What stands before a
 * slash is not compared: an event may be another PMU's. Slow: every source is read.
 */
void um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size);

#endif
