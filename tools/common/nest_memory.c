/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/nest_memory.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/properties.h"

void nest_path(const struct uncoremsr_event *ev, char *buf, size_t size)
{
	/* Names from the kernel already begin with their PMU. */
	if (strchr(ev->name, '/'))
		snprintf(buf, size, "%s", ev->name);
	else
		snprintf(buf, size, "%s/%s/", ev->pmu ? ev->pmu : "", ev->name);
}

int nest_memory_add(struct uncoremsr *um, struct uncoremsr_session *s)
{
	static const char *const patterns[] = {
		"nest_mcs*/PM_MCS*_RD_D*", "nest_mcs*/PM_MCS*_WR_D*", "nest_mba*/PM_MBA*_READ_BYTES/",
		"nest_mba*/PM_MBA*_WRITE_BYTES/",
	};
	const struct uncoremsr_event *ev;
	char path[256];
	int num = 0;

	for (size_t i = 0; machine_is_power(um) && (ev = uncoremsr_event(um, NULL, i)); i++) {
		bool memory = false;

		nest_path(ev, path, sizeof(path));
		for (size_t k = 0; k < ARRAY_SIZE(patterns); k++)
			memory |= fnmatch(patterns[k], path, 0) == 0;
		num += memory && uncoremsr_session_add(s, path) > 0;
	}
	return num;
}
