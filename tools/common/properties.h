/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What several tools ask about a machine. */
#ifndef TOOL_PROPERTIES_H
#define TOOL_PROPERTIES_H

#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

static inline int machine_is_simulated(struct uncoremsr *machine)
{
	const struct uncoremsr_machine_info *info = uncoremsr_machine_info(machine);

	return info && info->simulated;
}

/* NULL: unknown, or the machine is not open. */
static inline const char *machine_uarch(struct uncoremsr *machine)
{
	const struct uncoremsr_machine_info *info = uncoremsr_machine_info(machine);

	return info ? info->uarch : NULL;
}

/* Of this machine's uncore. */
static inline size_t num_pmus(struct uncoremsr *machine)
{
	size_t num = 0;

	while (uncoremsr_pmu(machine, NULL, num))
		num++;
	return num;
}

#endif
