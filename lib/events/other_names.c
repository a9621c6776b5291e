/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names beside the tables: what a source lists and the tables leave out, and the few names of the
 * core PMU that are known here.
 */
#include <string.h>

#include "common/error.h"
#include "events/table.h"

static const struct um_event_left_out left_out[] = {
	{ "nehalem", UM_LIKWID, 0x27, 0x07, "UNC_QMC_NORMAL_FULL_READ_ANY",
	  "the manual lists the three channels and no sum" },
	{ "nehalem", UM_LIKWID, 0x35, 0x00, "UNC_ADDR_OPCODE_MATCH (no unit mask)",
	  "the manual documents register 0x396 for Nehalem, but not the event" },
	{ "nehalem", UM_LIKWID, 0x35, 0x01, "UNC_ADDR_OPCODE_MATCH (unit mask 0x01)",
	  "the manual documents register 0x396 for Nehalem, but not the event" },
	{ "nehalem", UM_FREEBSD, 0x02, 0x01, "GQ_OCCUPANCY.READ_TRACKER",
	  "the driver accepts the codes; its own manual and Intel's do not list them" },
};

const struct um_event_left_out *um_event_left_out(const char *uarch, size_t index)
{
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++)
		if (strcmp(left_out[i].uarch, uarch) == 0 && index-- == 0)
			return &left_out[i];
	return NULL;
}

/*
 * From libpfm4 4.13 on those processors. The architectural events stand in machine/leaf_0xa.c.
 *
 * Some texts call r5301b1 UOPS_EXECUTED.CORE; no table read gives that name to unit mask 1.
 */
static const struct um_core_event core_events[] = {
	{ 0x0e, 0x01, "UOPS_ISSUED.ANY", "Nehalem to Ivy Bridge" },
	{ 0xb1, 0x01, "UOPS_EXECUTED.THREAD",
	  "Ivy Bridge, Skylake (some write UOPS_EXECUTED.CORE here, which is unit mask 0x02)" },
	{ 0xb1, 0x01, "UOPS_EXECUTED.PORT0", "Nehalem, Westmere" },
	{ 0xb1, 0x02, "UOPS_EXECUTED.CORE", "Ivy Bridge, Haswell, Skylake" },
	{ 0xc2, 0x01, "UOPS_RETIRED.ALL", "Sandy Bridge to Haswell" },
	{ 0xc2, 0x01, "UOPS_RETIRED.ANY", "Nehalem, Westmere" },
};

const struct um_core_event *um_core_event_at(unsigned event, unsigned umask, size_t index)
{
	for (size_t i = 0; i < ARRAY_SIZE(core_events); i++)
		if (core_events[i].event == event && core_events[i].umask == umask && index-- == 0)
			return &core_events[i];
	return NULL;
}
