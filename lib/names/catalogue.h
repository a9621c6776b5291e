/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All names that a handle knows: those of the built-in tables, the event lists and the kernel. */
#ifndef UM_CATALOGUE_H
#define UM_CATALOGUE_H

#include "names/pmus.h"
#include "names/source.h"
#include "machine/handle.h"
#include "names/kernel_pmu.h"

int um_names_new(struct uncoremsr *um, const struct um_metric_names *metrics) UM_MUST_CHECK;
void um_names_free(struct uncoremsr *um);
/*
 * Add the handle's machine and the kernel's PMUs to the sources of um->names, unless that was done before. Also works
 * for a machine that cannot be opened because its packages are unknown. 0; -ENOMEM; or an error from opening the
 * machine's tree, with a message in the handle.
 */
int um_names_of(struct uncoremsr *um) UM_MUST_CHECK UM_CROSSES;
/* Prepare @l to look up names of processor @uarch; NULL: of the machine. 0; -ENOMEM. */
int um_lookup_of(struct uncoremsr *um, const char *uarch, struct um_lookup *l) UM_MUST_CHECK;
/*
 * Set *pmus to the PMUs of processor @uarch (NULL: of this machine), the core PMU included. If @uarch is "core", set
 * only the core PMU. 0; or, with a message, -ENOTSUP, -EINVAL.
 */
int um_pmus_of(struct uncoremsr *um, const char *uarch, struct um_event_pmus *pmus) UM_MUST_CHECK UM_CROSSES;
/*
 * Replace each pattern in the text by the matching names. A pattern that matches no name is kept. The caller frees
 * *out, which is NULL if the text has no pattern. Returns 0; or, with a message, -ENOENT: a number in brackets matches
 * no name; -EINVAL: a pattern is malformed; -ENOMEM.
 */
int um_names_expand(struct uncoremsr *um, const char *uarch, const char *text, char **out) UM_MUST_CHECK UM_CROSSES;
/*
 * Call @fn for each event that the name or pattern matches. Returns how many; 0: no source has the name, but the text
 * may be codes ("0x82:0x1"); or a negative errno with a message.
 */
int um_names_find(struct uncoremsr *um, const char *uarch, const char *text,
		  int (*fn)(void *user, const struct uncoremsr_event *event), void *user) UM_MUST_CHECK;
/* Forget the names from the kernel and the lists when another machine is chosen. Keeps the records of the tables. */
void um_names_forget_machine(struct uncoremsr *um);
void um_names_set_own_catalog(struct uncoremsr *um, bool on);

#endif
