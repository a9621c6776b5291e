/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --registers: every register of the tables. */
#include <string.h>

#include "common/properties.h"
#include "info/info.h"

static const struct record_column columns[] = {
	{ "register", RECORD_WORD, RECORD_AT(uncoremsr_register, address), .width = -8 },
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_register, name), .width = -28 },
	{ "access", RECORD_STR, RECORD_AT(uncoremsr_register, access), .width = -10 },
	{ "scope", RECORD_STR, RECORD_AT(uncoremsr_register, scope), .width = -7 },
	{ "write_mask", RECORD_WORD, RECORD_AT(uncoremsr_register, write_mask), .all_ones = true, .width = -18 },
	{ "description", RECORD_STR, RECORD_AT(uncoremsr_register, description), .width = -60 },
	{ "source", RECORD_STR, RECORD_AT(uncoremsr_register, source) },
};

/* Explain why there is no register: the name does not exist, or the processor has no tables. */
static int refuse(struct uncoremsr *um, const char *uarch)
{
	const struct uncoremsr_machine *machine = uncoremsr_machine(um);
	const struct uncoremsr_uarch *known;
	char list[2048] = "";

	if (!uarch)
		return tool_say(TOOL_UNSUPPORTED, "no registers in the tables: %s",
				machine && machine->reason ? machine->reason : "unknown processor");
	for (size_t i = 0; (known = uncoremsr_uarch(i)); i++) {
		if (strcmp(known->name, uarch) == 0)
			return tool_say(TOOL_UNSUPPORTED,
					"--uarch: %s: known by name, but its uncore is not in the tables", uarch);
		if (known->tables)
			list_add(list, sizeof(list), ", ", known->name);
	}
	return tool_usage("--uarch: '%s': no such processor; there are tables for %s", uarch, list);
}

int info_registers(struct info *i)
{
	const struct uncoremsr_register *reg = uncoremsr_register(i->um, i->uarch, 0);

	if (!reg)
		return refuse(i->um, i->uarch);
	if (records_for_people(&i->w))
		machine_put_simulated(i->o, i->um);
	record_head(&i->w, RECORD_COLUMNS(columns));
	for (size_t n = 0; (reg = uncoremsr_register(i->um, i->uarch, n)); n++)
		record_row(&i->w, RECORD_COLUMNS(columns), reg);
	return TOOL_DONE;
}
