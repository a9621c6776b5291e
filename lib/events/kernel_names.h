/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the handle keeps for the kernel's route: the kernel's PMUs and the event lists. */
#ifndef UM_PERF_NAMES_H
#define UM_PERF_NAMES_H

#include "machine/handle.h"
#include "perf/event.h"

/*
 * What event strings are read with; the PMUs are read at the first call. A machine whose packages
 * cannot be told, and that is not open therefore, has event names all the same.
 * 0; -ENOMEM; what opening the machine's tree gives (sentence in the handle).
 */
int um_perf_names(struct uncoremsr *um, struct um_perf_scope *scope) UM_MUST_CHECK;
/* The processor that event lists are chosen for; NULL: unknown (sentence in the handle). */
const struct um_identity *um_perf_identity(struct uncoremsr *um);
void um_perf_names_free(struct uncoremsr *um);

#endif
