/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read a counter without a system call, if the kernel's page for it allows that. */
#ifndef UM_PERF_PAGE_H
#define UM_PERF_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/kernel.h"

/*
 * Read the event's count. *missed gets the nanoseconds in which the event was enabled without a counter. False: use
 * read(), because the event has no counter now, or processor or kernel do not allow reads from user space.
 */
bool um_perf_page_read(const void *page, uint64_t *value, uint64_t *missed);

#endif
