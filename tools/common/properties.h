/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Getters for properties of machines, PMUs, registers and events that return a default in place of -ENODATA. */
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

static inline const char *pmu_name(const struct uncoremsr_pmu *pmu)
{
	return uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_NAME);
}

/* 0: unknown, or it does not apply. */
static inline unsigned pmu_number(const struct uncoremsr_pmu *pmu, enum uncoremsr_pmu_property p)
{
	uint64_t v;

	return uncoremsr_pmu_number(pmu, p, &v) < 0 ? 0 : (unsigned)v;
}

static inline uint64_t register_number(const struct uncoremsr_register *reg,
				       enum uncoremsr_register_property p)
{
	uint64_t v;

	return uncoremsr_register_number(reg, p, &v) < 0 ? 0 : v;
}

static inline const char *register_name(const struct uncoremsr_register *reg)
{
	return uncoremsr_register_text(reg, UNCOREMSR_REGISTER_NAME);
}

static inline uint32_t register_address(const struct uncoremsr_register *reg)
{
	return (uint32_t)register_number(reg, UNCOREMSR_REGISTER_ADDRESS);
}

static inline const char *event_name(const struct uncoremsr_event *ev)
{
	return uncoremsr_event_text(ev, UNCOREMSR_EVENT_NAME);
}

/* -1: unknown, or it does not apply. */
static inline int64_t event_number(const struct uncoremsr_event *ev, enum uncoremsr_event_property p)
{
	uint64_t v;

	return uncoremsr_event_number(ev, p, &v) < 0 ? -1 : (int64_t)v;
}

#endif
