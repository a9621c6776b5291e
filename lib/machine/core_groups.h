/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups of CPUs ("cores" in collectd's words) whose counts are summed:
 *
 *   string = blanks ( "[" list "]" / list )     ; in brackets: a group of its own for each CPU
 *   list   = item *( "," item )                  ; empty items are skipped
 *   item   = number [ "-" number ]               ; ranges may run backwards
 *   number = decimal / "0x" hexadecimal
 */
#ifndef UM_CORE_GROUPS_H
#define UM_CORE_GROUPS_H

#include "machine/machine.h"

struct um_core_groups {
	struct um_cpuset *cpus;
	const char **texts;       /* each group as written, for a CPU in brackets its number; then NULL */
	size_t num;
};

/*
 * Append the groups of one string. 0; -EINVAL with a message in @e: not a number, a bracket that is not closed, a CPU
 * number of @limit or more, a CPU that is in another group already; -ENOMEM. After a failure the groups are unchanged.
 */
int um_core_groups_add(struct um_core_groups *g, const char *text, unsigned limit,
		       struct um_error *e) UM_MUST_CHECK UM_CROSSES;
void um_core_groups_free(struct um_core_groups *g) UM_CROSSES;

#endif
