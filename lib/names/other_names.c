/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that a source lists but the tables leave out. */
#include <string.h>

#include "common/error.h"
#include "uncoremsr/names.h"

#define LEFT_OUT(source, select, umask, name, why) \
	{ sizeof(struct uncoremsr_other_codes), source, select, umask, name, why }

static const struct {
	const char *uarch;
	struct uncoremsr_other_codes codes;
} left_out[] = {
	{ "nehalem", LEFT_OUT("likwid", 0x27, 0x07, "UNC_QMC_NORMAL_FULL_READ_ANY",
			      "the manual lists the three channels and no sum") },
	{ "nehalem", LEFT_OUT("likwid", 0x35, 0x00, "UNC_ADDR_OPCODE_MATCH (no unit mask)",
			      "the manual documents register 0x396 for Nehalem, but not the event") },
	{ "nehalem", LEFT_OUT("likwid", 0x35, 0x01, "UNC_ADDR_OPCODE_MATCH (unit mask 0x01)",
			      "the manual documents register 0x396 for Nehalem, but not the event") },
	{ "nehalem", LEFT_OUT("freebsd", 0x02, 0x01, "GQ_OCCUPANCY.READ_TRACKER",
			      "the driver accepts the codes; its own manual and Intel's do not list them") },
};

const struct uncoremsr_other_codes *uncoremsr_event_left_out(const char *uarch, size_t index)
{
	for (size_t i = 0; uarch && i < ARRAY_SIZE(left_out); i++)
		if (strcmp(left_out[i].uarch, uarch) == 0 && index-- == 0)
			return &left_out[i].codes;
	return NULL;
}
