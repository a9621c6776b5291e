/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The PMUs of a processor from the tables, including those that registers cannot reach. */
#include <string.h>

#include "info/info.h"

static bool reached(const struct uncoremsr_pmu *pmu)
{
	return strcmp(pmu->reach, "msr") == 0;
}

/* ---- for programs ---- */

/* Write the fields that exist only for PMUs in reach of registers. */
static void put_counters(struct info *i, const struct uncoremsr_pmu *pmu)
{
	const struct uncoremsr_fixed_counter *fixed;
	const struct uncoremsr_term *term;

	record_str(&i->w, "scope", pmu->scope);
	record_int(&i->w, "max_units", pmu->units);
	record_str(&i->w, "units_from", pmu->units_from);
	record_int(&i->w, "general_counters", pmu->general_counters);
	record_int(&i->w, "general_width", pmu->general_counters ? pmu->general_width : -1);
	record_open_list(&i->w, "fixed");
	for (size_t n = 0; (fixed = pmu->fixed[n]); n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "event", fixed->event);
		record_int(&i->w, "width", fixed->width);
		record_bool(&i->w, "free_running", fixed->free_running);
		record_str(&i->w, "description", fixed->description);
		record_close(&i->w);
	}
	record_close(&i->w);
	record_open_list(&i->w, "terms");
	for (size_t n = 0; (term = pmu->terms[n]); n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "term", term->name);
		record_int(&i->w, "bits", term->bits);
		record_str(&i->w, "description", term->description);
		record_close(&i->w);
	}
	record_close(&i->w);
	record_bool(&i->w, "unverified", pmu->unverified);
	record_str(&i->w, "note", pmu->note);
	record_str(&i->w, "source", pmu->source);
}

void info_put_pmus(struct info *i, const char *uarch)
{
	const struct uncoremsr_pmu *pmu = uarch ? uncoremsr_pmu(i->tables, uarch, 0) : NULL;

	if (!pmu) {
		record_str(&i->w, "pmus", NULL);
		return;
	}
	record_open_list(&i->w, "pmus");
	for (size_t n = 0; (pmu = uncoremsr_pmu(i->tables, uarch, n)); n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "pmu", pmu->name);
		record_str(&i->w, "description", pmu->description);
		record_str(&i->w, "reach", pmu->reach);
		record_str(&i->w, "kernel_name", pmu->kernel_name);
		if (reached(pmu))
			put_counters(i, pmu);
		record_close(&i->w);
	}
	record_close(&i->w);
}

/* ---- for people ---- */

/* Show a PMU on one line, "cbo: up to 8 units of 2 counters of 44 bits per package (C-boxes: ...)". */
static void show_reached(struct out *o, const struct uncoremsr_pmu *pmu)
{
	int general = pmu->general_counters;
	bool all = strcmp(pmu->units_from, "table") == 0;

	out_fmt(o, "%s: ", pmu->name);
	if (pmu->units > 1)
		out_fmt(o, "%s%d units of ", all ? "" : "up to ", pmu->units);
	if (general)
		out_fmt(o, "%d counter%s of %d bits", general, general == 1 ? "" : "s", pmu->general_width);
	if (pmu->fixed_counters)
		out_fmt(o, "%s%d fixed", general ? " and " : "", pmu->fixed_counters);
	out_fmt(o, " per %s (%s)\n", pmu->scope, pmu->description);
}

static void show_unreached(struct out *o, const struct uncoremsr_pmu *pmu)
{
	out_fmt(o, "%s: not by MSR (%s)", pmu->name, pmu->description);
	if (pmu->kernel_name)
		out_fmt(o, "; the kernel calls it %s, use perf", pmu->kernel_name);
	out_char(o, '\n');
}

static bool same_note(const struct uncoremsr_pmu *a, const struct uncoremsr_pmu *b)
{
	return b->note && strcmp(a->note, b->note) == 0;
}

/* Show a note once, behind the names of all PMUs that have it. @first: the first of them. */
static void show_note(const struct info *i, const char *uarch, size_t first, const char *label)
{
	const struct uncoremsr_pmu *pmu = uncoremsr_pmu(i->tables, uarch, first), *other;

	out_fmt(i->o, INFO_LABEL "%s", label, pmu->name);
	for (size_t n = first + 1; (other = uncoremsr_pmu(i->tables, uarch, n)); n++)
		if (same_note(pmu, other))
			out_fmt(i->o, ", %s", other->name);
	out_fmt(i->o, ": %s\n", pmu->note);
}

void info_show_pmus(struct info *i, const char *uarch)
{
	const struct uncoremsr_pmu *pmu;
	const char *label = "uncore";
	unsigned num = 0;

	for (size_t n = 0; (pmu = uncoremsr_pmu(i->tables, uarch, n)); n++)
		if (reached(pmu)) {
			out_fmt(i->o, INFO_LABEL, label);
			show_reached(i->o, pmu);
			label = "";
		}
	label = "out of reach";
	for (size_t n = 0; (pmu = uncoremsr_pmu(i->tables, uarch, n)); n++)
		if (!reached(pmu)) {
			out_fmt(i->o, INFO_LABEL, label);
			show_unreached(i->o, pmu);
			label = "";
		}
	/* Show on one line the PMUs that were never verified on hardware. */
	for (size_t n = 0; (pmu = uncoremsr_pmu(i->tables, uarch, n)); n++)
		if (pmu->unverified > 0) {
			out_fmt(i->o, num ? "%s" : INFO_LABEL, num ? ", " : "unverified");
			out_str(i->o, pmu->name);
			num++;
		}
	out_str(i->o, num ? ": not verified on hardware\n" : "");
	label = "note";
	for (size_t n = 0; (pmu = uncoremsr_pmu(i->tables, uarch, n)); n++) {
		size_t earlier = 0;

		if (!pmu->note)
			continue;
		while (!same_note(pmu, uncoremsr_pmu(i->tables, uarch, earlier)))
			earlier++;
		if (earlier < n)
			continue;
		show_note(i, uarch, n, label);
		label = "";
	}
}
