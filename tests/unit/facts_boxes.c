/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares every line of the lists of Nehalem-EX, Westmere-EX and the client parts with the event tables. The
 * lists are not part of the project; see facts_check.c.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode/event.h"
#include "names/names.h"

/* Columns of a list: columns of every list, then of the EX lists, then of the client lists. */
enum { NAME, EVENT, UMASK, EXTRA, COUNTERS, KIND, SOURCES, NOTE };
enum { EX_BOX = 8, EX_WORD = 9 };
enum { CLIENT_UNIT = 8, CLIENT_ACCESS = 9, CLIENT_PARTS = 10 };

static const struct um_pmu *find_pmu(const char *uarch, const char *name)
{
	const struct um_uarch *u = um_uarch_find(uarch);

	for (size_t i = 0; u && i < u->num_pmus; i++)
		if (strcmp(u->pmus[i].name, name) == 0)
			return &u->pmus[i];
	return NULL;
}

/* ---- Nehalem-EX, Westmere-EX ---- */

static uint32_t register_of(const char *name)
{
	static const char *const names[] = { "DSP", "ISS", "MAP", "MSC_THR", "PGT", "PLD" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return 0xca5 + (uint32_t)i;
	return 0;
}

/* Get the value for @msr from a text like "PLD[12:8]=0x01; PLD[0]=1; ISS[9:7]=0x0". False if the text has no value for
 * @msr. */
static bool value_for(const char *text, uint32_t msr, uint64_t *value)
{
	const char *paren = strstr(text, "(0x");
	bool found = false;
	char copy[2048], *rest = copy, *part;

	*value = 0;
	if (strncmp(text, "ZDP_CTL_FVC", 11) == 0) {
		if (!paren || msr != 0xcab)
			return false;
		*value = strtoull(paren + 1, NULL, 16);
		return true;
	}
	snprintf(copy, sizeof(copy), "%s", text);
	while ((part = strsep(&rest, ";"))) {
		char name[16], bits[16];
		unsigned high, low;
		long v;

		if (sscanf(part, " %15[A-Z_][%15[0-9:]]=%li", name, bits, &v) != 3 || register_of(name) != msr)
			continue;
		if (sscanf(bits, "%u:%u", &high, &low) != 2)
			low = high;
		*value |= (uint64_t)v << low;
		found = true;
	}
	return found;
}

static const char *check_extras(const struct um_event_row *row, char *const col[])
{
	static const uint32_t msrs[] = { 0xca5, 0xca6, 0xca7, 0xca8, 0xca9, 0xcaa, 0xcab };

	/*
	 * Linux does not use the extra register for an event with this note, so the tables must not use the register
	 * either.
	 */
	if (strstr(col[NOTE], "not in the kernel list"))
		return row->extra_msr ? "writes a register that Linux does not" : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(msrs); i++) {
		uint64_t value;
		bool wanted = value_for(col[EXTRA], msrs[i], &value);
		uint64_t ours = row->extra_msr == msrs[i] ? row->extra_value
				: row->extra_msr2 == msrs[i] ? row->extra_value2 : 0;
		bool have = row->extra_msr == msrs[i] || row->extra_msr2 == msrs[i];

		if (wanted != have || value != ours)
			return "has another second register";
	}
	return NULL;
}

/* R-box events: in the list, the value for the port's register is the number after the last '='. */
static const char *check_port_event(const struct um_event_row *row, char *const col[])
{
	const char *kind = strstr(col[EVENT], "6*p+"), *value = strrchr(col[EXTRA], '=');

	if (!kind || !value || row->ports != 4)
		return "is not of a port";
	if (row->event != strtoul(kind + 4, NULL, 10))
		return "has another event select";
	return row->extra_value == strtoul(value + 1, NULL, 0) ? NULL : "has another port register";
}

static const char *check_counter(const struct um_pmu *pmu, const struct um_event_row *row, char *const col[])
{
	unsigned counter;

	if (sscanf(col[COUNTERS], "counter %u of the box only", &counter) != 1)
		return NULL;
	return (um_row_word(pmu, row) & pmu->selector->not_written) >> 6 == counter
		       ? NULL : "is of another counter";
}

static const char *check_ex(const char *uarch, char *const col[])
{
	static const char *const boxes[] = {
		"bbox", "cbox", "mbox", "rbox", "sbox", "ubox", "wbox",
	};
	const struct um_event_table *t = NULL;
	const struct um_event_row *row;
	const struct um_pmu *pmu = NULL;
	uint64_t word;

	for (size_t i = 0; i < ARRAY_SIZE(boxes); i++)
		if (boxes[i][0] == col[EX_BOX][0] + 'a' - 'A') {
			pmu = find_pmu(uarch, boxes[i]);
			t = pmu ? um_event_table_of(uarch, pmu) : NULL;
		}
	row = t ? um_event_find(t, col[NAME], strlen(col[NAME])) : NULL;
	if (!row || !pmu || strcmp(row->name, col[NAME]) != 0)
		return "is not found";
	if (strcmp(um_event_texts + row->kind, col[KIND]) != 0 && strcmp(col[NAME], "MBOX_CLOCKTICKS") != 0)
		return "is of another kind";
	if (col[EX_BOX][0] == 'R')
		return check_port_event(row, col);
	if (strcmp(um_event_texts + row->kind, "clock") == 0)
		return NULL;
	word = (um_row_word(pmu, row) & ~pmu->selector->not_written) | pmu->selector->enable;
	if (word != strtoull(col[EX_WORD], NULL, 0))
		return "has another selector word";
	return check_counter(pmu, row, col) ? "is of another counter" : check_extras(row, col);
}

/* ---- client parts ---- */

static const struct {
	const char *tag, *uarch;
} parts[] = {
	{ "SNB", "sandybridge" }, { "IVB", "ivybridge" }, { "HSW", "haswell" },
	{ "BDW", "broadwell" }, { "SKL", "skylake" }, { "ICL", "icelake" },
	{ "RKL", "rocketlake" }, { "TGL", "tigerlake" }, { "ADL", "alderlake" },
	{ "MTL", "meteorlake" }, { "ARL", "arrowlake" },
};

static const char *table_name(const char *uarch, char *const col[])
{
	static const char *const units[][2] = {
		{ "CBO", "cbo" }, { "ARB", "arb" }, { "HAC_ARB", "hac_arb" },
		{ "HAC_CBO", "hac_cbo" },
	};

	if (strcmp(col[KIND], "clock") == 0)
		return find_pmu(uarch, "cncu") ? "cncu" : "clock";
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strcmp(units[i][0], col[CLIENT_UNIT]) == 0)
			return units[i][1];
	return "";
}

static const char *check_client(const char *uarch, char *const col[])
{
	const char *name = table_name(uarch, col), *cmask = strstr(col[EXTRA], "cmask=");
	const struct um_pmu *pmu = find_pmu(uarch, name);
	const struct um_event_table *t = pmu ? um_event_table_of(uarch, pmu) : NULL;
	const struct um_event_row *row = t ? um_event_find(t, col[NAME], strlen(col[NAME])) : NULL;
	uint64_t word = strtoull(col[EVENT], NULL, 0) | strtoull(col[UMASK], NULL, 0) << 8;

	if (!row || !pmu)
		return "is not found";
	if (strcmp(um_event_texts + row->kind, col[KIND]) != 0)
		return "is of another kind";
	word |= cmask ? strtoull(cmask + 6, NULL, 10) << 24 : 0;
	return strcmp(col[KIND], "clock") == 0 || um_row_word(pmu, row) == word
		       ? NULL : "has another selector word";
}

/* Check the line for each processor in a column like "SNB,IVB*,HSW!"; * and ! are footnote marks. */
static const char *check_parts(const char *unused, char *const col[])
{
	const char *wrong = NULL;
	char copy[256], *rest = copy, *part;

	(void)unused;
	if (strcmp(col[CLIENT_ACCESS], "MSR") != 0)
		return NULL;
	snprintf(copy, sizeof(copy), "%s", col[CLIENT_PARTS]);
	while (!wrong && (part = strsep(&rest, ","))) {
		part[strcspn(part, "*!")] = '\0';
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			if (strcmp(parts[i].tag, part) == 0)
				wrong = check_client(parts[i].uarch, col);
	}
	return wrong;
}

/* ---- lists ---- */

static const struct {
	const char *file, *uarch;
	int columns;
	const char *(*fn)(const char *uarch, char *const col[]);
} lists[] = {
	{ "nehalem-ex", "nehalem-ex", 11, check_ex },
	{ "westmere-ex", "westmere-ex", 11, check_ex },
	{ "client", "", 11, check_parts },
};

static unsigned walk(FILE *file, size_t list)
{
	char *col[MOST_COLUMNS];
	unsigned wrong = 0;

	while (facts_line(file, col)) {
		const char *why = col[lists[list].columns - 1] ? lists[list].fn(lists[list].uarch, col)
							       : "has too few columns";

		if (why)
			printf("# %s: %s %s\n", lists[list].file, col[NAME], why);
		wrong += why != NULL;
	}
	return wrong;
}

unsigned check_boxes(const char *folder, unsigned *test)
{
	unsigned failed = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		FILE *file = facts_open(folder, lists[i].file);

		failed += facts_result(file && walk(file, i), test, file, lists[i].file, "has the same words here");
		if (file)
			fclose(file);
	}
	return failed;
}
