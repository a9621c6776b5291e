/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readings as series. This is a separate file, because the agent's outputs are built without the library. */
#include "common/counted.h"
#include "common/series.h"

/*
 * A level such as a temperature does not increase like a count, so it is written like the value of a metric. An unknown
 * interval adds nothing to the sum of a count, not even an estimate.
 */
void series_put_reading(struct series *s, struct series_labels *l, const struct uncoremsr_counted *ev,
			struct series_total *since, const struct uncoremsr_reading *r)
{
	if (ev->level) {
		l->metric = l->event;
		l->measure = ev->measure;
		l->event = NULL;
	}
	if (!reading_has_value(r)) {
		series_put_unknown(s, l, r->word);
		return;
	}
	if (ev->level) {
		series_put_metric(s, l, (double)r->value * ev->scale);
		return;
	}
	series_add(since, &(struct series_total){ r->value, r->counted, r->enabled_ns, r->running_ns });
	series_put_total(s, l, since);
	/* Mark a sum as partial if units are missing. */
	if (r->units_known < r->units)
		series_put_unknown(s, l, "partial");
}

void series_put_metric_reading(struct series *s, const struct series_labels *l,
			       const struct uncoremsr_metric_reading *r)
{
	if (r->status == UNCOREMSR_OK)
		series_put_metric(s, l, r->value);
	else
		series_put_unknown(s, l, r->word);
}
