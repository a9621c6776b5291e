/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info --registers: the tables, register by register. */
#include <string.h>

#include "info/info.h"

struct cell {
	const char *name;
	const char *(*text)(const struct uncoremsr_register *reg);
	uint64_t (*word)(const struct uncoremsr_register *reg);
	size_t width; /* of the text table */
};

static uint64_t msr_number(const struct uncoremsr_register *reg)
{
	return uncoremsr_register_msr(reg);
}

static const struct cell cells[] = {
	{ "register", NULL, msr_number, 8 },
	{ "name", uncoremsr_register_name, NULL, 28 },
	{ "access", uncoremsr_register_access, NULL, 10 },
	{ "scope", uncoremsr_register_scope, NULL, 7 },
	{ "write_mask", NULL, uncoremsr_register_write_mask, 18 },
	{ "description", uncoremsr_register_desc, NULL, 60 },
	{ "source", uncoremsr_register_source, NULL, 0 },
};

#define NUM_CELLS (sizeof(cells) / sizeof(cells[0]))

static void write_word(struct out *o, uint64_t v, bool quoted)
{
	out_str(o, quoted ? "\"0x" : "0x");
	out_hex(o, v);
	out_str(o, quoted ? "\"" : "");
}

static void write_json(struct out *o, const struct uncoremsr_register *reg)
{
	for (size_t i = 0; i < NUM_CELLS; i++) {
		out_fmt(o, "%s\"%s\":", i ? "," : "{", cells[i].name);
		if (cells[i].word)
			write_word(o, cells[i].word(reg), true);
		else
			out_json_str(o, cells[i].text(reg));
	}
	out_str(o, "}\n");
}

static void write_csv(struct out *o, const struct uncoremsr_register *reg)
{
	for (size_t i = 0; i < NUM_CELLS; i++) {
		out_str(o, i ? "," : "");
		if (cells[i].word)
			write_word(o, cells[i].word(reg), false);
		else
			out_csv_str(o, cells[i].text(reg));
	}
	out_char(o, '\n');
}

static void write_row(struct out *o, const struct uncoremsr_register *reg)
{
	for (size_t i = 0; i < NUM_CELLS; i++) {
		size_t start = o->len;

		if (cells[i].word)
			write_word(o, cells[i].word(reg), false);
		else
			out_str(o, cells[i].text(reg));
		out_pad(o, start, cells[i].width, true);
		out_str(o, i + 1 < NUM_CELLS ? "  " : "\n");
	}
}

static void write_heads(struct out *o, enum tool_format format)
{
	if (format == TOOL_JSON)
		return;
	for (size_t i = 0; i < NUM_CELLS; i++) {
		size_t start = o->len;

		if (i)
			out_str(o, format == TOOL_CSV ? "," : "  ");
		start = i ? o->len : start;
		out_str(o, cells[i].name);
		if (format == TOOL_TEXT)
			out_pad(o, start, cells[i].width, true);
	}
	out_char(o, '\n');
}

static bool uarch_known(const char *name)
{
	const char *known;

	for (size_t i = 0; (known = uncoremsr_uarch_name(i)); i++)
		if (strcmp(known, name) == 0)
			return true;
	return false;
}

/* Why there is no register: a name that does not exist, or a processor without tables. */
static int refuse(struct uncoremsr *um, const char *uarch)
{
	char list[2048] = "";
	const char *known;

	if (!uarch)
		return tool_say(&info_tool, TOOL_UNSUPPORTED, "no registers in the tables: %s",
				uncoremsr_machine_text(um, UNCOREMSR_MACHINE_REASON) ? uncoremsr_machine_text(um, UNCOREMSR_MACHINE_REASON)
								 : "unknown processor");
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

int info_write_registers(struct uncoremsr *um, struct out *o, enum tool_format format,
			 const char *uarch)
{
	static void (*const writers[])(struct out *o, const struct uncoremsr_register *reg) = {
		[TOOL_TEXT] = write_row, [TOOL_CSV] = write_csv, [TOOL_JSON] = write_json,
	};
	const struct uncoremsr_register *reg = uncoremsr_register(um, uarch, 0);

	if (!reg)
		return refuse(um, uarch);
	write_heads(o, format);
	for (size_t i = 0; (reg = uncoremsr_register(um, uarch, i)); i++)
		writers[format](o, reg);
	return TOOL_DONE;
}
