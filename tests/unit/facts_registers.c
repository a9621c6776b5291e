/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares every address of every box of every model, expanded from a list of register groups, with the
 * tables. The list is not part of the project; see facts_check.c.
 *
 * Uses internal headers, because it tests the tables directly.
 */
#include "facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "uarch/uarch.h"

enum column {
	FAMILY, MODELS, BOX, INSTANCES, CTL, CTR, STRIDE, BOX_CTL, FIXED_CTL, FIXED_CTR, NUM, WIDTH,
	SOURCES, NOTE, COLUMNS
};

enum { MOST_UNITS = 512, MOST_UARCHS = 128, MOST_PMUS = 32 };

/* A row of the list for one model. */
struct group {
	char *const *col;
	const struct um_uarch *u;
	int model;
	const struct um_pmu *pmu;
	unsigned wrong;
};

/* PMUs that were compared, to find PMUs of the tables that no row of the list covers. */
static struct {
	const struct um_pmu *pmus[MOST_UARCHS * MOST_PMUS];
	size_t num;
} compared;

static void UM_PRINTF(2, 3) complain(struct group *g, const char *fmt, ...)
{
	va_list ap;

	printf("# %s %s: ", g->u ? g->u->name : g->col[FAMILY], g->col[BOX]);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	g->wrong++;
}

/* Names of boxes in the list and in the tables; names that are not here differ only in case. */
static const struct {
	const char *box, *pmu;
} names[] = {
	{ "U", "ubox" }, { "C", "cbox" }, { "B", "bbox" }, { "S", "sbox" }, { "M", "mbox" },
	{ "R", "rbox" }, { "W", "wbox" }, { "IIO_ioclk", "iio_free_running" },
	{ "IIO_bw", "iio_free_running" }, { "IIO_util", "iio_free_running" },
	{ "IIO_bw_in", "iio_free_running" }, { "IIO_bw_out", "iio_free_running" },
};

static const struct um_pmu *find_pmu(const struct um_uarch *u, const char *box)
{
	const char *name = box;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i].box, box) == 0)
			name = names[i].pmu;
	for (size_t i = 0; i < u->num_pmus; i++)
		if (strcasecmp(u->pmus[i].name, name) == 0)
			return &u->pmus[i];
	/* In the tables, Nehalem's clock is a counter of its only PMU. */
	return strcmp(box, "clock") == 0 ? &u->pmus[0] : NULL;
}

static uint32_t hex(const char *text)
{
	return (uint32_t)strtoul(text, NULL, 16);
}

static bool given(const char *text)
{
	return strcmp(text, "-") != 0;
}

/* Get the distance of each unit from the first one. Returns the number of units in the list. */
static unsigned offsets_of(struct group *g, int32_t offset[MOST_UNITS])
{
	const char *text = g->col[STRIDE];
	unsigned num = 0;

	if (strncmp(text, "list:", 5) != 0) {
		for (; num < MOST_UNITS; num++)
			offset[num] = given(text) ? (int32_t)(num * hex(text)) : 0;
		return given(text) ? num : 1;
	}
	for (text += 4; *text && num < MOST_UNITS; text = strchr(text, ',') ? strchr(text, ',') : "")
		offset[num++] = (int32_t)strtol(++text, NULL, 16);
	return num;
}

static unsigned note_number(const struct group *g, const char *key, unsigned otherwise)
{
	const char *at = strstr(g->col[NOTE], key);

	return at ? hex(at + strlen(key)) : otherwise;
}

/* Number of units from a text as "4", "min(4,cores)" or "min(2E:8 2F:10,cores)"; 0: the list does not give a
 * number. */
static unsigned instances_of(const struct group *g)
{
	const char *text = g->col[INSTANCES];
	char key[8], *end;
	const char *at;
	unsigned long n;

	snprintf(key, sizeof(key), "%02X:", (unsigned)g->model);
	at = strstr(text, key);
	if (at)
		return (unsigned)strtoul(at + strlen(key), NULL, 10);
	text += strncmp(text, "min(", 4) == 0 ? 4 : 0;
	n = strtoul(text, &end, 10);
	return *end == '\0' || *end == ',' ? (unsigned)n : 0;
}

static void expect(struct group *g, uint32_t msr, const struct um_reg *reg, unsigned unit,
		   unsigned index)
{
	struct um_reg_place at;

	if (um_pmu_msr(g->pmu, reg, unit, index) != msr)
		complain(g, "unit %u, %u: 0x%x, not 0x%x", unit, index,
			 um_pmu_msr(g->pmu, reg, unit, index), msr);
	else if (!um_reg_place(g->u, msr, &at) || at.reg->msr != reg->msr)
		complain(g, "0x%x is another register of the table", msr);
}

/* The register must belong to any one of the PMU's fixed counters. */
static void expect_fixed(struct group *g, uint32_t msr, unsigned unit, bool control)
{
	for (unsigned i = 0; i < g->pmu->num_fixed; i++) {
		const struct um_fixed *f = &g->pmu->fixed[i];
		const struct um_reg *reg = control ? &f->control : &f->counter;

		if (um_pmu_msr(g->pmu, reg, unit, 0) == msr)
			return;
	}
	complain(g, "unit %u: no fixed counter at 0x%x", unit, msr);
}

static void expect_gate(struct group *g, uint32_t msr, unsigned unit, int32_t offset)
{
	for (unsigned i = 0; i < g->pmu->num_gates; i++) {
		const struct um_gate *gate = &g->pmu->gates[i];
		uint32_t want = gate->of_unit ? msr + (uint32_t)offset : msr;

		if (um_pmu_msr(g->pmu, &gate->reg, unit, 0) == want)
			return;
	}
	complain(g, "unit %u: no gate at 0x%x", unit, msr);
}

static bool same_width(const struct group *g, unsigned width)
{
	unsigned theirs = (unsigned)strtoul(g->col[WIDTH], NULL, 10);

	/* The tables may have 44 bits where the list has 48, because sources (Linux, likwid) differ about some boxes. */
	return width == theirs || (width == 44 && theirs == 48);
}

/* Check the addresses of unit @unit, which is @offset away from the first unit. */
static void check_unit(struct group *g, unsigned unit, int32_t offset)
{
	char *const *col = g->col;
	unsigned num = (unsigned)strtoul(col[NUM], NULL, 10);
	uint32_t step = note_number(g, "ctr_step=", 1), off = (uint32_t)offset;

	for (unsigned i = 0; i < num && given(col[CTL]); i++) {
		expect(g, hex(col[CTL]) + off + i * step, &g->pmu->selector->reg, unit, i);
		expect(g, hex(col[CTR]) + off + i * step, g->pmu->counter, unit, i);
	}
	for (unsigned i = 0; i < num && !given(col[CTL]) && given(col[CTR]); i++)
		expect_fixed(g, hex(col[CTR]) + off + i * step, unit, false);
	if (given(col[FIXED_CTR])) {
		expect_fixed(g, hex(col[FIXED_CTR]) + off, unit, false);
		expect_fixed(g, hex(col[FIXED_CTL]) + off, unit, true);
	}
	for (const char *text = given(col[BOX_CTL]) ? col[BOX_CTL] : NULL; text;
	     text = strchr(text, ';') ? strchr(text, ';') + 1 : NULL)
		expect_gate(g, hex(text), unit, offset);
}

static void check_counts(struct group *g, unsigned most)
{
	unsigned instances = instances_of(g), units = g->pmu->units.max;

	if (instances && units != instances)
		complain(g, "%u units instead of %u", units, instances);
	/* Intel PCM knows two more boxes of Ice Lake-SP (BB4, BC2) than the list. */
	if (strcmp(g->col[FAMILY], "icx") == 0 && strcmp(g->col[BOX], "CHA") == 0)
		most += 2;
	if (units > most)
		complain(g, "%u units, but only %u addresses", units, most);
	if (!given(g->col[CTL]))
		return;
	if (g->pmu->num_general != strtoul(g->col[NUM], NULL, 10))
		complain(g, "%u counters instead of %s", g->pmu->num_general, g->col[NUM]);
	if (!same_width(g, g->pmu->general_width))
		complain(g, "%u bits instead of %s", g->pmu->general_width, g->col[WIDTH]);
}

/* For rows that are no PMU: the tables must describe each register of the row. */
static void check_described(struct group *g)
{
	unsigned num = (unsigned)strtoul(g->col[NUM], NULL, 10);
	uint32_t first = hex(given(g->col[CTL]) ? g->col[CTL] : g->col[CTR]);

	for (uint32_t msr = first; msr < first + (num ? num : 1); msr++)
		if (!um_reg_find(g->u, msr, NULL))
			complain(g, "0x%x is not in the table", msr);
}

/* The tables must name these PMUs ("PCU,M2PCIe,MDF"). MSRs cannot reach them, but users should learn that
 * they exist. */
static void check_named(struct group *g)
{
	char text[64];

	snprintf(text, sizeof(text), "%s", g->col[BOX]);
	for (char *rest = text, *box; (box = strsep(&rest, ","));) {
		const struct um_pmu *pmu = find_pmu(g->u, box);

		if (!pmu || pmu->reach != UM_REACH_DISCOVERY)
			complain(g, "%s is not listed as out of reach", box);
	}
}

static void check_group(struct group *g)
{
	static const char *const plain[] = { "PCU_cstate", "addr_opcode_match", "gq_snoop_mesf" };
	int32_t offset[MOST_UNITS];
	char key[8];
	unsigned most;

	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (strcmp(g->col[BOX], plain[i]) == 0)
			return check_described(g);
	if (strcmp(g->col[INSTANCES], "discovery") == 0)
		return check_named(g);
	g->pmu = find_pmu(g->u, g->col[BOX]);
	snprintf(key, sizeof(key), "%02X: 0", (unsigned)g->model);
	if (strstr(g->col[INSTANCES], key)) {
		if (g->pmu)
			complain(g, "is in the table of a part without one");
		return;
	}
	if (!g->pmu)
		return complain(g, "is not in the table");
	compared.pmus[compared.num++ % ARRAY_SIZE(compared.pmus)] = g->pmu;
	most = offsets_of(g, offset);
	check_counts(g, most);
	for (unsigned unit = 0; unit < g->pmu->units.max && unit < most; unit++)
		check_unit(g, unit, offset[unit]);
}

/* Returns the number of errors. */
static unsigned check_line(char *const col[COLUMNS])
{
	const char *text = col[MODELS];
	int family = 6;
	unsigned wrong = 0;

	if (strncmp(text, "fam", 3) == 0) {
		family = atoi(text + 3);
		text = strchr(text, ':') + 1;
	}
	for (; text; text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL) {
		int model = (int)hex(text);
		const struct um_model *m = um_model_find("GenuineIntel", family, model);
		struct group g = { .col = col, .u = m ? m->uarch : NULL, .model = model };

		if (strcmp(col[BOX], "none") == 0 ? !m || m->uarch : !g.u)
			complain(&g, "model 0x%x is %s", (unsigned)model,
				 g.u ? "supported" : "in no table");
		else if (g.u)
			check_group(&g);
		wrong += g.wrong;
	}
	return wrong;
}

static bool was_compared(const struct um_pmu *pmu)
{
	for (size_t i = 0; i < compared.num && i < ARRAY_SIZE(compared.pmus); i++)
		if (compared.pmus[i] == pmu)
			return true;
	return false;
}

/* Check that each PMU of an Intel processor that MSRs can reach was compared with a row. */
static unsigned check_nothing_left(void)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_uarch *u = um_models[i].uarch;

		for (size_t k = 0; u && k < u->num_pmus; k++) {
			if (strcmp(um_models[i].vendor, "GenuineIntel") != 0 ||
			    u->pmus[k].reach != UM_REACH_MSR || was_compared(&u->pmus[k]))
				continue;
			printf("# %s %s is in no row of the list\n", u->name, u->pmus[k].name);
			wrong++;
		}
	}
	return wrong;
}

static unsigned walk(FILE *file)
{
	char line[4096];
	unsigned wrong = 0;

	while (fgets(line, sizeof(line), file)) {
		char *col[COLUMNS] = { NULL }, *rest = line;

		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < COLUMNS && rest; i++)
			col[i] = strsep(&rest, "\t");
		if (!col[COLUMNS - 1])
			wrong++, printf("# a line has too few columns\n");
		else if (strcmp(col[FAMILY], "uarch") != 0)
			wrong += check_line(col);
	}
	return wrong;
}

unsigned check_registers(const char *folder, unsigned *test)
{
	unsigned wrong = 0, left = 0;
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/uncore-msr-intel.tsv", folder);
	file = fopen(path, "r");
	if (file) {
		wrong = walk(file);
		left = check_nothing_left();
		fclose(file);
	}
	printf("%sok %u - every address of every box is as the list of registers expands to%s\n",
	       wrong ? "not " : "", ++*test, file ? "" : " # SKIP no list");
	printf("%sok %u - no box of the tables is missing in the list of registers%s\n",
	       left ? "not " : "", ++*test, file ? "" : " # SKIP no list");
	return (wrong ? 1u : 0u) + (left ? 1u : 0u);
}
