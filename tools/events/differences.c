/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list --differences: where the sources of the tables differ. */
#include <stdio.h>
#include <string.h>

#include "events/events.h"

struct difference {
	const char *uarch, *event, *source, *what;
	uint64_t event_select, umask, their_event_select, their_umask; /* UINT64_MAX: none */
	const char *why;
};

static const struct record_column columns[] = {
	{ "name", RECORD_STR, RECORD_AT(difference, event) },
	{ "uarch", RECORD_STR, RECORD_AT(difference, uarch) },
	{ "event_select", RECORD_WORD, RECORD_AT(difference, event_select) },
	{ "umask", RECORD_WORD, RECORD_AT(difference, umask) },
	{ "source", RECORD_STR, RECORD_AT(difference, source) },
	{ "difference", RECORD_STR, RECORD_AT(difference, what) },
	{ "their_event_select", RECORD_WORD, RECORD_AT(difference, their_event_select) },
	{ "their_umask", RECORD_WORD, RECORD_AT(difference, their_umask) },
	{ "why", RECORD_STR, RECORD_AT(difference, why) },
};

static void put(struct events *e, const struct difference *d)
{
	struct out *o = &e->out;
	size_t start = o->len;

	if (!records_for_people(&e->w)) {
		record_row(&e->w, RECORD_COLUMNS(columns), d);
		return;
	}
	out_text_str(o, d->event);
	out_column(o, start, 45);
	if (d->event_select != UINT64_MAX)
		out_fmt(o, "0x%02x:0x%02x  ", (unsigned)d->event_select, (unsigned)d->umask);
	else
		out_fmt(o, "%-11s", "none");
	out_fmt(o, "%-9s%s", d->source, d->what);
	if (d->their_event_select != UINT64_MAX)
		out_fmt(o, " 0x%02x:0x%02x", (unsigned)d->their_event_select, (unsigned)d->their_umask);
	out_fmt(o, "%s%s\n", *d->why ? ": " : "", d->why);
}

/* The first four sources try to list every event; the kernel and pcm name only a few. */
static const char *const sources[] = { "sdm", "freebsd", "libpfm4", "likwid", "kernel", "pcm", "guide", "perfmon" };
enum { NUM_CATALOGS = 4, NUM_SOURCES = ARRAY_SIZE(sources) };

static bool lists(const struct uncoremsr_event *ev, const char *who)
{
	return list_has(ev->sources, who) || (ev->dispute && strcmp(ev->dispute->source, who) == 0);
}

/* Only sources that have events of this processor are compared. Write their names to @buf; returns their number. */
static size_t find_listing(const struct events *e, bool listing[NUM_SOURCES], char *buf, size_t size)
{
	const struct uncoremsr_event *ev;
	size_t num = 0;

	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->uarch, i)); i++)
		for (size_t k = 0; events_is_from(ev, "table") && k < NUM_SOURCES; k++)
			listing[k] |= lists(ev, sources[k]);
	*buf = '\0';
	for (size_t k = 0; k < NUM_SOURCES; k++)
		if (listing[k]) {
			list_add(buf, size, ", ", sources[k]);
			num++;
		}
	return num;
}

static void put_event(struct events *e, const struct uncoremsr_event *ev, const bool *listing)
{
	struct difference d = {
		.uarch = e->uarch, .event = ev->name, .event_select = ev->event_select, .umask = ev->unit_mask,
		.what = "other-codes",
	};
	char who[EVENTS_CHOICE], why[EVENTS_CHOICE + 80];

	events_who_has_it(ev, who, sizeof(who));
	d.why = why;
	if (ev->dispute) {
		d.source = ev->dispute->source;
		d.their_event_select = ev->dispute->event_select;
		d.their_umask = ev->dispute->unit_mask;
		snprintf(why, sizeof(why), "the tables follow %s%s", who,
			 !d.their_umask && d.umask ? "; this source's unit mask selects nothing" : "");
		put(e, &d);
	}
	d.what = "not-listed";
	snprintf(why, sizeof(why), "the tables follow %s", who);
	d.their_event_select = d.their_umask = UINT64_MAX;
	for (size_t i = 0; i < NUM_CATALOGS; i++) {
		d.source = sources[i];
		if (listing[i] && !lists(ev, d.source))
			put(e, &d);
	}
}

int events_differences(struct events *e)
{
	struct difference d = {
		.uarch = e->uarch, .event_select = UINT64_MAX, .umask = UINT64_MAX, .what = "listed-there-only",
	};
	const struct uncoremsr_other_codes *left_out;
	const struct uncoremsr_event *ev;
	bool listing[NUM_SOURCES] = { false };
	char names[96];
	size_t num = find_listing(e, listing, names, sizeof(names));

	if (num < 2)
		tool_say(TOOL_DONE, "list --differences: the names of %s come from one "
			 "source (%s): there is nothing to compare them with", e->uarch, names);
	if (!records_for_people(&e->w))
		record_head(&e->w, RECORD_COLUMNS(columns));
	else
		out_fmt(&e->out, "%s: where sources differ from the tables (%s)\n%-45s%-11s%-9s%s\n",
			e->uarch, names, "event", "codes",
			"source", "difference");
	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->uarch, i)); i++)
		if (events_is_from(ev, "table"))
			put_event(e, ev, listing);
	for (size_t i = 0; (left_out = uncoremsr_event_left_out(e->uarch, i)); i++) {
		d.event = left_out->name;
		d.source = left_out->source;
		d.why = left_out->why;
		d.their_event_select = left_out->event_select;
		d.their_umask = left_out->unit_mask;
		put(e, &d);
	}
	return TOOL_DONE;
}
