/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --registers: every register of the tables. */
#include <string.h>

#include "info/info.h"

#define GETTER(name, member, value) \
	static enum record_state name(const void *row, struct record_value *v) \
	{ \
		const struct uncoremsr_register *reg = row; \
 \
		v->member = value; \
		return RECORD_KNOWN; \
	}
GETTER(get_msr, count, reg->address)
GETTER(get_name, text, reg->name)
GETTER(get_access, text, reg->access)
GETTER(get_scope, text, reg->scope)
GETTER(get_write_mask, count, reg->write_mask)
GETTER(get_description, text, reg->description)
GETTER(get_source, text, reg->source)

static const struct record_column columns[] = {
	{ "register", RECORD_WORD, get_msr, .width = -8 },
	{ "name", RECORD_STR, get_name, .width = -28 },
	{ "access", RECORD_STR, get_access, .width = -10 },
	{ "scope", RECORD_STR, get_scope, .width = -7 },
	{ "write_mask", RECORD_WORD, get_write_mask, .width = -18 },
	{ "description", RECORD_STR, get_description, .width = -60 },
	{ "source", RECORD_STR, get_source, .width = 0 },
};

#define NUM_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool uarch_known(const char *name)
{
	const char *known;

	for (size_t i = 0; (known = uncoremsr_uarch_name(i)); i++)
		if (strcmp(known, name) == 0)
			return true;
	return false;
}

/* Explain why there is no register: the name does not exist, or the processor has no tables. */
static int refuse(struct uncoremsr *um, const char *uarch)
{
	const struct uncoremsr_machine_info *machine = uncoremsr_machine_info(um);
	const char *known;
	char list[2048] = "";

	if (!uarch)
		return tool_say(&info_tool, TOOL_UNSUPPORTED, "no registers in the tables: %s",
				machine && machine->reason ? machine->reason : "unknown processor");
	if (uarch_known(uarch))
		return tool_say(&info_tool, TOOL_UNSUPPORTED,
				"--uarch: %s: known by name, but its uncore is not in the tables",
				uarch);
	for (size_t i = 0; (known = uncoremsr_uarch_name(i)); i++) {
		if (!uncoremsr_uarch_supported(known) ||
		    strlen(list) + strlen(known) + 3 > sizeof(list))
			continue;
		strcat(strcat(list, *list ? ", " : ""), known);
	}
	return tool_usage(&info_tool, "--uarch: '%s': no such processor; there are tables for %s",
			  uarch, list);
}

int info_registers(struct info *i, const char *uarch)
{
	const struct uncoremsr_register *reg = uncoremsr_register(i->um, uarch, 0);

	if (!reg)
		return refuse(i->um, uarch);
	record_head(&i->w, columns, NUM_COLUMNS);
	for (size_t n = 0; (reg = uncoremsr_register(i->um, uarch, n)); n++)
		record_row(&i->w, columns, NUM_COLUMNS, reg);
	return TOOL_DONE;
}
