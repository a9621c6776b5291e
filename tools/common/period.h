/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parse -i SECONDS and -n COUNT, the options of every tool that measures periodically. */
#ifndef TOOL_PERIOD_H
#define TOOL_PERIOD_H

#include <stdint.h>

#include "common/options.h"

/* Each returns 0, or TOOL_USAGE after saying what is wrong with @arg. */
int period_interval(const char *arg, uint64_t *interval_ns);
int period_count(const char *arg, uint64_t *count);

#endif
