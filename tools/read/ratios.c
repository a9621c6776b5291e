/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ratios that perf stat prints, too. They are only in text output: programs can divide the counts of records. */
#include <stdio.h>
#include <string.h>

#include "read/read.h"

enum { MOST_NAMES = 6 };

struct read_ratio {
	const char *of[MOST_NAMES], *to[MOST_NAMES]; /* names of the dividend and the divisor; NULL after the last */
	const char *brief, *text; /* @brief is the label in a line, @text that below a table */
	bool percent;
};

static const struct read_ratio ratios[] = {
	{ { "instructions", "INST_RETIRED.ANY", "INST_RETIRED.ANY_P" },
	  { "cycles", "cpu-cycles", "CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED.CORE",
	    "CPU_CLK_UNHALTED.THREAD_P" }, "IPC", "instructions per cycle", false },
	{ { "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	  { "branches", "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	  "branch misses", "of all branches were mispredicted", true },
	{ { "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	  { "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	  "cache misses", "of all cache references missed", true },
	{ { "L1-dcache-load-misses" }, { "L1-dcache-loads" },
	  "L1-dcache misses", "of all L1-dcache loads missed", true },
	{ { "L1-icache-load-misses" }, { "L1-icache-loads" },
	  "L1-icache misses", "of all L1-icache loads missed", true },
	{ { "LLC-load-misses" }, { "LLC-loads" }, "LLC misses", "of all LLC loads missed", true },
	{ { "dTLB-load-misses" }, { "dTLB-loads" }, "dTLB misses", "of all dTLB loads missed", true },
	{ { "iTLB-load-misses" }, { "iTLB-loads" }, "iTLB misses", "of all iTLB loads missed", true },
};

/* The parts of an event's name, such as "cpu_core/instructions/u" or "instructions:u". Longer names have no ratios. */
struct parts {
	char pmu[16], name[64], modifiers[32];
};

static struct parts parts_of(const char *event)
{
	struct parts p = { .pmu = "" };

	if (strchr(event, '/'))
		sscanf(event, "%15[^/]/%63[^/]/%31s", p.pmu, p.name, p.modifiers);
	else
		sscanf(event, "%63[^:]:%31s", p.name, p.modifiers);
	return p;
}

static bool is_core_event(const struct parts *p, const char *const names[MOST_NAMES])
{
	static const char *const pmus[] = { "", "core", "cpu", "cpu_core", "cpu_atom", "cpu_lowpower", NULL };

	return list_has(pmus, p->pmu) && list_has(names, p->name);
}

/* A name without a PMU matches any kind of core. */
static bool same_kind(const struct parts *a, const struct parts *b)
{
	return (!*a->pmu || !*b->pmu || !strcmp(a->pmu, b->pmu)) && !strcmp(a->modifiers, b->modifiers);
}

static bool same_place(const struct read_row *a, const struct read_row *b)
{
	if (a->package_index != b->package_index || a->place != b->place)
		return false;
	if (read_row_is_elsewhere(a))
		return a->index == b->index;
	return !a->unit || a->unit->cpu == b->unit->cpu;
}

/* The divisor has the same place, kind of core and modes. */
static struct read_row *divisor_of(struct read_run *run, const struct read_row *row,
				   const struct parts *p, const struct read_ratio *ratio)
{
	for (size_t i = 0; i < run->num_event_rows; i++) {
		struct parts other = parts_of(run->rows[i].name);

		if (same_place(row, &run->rows[i]) &&
		    read_target_group(run->cfg, row->event) == read_target_group(run->cfg, run->rows[i].event) &&
		    is_core_event(&other, ratio->to) && same_kind(p, &other))
			return &run->rows[i];
	}
	return NULL;
}

void read_ratios_prepare(struct read_run *run)
{
	for (size_t i = 0; i < run->num_event_rows; i++) {
		struct read_row *row = &run->rows[i];
		struct parts p = parts_of(row->name);

		for (size_t k = 0; k < ARRAY_SIZE(ratios); k++)
			if (is_core_event(&p, ratios[k].of)) {
				row->ratio = &ratios[k];
				row->divisor = divisor_of(run, row, &p, &ratios[k]);
				run->has_ratios = run->has_ratios || row->divisor;
			}
	}
}

static bool value_of(struct read_row *row, uint64_t *value)
{
	read_row_again(row);
	*value = row->reading->value;
	return row->reading->status == UNCOREMSR_OK;
}

/* False: one of the two values is missing, or the divisor is 0. */
static bool ratio_of(struct read_row *row, double *value)
{
	uint64_t i, c;

	if (!row->divisor || !value_of(row, &i) || !value_of(row->divisor, &c) || !c)
		return false;
	*value = (double)i / (double)c * (row->ratio->percent ? 100 : 1);
	return true;
}

void read_ratios_put(struct read_run *run, bool in_line)
{
	bool first = true;
	char place[READ_NAME_SIZE];
	double value;

	for (size_t i = 0; run->has_ratios && i < run->num_event_rows; i++) {
		const struct read_ratio *ratio = run->rows[i].ratio;

		if (!ratio_of(&run->rows[i], &value))
			continue;
		if (first && !in_line)
			record_end_line(&run->records);
		first = false;
		read_row_place(&run->rows[i], place, sizeof(place));
		if (in_line)
			out_fmt(run->out, " | %s  %s ", place, ratio->brief);
		else
			out_fmt(run->out, "%s: ", place);
		out_real(run->out, value, 2);
		out_str(run->out, ratio->percent ? " %" : "");
		if (in_line)
			continue;
		out_fmt(run->out, " %s", ratio->text);
		record_end_line(&run->records);
	}
}
