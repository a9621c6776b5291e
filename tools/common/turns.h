/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting while sessions count: groups take turns, and counters are read before they can wrap twice. */
#ifndef TOOL_TURNS_H
#define TOOL_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "common/wait.h"
#include "uncoremsr.h"

/*
 * Wait until the machine's clock shows @deadline, or a signal comes; UINT64_MAX: only a signal ends the wait. @from is
 * the end of the previous wait. Meanwhile the events of each of the @num @sessions take turns, such that all get the
 * same number of turns in @interval_ns, and counters are read often enough that none wraps twice.
 */
enum wake turns_wait_until(struct tool_wait *w, struct uncoremsr_session *const *sessions, size_t num,
			   uint64_t from, uint64_t deadline, uint64_t interval_ns);

#endif
