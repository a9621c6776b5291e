/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncore-events list, search and explain where event lists were loaded: their events follow ours.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/page.h"

/* Which events of the lists are shown. Those kept for compatibility are left out: they are counted
 * under their names all the same. */
static bool is_shown(const struct events *e, const struct uncoremsr_listed_event *ev)
{
	if (uncoremsr_listed_event_deprecated(ev) && !e->deprecated)
		return false;
	if (strcmp(e->command, "list") == 0)
		return !e->num_words || fnmatch(e->words[0], uncoremsr_listed_event_name(ev),
						FNM_CASEFOLD) == 0;
	for (size_t i = 0; i < e->num_words; i++)
		if (!strcasestr(uncoremsr_listed_event_name(ev), e->words[i]) &&
		    !strcasestr(uncoremsr_listed_event_description(ev), e->words[i]))
			return false;
	return true;
}

/* The value of a term; unknown without it. */
static void put_term(struct out *o, const char *terms, const char *name, bool json)
{
	size_t len = strlen(name);

	for (const char *at = terms; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, len) == 0 && at[len] == '=') {
			events_put_word(o, strtoull(at + len + 1, NULL, 0), json);
			return;
		}
	}
	out_str(o, json ? "null" : "");
}

static void put_cell(struct events *e, const struct uncoremsr_listed_event *ev, const char *column,
		     bool json)
{
	struct out *o = &e->out;

	if (strcmp(column, "name") == 0)
		events_put_text(o, uncoremsr_listed_event_name(ev), json);
	else if (strcmp(column, "pmu") == 0)
		events_put_text(o, uncoremsr_listed_event_pmu(ev), json);
	else if (strcmp(column, "class") == 0)
		events_put_text(o, "event list", json);
	else if (strcmp(column, "event_select") == 0)
		put_term(o, uncoremsr_listed_event_terms(e->um, ev), "event", json);
	else if (strcmp(column, "umask") == 0)
		put_term(o, uncoremsr_listed_event_terms(e->um, ev), "umask", json);
	else if (strcmp(column, "unit") == 0)
		events_put_text(o, uncoremsr_listed_event_unit(ev), json);
	else if (strcmp(column, "description") == 0)
		events_put_text(o, uncoremsr_listed_event_description(ev), json);
	else if (strcmp(column, "terms") == 0)
		events_put_text(o, uncoremsr_listed_event_terms(e->um, ev), json);
	else if (strcmp(column, "counters") == 0)
		events_put_text(o, uncoremsr_listed_event_counters(ev), json);
	else if (strcmp(column, "impossible") == 0)
		events_put_text(o, uncoremsr_listed_event_impossible(ev), json);
	else
		out_str(o, json ? "null" : "");
}

/* Behind the columns that events of our tables have. */
static const char *const more_columns[] = { "terms", "counters", "impossible" };

enum { NUM_MORE = sizeof(more_columns) / sizeof(more_columns[0]) };

static void put_row(struct events *e, const struct uncoremsr_listed_event *ev, bool json)
{
	struct out *o = &e->out;

	for (size_t i = 0; i < events_num_columns + NUM_MORE; i++) {
		const char *column = i < events_num_columns
					     ? events_columns[i].name
					     : more_columns[i - events_num_columns];

		if (json)
			out_fmt(o, "%s\"%s\":", i ? "," : "{", column);
		else if (i)
			out_char(o, ',');
		put_cell(e, ev, column, json);
	}
	out_str(o, json ? "}\n" : "\n");
}

static void put_line(struct out *o, const struct uncoremsr_listed_event *ev)
{
	size_t start = o->len;

	out_str(o, uncoremsr_listed_event_name(ev));
	out_pad(o, start, 45, true);
	start = o->len;
	out_fmt(o, "%s ", uncoremsr_listed_event_pmu(ev));
	out_pad(o, start, 22, true);
	out_str(o, uncoremsr_listed_event_description(ev));
	out_char(o, '\n');
}

static void put_files(const struct events *e, struct out *o)
{
	const char *path, *version;

	for (size_t i = 0; (path = uncoremsr_event_list_file(e->um, i, &version)); i++)
		out_fmt(o, "event list %s%s%s\n", path, *version ? ", version " : "", version);
}

/* @rows: of our own tables, in CSV, with a head; the cells they lack are added. */
static void widen(struct out *o, size_t from)
{
	static const char head[] = ",terms,counters,impossible", row[] = ",,,";
	char *old = strndup(o->buf + from, o->len - from), *at = old;
	const char *more = head;

	if (!old)
		return;
	o->len = from;
	for (char *end; (end = strchr(at, '\n')); at = end + 1, more = row) {
		out_mem(o, at, (size_t)(end - at));
		out_str(o, more);
		out_char(o, '\n');
	}
	free(old);
}

static size_t show(struct events *e)
{
	const struct uncoremsr_listed_event *ev;
	size_t num = 0;

	for (size_t i = 0; (ev = uncoremsr_listed_event(e->um, i)); i++) {
		if (!is_shown(e, ev))
			continue;
		if (!num++ && e->common.format == TOOL_TEXT)
			put_files(e, &e->out);
		if (e->common.format == TOOL_TEXT)
			put_line(&e->out, ev);
		else
			put_row(e, ev, e->common.format == TOOL_JSON);
	}
	return num;
}

int events_with_lists(struct events *e, size_t (*tables)(struct events *e))
{
	size_t start = e->out.len, num;
	bool csv = e->common.format == TOOL_CSV;

	if (csv)
		events_put_heads(&e->out, events_columns, events_num_columns);
	num = e->uarch ? tables(e) : 0;
	if (csv)
		widen(&e->out, start);
	if (num + show(e))
		return TOOL_DONE;
	e->out.len = start;
	return tool_say(&events_tool, TOOL_USAGE,
			"%s: no event of that name or with these words, neither in the tables "
			"nor in the event lists", e->command);
}

int events_explain_listed(struct events *e, const struct uncoremsr_listed_event *ev)
{
	struct page p;

	page_begin(&p, e, "event", uncoremsr_listed_event_name(ev));
	page_str(&p, "description", "counts", uncoremsr_listed_event_description(ev));
	page_str(&p, "class", "class", "event list");
	page_str(&p, "pmu", "PMU", uncoremsr_listed_event_pmu(ev));
	page_str(&p, "unit", "unit", uncoremsr_listed_event_unit(ev));
	page_str(&p, "terms", "terms", uncoremsr_listed_event_terms(e->um, ev));
	page_str(&p, "counters", "counters", uncoremsr_listed_event_counters(ev));
	page_str(&p, "impossible", "not by perf", uncoremsr_listed_event_impossible(ev));
	if (uncoremsr_listed_event_deprecated(ev))
		page_str(&p, "note", "note", "the name is kept for compatibility only");
	page_end(&p);
	return TOOL_DONE;
}
