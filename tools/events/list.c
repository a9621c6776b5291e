/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list and search: names from every source. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/properties.h"
#include "events/events.h"

struct found {
	struct events *e;
	const struct uncoremsr_event **events;
	size_t num;
};

/* A deprecated name is shown only with --deprecated; it can be counted in any case. */
static int append_event(void *user, const struct uncoremsr_event *ev)
{
	struct found *f = user;

	if (ev->deprecated > 0 && !f->e->deprecated)
		return 0;
	NEED_APPEND(f->events, f->num, ev);
	return 0;
}

/* @text may be NULL. */
static bool has_words(const struct events *e, const char *name, const char *text)
{
	for (size_t i = 0; i < e->common.num_words; i++)
		if (!strcasestr(name, e->common.words[i]) && !(text && strcasestr(text, e->common.words[i])))
			return false;
	return true;
}

static void add_all(struct found *f, const struct uncoremsr_event *(*get)(struct uncoremsr *, const char *, size_t),
		    const char *uarch)
{
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = get(f->e->um, uarch, i)); i++)
		if (has_words(f->e, ev->name, ev->description))
			append_event(f, ev);
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

/* @pmu: write PMU/NAME/. */
static void put_name(struct out *o, const struct uncoremsr_event *ev, bool pmu, size_t width)
{
	size_t start = o->len;

	if (pmu) {
		out_text_str(o, ev->pmu);
		out_char(o, '/');
	}
	out_text_str(o, ev->name);
	out_str(o, pmu ? "/" : "");
	out_column(o, start, width);
}

/* Events of the kernel's PMUs are marked as in perf list. */
static void put_catalog_line(struct out *o, const struct uncoremsr_event *ev)
{
	const char *measure = ev->measure ? ev->measure : "", *text = ev->description ? ev->description : "";

	put_name(o, ev, true, 51);
	out_fmt(o, "[Kernel PMU event] %-7s", ev->level);
	if (ev->scale || ev->measure) {
		out_str(o, "x ");
		out_text_str(o, ev->scale ? ev->scale : "1");
		out_str(o, *measure ? " " : "");
		out_text_str(o, measure);
		out_str(o, *text ? ": " : "");
	}
	out_text_str(o, text);
	out_char(o, '\n');
}

/* @plain: leave out the PMU. */
static void put_table_line(struct out *o, const struct uncoremsr_event *ev, bool plain)
{
	size_t start;

	put_name(o, ev, !plain, 45);
	start = o->len;
	if (ev->event_select == UINT64_MAX)
		out_str(o, "fixed");
	else if (strcmp(ev->pmu, "mbox") == 0)
		out_fmt(o, "0x%llx", (unsigned long long)ev->word);
	else
		out_fmt(o, "0x%02x:0x%02x", (unsigned)ev->event_select, (unsigned)ev->unit_mask);
	out_column(o, start, 11);
	start = o->len;
	out_str(o, ev->kind);
	out_column(o, start, 11);
	out_fmt(o, "%s\n", ev->description);
}

static void put_line(struct out *o, const struct uncoremsr_event *ev)
{
	const char *text = ev->description;
	size_t start;

	put_name(o, ev, false, 45);
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

static void put_source(const struct found *f, const struct events_source *source)
{
	const char *from = source->word;
	struct events *e = f->e;
	struct records *w = &e->w;
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

/*
 * Core events that perf or the kernel names are shown only if the user asked and nothing but such events and metrics
 * was found. If the user named a catalog, which lists all events of its machine, only its events and metrics are shown.
 */
static void take_out_others(struct found *f)
{
	bool named = false, others = !f->e->common.num_words;
	size_t num = 0;

	for (size_t i = 0; i < f->num; i++) {
		const struct uncoremsr_event *ev = f->events[i];

		f->e->catalog |= ev->level != NULL;
		named |= events_is_from(ev, "imc") && f->e->lists.num;
		others |= !events_is_of_core(ev) && !events_is_from(ev, "metric");
	}
	for (size_t i = 0; i < f->num; i++) {
		const struct uncoremsr_event *ev = f->events[i];
		bool listed = events_is_from(ev, "list") || events_is_from(ev, "imc") || events_is_from(ev, "metric");

		if (!(named && !listed) && !(others && events_is_of_core(ev)))
			f->events[num++] = ev;
	}
	f->num = num;
}

/* False: nothing was found. */
static bool show(struct found *f)
{
	struct events *e = f->e;
	bool events = false, own_names = uncoremsr_event_list(e->um, 0);
	size_t num = EVENTS_SOURCES;

	take_out_others(f);
	if (!f->num)
		return false;
	e->wide = own_names;
	for (size_t i = 0; i < f->num; i++) {
		const struct uncoremsr_event *ev = f->events[i];
		bool table = events_is_from(ev, "table"), metric = events_is_from(ev, "metric");

		events |= !metric;
		e->wide |= !metric && !table;
		own_names |= table || events_is_from(ev, "list") || events_is_from(ev, "imc");
	}
	if (e->w.format == &record_csv)
		record_head(&e->w, events_columns, EVENTS_COLUMNS);
	/* Metrics are the last source. Text always shows them; records show them only if no event was found. */
	if (events && !records_for_people(&e->w))
		num--;
	for (size_t i = 0; i < num; i++)
		put_source(f, &events_sources[i]);
	if (records_for_people(&e->w) && !e->common.num_words && !own_names)
		out_str(&e->out, "other names are in the event lists of this processor's vendor: --event-list=FILE, "
			"or\n\"uncore-events import\", see uncore-events(1)\n");
	return true;
}

static int no_names(const struct events *e)
{
	return tool_say(TOOL_USAGE, "%s: no event of that name or with these words, neither in the tables "
			"nor in the event lists%s", e->common.command->name,
			uncoremsr_event_list(e->um, 0) ? ""
			: "; other names are in the event lists of this processor's vendor: "
			  "--event-list=FILE, or \"uncore-events import\"");
}

/* If no name or pattern matches, find events whose names contain the text. */
static int find(struct events *e, const char *text, struct found *f)
{
	int num = uncoremsr_event_find(e->um, e->chosen, text, append_event, f);
	char part[128];

	if (num != -ENOENT || strpbrk(text, "*?[/:") ||
	    snprintf(part, sizeof(part), "*%s*", text) >= (int)sizeof(part) ||
	    (num = uncoremsr_event_find(e->um, e->chosen, part, append_event, f)) > 0)
		return num;
	/* Search for the original text again, so that the error message is about this text. */
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
	if (e->common.num_words)
		num = find(e, e->common.words[0], &f);
	else
		add_all(&f, uncoremsr_event, e->chosen);
	if (num == -EINVAL || (num < 0 && e->uarch && !uncoremsr_event_list(e->um, 0)))
		status = tool_fail(e->um);
	else if (!show(&f))
		status = no_names(e);
	/* With --verbose the refused entries were already printed while the lists were loaded. */
	if (!e->common.num_words && !e->common.verbose)
		event_lists_refused(e->um, false);
	free(f.events);
	return status;
}

int events_search(struct events *e)
{
	struct found f = { .e = e };
	int status = TOOL_DONE;

	add_all(&f, uncoremsr_event, e->chosen);
	/* Also search the metrics: the user may look for a value that no single event counts. */
	add_all(&f, uncoremsr_metric, e->uarch ? e->uarch : machine_uarch(e->um));
	if (!show(&f))
		status = !e->uarch || uncoremsr_event_list(e->um, 0)
				 ? no_names(e)
				 : tool_say(TOOL_USAGE, "search: no event or metric of %s "
					    "has %s in its name or description; try fewer or other "
					    "words, or \"uncore-events list\"", e->uarch,
					    e->common.num_words > 1 ? "all these words" : "this word");
	free(f.events);
	return status;
}
