/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TOOL_PROPERTIES_H
#define TOOL_PROPERTIES_H

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/output.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

enum { HOST_SIZE = HOST_NAME_MAX + 1 };

/* The name of this host, for records of many hosts in one place; "unknown" if the kernel has none. */
static inline void host_name(char host[HOST_SIZE])
{
	if (gethostname(host, HOST_SIZE - 1) < 0 || !*host)
		snprintf(host, HOST_SIZE, "unknown");
	host[HOST_SIZE - 1] = '\0';
}

/* The name of a simulated machine, as shown to users; NULL if the machine is not simulated. */
static inline const char *machine_simulated_name(struct uncoremsr *machine)
{
	const struct uncoremsr_machine *m = uncoremsr_machine(machine);

	if (!m || !m->simulated)
		return NULL;
	return strncmp(m->name, "sim:", 4) == 0 ? m->name + 4 : m->name;
}

/* Write the first line of text about the simulated machine @name. NULL (not simulated): write nothing. */
static inline void put_simulated(struct out *o, const char *name)
{
	if (!name)
		return;
	out_str(o, "SIMULATED machine ");
	out_text_str(o, name);
	out_str(o, ": nothing here is hardware\n");
}

/* The name of the microarchitecture. NULL: it is unknown, or the machine is not open. */
static inline const char *machine_uarch(struct uncoremsr *machine)
{
	const struct uncoremsr_machine *m = uncoremsr_machine(machine);

	return m ? m->uarch : NULL;
}

/* POWER has neither CPUID nor model-specific registers. False also if the machine is not open. */
static inline bool machine_is_power(struct uncoremsr *machine)
{
	const struct uncoremsr_machine *m = uncoremsr_machine(machine);

	return m && m->pvr != UINT64_MAX;
}

/* Is it one of the kernel's PMUs of POWER's in-memory counters ("nest_mcs01_imc", "core_imc")? */
static inline bool is_in_memory_pmu(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && strcmp(name + len - 4, "_imc") == 0 && strncmp(name, "uncore_", 7) != 0;
}

static inline size_t num_pmus(struct uncoremsr *machine)
{
	size_t num = 0;

	while (uncoremsr_pmu(machine, NULL, num))
		num++;
	return num;
}

#endif
