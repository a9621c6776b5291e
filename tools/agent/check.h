/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --check: everything that would be counted, what that needs, and where it would be served. */
#ifndef AGENT_CHECK_H
#define AGENT_CHECK_H

#include "agent/counts.h"
#include "common/output.h"

/* Returns the exit status; opens nothing. */
int agent_check(const struct agent_counts *c, struct out *out);

#endif
