/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events encode: what perf, likwid, libpfm4 and pcm-raw call an event. */
#include <stdio.h>
#include <string.h>

#include "common/properties.h"
#include "events/encode.h"

static uint64_t field(const struct events_row *row, const char *name)
{
	int64_t v = events_row_field(row, name);

	return v < 0 ? 0 : (uint64_t)v;
}

/* Copy the part between the slashes of a canonical name: "cycles" of "core/cycles/u". */
static void between_slashes(const struct events_row *row, char *buf, size_t size)
{
	const char *from = strchr(events_row_name(row), '/');

	snprintf(buf, size, "%s", from ? from + 1 : events_row_name(row));
	buf[strcspn(buf, "/")] = '\0';
}

/* Bits of a core selector that Linux sets itself: rings, pin control, interrupt, enable. */
enum { KERNELS = 0x5b0000 };

/* perf's name for a core event; user and kernel mode are written behind a colon: "u", "k" or both. */
static void spell_perf_core(const struct events_row *row, char *buf, size_t size)
{
	const char *name = events_row_name(row), *rings = strrchr(name, '/');
	char event[96];

	rings = rings && rings[1] ? rings + 1 : "";
	if (events_is_fixed(row))
		between_slashes(row, event, sizeof(event));
	else
		snprintf(event, sizeof(event), "r%llx",
			 (unsigned long long)(events_row_word(row) & ~(uint64_t)KERNELS));
	snprintf(buf, size, "%s%s%s", event, *rings ? ":" : "", rings);
}

static bool has_term(const struct uncoremsr_pmu *pmu, const char *name)
{
	const char *term, *desc;
	unsigned bits;

	for (size_t i = 0; (term = uncoremsr_pmu_term(pmu, i, &desc, &bits)); i++)
		if (strcmp(term, name) == 0)
			return true;
	return false;
}

/* Is it the name of one of the PMU's fixed counters? The kernel uses the same names. */
static bool is_fixed_name(const struct uncoremsr_pmu *pmu, const char *event)
{
	const char *name, *desc;
	unsigned width;
	int free_running;
	size_t i = 0;

	for (; (name = uncoremsr_pmu_fixed_event(pmu, i, &desc, &width, &free_running)); i++)
		if (strcmp(name, event) == 0)
			return true;
	return i == 1;
}

/* perf's name for an event of a box: the kernel's PMU, and filters as terms. */
static void spell_perf_boxes(const struct events *e, const struct events_row *row, char *buf,
			     size_t size)
{
	const struct uncoremsr_pmu *pmu = events_pmu(e, uncoremsr_encoding_text(row->encoding, UNCOREMSR_ENCODING_PMU));
	const char *kernel = uncoremsr_pmu_text(pmu, UNCOREMSR_PMU_KERNEL_NAME);
	uint64_t word = events_row_word(row) & ~events_enable_bit(row), unit;
	char number[16] = "", event[96], counter[16] = "";
	uint64_t counters = events_encoding_number(row->encoding, UNCOREMSR_ENCODING_COUNTERS);
	const char *terms = uncoremsr_encoding_text(row->encoding, UNCOREMSR_ENCODING_TERMS);
	uint64_t value;

	*buf = '\0';
	if (!kernel || (!terms && !events_is_fixed(row)))
		return;
	if (uncoremsr_encoding_number(row->encoding, UNCOREMSR_ENCODING_UNIT, &unit) == 0)
		snprintf(number, sizeof(number), "_%u", (unsigned)unit);
	/* If each counter has its own list of events, Linux needs the counter's number. */
	if (has_term(pmu, "counter"))
		snprintf(counter, sizeof(counter), ",counter=%u", events_first_bit(counters));
	between_slashes(row, event, sizeof(event));
	if (events_is_fixed(row) && !is_fixed_name(pmu, event))
		return;
	if (events_is_fixed(row))
		snprintf(buf, size, "%s%s/%s/", kernel, number,
			 strstr(event, "CLOCK") ? "clockticks" : event);
	else if (events_extra(row->encoding, 0, &value))
		snprintf(buf, size, "%s%s/%s%s/", kernel, number, terms, counter);
	else if (!word)
		/* config=0 would mean no event, so write event=0x0. */
		snprintf(buf, size, "%s%s/event=0x0%s/", kernel, number, counter);
	else
		snprintf(buf, size, "%s%s/config=0x%llx%s/", kernel, number,
			 (unsigned long long)word, counter);
}

void events_spell_perf(const struct events *e, const struct events_row *row, char *buf, size_t size)
{
	uint64_t cmask = field(row, "CMASK");
	char threshold[24] = "";

	if (events_row_is_core(row)) {
		spell_perf_core(row, buf, size);
		return;
	}
	if (!events_is_uncore(row)) {
		spell_perf_boxes(e, row, buf, size);
		return;
	}
	if (events_is_fixed(row)) {
		snprintf(buf, size, "uncore/clockticks/");
		return;
	}
	if (cmask)
		snprintf(threshold, sizeof(threshold), ",cmask=%u", (unsigned)cmask);
	snprintf(buf, size, "uncore/event=0x%x,umask=0x%x%s%s%s/", (unsigned)field(row, "EVENT"),
		 (unsigned)field(row, "UMASK"), field(row, "EDGE") ? ",edge" : "",
		 field(row, "INV") ? ",inv" : "", threshold);
}

/* Does source @who have other codes for the event? Then its name cannot be used there: it counts another event. */
static bool disputes(const struct uncoremsr_event *ev, const char *who)
{
	unsigned event, umask;
	const char *source;

	for (size_t i = 0; (source = uncoremsr_event_dispute(ev, i, &event, &umask)); i++)
		if (strcmp(source, who) == 0)
			return true;
	return false;
}

/* In likwid fixed core counters have the same names on all Intel processors (perfmon_*_events.txt). */
static void spell_likwid_core(const struct events_row *row, char *buf, size_t size)
{
	static const char *const names[] = {
		"INSTR_RETIRED_ANY", "CPU_CLK_UNHALTED_CORE", "CPU_CLK_UNHALTED_REF", "TOPDOWN_SLOTS",
	};
	const char *rings = strrchr(events_row_name(row), '/');
	uint64_t word = events_row_word(row);
	unsigned n = events_first_bit(word) / 4;

	/* likwid always counts user mode; kernel mode can be added. So kernel mode alone cannot be written. */
	if (!events_is_fixed(row) || n >= sizeof(names) / sizeof(names[0]) ||
	    (rings && strcmp(rings, "/k") == 0))
		return;
	snprintf(buf, size, "%s:FIXC%u%s", names[n], n, word >> 4 * n & 1 ? ":KERNEL" : "");
}

/* likwid's form is NAME:COUNTER:OPTION...; "" if likwid has no such event, or if we do not know its name. */
void events_spell_likwid(const struct events *e, const struct events_row *row, char *buf,
			 size_t size)
{
	uint64_t cmask = field(row, "CMASK");
	char name[96], threshold[24] = "";
	bool fixed = events_is_fixed(row);

	(void)e;
	*buf = '\0';
	if (events_row_is_core(row))
		spell_likwid_core(row, buf, size);
	if (!row->event || !events_is_uncore(row) || disputes(row->event, "likwid") ||
	    uncoremsr_event_spelling(row->event, "likwid", name, sizeof(name)) < 0)
		return;
	if (cmask && !fixed)
		snprintf(threshold, sizeof(threshold), ":THRESHOLD=0x%x", (unsigned)cmask);
	snprintf(buf, size, "%s:%s%s%s%s", name, fixed ? "UPMCFIX" : "UPMC0",
		 !fixed && field(row, "EDGE") ? ":EDGEDETECT" : "",
		 !fixed && field(row, "INV") ? ":INVERT" : "", threshold);
}

/* The event whose name in libpfm4 to use: this one, or if its unit mask has no name, one with the same event select. */
static const struct uncoremsr_event *in_libpfm4(const struct events *e, const struct events_row *row)
{
	const struct uncoremsr_event *ev;
	char name[96];

	if (row->event || !events_is_uncore(row))
		return row->event;
	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->uarch, i)); i++)
		if (event_number(ev, UNCOREMSR_EVENT_SELECT) == events_row_field(row, "EVENT") &&
		    uncoremsr_event_spelling(ev, "libpfm4", name, sizeof(name)) > 0)
			return ev;
	return NULL;
}

/* In libpfm4 a unit mask without a name is written as a number. */
void events_spell_libpfm4(const struct events *e, const struct events_row *row, char *buf,
			  size_t size)
{
	const struct uncoremsr_event *ev = in_libpfm4(e, row);
	uint64_t cmask = field(row, "CMASK");
	char name[96], umask[16] = "", threshold[24] = "";
	bool fixed = events_is_fixed(row);

	*buf = '\0';
	if (!ev || !events_is_uncore(row) || uncoremsr_event_spelling(ev, "libpfm4", name, sizeof(name)) < 0)
		return;
	if (ev != row->event || disputes(ev, "libpfm4")) {
		name[strcspn(name, ":")] = '\0';
		snprintf(umask, sizeof(umask), ":0x%x", (unsigned)field(row, "UMASK"));
	}
	if (cmask && !fixed)
		snprintf(threshold, sizeof(threshold), ":c=%u", (unsigned)cmask);
	snprintf(buf, size, "%s::%s%s%s%s%s", strcmp(e->uarch, "nehalem") ? "wsm_unc" : "nhm_unc",
		 name, umask, !fixed && field(row, "EDGE") ? ":e" : "",
		 !fixed && field(row, "INV") ? ":i" : "", threshold);
}

/*
 * pcm-raw programs general core counters itself. It has no type for other counters: there the spelling only reads the
 * counter, which must be programmed by hand.
 */
void events_spell_pcm(const struct events *e, const struct events_row *row, char *buf, size_t size)
{
	bool core = events_row_is_core(row);
	char name[160];
	size_t len = (size_t)snprintf(name, sizeof(name), "%s", events_row_name(row));

	/* Replace characters of modifiers, which have another meaning in pcm-raw. */
	for (size_t i = 0; i < len && i < sizeof(name); i++)
		if (strchr(":=/,", name[i]))
			name[i] = i + 1 < len ? '.' : '\0';
	(void)e;
	if (core && !events_is_fixed(row))
		snprintf(buf, size, "core/config=0x%llx,name=%s",
			 (unsigned long long)events_row_word(row), name);
	else
		snprintf(buf, size, "%s_msr/config=0x%x,config1=1,name=%s",
			 core ? "thread" : "package",
			 (unsigned)events_encoding_number(row->encoding, UNCOREMSR_ENCODING_COUNTER),
			 name);
}
