/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list and search. */
#include <string.h>
#include <strings.h>

#include "events/events.h"

static void put_codes(struct out *o, const struct uncoremsr_event *ev, size_t width)
{
	size_t start = o->len;

	if (uncoremsr_event_select(ev) < 0)
		out_str(o, "fixed");
	else if (strcmp(uncoremsr_event_pmu(ev), "mbox") == 0)
		out_fmt(o, "0x%llx", (unsigned long long)uncoremsr_event_encoding(ev));
	else
		out_fmt(o, "0x%02x:0x%02x", (unsigned)uncoremsr_event_select(ev),
			(unsigned)uncoremsr_event_unit_mask(ev));
	out_pad(o, start, width, true);
}

/* Where there are several PMUs, with that of the event. */
static void put_line(struct out *o, const struct uncoremsr_event *ev, bool plain)
{
	size_t start = o->len;

	if (!plain)
		out_fmt(o, "%s/", uncoremsr_event_pmu(ev));
	out_str(o, uncoremsr_event_name(ev));
	if (!plain)
		out_char(o, '/');
	out_pad(o, start, 45, true);
	put_codes(o, ev, 11);
	start = o->len;
	out_str(o, uncoremsr_event_kind(ev));
	out_pad(o, start, 11, true);
	out_str(o, uncoremsr_event_description(ev));
	out_char(o, '\n');
}

static int put_event(void *user, const struct uncoremsr_event *ev)
{
	struct events *e = user;
	struct events_row row = { .e = e, .event = ev };

	if (e->common.format == TOOL_TEXT)
		put_line(&e->out, ev, events_is_plain(e));
	else
		events_put_row(&e->out, events_columns, events_num_columns, &row,
			       e->common.format == TOOL_JSON);
	return 0;
}

static void put_head(struct events *e)
{
	if (e->common.format == TOOL_CSV)
		events_put_heads(&e->out, events_columns, events_num_columns);
	else if (e->common.format == TOOL_TEXT)
		out_fmt(&e->out, "%s: %s\n%-45s%-11s%-11s%s\n", e->uarch,
			strcmp(e->uarch, "core") == 0
				? "core events, architectural, one count per logical CPU"
				: "uncore events, model-specific (not architectural), one count "
				  "per package", "event", "codes", "kind", "counts");
}

/* Beside event lists: what of the tables the pattern means, or all. */
static size_t list_tables(struct events *e)
{
	const struct uncoremsr_event *ev;
	size_t num = 0;
	int found;

	if (e->num_words) {
		found = uncoremsr_event_find(e->um, e->uarch, e->words[0], NULL, NULL);
		if (found <= 0)
			return 0;
		if (e->common.format == TOOL_TEXT)
			put_head(e);
		uncoremsr_event_find(e->um, e->uarch, e->words[0], put_event, e);
		return (size_t)found;
	}
	if (e->common.format == TOOL_TEXT)
		put_head(e);
	for (; (ev = uncoremsr_event(e->um, e->uarch, num)); num++)
		put_event(e, ev);
	return num;
}

int events_list(struct events *e)
{
	const struct uncoremsr_event *ev;

	if (e->differences)
		return events_differences(e);
	if (e->metrics)
		return events_metrics(e);
	if (uncoremsr_listed_event(e->um, 0))
		return events_with_lists(e, list_tables);
	if (e->num_words &&
	    uncoremsr_event_find(e->um, e->uarch, e->words[0], NULL, NULL) < 0)
		return tool_fail(&events_tool, e->um);
	put_head(e);
	if (e->num_words &&
	    uncoremsr_event_find(e->um, e->uarch, e->words[0], put_event, e) < 0)
		return tool_fail(&events_tool, e->um);
	for (size_t i = 0; !e->num_words && (ev = uncoremsr_event(e->um, e->uarch, i)); i++)
		put_event(e, ev);
	return TOOL_DONE;
}

static bool has_words(const struct events *e, const struct uncoremsr_event *ev)
{
	for (size_t i = 0; i < e->num_words; i++)
		if (!strcasestr(uncoremsr_event_name(ev), e->words[i]) &&
		    !strcasestr(uncoremsr_event_description(ev), e->words[i]))
			return false;
	return true;
}

static size_t search_tables(struct events *e)
{
	const struct uncoremsr_event *ev;
	size_t num = 0;

	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->uarch, i)); i++) {
		if (!has_words(e, ev))
			continue;
		if (!num++ && e->common.format == TOOL_TEXT)
			put_head(e);
		put_event(e, ev);
	}
	return num;
}

int events_search(struct events *e)
{
	const struct uncoremsr_event *ev;
	size_t num = 0;

	if (uncoremsr_listed_event(e->um, 0))
		return events_with_lists(e, search_tables);
	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->uarch, i)); i++) {
		if (!has_words(e, ev))
			continue;
		if (!num++)
			put_head(e);
		put_event(e, ev);
	}
	if (num)
		return TOOL_DONE;
	return tool_say(&events_tool, TOOL_USAGE, "search: no event of %s has %s in its name or "
			"description; try fewer or other words, or \"uncore-events list\"", e->uarch,
			e->num_words > 1 ? "all these words" : "this word");
}

/* ---- differences between the sources ---- */

struct difference {
	const char *event, *source, *what;
	int event_select, umask, their_event_select, their_umask; /* -1: none */
	const char *why;
};

static void put_difference_text(struct out *o, const struct difference *d)
{
	size_t start = o->len;

	out_str(o, d->event);
	out_pad(o, start, 45, true);
	if (d->event_select >= 0)
		out_fmt(o, "0x%02x:0x%02x  ", (unsigned)d->event_select, (unsigned)d->umask);
	else
		out_fmt(o, "%-11s", "none");
	out_fmt(o, "%-9s%s", d->source, d->what);
	if (d->their_event_select >= 0)
		out_fmt(o, " 0x%02x:0x%02x", (unsigned)d->their_event_select,
			(unsigned)d->their_umask);
	out_fmt(o, "%s%s\n", *d->why ? ": " : "", d->why);
}

static void put_difference_cell(struct out *o, const char *name, int code, const char *text,
				bool json)
{
	if (json)
		out_fmt(o, "\"%s\":", name);
	if (text)
		events_put_text(o, text, json);
	else if (code >= 0)
		events_put_word(o, (uint64_t)code, json);
	else
		out_str(o, json ? "null" : "");
}

static void put_difference(struct events *e, const struct difference *d)
{
	const struct {
		const char *name, *text;
		int code;
	} cells[] = {
		{ "name", d->event, -1 }, { "uarch", e->uarch, -1 },
		{ "event_select", NULL, d->event_select }, { "umask", NULL, d->umask },
		{ "source", d->source, -1 }, { "difference", d->what, -1 },
		{ "their_event_select", NULL, d->their_event_select },
		{ "their_umask", NULL, d->their_umask }, { "why", d->why, -1 },
	};
	size_t num = sizeof(cells) / sizeof(cells[0]);
	bool json = e->common.format == TOOL_JSON;

	if (e->common.format == TOOL_TEXT) {
		put_difference_text(&e->out, d);
		return;
	}
	for (size_t i = 0; i < num; i++) {
		out_str(&e->out, i ? "," : json ? "{" : "");
		put_difference_cell(&e->out, cells[i].name, cells[i].code, cells[i].text, json);
	}
	out_str(&e->out, json ? "}\n" : "\n");
}

/* The sources that mean to list every event; the kernel and pcm name a few. */
static const char *const catalogs[] = { "sdm", "freebsd", "libpfm4", "likwid" };

static bool lists(const struct uncoremsr_event *ev, const char *who)
{
	const char *source;
	unsigned event, umask;

	for (size_t i = 0; (source = uncoremsr_event_source(ev, i)); i++)
		if (strcmp(source, who) == 0)
			return true;
	for (size_t i = 0; (source = uncoremsr_event_dispute(ev, i, &event, &umask)); i++)
		if (strcmp(source, who) == 0)
			return true;
	return false;
}

static void differences_of(struct events *e, const struct uncoremsr_event *ev)
{
	struct difference d = {
		.event = uncoremsr_event_name(ev), .event_select = uncoremsr_event_select(ev),
		.umask = uncoremsr_event_unit_mask(ev), .why = "", .what = "other-codes",
	};
	unsigned event, umask;

	for (size_t i = 0; (d.source = uncoremsr_event_dispute(ev, i, &event, &umask)); i++) {
		d.their_event_select = (int)event;
		d.their_umask = (int)umask;
		put_difference(e, &d);
	}
	d.what = "not-listed";
	d.their_event_select = d.their_umask = -1;
	for (size_t i = 0; i < sizeof(catalogs) / sizeof(catalogs[0]); i++) {
		d.source = catalogs[i];
		if (!lists(ev, d.source))
			put_difference(e, &d);
	}
}

int events_differences(struct events *e)
{
	struct difference d = { .event_select = -1, .umask = -1, .what = "listed-there-only" };
	const struct uncoremsr_event *ev;
	unsigned event, umask;

	if (e->common.format == TOOL_CSV)
		out_str(&e->out, "name,uarch,event_select,umask,source,difference,"
				 "their_event_select,their_umask,why\n");
	else if (e->common.format == TOOL_TEXT)
		out_fmt(&e->out, "%s: where sources differ from the tables (%s)\n%-45s%-11s%-9s%s\n",
			e->uarch, "sdm, freebsd, libpfm4, likwid, kernel, pcm", "event", "codes",
			"source", "difference");
	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->uarch, i)); i++)
		differences_of(e, ev);
	for (size_t i = 0; (d.event = uncoremsr_event_left_out(e->uarch, i, &d.source, &event,
							       &umask, &d.why)); i++) {
		d.their_event_select = (int)event;
		d.their_umask = (int)umask;
		put_difference(e, &d);
	}
	return TOOL_DONE;
}
