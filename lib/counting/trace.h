/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Register operations told to the caller's trace callback. */
#ifndef UM_TRACE_H
#define UM_TRACE_H

#include <stdint.h>

#include "machine/handle.h"

/* @err: 0 or the negative errno of the operation. */
void um_trace_read(struct uncoremsr *um, unsigned cpu, uint32_t msr, int err, uint64_t value);
void um_trace_write(struct uncoremsr *um, unsigned cpu, uint32_t msr, int err, uint64_t old,
		    uint64_t value);

#endif
