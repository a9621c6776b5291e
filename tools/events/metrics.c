/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list --metrics: the metrics of a processor. */
#include <math.h>

#include <strings.h>

#include "events/events.h"

static const struct record_column columns[] = {
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_event, name) },
	{ "title", RECORD_STR, RECORD_AT(uncoremsr_event, description) },
	{ "unit", RECORD_STR, RECORD_AT(uncoremsr_event, measure) },
	{ "formula", RECORD_STR, RECORD_AT(uncoremsr_event, formula) },
	{ "note", RECORD_STR, RECORD_AT(uncoremsr_event, note) },
	{ "sources", RECORD_STR, RECORD_AT(uncoremsr_event, formula_from) },
	/* Lower and upper bound of the value; infinite if there is no bound. */
	{ "low", RECORD_REAL, RECORD_AT(uncoremsr_event, low) },
	{ "high", RECORD_REAL, RECORD_AT(uncoremsr_event, high) },
};

void events_put_metric(struct out *o, const struct uncoremsr_event *m, bool verbose)
{
	size_t start = o->len;

	out_text_str(o, m->name);
	out_pad(o, start, 24, true);
	out_fmt(o, "  %-6s  %s\n", m->measure, m->description);
	if (!verbose)
		return;
	out_fmt(o, "\t%s\n", m->formula);
	if (isfinite(m->high))
		out_fmt(o, "\tpossible: %g to %g %s\n", m->low, m->high, m->measure);
	out_fmt(o, "\tsources: %s\n", m->formula_from);
	if (*m->note)
		out_fmt(o, "\tnote: %s\n", m->note);
}

int events_metrics(struct events *e)
{
	const struct uncoremsr_event *m;

	if (!uncoremsr_metric(e->um, e->uarch, 0))
		return tool_say(TOOL_UNSUPPORTED, "--metrics: none are defined for %s; "
				"uncore-read -e counts its events one by one", e->uarch);
	if (!records_for_people(&e->w))
		record_head(&e->w, RECORD_COLUMNS(columns));
	for (size_t i = 0; (m = uncoremsr_metric(e->um, e->uarch, i)); i++)
		if (records_for_people(&e->w))
			events_put_metric(&e->out, m, e->common.verbose);
		else
			record_row(&e->w, RECORD_COLUMNS(columns), m);
	return TOOL_DONE;
}

/* ---- explain ---- */

/* Show the metric's events as they would be counted on this machine. Nothing is opened or programmed. */
static void page_events(struct events *e, const char *name)
{
	static const char *const by[] = { [UNCOREMSR_ROUTE_MSR] = "registers", [UNCOREMSR_ROUTE_PERF] = "the kernel" };
	const struct uncoremsr_counted *ev;
	struct uncoremsr_session *s = NULL;

	if (uncoremsr_session_new(e->um, &s) < 0 || uncoremsr_session_add_metric(s, name) < 0) {
		page_str(e, "missing", "not here", uncoremsr_error(e->um)->message);
		uncoremsr_session_free(s);
		return;
	}
	page_list(e, "events", "events");
	for (size_t i = 0; (ev = uncoremsr_session_event(s, i)); i++)
		page_item(e, "%s (0x%llx) by %s", ev->name, (unsigned long long)ev->encoding, by[ev->route]);
	page_list_end(e);
	uncoremsr_session_free(s);
}

int events_explain_metric(struct events *e, const struct uncoremsr_event *m)
{
	page_begin(e, "metric", m->name);
	page_str(e, "title", "tells", m->description);
	page_str(e, "unit", "unit", m->measure);
	page_str(e, "formula", "formula", m->formula);
	if (!e->chosen)
		page_events(e, m->name);
	if (isfinite(m->high))
		page_fmt(e, "possible", "possible", "%g to %g %s", m->low, m->high, m->measure);
	else
		page_str(e, "possible", NULL, "");
	page_str(e, "note", "trap", m->note);
	page_str(e, "sources", "sources", m->formula_from);
	page_end(e);
	return TOOL_DONE;
}

static const struct uncoremsr_event *find_metric(const struct events *e, const char *uarch, const char *name)
{
	const struct uncoremsr_event *m;
	size_t i = 0;

	while ((m = uncoremsr_metric(e->um, uarch, i++)) && strcasecmp(m->name, name) != 0)
		;
	return m;
}

int events_explain_metric_name(struct events *e, const char *name)
{
	const struct uncoremsr_event *m = find_metric(e, e->uarch, name);
	const struct uncoremsr_uarch *u;

	if (m)
		return events_explain_metric(e, m);
	for (size_t i = 0; (u = uncoremsr_uarch(i)); i++)
		if (find_metric(e, u->name, name))
			return tool_say(TOOL_UNSUPPORTED, "%s: metric '%s': %s has no events for it%s",
					e->common.command->name, name, e->uarch ? e->uarch : "this machine",
					e->uarch ? "; list --metrics shows the metrics of this processor" : "");
	return TOOL_GO_ON;
}
