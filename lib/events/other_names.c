/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that a source lists but the tables leave out. */
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
