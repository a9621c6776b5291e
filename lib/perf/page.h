/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading a counter without a system call, where the kernel's page for it allows that. */
#ifndef UM_PERF_PAGE_H
#define UM_PERF_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/kernel.h"

/*
 * *missed: nanoseconds in which it was enabled and had no counter. False: not on hardware now, or
 * this processor or kernel does not let user space read: use read().
 */
bool um_perf_page_read(const void *page, uint64_t *value, uint64_t *missed);

#endif
