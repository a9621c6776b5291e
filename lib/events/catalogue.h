/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of a handle: whose tables, which lists, which kernel. */
#ifndef UM_CATALOGUE_H
#define UM_CATALOGUE_H

#include "events/event.h"
#include "events/source.h"
#include "machine/handle.h"
#include "events/kernel_pmu.h"

/*
 * The names of the handle's machine, with the kernel's PMUs, which are read at the first call. A
 * machine whose packages are not known, and that is therefore not open, has names too.
 * 0; -ENOMEM; what opening the machine's tree gives (sentence in the handle).
 */
int um_names_of(struct uncoremsr *um, struct um_names **names) UM_MUST_CHECK;
/* The same without the kernel's PMUs and without touching the machine; NULL: out of memory. */
struct um_names *um_names_made(struct uncoremsr *um);
/* Only what a name of a processor, or NULL for the machine, has names in. 0, or as um_names_of(). */
int um_lookup_of(struct uncoremsr *um, const char *uarch, struct um_lookup *l) UM_MUST_CHECK;
/*
 * The PMUs of a processor (NULL: this machine's) and the core PMU; "core": that alone. 0; -ENOTSUP,
 * -EINVAL with a sentence.
 */
int um_pmus_of(struct uncoremsr *um, const char *uarch, struct um_event_pmus *pmus) UM_MUST_CHECK;
int um_perf_names(struct uncoremsr *um, struct um_perf_scope *scope) UM_MUST_CHECK;
/* The processor that event lists are chosen for; NULL: unknown (sentence in the handle). */
const struct um_identity *um_lists_identity(struct uncoremsr *um);
/* Kernel and lists are forgotten: another machine is chosen. Records of the tables stay. */
void um_names_forget_machine(struct uncoremsr *um);
void um_names_free(struct uncoremsr *um);

#endif
