/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events explain: find out whether a word is a register, a bit, an event or something else, and explain it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "events/events.h"
#include "common/number.h"

/* ---- events ---- */

enum { SEVERAL_NAMES = 100 };

static int keep(void *user, const struct uncoremsr_event *event)
{
	const struct uncoremsr_event **found = user;

	*found = event;
	return 0;
}

/* Events with one name that are not from the tables. A hybrid processor has one event for each kind of core. */
struct kinds {
	const struct uncoremsr_event *at[4];
	size_t num;
};

static int keep_kind(void *user, const struct uncoremsr_event *event)
{
	struct kinds *k = user;

	if (k->num == ARRAY_SIZE(k->at) || (k->num && event->core_type == k->at[0]->core_type))
		return SEVERAL_NAMES;
	if (!events_is_from(event, "table"))
		k->at[k->num++] = event;
	return 0;
}

static int keep_encoding(void *user, const struct uncoremsr_encoding *encoding)
{
	return keep(user, encoding->event);
}

static void page_other(struct events *e, const struct uncoremsr_event *ev, const char *uarch)
{
	const struct uncoremsr_event *other = NULL;

	uncoremsr_event_find(e->um, uarch, ev->name, keep, &other);
	if (!other)
		page_item(e, "%s: not defined there", uarch);
	else if (other->word != ev->word)
		page_item(e, "%s: 0x%llx", uarch, (unsigned long long)other->word);
	else if (other->extra_register != ev->extra_register || other->extra_value != ev->extra_value)
		page_item(e, "%s: the same codes, but register 0x%x = 0x%llx", uarch,
			  other->extra_register == UINT64_MAX ? 0 : (unsigned)other->extra_register,
			  other->extra_value == UINT64_MAX ? 0 : (unsigned long long)other->extra_value);
	else
		page_item(e, "%s: the same codes", uarch);
}

/* Only processors that have this PMU and names of its events are shown. */
static void page_elsewhere(struct events *e, const struct uncoremsr_event *ev)
{
	const char *last = "";
	const struct uncoremsr_uarch *u;

	page_list(e, "elsewhere", "elsewhere");
	for (size_t i = 0; (u = uncoremsr_uarch(i)); i++) {
		if (strcmp(u->name, last) == 0 || strcmp(u->name, ev->uarch) == 0 ||
		    !events_pmu_of(e->um, u->name, ev->pmu) || uncoremsr_event_tables(e->um, u->name) != 0)
			continue;
		last = u->name;
		page_other(e, ev, u->name);
	}
	page_list_end(e);
}

static void page_sources(struct events *e, const struct uncoremsr_event *ev)
{
	const struct uncoremsr_other_codes *other = ev->dispute;
	char who[64] = "", why[EVENTS_CHOICE];

	events_who_has_it(ev, who, sizeof(who));
	page_str(e, NULL, "sources", who);
	if (!records_for_people(&e->w))
		record_strs(&e->w, "sources", ev->sources);
	page_list(e, "contradictions", "but");
	if (other)
		page_item(e, "%s says 0x%x:0x%x", other->source, other->event_select, other->unit_mask);
	page_list_end(e);
	if (events_choice(ev, why, sizeof(why)))
		page_str(e, "choice", "choice", why);
}

static void page_codes(struct events *e, const struct uncoremsr_event *ev)
{
	bool coded = ev->event_select != UINT64_MAX;

	if (coded)
		page_fmt(e, NULL, "codes", "event select 0x%x, unit mask 0x%x; selector word 0x%llx",
			 (unsigned)ev->event_select, (unsigned)ev->unit_mask, (unsigned long long)ev->word);
	if (records_for_people(&e->w))
		return;
	record_str(&e->w, "uarch", ev->uarch);
	record_str(&e->w, "pmu", ev->pmu);
	record_if_known(&e->w, "event_select", RECORD_WORD, ev->event_select);
	record_if_known(&e->w, "umask", RECORD_WORD, coded ? ev->unit_mask : UINT64_MAX);
	record_word(&e->w, "encoding", ev->word);
}

static void page_needs(struct events *e, const struct uncoremsr_encoding *encoding)
{
	bool boxes = strcmp(encoding->pmu, "uncore") != 0;
	const struct uncoremsr_register_bits *bits;
	char text[200] = "";
	size_t len = 0;

	for (size_t i = 0; len < sizeof(text) && (bits = events_extra(encoding, i)); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, bits->value || boxes
					? "%sregister 0x%x = 0x%llx" : "%sregister 0x%x, with a value of your choice",
					i ? "; " : "", bits->address, (unsigned long long)bits->value);
	page_str(e, "needs", "needs", *text ? text : NULL);
}

static void page_counters(struct events *e, const struct uncoremsr_event *ev, uint32_t counters)
{
	const struct uncoremsr_pmu *pmu = events_pmu_of(e->um, ev->uarch, ev->pmu);
	int num = pmu ? pmu->general_counters : 0, width = pmu ? pmu->general_width : 0;
	char these[96] = "";

	if (ev->event_select == UINT64_MAX) {
		page_fmt(e, "counters", "counters", "fixed counter only, %d bits",
			 pmu && pmu->fixed[0] ? pmu->fixed[0]->width : width);
		return;
	}
	if (counters == (1u << num) - 1 && num > 1) {
		page_fmt(e, "counters", "counters", "any of the %d general counters, %d bits", num, width);
		return;
	}
	for (int i = 0; i < num; i++)
		if (counters >> i & 1) {
			char counter[32];

			snprintf(counter, sizeof(counter), "%s%d", *these ? "" : "general counter ", i);
			list_add(these, sizeof(these), ", ", counter);
		}
	page_fmt(e, "counters", "counters", "%s only, %d bits", these, width);
}

/* The glossary's text about a word is only in text output. */
static void page_meaning(struct events *e, const char *word)
{
	const struct explanation *x = explanation(NULL, word);

	page_str(e, NULL, "", x ? x->text : NULL);
}

struct tabled {
	struct events *e;
	const struct uncoremsr_event *ev;
};

static int explain_encoded(void *user, const struct uncoremsr_encoding *encoding)
{
	const struct tabled *t = user;
	const struct uncoremsr_event *ev = t->ev;
	struct events *e = t->e;
	bool core = events_is_core(ev->pmu);
	const struct uncoremsr_spelling *spelling;

	page_begin(e, "event", ev->name);
	page_str(e, "description", "counts", ev->description);
	page_str(e, "kind", "kind", ev->kind);
	page_meaning(e, ev->kind);
	page_str(e, "unit", "unit", ev->unit);
	page_meaning(e, ev->unit);
	page_str(e, "class", "class", core ? "core architectural" : "uncore model-specific");
	page_codes(e, ev);
	page_counters(e, ev, (uint32_t)encoding->counters);
	page_str(e, "scope", "one per", core ? "cpu" : "package");
	page_needs(e, encoding);
	page_str(e, "note", "note", ev->note);
	if (!core)
		page_elsewhere(e, ev);
	page_sources(e, ev);
	for (size_t i = 0; (spelling = ev->spellings[i]); i++)
		page_str(e, spelling->program, spelling->program, spelling->text);
	page_str(e, "manual", "manual", ev->manual);
	page_end(e);
	return 1;
}

static int explain_event(struct events *e, const struct uncoremsr_event *ev)
{
	struct tabled t = { .e = e, .ev = ev };
	char text[128];

	snprintf(text, sizeof(text), "%s/%s%s/", ev->pmu, ev->name, ev->ports > 0 ? ",port=0" : "");
	return uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, ev->uarch, text, explain_encoded, &t) < 0
		       ? tool_fail(e->um) : TOOL_DONE;
}

/* Scope and counting hardware of each IMC level (Linux Documentation/powerpc/imc.rst, skiboot doc/imc.rst). */
static const struct {
	const char *level, *scope, *counts;
} levels[] = {
	{ "nest", "chip", "microcode of the on-chip controller, which copies counters of units outside the "
			  "cores to memory while a nest event is open" },
	{ "core", "core", "the core, which adds up its counts in memory" },
	{ "thread", "cpu", "the core, which adds up the counts of each hardware thread in memory, for one task" },
	{ "trace", "cpu", "the core, which writes a record to memory at each overflow; the event is fixed to "
			  "cycles, and it samples only" },
};

/* If units have counters at the same address, one of these catalog entries must be wrong. */
static void page_shared(struct events *e, const struct uncoremsr_event *ev)
{
	const struct uncoremsr_event *other;

	page_list(e, "shares_offset_with", "but");
	for (size_t i = 0; (other = uncoremsr_event(e->um, e->chosen, i)); i++)
		if (events_is_from(other, ev->from) && other->level && strcmp(ev->level, "nest") == 0 &&
		    strcmp(other->level, "nest") == 0 && strcmp(other->pmu, ev->pmu) != 0 &&
		    other->offset == ev->offset)
			page_item(e, "%s/%s/ has the same offset, so one of the two names is wrong", other->pmu,
				  other->name);
	page_list_end(e);
}

static int explain_in_memory(struct events *e, const struct uncoremsr_event *ev)
{
	page_begin(e, "event", ev->name);
	page_str(e, "description", "counts", ev->description);
	page_str(e, "class", "class", events_source(ev)->class);
	page_str(e, "pmu", "PMU", ev->pmu);
	page_str(e, "level", "level", ev->level);
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		if (strcmp(levels[i].level, ev->level) != 0)
			continue;
		page_str(e, "scope", "one per", levels[i].scope);
		page_str(e, "counted_by", "counted by", levels[i].counts);
	}
	page_str(e, "node", "node", ev->unit);
	page_word(e, "offset", strcmp(ev->level, "trace") == 0 ? "config" : "offset", ev->offset);
	page_str(e, "terms", "terms", ev->terms);
	page_str(e, "scale", "scale", ev->scale);
	page_str(e, "measure", "measure", ev->measure);
	page_str(e, "impossible", "but", ev->impossible);
	page_shared(e, ev);
	page_end(e);
	return TOOL_DONE;
}

static int explain_foreign(struct events *e, const struct uncoremsr_event *ev)
{
	struct events_row row = events_row(e, ev, NULL);

	page_begin(e, "event", ev->name);
	page_str(e, "description", "counts", row.shown.description);
	page_str(e, "class", "class", row.class);
	page_str(e, "pmu", "PMU", ev->pmu);
	page_str(e, "unit", "unit", row.shown.unit);
	page_str(e, "terms", "terms", row.shown.terms);
	page_str(e, "counters", "counters", row.shown.counters);
	page_str(e, "impossible", "not by perf", row.shown.impossible);
	if (!events_is_from(ev, "list")) {
		page_str(e, "scale", "scale", ev->scale);
		page_str(e, "measure", "measure", ev->measure);
	}
	if (ev->deprecated > 0)
		page_str(e, "note", "note", "deprecated name, kept for compatibility");
	page_end(e);
	return TOOL_DONE;
}

static int explain_other(struct events *e, const struct uncoremsr_event *ev)
{
	return ev->level ? explain_in_memory(e, ev)
	       : events_is_from(ev, "metric") ? events_explain_metric(e, ev) : explain_foreign(e, ev);
}

/* Returns the number of matches or an error. For codes without a name *ev stays NULL. */
static int find_in_tables(struct events *e, const char *text, const struct uncoremsr_event **ev)
{
	const char *uarch;
	int err = 0;

	for (size_t i = 0; !*ev && (uarch = events_uarch(e, i)); i++) {
		/* Search by name first: an event of a port cannot be encoded without the port. */
		err = uncoremsr_event_find(e->um, uarch, text, keep, ev);
		if (!*ev)
			err = uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, uarch, text, keep_encoding, ev);
	}
	return err;
}

/* An event that only the kernel counts here is shown with the config values of its first unit. */
static int explain_by_kernel(void *user, const struct uncoremsr_encoding *enc)
{
	static const char *const words[] = { "config", "config1", "config2", "config3" };
	struct events *e = user;

	page_begin(e, "event", enc->name);
	page_str(e, "description", "counts", enc->description);
	page_str(e, "class", "class", "kernel event");
	page_str(e, "pmu", "PMU", enc->family);
	page_fmt(e, "units", "units", "%u", (unsigned)enc->units);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!i || enc->config[i])
			page_word(e, words[i], words[i], enc->config[i]);
	if (enc->measure)
		page_str(e, "scale", "scale", enc->scale);
	page_str(e, "measure", "measure", enc->measure);
	page_end(e);
	return 1;
}

int events_explain_name(struct events *e, const char *text)
{
	const struct uncoremsr_event *ev = NULL;
	struct kinds kinds = { .num = 0 };
	int err, num, status = TOOL_DONE;

	if (strpbrk(text, "*["))
		return tool_usage("explain: '%s': one name at a time; \"list %s\" "
				  "shows the events that match", text, text);
	err = uncoremsr_event_find(e->um, e->chosen, text, keep_kind, &kinds);
	if (err == SEVERAL_NAMES)
		return tool_usage("explain: '%s': one name at a time", text);
	for (size_t i = 0; i < kinds.num && status == TOOL_DONE; i++)
		status = explain_other(e, kinds.at[i]);
	if (kinds.num)
		return status;
	err = find_in_tables(e, text, &ev);
	if (err > 1)
		return tool_usage("explain: '%s': one name at a time", text);
	if (ev)
		return explain_event(e, ev);
	if (err > 0)
		return events_decode_form(e, text);
	if (!e->chosen) {
		/* Encode with any route, as the sub-command encode and uncore-read do. */
		num = uncoremsr_encode(e->um, UNCOREMSR_ROUTE_AUTO, NULL, text, NULL, NULL);
		if (num == 1)
			num = uncoremsr_encode(e->um, UNCOREMSR_ROUTE_AUTO, NULL, text, explain_by_kernel, e);
		if (num > 0)
			return TOOL_DONE;
		/* If this machine has no tables, search all tables again: their error message is the useful one. */
		err = e->uarch ? num : find_in_tables(e, text, &ev);
	}
	/*
	 * The error message of the lists suggests names. After all tables were searched, the last error is only about
	 * the last table: print a general message.
	 */
	if (uncoremsr_event_list(e->um, 0))
		uncoremsr_event_find(e->um, e->chosen, text, NULL, NULL);
	else if (!e->uarch && err == -ENOENT)
		return tool_usage("%s: '%s': no event, metric, register or word of that "
				  "name in any table; codes of a PMU need a processor (--uarch=NAME)",
				  e->common.command->name, text);
	return tool_fail(e->um);
}

static bool parse_bit(const char *text, unsigned *bit)
{
	uint64_t n;

	if (strncasecmp(text, "bit", 3) != 0 || !number_parse(text + 3, 0, 63, &n, NULL))
		return false;
	doubt_number("explain", text + 3, false);
	*bit = (unsigned)n;
	return true;
}

enum { LAST_ADDRESS = 0xffff }; /* higher numbers that are in no table are decoded as selector words */

int events_explain(struct events *e)
{
	const char *text = e->common.words[0];
	const struct uncoremsr_register *reg = events_register(e, text);
	const struct explanation *word = explanation(NULL, text);
	uint64_t number;
	unsigned bit;
	int status;

	doubt_number("explain", text, true);
	if (reg)
		return explain_register(e, reg);
	if (parse_bit(text, &bit))
		return explain_bit(e, bit, text);
	if (number_parse(text, 0, UINT64_MAX, &number, NULL))
		return number <= LAST_ADDRESS ? explain_address(e, number)
					      : events_decode_selector(e, text, number);
	if (events_perf_raw(text, &number))
		return events_decode_word(e, events_core_selector(e), number);
	if (strstr(text, "/raw=") || strstr(text, "/config="))
		return events_decode_form(e, text);
	if (explain_field(e, text))
		return TOOL_DONE;
	if (word) {
		page_begin(e, "word", word->word);
		page_str(e, "description", "means", word->text);
		page_end(e);
		return TOOL_DONE;
	}
	if (explain_platform_field(e, text))
		return TOOL_DONE;
	status = events_explain_metric_name(e, text);
	return status != TOOL_GO_ON ? status : events_explain_name(e, text);
}
