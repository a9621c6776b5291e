/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/properties.h"
#include "doctor/doctor.h"

static const char *const words[] = {
	[DOCTOR_UNSUPPORTED] = "blocks", [DOCTOR_NO_ACCESS] = "blocks", [DOCTOR_LEFTOVER] = "leftover",
	[DOCTOR_REMARK] = "remark",
};

/* The exit status, by the severity of the worst finding. */
static const int statuses[] = {
	[DOCTOR_UNSUPPORTED] = TOOL_UNSUPPORTED, [DOCTOR_NO_ACCESS] = TOOL_NO_ACCESS,
	[DOCTOR_LEFTOVER] = TOOL_PARTIAL, [DOCTOR_REMARK] = TOOL_DONE,
};

static void set(char **text, const char *fmt, va_list ap)
{
	free(*text);
	need(vasprintf(text, fmt, ap) < 0 ? NULL : *text);
}

void doctor_add(struct doctor *d, const char *check, enum doctor_severity severity, const char *fmt, ...)
{
	va_list ap;

	NEED_APPEND(d->list, d->num, (struct doctor_finding){ .check = check, .severity = severity });
	va_start(ap, fmt);
	set(&d->list[d->num - 1].message, fmt, ap);
	va_end(ap);
}

void doctor_next(struct doctor *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(&d->list[d->num - 1].next, fmt, ap);
	va_end(ap);
}

void doctor_free_findings(struct doctor *d)
{
	for (size_t i = 0; i < d->num; i++) {
		free(d->list[i].message);
		free(d->list[i].next);
	}
	free(d->list);
}

void doctor_add_failure(struct doctor *d, const char *check)
{
	bool unsupported = uncoremsr_error(d->um)->error_class == UNCOREMSR_ERROR_UNSUPPORTED;

	doctor_add(d, check, unsupported ? DOCTOR_UNSUPPORTED : DOCTOR_NO_ACCESS, "%s",
		   uncoremsr_error(d->um)->message);
	if (*uncoremsr_error(d->um)->hint)
		doctor_next(d, "%s", uncoremsr_error(d->um)->hint);
}

void doctor_next_grant(struct doctor *d)
{
	doctor_next(d, "run as root, or once: uncore-doctor --grant=uncore >grant.sh && sudo sh "
		    "grant.sh && sudo usermod -aG uncore $USER");
}

static const struct record_column columns[] = {
	{ "check", RECORD_STR, RECORD_AT(doctor_finding, check) },
	{ "severity", RECORD_STR, RECORD_AT(doctor_finding, severity), .words = words },
	{ "message", RECORD_STR, RECORD_AT(doctor_finding, message) },
	{ "next", RECORD_STR, RECORD_AT(doctor_finding, next) },
};

/* If packages have several dies, also write the number of dies. */
static void write_number_of_packages(const struct doctor *d, struct out *o)
{
	const struct uncoremsr_package *p;
	size_t dies, packages = 0;

	for (dies = 0; (p = uncoremsr_package(d->um, dies)); dies++) {
		size_t k = 0;

		while (uncoremsr_package(d->um, k)->id != p->id)
			k++;
		packages += k == dies;
	}
	out_fmt(o, ", %zu package%s", packages, packages == 1 ? "" : "s");
	if (dies > packages)
		out_fmt(o, ", %zu dies", dies);
	out_char(o, '\n');
}

static void write_head(struct doctor *d, struct out *o, bool free_way)
{
	const char *title = machine_is_power(d->um) ? "POWER's in-memory counters"
			: uncoremsr_machine(d->um)->uarch_title;

	put_simulated(o, machine_simulated_name(d->um));
	if (!free_way)
		return;
	out_fmt(o, "%s: %s", d->kernel_counts
		? "nothing stands in the way of counting here with perf (but not through registers)"
		: d->all_zeros ? "it is unknown whether counting through registers works here"
		: d->kernel_refuses
		? "nothing stands in the way of counting here through registers (but not with perf)"
		: "nothing stands in the way of counting here", title ? title : "unknown processor");
	write_number_of_packages(d, o);
}

static void show(struct records *w, const struct doctor_finding *f)
{
	if (!records_for_people(w)) {
		record_row(w, RECORD_COLUMNS(columns), f);
		return;
	}
	out_fmt(w->out, "%-9s %s: %s\n", words[f->severity], f->check, f->message);
	if (f->next)
		out_fmt(w->out, "%-9s next: %s\n", "", f->next);
}

int doctor_show(struct doctor *d)
{
	enum doctor_severity worst = DOCTOR_REMARK;
	struct records *w = &d->records;

	for (struct doctor_finding *f = d->list; f < d->list + d->num; f++) {
		if (d->kernel_counts && f->severity <= DOCTOR_NO_ACCESS)
			f->severity = DOCTOR_REMARK;
		worst = f->severity < worst ? f->severity : worst;
	}
	if (records_for_people(w))
		write_head(d, w->out, statuses[worst] == TOOL_DONE);
	else
		record_head(w, RECORD_COLUMNS(columns));
	for (enum doctor_severity s = worst; s <= DOCTOR_REMARK; s++)
		for (const struct doctor_finding *f = d->list; f < d->list + d->num; f++)
			if (f->severity == s)
				show(w, f);
	return statuses[worst];
}
