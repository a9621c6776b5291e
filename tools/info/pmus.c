/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The PMUs of a processor from the tables, including those that registers cannot reach. */
#include <string.h>

#include "info/info.h"
#include "common/properties.h"

static bool reached(const struct uncoremsr_pmu *pmu)
{
	return strcmp(uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_REACH), "msr") == 0;
}

/* ---- for programs ---- */

/* Write the fields that exist only for PMUs in reach of registers. */
static void put_counters(struct info *i, const struct uncoremsr_pmu *pmu)
{
	unsigned general = pmu_number(pmu, UNCOREMSR_PMU_GENERAL_COUNTERS), width, bits;
	const char *name, *desc;
	int free_running;

	record_str(&i->w, "scope", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_SCOPE));
	record_int(&i->w, "max_units", pmu_number(pmu, UNCOREMSR_PMU_UNITS));
	record_str(&i->w, "units_from", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_UNITS_FROM));
	record_int(&i->w, "general_counters", general);
	record_int(&i->w, "general_width",
		   general ? (int64_t)pmu_number(pmu, UNCOREMSR_PMU_GENERAL_WIDTH) : -1);
	record_open_list(&i->w, "fixed");
	for (size_t n = 0; (name = uncoremsr_pmu_fixed_event(pmu, n, &desc, &width,
							     &free_running)); n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "event", name);
		record_int(&i->w, "width", width);
		record_bool(&i->w, "free_running", free_running);
		record_str(&i->w, "description", desc);
		record_close(&i->w);
	}
	record_close(&i->w);
	record_open_list(&i->w, "terms");
	for (size_t n = 0; (name = uncoremsr_pmu_term(pmu, n, &desc, &bits)); n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "term", name);
		record_int(&i->w, "bits", bits);
		record_str(&i->w, "description", desc);
		record_close(&i->w);
	}
	record_close(&i->w);
	record_bool(&i->w, "unverified", (int)pmu_number(pmu, UNCOREMSR_PMU_UNVERIFIED));
	record_str(&i->w, "note", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_NOTE));
	record_str(&i->w, "source", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_SOURCE));
}

void info_put_pmus(struct info *i, const char *uarch)
{
	const struct uncoremsr_pmu *pmu = uarch ? uncoremsr_pmu(NULL, uarch, 0) : NULL;

	if (!pmu) {
		record_str(&i->w, "pmus", NULL);
		return;
	}
	record_open_list(&i->w, "pmus");
	for (size_t n = 0; (pmu = uncoremsr_pmu(NULL, uarch, n)); n++) {
		const char *kernel = uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_KERNEL_NAME);

		record_open(&i->w, NULL);
		record_str(&i->w, "pmu", pmu_name(pmu));
		record_str(&i->w, "description", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_DESCRIPTION));
		record_str(&i->w, "reach", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_REACH));
		record_str(&i->w, "kernel_name", kernel);
		if (reached(pmu))
			put_counters(i, pmu);
		record_close(&i->w);
	}
	record_close(&i->w);
}

/* ---- for people ---- */

/* "cbo: up to 8 units of 2 counters of 44 bits per package (C-boxes: ...)" */
static void show_reached(struct out *o, const struct uncoremsr_pmu *pmu)
{
	unsigned units = pmu_number(pmu, UNCOREMSR_PMU_UNITS), general = pmu_number(pmu, UNCOREMSR_PMU_GENERAL_COUNTERS);
	unsigned fixed = pmu_number(pmu, UNCOREMSR_PMU_FIXED_COUNTERS);
	bool all = strcmp(uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_UNITS_FROM), "table") == 0;

	out_fmt(o, "%s: ", pmu_name(pmu));
	if (units > 1)
		out_fmt(o, "%s%u units of ", all ? "" : "up to ", units);
	if (general)
		out_fmt(o, "%u counter%s of %u bits", general, general == 1 ? "" : "s",
			pmu_number(pmu, UNCOREMSR_PMU_GENERAL_WIDTH));
	if (fixed)
		out_fmt(o, "%s%u fixed", general ? " and " : "", fixed);
	out_fmt(o, " per %s (%s)\n", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_SCOPE), uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_DESCRIPTION));
}

static void show_unreached(struct out *o, const struct uncoremsr_pmu *pmu)
{
	const char *kernel = uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_KERNEL_NAME);

	out_fmt(o, "%s: not by MSR (%s)", pmu_name(pmu), uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_DESCRIPTION));
	if (kernel)
		out_fmt(o, "; the kernel calls it %s, use perf", kernel);
	out_char(o, '\n');
}

static bool same_note(const struct uncoremsr_pmu *a, const struct uncoremsr_pmu *b)
{
	return uncoremsr_pmu_text(b, UNCOREMSR_PMU_NOTE) && strcmp(uncoremsr_pmu_text(a, UNCOREMSR_PMU_NOTE), uncoremsr_pmu_text(b, UNCOREMSR_PMU_NOTE)) == 0;
}

/* Show a note once, behind the names of all PMUs that have it. @first: the first of them. */
static void show_note(struct out *o, const char *uarch, size_t first, const char *label)
{
	const struct uncoremsr_pmu *pmu = uncoremsr_pmu(NULL, uarch, first), *other;

	out_fmt(o, INFO_LABEL "%s", label, pmu_name(pmu));
	for (size_t n = first + 1; (other = uncoremsr_pmu(NULL, uarch, n)); n++)
		if (same_note(pmu, other))
			out_fmt(o, ", %s", pmu_name(other));
	out_fmt(o, ": %s\n", uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_NOTE));
}

void info_show_pmus(struct info *i, const char *uarch)
{
	const struct uncoremsr_pmu *pmu;
	const char *label = "uncore";
	unsigned num = 0;

	for (size_t n = 0; (pmu = uncoremsr_pmu(NULL, uarch, n)); n++)
		if (reached(pmu)) {
			out_fmt(i->o, INFO_LABEL, label);
			show_reached(i->o, pmu);
			label = "";
		}
	label = "out of reach";
	for (size_t n = 0; (pmu = uncoremsr_pmu(NULL, uarch, n)); n++)
		if (!reached(pmu)) {
			out_fmt(i->o, INFO_LABEL, label);
			show_unreached(i->o, pmu);
			label = "";
		}
	/* Show on one line the PMUs that were never verified on hardware. */
	for (size_t n = 0; (pmu = uncoremsr_pmu(NULL, uarch, n)); n++)
		if (pmu_number(pmu, UNCOREMSR_PMU_UNVERIFIED)) {
			out_fmt(i->o, num ? "%s" : INFO_LABEL, num ? ", " : "unverified");
			out_str(i->o, pmu_name(pmu));
			num++;
		}
	out_str(i->o, num ? ": not verified on hardware\n" : "");
	label = "note";
	for (size_t n = 0; (pmu = uncoremsr_pmu(NULL, uarch, n)); n++) {
		size_t earlier = 0;

		if (!uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_NOTE))
			continue;
		while (!same_note(pmu, uncoremsr_pmu(NULL, uarch, earlier)))
			earlier++;
		if (earlier < n)
			continue;
		show_note(i->o, uarch, n, label);
		label = "";
	}
}
