/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list and search: names of every source. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/properties.h"
#include "events/events.h"

/* What was asked for, in the order of the sources. */
struct found {
	struct events *e;
	const struct uncoremsr_event **events;
	size_t num;
	bool no_memory;
};

/* Names kept for compatibility are left out: they are counted under their names anyway. */
static int add(void *user, const struct uncoremsr_event *ev)
{
	struct found *f = user;
	const struct uncoremsr_event **grown = f->events;

	if (event_number(ev, UNCOREMSR_EVENT_DEPRECATED) > 0 && !f->e->deprecated)
		return 0;
	/* Doubled when full: their number is then a power of two. */
	if (!(f->num & (f->num - 1)))
		grown = realloc(f->events, (f->num ? 2 * f->num : 1) * sizeof(*grown));
	f->no_memory |= !grown;
	if (!grown)
		return -1;
	f->events = grown;
	f->events[f->num++] = ev;
	return 0;
}

static bool has_words(const struct events *e, const struct uncoremsr_event *ev)
{
	const char *text = uncoremsr_event_text(ev, UNCOREMSR_EVENT_DESCRIPTION);

	for (size_t i = 0; i < e->num_words; i++)
		if (!strcasestr(event_name(ev), e->words[i]) &&
		    !(text && strcasestr(text, e->words[i])))
			return false;
	return true;
}

/* Those of the chosen processor with all words, and of the lists that were named beside it. */
static void add_all(struct found *f)
{
	struct events *e = f->e;
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->chosen, i)); i++)
		if (has_words(e, ev))
			add(f, ev);
}

/* ---- text ---- */

static void put_head(struct events *e, const char *from)
{
	const char *path, *version;

	if (strcmp(from, "table") == 0)
		out_fmt(&e->out, "%s: %s\n%-45s%-11s%-11s%s\n", e->uarch,
			strcmp(e->uarch, "core") == 0
				? "core events, architectural, one count per logical CPU"
				: "uncore events, model-specific (not architectural), one count "
				  "per package", "event", "codes", "kind", "counts");
	else if (strcmp(from, "list") == 0)
		for (size_t i = 0; (path = uncoremsr_event_list_file(e->um, i, &version)); i++)
			out_fmt(&e->out, "event list %s%s%s\n", path, *version ? ", version " : "",
				version);
	else
		out_fmt(&e->out, "%s\n", strcmp(from, "fixed") == 0
			? "what fixed and free-running counters count; other names come from event "
			  "lists (--event-list=FILE)"
			: strcmp(from, "kernel") == 0 ? "events of the kernel's PMUs" : "perf's names, the same on every processor");
}

static void put_codes(struct out *o, const struct uncoremsr_event *ev)
{
	size_t start = o->len;
	int64_t event = event_number(ev, UNCOREMSR_EVENT_SELECT);

	if (event < 0)
		out_str(o, "fixed");
	else if (strcmp(uncoremsr_event_text(ev, UNCOREMSR_EVENT_PMU), "mbox") == 0)
		out_fmt(o, "0x%llx", (unsigned long long)event_number(ev, UNCOREMSR_EVENT_WORD));
	else
		out_fmt(o, "0x%02x:0x%02x", (unsigned)event,
			(unsigned)event_number(ev, UNCOREMSR_EVENT_UNIT_MASK));
	out_pad(o, start, 11, true);
}

/* Where there are several PMUs, with that of the event. */
static void put_table_line(struct out *o, const struct uncoremsr_event *ev, bool plain)
{
	size_t start = o->len;

	if (!plain)
		out_fmt(o, "%s/", uncoremsr_event_text(ev, UNCOREMSR_EVENT_PMU));
	out_text_str(o, event_name(ev));
	if (!plain)
		out_char(o, '/');
	out_pad(o, start, 45, true);
	put_codes(o, ev);
	start = o->len;
	out_str(o, uncoremsr_event_text(ev, UNCOREMSR_EVENT_KIND));
	out_pad(o, start, 11, true);
	out_fmt(o, "%s\n", uncoremsr_event_text(ev, UNCOREMSR_EVENT_DESCRIPTION));
}

static void put_line(struct out *o, const struct uncoremsr_event *ev)
{
	const char *text = uncoremsr_event_text(ev, UNCOREMSR_EVENT_DESCRIPTION);
	const char *measure = uncoremsr_event_text(ev, UNCOREMSR_EVENT_MEASURE);
	size_t start = o->len;

	out_text_str(o, event_name(ev));
	out_pad(o, start, 45, true);
	start = o->len;
	out_fmt(o, "%s ", uncoremsr_event_text(ev, UNCOREMSR_EVENT_PMU));
	out_pad(o, start, 22, true);
	if (!text && !events_is_from(ev, "list"))
		text = uncoremsr_event_text(ev, UNCOREMSR_EVENT_TERMS);
	out_text_str(o, text ? text : "");
	if (measure)
		out_fmt(o, ", in %s", measure);
	out_char(o, '\n');
}

/* ---- all of them ---- */

static void put_source(struct records *w, const struct found *f, const char *from)
{
	struct events *e = f->e;
	bool table = strcmp(from, "table") == 0, csv = w->format == &record_csv, any = false;

	for (size_t i = 0; i < f->num; i++) {
		struct events_row row = { .e = e, .event = f->events[i] };

		if (!events_is_from(row.event, from))
			continue;
		if (!any && records_for_people(w))
			put_head(e, from);
		any = true;
		if (!csv)
			e->wide = !table;
		if (!records_for_people(w))
			record_row(w, events_columns, EVENTS_COLUMNS, &row);
		else if (table)
			put_table_line(&e->out, row.event, events_is_plain(e));
		else
			put_line(&e->out, row.event);
	}
}

/* Events of cores, as perf and the kernel call them, are shown where they are looked for and where no
 * other source has such a name. Otherwise they are taken out of what was found. */
static void take_out_cores(struct found *f, bool asked)
{
	size_t num = 0;

	for (size_t i = 0; i < f->num; i++)
		if (!events_is_of_core(f->events[i]))
			f->events[num++] = f->events[i];
	if (num || !asked)
		f->num = num;
}

/* @asked: a name or words were given. */
static bool show(struct found *f, bool asked)
{
	static const char *const sources[] = { "table", "fixed", "list", "kernel", "perf" };
	struct records w;

	take_out_cores(f, asked);
	if (!f->num)
		return false;
	records_init(&w, &f->e->common, &f->e->out, f->e);
	f->e->wide = uncoremsr_event_list_file(f->e->um, 0, NULL) != NULL;
	for (size_t i = 0; i < f->num; i++)
		f->e->wide |= !events_is_from(f->events[i], "table");
	if (w.format == &record_csv)
		record_head(&w, events_columns, EVENTS_COLUMNS);
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		put_source(&w, f, sources[i]);
	records_free(&w);
	return true;
}

static int no_names(const struct events *e)
{
	return tool_say(&events_tool, TOOL_USAGE,
			"%s: no event of that name or with these words, neither in the tables "
			"nor in the event lists%s", e->command,
			uncoremsr_event_list_file(e->um, 0, NULL) ? ""
			: " (none was named: --event-list=FILE)");
}

/* Some events are not among those that were found: then none is shown. */
static int no_memory(void)
{
	return tool_say(&events_tool, TOOL_PARTIAL, "out of memory");
}

int events_list(struct events *e)
{
	struct found f = { .e = e };
	int num = 0, status = TOOL_DONE;

	if (e->differences)
		return events_differences(e);
	if (e->metrics)
		return events_metrics(e);
	if (e->num_words)
		num = uncoremsr_event_find(e->um, e->chosen, e->words[0], add, &f);
	else
		add_all(&f);
	if (f.no_memory)
		status = no_memory();
	else if (num < 0 && (e->uarch && !uncoremsr_event_list_file(e->um, 0, NULL)))
		status = tool_fail(&events_tool, e->um);
	else if (!show(&f, e->num_words > 0))
		status = no_names(e);
	free(f.events);
	return status;
}

int events_search(struct events *e)
{
	struct found f = { .e = e };
	int status = TOOL_DONE;

	add_all(&f);
	if (f.no_memory)
		status = no_memory();
	else if (!show(&f, true) && (!e->uarch || uncoremsr_event_list_file(e->um, 0, NULL)))
		status = no_names(e);
	else if (!f.num)
		status = tool_say(&events_tool, TOOL_USAGE, "search: no event of %s has %s in its "
				  "name or description; try fewer or other words, or "
				  "\"uncore-events list\"", e->uarch,
				  e->num_words > 1 ? "all these words" : "this word");
	free(f.events);
	return status;
}
