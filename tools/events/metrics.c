/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list --metrics: the metrics of a processor. */
#include "events/events.h"

#define TEXT(get, property) \
	static enum record_state get(const void *m, struct record_value *v) \
	{ \
		return events_text(v, uncoremsr_metric_text(m, property)); \
	}
TEXT(get_name, UNCOREMSR_METRIC_NAME)
TEXT(get_title, UNCOREMSR_METRIC_TITLE)
TEXT(get_measure, UNCOREMSR_METRIC_MEASURE)
TEXT(get_formula, UNCOREMSR_METRIC_FORMULA)
TEXT(get_note, UNCOREMSR_METRIC_NOTE)
TEXT(get_sources, UNCOREMSR_METRIC_SOURCES)

/* "%g" is a number in every format. */
static void put_bound(struct records *w, const char *name, const void *m)
{
	double low = 0, high = 0;

	uncoremsr_metric_bounds(m, &low, &high);
	w->format->label(w, name);
	out_fmt(w->out, "%g", *name == 'l' ? low : high);
}

static const struct record_column columns[] = {
	{ "name", RECORD_STR, .get = get_name }, { "title", RECORD_STR, .get = get_title },
	{ "unit", RECORD_STR, .get = get_measure }, { "formula", RECORD_STR, .get = get_formula },
	{ "note", RECORD_STR, .get = get_note }, { "sources", RECORD_STR, .get = get_sources },
	{ "low", RECORD_NESTED, .put = put_bound }, { "high", RECORD_NESTED, .put = put_bound },
};

enum { NUM_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void put_text(struct out *o, const struct uncoremsr_metric *m, bool verbose)
{
	const char *measure = uncoremsr_metric_text(m, UNCOREMSR_METRIC_MEASURE);
	const char *note = uncoremsr_metric_text(m, UNCOREMSR_METRIC_NOTE);
	size_t start = o->len;
	double low = 0, high = 0;

	out_text_str(o, uncoremsr_metric_text(m, UNCOREMSR_METRIC_NAME));
	out_pad(o, start, 24, true);
	out_fmt(o, "  %-6s  %s\n", measure, uncoremsr_metric_text(m, UNCOREMSR_METRIC_TITLE));
	if (!verbose)
		return;
	uncoremsr_metric_bounds(m, &low, &high);
	out_fmt(o, "\t%s\n\tpossible: %g to %g %s\n\tsources: %s\n",
		uncoremsr_metric_text(m, UNCOREMSR_METRIC_FORMULA), low, high, measure,
		uncoremsr_metric_text(m, UNCOREMSR_METRIC_SOURCES));
	if (*note)
		out_fmt(o, "\tnote: %s\n", note);
}

int events_metrics(struct events *e)
{
	const struct uncoremsr_metric *m;
	struct records w;

	if (!uncoremsr_metric(e->uarch, 0))
		return tool_say(&events_tool, TOOL_UNSUPPORTED, "--metrics: none are defined for %s; "
				"uncore-read -e counts its events one by one", e->uarch);
	records_init(&w, &e->common, &e->out, e);
	if (!records_for_people(&w))
		record_head(&w, columns, NUM_COLUMNS);
	for (size_t i = 0; (m = uncoremsr_metric(e->uarch, i)); i++)
		if (records_for_people(&w))
			put_text(&e->out, m, e->common.verbose);
		else
			record_row(&w, columns, NUM_COLUMNS, m);
	records_free(&w);
	return TOOL_DONE;
}
