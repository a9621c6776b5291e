/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events list --metrics: the metrics of a processor. */
#include "events/events.h"

static void put_bounds(struct out *o, const struct uncoremsr_metric *m)
{
	double low, high;

	uncoremsr_metric_bounds(m, &low, &high);
	out_fmt(o, "%g to %g %s", low, high, uncoremsr_metric_unit(m));
}

static void put_text(struct out *o, const struct uncoremsr_metric *m, bool verbose)
{
	size_t start = o->len;

	out_str(o, uncoremsr_metric_name(m));
	out_pad(o, start, 24, true);
	out_fmt(o, "  %-6s  %s\n", uncoremsr_metric_unit(m), uncoremsr_metric_title(m));
	if (!verbose)
		return;
	out_fmt(o, "\t%s\n\tpossible: ", uncoremsr_metric_formula(m));
	put_bounds(o, m);
	out_fmt(o, "\n\tsources: %s\n", uncoremsr_metric_sources(m));
	if (*uncoremsr_metric_note(m))
		out_fmt(o, "\tnote: %s\n", uncoremsr_metric_note(m));
}

/* The fields of a record, in their order. */
static const struct {
	const char *name;
	const char *(*get)(const struct uncoremsr_metric *m);
} texts[] = {
	{ "name", uncoremsr_metric_name }, { "title", uncoremsr_metric_title },
	{ "unit", uncoremsr_metric_unit }, { "formula", uncoremsr_metric_formula },
	{ "note", uncoremsr_metric_note }, { "sources", uncoremsr_metric_sources },
};

static void put_json(struct out *o, const struct uncoremsr_metric *m)
{
	double low, high;

	uncoremsr_metric_bounds(m, &low, &high);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		out_fmt(o, "%s\"%s\":", i ? "," : "{", texts[i].name);
		out_json_str(o, texts[i].get(m));
	}
	out_fmt(o, ",\"low\":%g,\"high\":%g}\n", low, high);
}

static void put_csv(struct out *o, const struct uncoremsr_metric *m)
{
	double low, high;

	uncoremsr_metric_bounds(m, &low, &high);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		out_csv_str(o, texts[i].get(m));
		out_char(o, ',');
	}
	out_fmt(o, "%g,%g\n", low, high);
}

int events_metrics(struct events *e)
{
	const struct uncoremsr_metric *m;

	if (e->common.format == TOOL_CSV)
		out_str(&e->out, "name,title,unit,formula,note,sources,low,high\n");
	for (size_t i = 0; (m = uncoremsr_metric(e->uarch, i)); i++) {
		if (e->common.format == TOOL_JSON)
			put_json(&e->out, m);
		else if (e->common.format == TOOL_CSV)
			put_csv(&e->out, m);
		else
			put_text(&e->out, m, e->common.verbose);
	}
	return TOOL_DONE;
}
