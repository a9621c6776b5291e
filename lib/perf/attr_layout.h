/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* struct perf_event_attr as the kernel reads it and as perf.data files contain it. */
#ifndef UM_PERF_ATTR_LAYOUT_H
#define UM_PERF_ATTR_LAYOUT_H

#include <linux/perf_event.h>

#include "encode/perf_event.h"

/*
 * Values of attr.size that cover config1, config2 and config3, and the offset of config3. Headers of older systems lack
 * config3 (include/uapi/linux/perf_event.h, PERF_ATTR_SIZE_VER8).
 */
enum { UM_ATTR_CONFIG1 = 64, UM_ATTR_CONFIG2 = 72, UM_ATTR_CONFIG3 = 136, UM_ATTR_AT_CONFIG3 = 128 };

union um_perf_attr_words {
	struct perf_event_attr attr;
	unsigned char bytes[UM_ATTR_CONFIG3 > sizeof(struct perf_event_attr)
				    ? UM_ATTR_CONFIG3 : sizeof(struct perf_event_attr)];
};

/*
 * Convert our attributes to the kernel's. @flags: UM_PERF_DISABLED and so on. attr.size becomes the smallest one that
 * covers all fields that are set.
 */
void um_perf_attr_fill(union um_perf_attr_words *a, const struct um_perf_attr *from, unsigned flags) UM_CROSSES;

#endif
