/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The PMUs of a processor in the tables, including PMUs that have no MSRs. */
#include <string.h>

#include "info/info.h"

static bool reached(const struct uncoremsr_pmu *pmu)
{
	return strcmp(pmu->reach, "msr") == 0;
}

static enum record_state get_general_width(const void *row, struct record_value *v)
{
	const struct uncoremsr_pmu *pmu = row;

	return value_number(v, pmu->general_counters ? pmu->general_width : -1);
}

static const struct record_column fixed_columns[] = {
	{ "event", RECORD_STR, RECORD_AT(uncoremsr_fixed_counter, event) },
	{ "width", RECORD_INT, RECORD_AT(uncoremsr_fixed_counter, width) },
	{ "free_running", RECORD_BOOL, RECORD_AT(uncoremsr_fixed_counter, free_running) },
	{ "description", RECORD_STR, RECORD_AT(uncoremsr_fixed_counter, description) },
}, term_columns[] = {
	{ "term", RECORD_STR, RECORD_AT(uncoremsr_term, name) },
	{ "bits", RECORD_INT, RECORD_AT(uncoremsr_term, bits) },
	{ "description", RECORD_STR, RECORD_AT(uncoremsr_term, description) },
}, pmu_columns[] = {
	{ "pmu", RECORD_STR, RECORD_AT(uncoremsr_pmu, name) },
	{ "description", RECORD_STR, RECORD_AT(uncoremsr_pmu, description) },
	{ "reach", RECORD_STR, RECORD_AT(uncoremsr_pmu, reach) },
	{ "kernel_name", RECORD_STR, RECORD_AT(uncoremsr_pmu, kernel_name) },
}, reached_columns[] = {
	{ "scope", RECORD_STR, RECORD_AT(uncoremsr_pmu, scope) },
	{ "max_units", RECORD_INT, RECORD_AT(uncoremsr_pmu, units) },
	{ "units_from", RECORD_STR, RECORD_AT(uncoremsr_pmu, units_from) },
	{ "general_counters", RECORD_INT, RECORD_AT(uncoremsr_pmu, general_counters) },
	{ "general_width", RECORD_INT, .get = get_general_width },
	{ "fixed", RECORD_LIST, RECORD_AT(uncoremsr_pmu, fixed), RECORD_OF(fixed_columns) },
	{ "terms", RECORD_LIST, RECORD_AT(uncoremsr_pmu, terms), RECORD_OF(term_columns) },
	{ "unverified", RECORD_BOOL, RECORD_AT(uncoremsr_pmu, unverified) },
	{ "note", RECORD_STR, RECORD_AT(uncoremsr_pmu, note) },
	{ "source", RECORD_STR, RECORD_AT(uncoremsr_pmu, source) },
};

void info_put_pmus(struct info *i)
{
	const char *uarch = i->m->uarch;
	const struct uncoremsr_pmu *pmu = uarch ? uncoremsr_pmu(i->tables, uarch, 0) : NULL;

	if (!pmu) {
		record_str(&i->w, "pmus", NULL);
		return;
	}
	record_open_list(&i->w, "pmus");
	for (size_t n = 0; (pmu = uncoremsr_pmu(i->tables, uarch, n)); n++) {
		record_open(&i->w, NULL);
		record_fields(&i->w, RECORD_COLUMNS(pmu_columns), pmu);
		if (reached(pmu))
			record_fields(&i->w, RECORD_COLUMNS(reached_columns), pmu);
		record_close(&i->w);
	}
	record_close(&i->w);
}

/* Example: "cbo: up to 8 units of 2 counters of 44 bits per package (C-boxes: ...)" */
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

static bool same_note(const struct uncoremsr_pmu *a, const struct uncoremsr_pmu *b)
{
	return b->note && strcmp(a->note, b->note) == 0;
}

static void show_note_of_pmus(const struct info *i, const char *uarch, size_t first, const char *label)
{
	const struct uncoremsr_pmu *pmu = uncoremsr_pmu(i->tables, uarch, first), *other;

	out_fmt(i->o, INFO_LABEL "%s", label, pmu->name);
	for (size_t n = first + 1; (other = uncoremsr_pmu(i->tables, uarch, n)); n++)
		if (same_note(pmu, other))
			out_fmt(i->o, ", %s", other->name);
	out_fmt(i->o, ": %s\n", pmu->note);
}

void info_show_pmus(struct info *i)
{
	const char *uarch = i->m->uarch;
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
			out_fmt(i->o, INFO_LABEL "%s: not reachable through MSRs (%s)", label, pmu->name,
				pmu->description);
			if (pmu->kernel_name)
				out_fmt(i->o, "; the kernel calls it %s, use perf", pmu->kernel_name);
			out_char(i->o, '\n');
			label = "";
		}
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
		show_note_of_pmus(i, uarch, n, label);
		label = "";
	}
}
