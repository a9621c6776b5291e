/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The 42 events that collectd's plugin intel_pmu names, in the order of the columns of pmuTable. */
#ifndef AGENT_PMU_TABLE_H
#define AGENT_PMU_TABLE_H

enum { PMU_CACHE = 0, PMU_KERNEL = 26, PMU_SOFTWARE = 33, PMU_EVENTS = 42, PMU_FIRST_COLUMN = 3 };

struct agent_pmu_event {
	const char *event;
	const char *column; /* name of the column's object in INTEL-PMU-MIB */
};

extern const struct agent_pmu_event agent_pmu_events[PMU_EVENTS];

#endif
