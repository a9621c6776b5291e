/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list and search: names of every source. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/array.h"
#include "common/properties.h"
#include "events/events.h"

/* The events that were found, in the order of the sources. */
struct found {
	struct events *e;
	const struct uncoremsr_event **events;
	size_t num;
	bool no_memory; /* out of memory: the list is incomplete, so nothing is shown */
};

/* Add an event, but not a deprecated name (it can still be counted). */
static int append_event(void *user, const struct uncoremsr_event *ev)
{
	struct found *f = user;

	if (ev->deprecated > 0 && !f->e->deprecated)
		return 0;
	f->no_memory |= ARRAY_APPEND(f->events, f->num, ev) != 0;
	return f->no_memory ? -1 : 0;
}

/* Does the name or the text have all words of the search? @text may be NULL. */
static bool has_words(const struct events *e, const char *name, const char *text)
{
	for (size_t i = 0; i < e->num_words; i++)
		if (!strcasestr(name, e->words[i]) && !(text && strcasestr(text, e->words[i])))
			return false;
	return true;
}

/* Add the events with all words, of the chosen processor and of the lists given by --event-list. */
static void add_all(struct found *f)
{
	struct events *e = f->e;
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->chosen, i)); i++)
		if (has_words(e, ev->name, ev->description))
			append_event(f, ev);
}

/* Add the metrics with all words, because the user may look for something that no single event counts. */
static void add_metrics(struct found *f)
{
	const char *uarch = f->e->uarch ? f->e->uarch : machine_uarch(f->e->um);
	const struct uncoremsr_event *m;

	for (size_t i = 0; (m = uncoremsr_metric(f->e->um, uarch, i)); i++)
		if (has_words(f->e, m->name, m->description))
			append_event(f, m);
}

/* ---- text ---- */

static void put_head(struct events *e, const struct events_source *source)
{
	const struct uncoremsr_event_list *list;

	if (source->heading)
		out_fmt(&e->out, "%s\n", source->heading);
	else if (strcmp(source->word, "table") == 0)
		out_fmt(&e->out, "%s: %s\n%-45s%-11s%-11s%s\n", e->uarch,
			strcmp(e->uarch, "core") == 0
				? "core events, architectural, one count per logical CPU"
				: "uncore events, model-specific (not architectural), one count "
				  "per package", "event", "codes", "kind", "counts");
	else
		for (size_t i = 0; (list = uncoremsr_event_list(e->um, i)); i++)
			out_fmt(&e->out, "event list %s%s%s\n", list->file, *list->version ? ", version " : "",
				list->version);
}

/* Write a line of an in-memory counter; events that the kernel counts are marked as in perf list. */
static void put_catalog_line(struct out *o, const struct uncoremsr_event *ev)
{
	size_t start = o->len;

	out_text_str(o, ev->pmu);
	out_char(o, '/');
	out_text_str(o, ev->name);
	out_char(o, '/');
	out_column(o, start, 51);
	out_fmt(o, "[Kernel PMU event] %-7s", ev->level);
	if (ev->scale || ev->measure) {
		out_str(o, "x ");
		out_text_str(o, ev->scale ? ev->scale : "1");
		out_str(o, ev->measure && *ev->measure ? " " : "");
		out_text_str(o, ev->measure ? ev->measure : "");
		out_str(o, ev->description ? ": " : "");
	}
	out_text_str(o, ev->description ? ev->description : "");
	out_char(o, '\n');
}

static void put_codes(struct out *o, const struct uncoremsr_event *ev)
{
	size_t start = o->len;

	if (ev->event_select == UINT64_MAX)
		out_str(o, "fixed");
	else if (strcmp(ev->pmu, "mbox") == 0)
		out_fmt(o, "0x%llx", (unsigned long long)ev->word);
	else
		out_fmt(o, "0x%02x:0x%02x", (unsigned)ev->event_select, (unsigned)ev->unit_mask);
	out_column(o, start, 11);
}

/* Write a line of the tables; with the event's PMU if there are several. */
static void put_table_line(struct out *o, const struct uncoremsr_event *ev, bool plain)
{
	size_t start = o->len;

	if (!plain)
		out_fmt(o, "%s/", ev->pmu);
	out_text_str(o, ev->name);
	if (!plain)
		out_char(o, '/');
	out_column(o, start, 45);
	put_codes(o, ev);
	start = o->len;
	out_str(o, ev->kind);
	out_column(o, start, 11);
	out_fmt(o, "%s\n", ev->description);
}

static void put_line(struct out *o, const struct uncoremsr_event *ev)
{
	const char *text = ev->description;
	size_t start = o->len;

	out_text_str(o, ev->name);
	out_column(o, start, 45);
	start = o->len;
	out_fmt(o, "%s ", ev->pmu);
	out_column(o, start, 22);
	if (!text && !events_is_from(ev, "list"))
		text = ev->terms;
	out_text_str(o, text ? text : "");
	if (ev->measure)
		out_fmt(o, ", in %s", ev->measure);
	out_char(o, '\n');
}

/* ---- the result ---- */

static void put_source(struct records *w, const struct found *f, const struct events_source *source)
{
	const char *from = source->word;
	struct events *e = f->e;
	bool table = strcmp(from, "table") == 0, metric = strcmp(from, "metric") == 0;
	bool csv = w->format == &record_csv, any = false;

	for (size_t i = 0; i < f->num; i++) {
		struct events_row row = events_row(e, f->events[i], NULL);

		if (!events_is_from(row.event, from))
			continue;
		if (!any && records_for_people(w))
			put_head(e, source);
		any = true;
		if (!csv && !metric)
			e->wide = !table;
		if (!records_for_people(w))
			record_row(w, events_columns, EVENTS_COLUMNS, &row);
		else if (table)
			put_table_line(&e->out, row.event, events_is_plain(e));
		else if (metric)
			events_put_metric(&e->out, row.event, false);
		else if (row.event->level)
			put_catalog_line(&e->out, row.event);
		else
			put_line(&e->out, row.event);
	}
}

static void filter(struct found *f, bool (*kept)(const struct uncoremsr_event *ev))
{
	size_t num = 0;

	for (size_t i = 0; i < f->num; i++)
		if (kept(f->events[i]))
			f->events[num++] = f->events[i];
	f->num = num;
}

static bool is_not_of_core(const struct uncoremsr_event *ev)
{
	return !events_is_of_core(ev);
}

/*
 * Remove core events whose names are from perf or the kernel. They stay only if the user gave a name or words, and
 * nothing else was found except metrics.
 */
static void take_out_cores(struct found *f, bool asked)
{
	bool others = false;

	for (size_t i = 0; i < f->num; i++)
		others |= is_not_of_core(f->events[i]) && !events_is_from(f->events[i], "metric");
	if (!asked || others)
		filter(f, is_not_of_core);
}

static bool is_named_list(const struct uncoremsr_event *ev)
{
	return events_is_from(ev, "list") || events_is_from(ev, "imc") || events_is_from(ev, "metric");
}

/*
 * If the user named a catalog, remove events of tables and of the kernel: the catalog has all events of this machine,
 * or is of another machine.
 */
static void take_out_others(struct found *f)
{
	bool named = false;

	for (size_t i = 0; i < f->num; i++) {
		f->e->catalog |= f->events[i]->level != NULL;
		named |= events_is_from(f->events[i], "imc");
	}
	if (named && f->e->lists.num)
		filter(f, is_named_list);
}

/* Does a table, a list or a catalog have names for this processor? */
static bool has_own_names(const struct found *f)
{
	for (size_t i = 0; i < f->num; i++)
		if (events_is_from(f->events[i], "table") || events_is_from(f->events[i], "list") ||
		    events_is_from(f->events[i], "imc"))
			return true;
	return uncoremsr_event_list(f->e->um, 0) != NULL;
}

/* Show the result. @asked: the user gave a name or words. False: nothing was found. */
static bool show(struct found *f, bool asked)
{
	size_t num = EVENTS_SOURCES, events = 0;
	struct records w;

	take_out_others(f);
	take_out_cores(f, asked);
	if (!f->num)
		return false;
	records_init(&w, &f->e->common, &f->e->out, f->e);
	f->e->wide = uncoremsr_event_list(f->e->um, 0) != NULL;
	for (size_t i = 0; i < f->num; i++) {
		bool metric = events_is_from(f->events[i], "metric");

		events += !metric;
		f->e->wide |= !metric && !events_is_from(f->events[i], "table");
	}
	if (w.format == &record_csv)
		record_head(&w, events_columns, EVENTS_COLUMNS);
	/* Records contain only events, if any were found; text shows metrics, too. */
	if (events && !records_for_people(&w))
		num--;
	for (size_t i = 0; i < num; i++)
		put_source(&w, f, &events_sources[i]);
	if (records_for_people(&w) && !asked && !has_own_names(f))
		out_str(&f->e->out, "other names are in the event lists of this processor's vendor: --event-list=FILE, "
			"or\n\"uncore-events import\", see uncore-events(1)\n");
	records_free(&w);
	return true;
}

static int no_names(const struct events *e)
{
	return tool_say(TOOL_USAGE, "%s: no event of that name or with these words, neither in the tables "
			"nor in the event lists%s", e->command,
			uncoremsr_event_list(e->um, 0) ? ""
			: "; other names are in the event lists of this processor's vendor: "
			  "--event-list=FILE, or \"uncore-events import\"");
}

/* Find events by name or pattern; if there is none, by a part of their names. */
static int find(struct events *e, const char *text, struct found *f)
{
	int num = uncoremsr_event_find(e->um, e->chosen, text, append_event, f);
	char part[128];

	if (num != -ENOENT || strpbrk(text, "*?[/:") ||
	    snprintf(part, sizeof(part), "*%s*", text) >= (int)sizeof(part) ||
	    (num = uncoremsr_event_find(e->um, e->chosen, part, append_event, f)) > 0)
		return num;
	/* Search for the original text again, so that the error message is about it. */
	return uncoremsr_event_find(e->um, e->chosen, text, append_event, f);
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
		num = find(e, e->words[0], &f);
	else
		add_all(&f);
	if (f.no_memory)
		status = tool_no_memory();
	else if (num == -EINVAL || (num < 0 && e->uarch && !uncoremsr_event_list(e->um, 0)))
		status = tool_fail(e->um);
	else if (!show(&f, e->num_words > 0))
		status = no_names(e);
	/* With --verbose the entries that were left out were printed when the lists were loaded. */
	if (!e->num_words && !e->common.verbose)
		event_lists_refused(e->um, false);
	free(f.events);
	return status;
}

int events_search(struct events *e)
{
	struct found f = { .e = e };
	int status = TOOL_DONE;

	add_all(&f);
	add_metrics(&f);
	if (f.no_memory)
		status = tool_no_memory();
	else if (!show(&f, true))
		status = !e->uarch || uncoremsr_event_list(e->um, 0)
				 ? no_names(e)
				 : tool_say(TOOL_USAGE, "search: no event or metric of %s "
					    "has %s in its name or description; try fewer or other "
					    "words, or \"uncore-events list\"", e->uarch,
					    e->num_words > 1 ? "all these words" : "this word");
	free(f.events);
	return status;
}
