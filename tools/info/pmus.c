/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-info: the PMUs of a processor as the tables have them, those out of reach among them. */
#include <string.h>

#include "info/info.h"

static bool reached(const struct uncoremsr_pmu *pmu)
{
	return strcmp(uncoremsr_pmu_reach(pmu), "msr") == 0;
}

static void write_fixed(struct fields *f, const struct uncoremsr_pmu *pmu)
{
	const char *event, *desc;
	unsigned width;
	int free_running;

	fields_open_list(f, "fixed");
	for (size_t i = 0; (event = uncoremsr_pmu_fixed_event(pmu, i, &desc, &width,
							      &free_running)); i++) {
		fields_open(f, NULL);
		fields_str(f, "event", event);
		fields_int(f, "width", width);
		fields_bool(f, "free_running", free_running);
		fields_str(f, "description", desc);
		fields_close(f);
	}
	fields_close(f);
}

static void write_terms(struct fields *f, const struct uncoremsr_pmu *pmu)
{
	const char *name, *desc;
	unsigned bits;

	fields_open_list(f, "terms");
	for (size_t i = 0; (name = uncoremsr_pmu_term(pmu, i, &desc, &bits)); i++) {
		fields_open(f, NULL);
		fields_str(f, "term", name);
		fields_int(f, "bits", bits);
		fields_str(f, "description", desc);
		fields_close(f);
	}
	fields_close(f);
}

/* What is only known of a PMU that registers reach. */
static void write_counters(struct fields *f, const struct uncoremsr_pmu *pmu)
{
	bool general = uncoremsr_pmu_general_counters(pmu) != 0;

	fields_str(f, "scope", uncoremsr_pmu_scope(pmu));
	fields_int(f, "max_units", uncoremsr_pmu_units(pmu));
	fields_str(f, "units_from", uncoremsr_pmu_units_from(pmu));
	fields_int(f, "general_counters", uncoremsr_pmu_general_counters(pmu));
	fields_int(f, "general_width", general ? (int64_t)uncoremsr_pmu_general_width(pmu) : -1);
	write_fixed(f, pmu);
	write_terms(f, pmu);
	fields_bool(f, "unverified", uncoremsr_pmu_unverified(pmu));
	fields_str(f, "note", uncoremsr_pmu_note(pmu));
	fields_str(f, "source", uncoremsr_pmu_source(pmu));
}

void info_write_pmus(struct fields *f, const char *uarch)
{
	const struct uncoremsr_pmu *pmu = uarch ? uncoremsr_uarch_pmu(uarch, 0) : NULL;

	if (!pmu) {
		fields_str(f, "pmus", NULL);
		return;
	}
	fields_open_list(f, "pmus");
	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++) {
		const char *kernel = uncoremsr_pmu_kernel_name(pmu);

		fields_open(f, NULL);
		fields_str(f, "pmu", uncoremsr_pmu_name(pmu));
		fields_str(f, "description", uncoremsr_pmu_desc(pmu));
		fields_str(f, "reach", uncoremsr_pmu_reach(pmu));
		fields_str(f, "kernel_name", *kernel ? kernel : NULL);
		if (reached(pmu))
			write_counters(f, pmu);
		fields_close(f);
	}
	fields_close(f);
}

/* ---- text ---- */

static void label(struct out *o, const char *text, unsigned *lines)
{
	out_fmt(o, INFO_LABEL, (*lines)++ ? "" : text);
}

static const char *plural(unsigned num)
{
	return num == 1 ? "" : "s";
}

/* "cbo: up to 8 units of 2 counters, 44 bits; C-boxes: ..." */
static void write_reached(struct out *o, const struct uncoremsr_pmu *pmu)
{
	unsigned units = uncoremsr_pmu_units(pmu), general = uncoremsr_pmu_general_counters(pmu);
	unsigned fixed = uncoremsr_pmu_fixed_counters(pmu);
	bool all = strcmp(uncoremsr_pmu_units_from(pmu), "table") == 0;

	out_fmt(o, "%s: ", uncoremsr_pmu_name(pmu));
	if (units > 1)
		out_fmt(o, "%s%u units of ", all ? "" : "up to ", units);
	if (general)
		out_fmt(o, "%u counter%s of %u bits", general, plural(general),
			uncoremsr_pmu_general_width(pmu));
	if (fixed)
		out_fmt(o, "%s%u fixed", general ? " and " : "", fixed);
	out_fmt(o, " per %s (%s)\n", uncoremsr_pmu_scope(pmu), uncoremsr_pmu_desc(pmu));
}

static void write_unreached(struct out *o, const struct uncoremsr_pmu *pmu)
{
	const char *kernel = uncoremsr_pmu_kernel_name(pmu);

	out_fmt(o, "%s: not by MSR (%s)", uncoremsr_pmu_name(pmu), uncoremsr_pmu_desc(pmu));
	if (*kernel)
		out_fmt(o, "; the kernel calls it %s, use perf", kernel);
	out_char(o, '\n');
}

/* The names of those that nobody has seen work, on one line. */
static void write_unverified(struct out *o, const char *uarch)
{
	const struct uncoremsr_pmu *pmu;
	unsigned num = 0;

	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++) {
		if (!uncoremsr_pmu_unverified(pmu))
			continue;
		if (num++)
			out_str(o, ", ");
		else
			out_fmt(o, INFO_LABEL, "unverified");
		out_str(o, uncoremsr_pmu_name(pmu));
	}
	out_str(o, num ? ": not verified on hardware\n" : "");
}

static bool same_note(const struct uncoremsr_pmu *a, const struct uncoremsr_pmu *b)
{
	return uncoremsr_pmu_note(b) && strcmp(uncoremsr_pmu_note(a), uncoremsr_pmu_note(b)) == 0;
}

/* The names of all that a note is about, on the line of the first one. */
static void write_note(struct out *o, const char *uarch, size_t first, unsigned *lines)
{
	const struct uncoremsr_pmu *pmu = uncoremsr_uarch_pmu(uarch, first), *other;

	for (size_t i = 0; i < first; i++)
		if (same_note(pmu, uncoremsr_uarch_pmu(uarch, i)))
			return;
	label(o, "note", lines);
	out_str(o, uncoremsr_pmu_name(pmu));
	for (size_t i = first + 1; (other = uncoremsr_uarch_pmu(uarch, i)); i++)
		if (same_note(pmu, other))
			out_fmt(o, ", %s", uncoremsr_pmu_name(other));
	out_fmt(o, ": %s\n", uncoremsr_pmu_note(pmu));
}

static void write_notes(struct out *o, const char *uarch)
{
	const struct uncoremsr_pmu *pmu;
	unsigned lines = 0;

	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++)
		if (uncoremsr_pmu_note(pmu))
			write_note(o, uarch, i, &lines);
}

void info_write_pmus_text(struct out *o, const char *uarch)
{
	const struct uncoremsr_pmu *pmu;
	unsigned lines = 0;

	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++)
		if (reached(pmu)) {
			label(o, "uncore", &lines);
			write_reached(o, pmu);
		}
	lines = 0;
	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++)
		if (!reached(pmu)) {
			label(o, "out of reach", &lines);
			write_unreached(o, pmu);
		}
	write_unverified(o, uarch);
	write_notes(o, uarch);
}
