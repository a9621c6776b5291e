/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events explain: which of all these things a word is, and what an event is. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events/page.h"
#include "common/number.h"

/* ---- events ---- */

static int keep(void *user, const struct uncoremsr_event *event)
{
	const struct uncoremsr_event **found = user;

	*found = event;
	return 0;
}

static int keep_encoding(void *user, const struct uncoremsr_encoding *encoding)
{
	return keep(user, uncoremsr_encoding_event(encoding));
}

/* What the tables of another processor say about the name. */
static void other_processor(struct events *e, const struct uncoremsr_event *ev, const char *uarch,
			    char *buf, size_t size)
{
	const struct uncoremsr_event *other = NULL;
	uint64_t ours = 0, theirs = 0;

	if (uncoremsr_event_find(e->um, uarch, uncoremsr_event_name(ev), keep, &other) < 0 ||
	    !other)
		snprintf(buf, size, "%s: not defined there", uarch);
	else if (uncoremsr_event_encoding(other) != uncoremsr_event_encoding(ev))
		snprintf(buf, size, "%s: 0x%llx", uarch,
			 (unsigned long long)uncoremsr_event_encoding(other));
	else if (uncoremsr_event_extra(other, &theirs) != uncoremsr_event_extra(ev, &ours) ||
		 ours != theirs)
		snprintf(buf, size, "%s: the same codes, but register 0x%x = 0x%llx", uarch,
			 uncoremsr_event_extra(other, &theirs), (unsigned long long)theirs);
	else
		snprintf(buf, size, "%s: the same codes", uarch);
}

/* Another processor that has a PMU of this kind, and names for events. */
static bool has_pmu(const struct events *e, const char *uarch, const char *name)
{
	const struct uncoremsr_pmu *pmu;

	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++)
		if (strcmp(uncoremsr_pmu_name(pmu), name) == 0)
			return uncoremsr_event(e->um, uarch, 0) != NULL;
	return false;
}

static void page_elsewhere(struct page *p, struct events *e, const struct uncoremsr_event *ev)
{
	char text[96];
	const char *uarch, *last = "";
	unsigned shown = 0;

	if (!p->text)
		fields_open_list(&p->f, "elsewhere");
	for (size_t i = 0; (uarch = uncoremsr_uarch_name(i)); i++) {
		if (strcmp(uarch, last) == 0 || strcmp(uarch, uncoremsr_event_uarch(ev)) == 0 ||
		    !has_pmu(e, uarch, uncoremsr_event_pmu(ev)))
			continue;
		last = uarch;
		other_processor(e, ev, uarch, text, sizeof(text));
		if (p->text)
			out_fmt(p->o, "  %-12s%s\n", shown++ ? "" : "elsewhere", text);
		else
			fields_str(&p->f, NULL, text);
	}
	if (!p->text)
		fields_close(&p->f);
}

static void page_sources(struct page *p, const struct uncoremsr_event *ev)
{
	const char *source;
	char line[64] = "";
	unsigned event, umask;

	if (!p->text)
		fields_open_list(&p->f, "sources");
	for (size_t i = 0; (source = uncoremsr_event_source(ev, i)); i++) {
		if (p->text)
			snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s",
				 i ? ", " : "", source);
		else
			fields_str(&p->f, NULL, source);
	}
	if (p->text)
		out_fmt(p->o, "  %-12s%s\n", "sources", line);
	else
		fields_close(&p->f);
	if (!p->text)
		fields_open_list(&p->f, "contradictions");
	for (size_t i = 0; (source = uncoremsr_event_dispute(ev, i, &event, &umask)); i++) {
		snprintf(line, sizeof(line), "%s says 0x%x:0x%x", source, event, umask);
		if (p->text)
			out_fmt(p->o, "  %-12s%s\n", "but", line);
		else
			fields_str(&p->f, NULL, line);
	}
	if (!p->text)
		fields_close(&p->f);
}

static void page_spelling(struct page *p, const struct uncoremsr_event *ev)
{
	static const char *const whos[] = { "libpfm4", "likwid", "freebsd" };
	char text[96];

	for (size_t i = 0; i < sizeof(whos) / sizeof(whos[0]); i++)
		if (uncoremsr_event_spelling(ev, whos[i], text, sizeof(text)) >= 0)
			page_str(p, whos[i], whos[i], text);
}

static void page_codes(struct page *p, const struct uncoremsr_event *ev)
{
	int event = uncoremsr_event_select(ev), umask = uncoremsr_event_unit_mask(ev);

	if (p->text && event >= 0)
		out_fmt(p->o, "  %-12sevent select 0x%x, unit mask 0x%x; selector word 0x%llx\n",
			"codes", (unsigned)event, (unsigned)umask,
			(unsigned long long)uncoremsr_event_encoding(ev));
	if (p->text)
		return;
	fields_str(&p->f, "uarch", uncoremsr_event_uarch(ev));
	fields_str(&p->f, "pmu", uncoremsr_event_pmu(ev));
	if (event >= 0) {
		fields_word(&p->f, "event_select", (uint64_t)event);
		fields_word(&p->f, "umask", (uint64_t)umask);
	} else {
		fields_str(&p->f, "event_select", NULL);
		fields_str(&p->f, "umask", NULL);
	}
	fields_word(&p->f, "encoding", uncoremsr_event_encoding(ev));
}

/* What counting it takes, as encoding it tells. */
struct needs {
	uint32_t counters;
	char registers[200];
};

static int keep_needs(void *user, const struct uncoremsr_encoding *encoding)
{
	bool boxes = strcmp(uncoremsr_encoding_pmu(encoding), "uncore") != 0;
	struct needs *n = user;
	uint64_t value;
	uint32_t msr;
	size_t at = 0;

	n->counters = uncoremsr_encoding_counters(encoding);
	for (size_t i = 0; at < sizeof(n->registers) &&
	     (msr = uncoremsr_encoding_extra(encoding, i, &value)); i++)
		at += (size_t)snprintf(n->registers + at, sizeof(n->registers) - at,
				       value || boxes
					       ? "%sregister 0x%x = 0x%llx"
					       : "%sregister 0x%x, with a value of your choice",
				       i ? "; " : "", msr, (unsigned long long)value);
	return 1;
}

static struct needs find_needs(struct events *e, const struct uncoremsr_event *ev)
{
	struct needs n = { .registers = "" };
	char text[128];

	snprintf(text, sizeof(text), "%s/%s%s/", uncoremsr_event_pmu(ev), uncoremsr_event_name(ev),
		 uncoremsr_event_ports(ev) ? ",port=0" : "");
	if (uncoremsr_encode(e->um, uncoremsr_event_uarch(ev), text, keep_needs, &n) < 0)
		n.counters = 0;
	return n;
}

static void page_counters(struct page *p, const struct uncoremsr_event *ev, const struct needs *n)
{
	const char *uarch = uncoremsr_event_uarch(ev);
	const struct uncoremsr_pmu *pmu = NULL;
	unsigned num, width;
	char text[96] = "";

	for (size_t i = 0; (pmu = uncoremsr_uarch_pmu(uarch, i)); i++)
		if (strcmp(uncoremsr_pmu_name(pmu), uncoremsr_event_pmu(ev)) == 0)
			break;
	num = pmu ? uncoremsr_pmu_general_counters(pmu) : 0;
	width = pmu ? uncoremsr_pmu_general_width(pmu) : 0;
	if (uncoremsr_event_select(ev) < 0) {
		uncoremsr_pmu_fixed_event(pmu, 0, &(const char *){ NULL }, &width, &(int){ 0 });
		snprintf(text, sizeof(text), "fixed counter only, %u bits", width);
	} else if (n->counters == (1u << num) - 1 && num > 1) {
		snprintf(text, sizeof(text), "any of the %u general counters, %u bits", num, width);
	} else {
		size_t at = 0;

		for (unsigned i = 0; i < num; i++)
			if (n->counters >> i & 1)
				at += (size_t)snprintf(text + at, sizeof(text) - at, "%s %u",
						       at ? "," : "general counter", i);
		snprintf(text + at, sizeof(text) - at, " only, %u bits", width);
	}
	page_str(p, "counters", "counters", text);
}

static int explain_event(struct events *e, const struct uncoremsr_event *ev)
{
	bool core = strcmp(uncoremsr_event_pmu(ev), "core") == 0;
	const char *kind = uncoremsr_event_kind(ev);
	struct needs needs = find_needs(e, ev);
	struct page p;

	page_begin(&p, e, "event", uncoremsr_event_name(ev));
	page_str(&p, "description", "counts", uncoremsr_event_description(ev));
	page_str(&p, "kind", "kind", kind);
	if (p.text)
		out_fmt(p.o, "  %-12s%s\n", "", events_glossary(kind));
	page_str(&p, "unit", "unit", uncoremsr_event_unit(ev));
	if (p.text && events_glossary(uncoremsr_event_unit(ev)))
		out_fmt(p.o, "  %-12s%s\n", "", events_glossary(uncoremsr_event_unit(ev)));
	page_str(&p, "class", "class", core ? "core architectural" : "uncore model-specific");
	page_codes(&p, ev);
	page_counters(&p, ev, &needs);
	page_str(&p, "scope", "one per", core ? "cpu" : "package");
	page_str(&p, "needs", "needs", *needs.registers ? needs.registers : NULL);
	page_str(&p, "note", "note", uncoremsr_event_note(ev));
	if (!core)
		page_elsewhere(&p, e, ev);
	page_sources(&p, ev);
	page_spelling(&p, ev);
	page_str(&p, "manual", "manual", uncoremsr_event_manual(ev));
	page_end(&p);
	return TOOL_DONE;
}

/* The name, or what it is made of. With modifiers the event without them is explained. */
static int explain_name(struct events *e, const char *text)
{
	const struct uncoremsr_event *ev = NULL;
	const char *uarch;
	int err = 0;

	if (strpbrk(text, "*["))
		return tool_usage(&events_tool, "explain: '%s': one thing at a time; \"list %s\" "
				  "shows what the pattern stands for", text, text);
	for (size_t i = 0; !ev && (uarch = events_uarch(e, i)); i++) {
		/* An event of a port can be explained without one, not counted. */
		err = uncoremsr_event_find(e->um, uarch, text, keep, &ev);
		if (!ev)
			err = uncoremsr_encode(e->um, uarch, text, keep_encoding, &ev);
	}
	if (err > 1)
		return tool_usage(&events_tool, "explain: '%s': one thing at a time", text);
	if (ev)
		return explain_event(e, ev);
	if (err < 0)
		return tool_fail(&events_tool, e->um);
	return tool_say(&events_tool, TOOL_USAGE, "explain: '%s': these codes have no name here; "
			"they can be counted all the same", text);
}

static int explain_glossary(struct events *e, const char *word)
{
	struct page p;

	page_begin(&p, e, "word", word);
	page_str(&p, "description", "means", events_glossary(word));
	page_end(&p);
	return TOOL_DONE;
}

/* "bit17" */
static bool parse_bit(const char *text, unsigned *bit)
{
	char why[NUMBER_WHY_SIZE];
	uint64_t n;

	if (strncasecmp(text, "bit", 3) != 0 || !number_parse(text + 3, 63, &n, why))
		return false;
	*bit = (unsigned)n;
	return true;
}

enum { LAST_ADDRESS = 0xffff }; /* no uncore MSR is higher; a selector word always is */

int events_explain(struct events *e)
{
	const char *text = e->words[0];
	const struct uncoremsr_listed_event *listed = uncoremsr_listed_event_find(e->um, text);
	const struct uncoremsr_register *reg = events_register(e, text);
	char why[NUMBER_WHY_SIZE];
	uint64_t number;
	unsigned bit;

	if (reg)
		return explain_register(e, reg);
	if (parse_bit(text, &bit))
		return explain_bit(e, bit, text);
	if (number_parse(text, UINT64_MAX, &number, why))
		return number <= LAST_ADDRESS ? explain_address(e, number)
					      : events_decode_selector(e, text, number);
	if (events_perf_raw(text, &number))
		return events_decode_word(e, events_register(e, "IA32_PERFEVTSEL0"), number);
	if (strstr(text, "/raw=") || strstr(text, "/config="))
		return events_decode_form(e, text);
	if (explain_field(e, text))
		return TOOL_DONE;
	if (events_glossary_word(text))
		return explain_glossary(e, events_glossary_word(text));
	if (listed)
		return events_explain_listed(e, listed);
	return explain_name(e, text);
}
