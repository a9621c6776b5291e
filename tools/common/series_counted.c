/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The only file of the series that knows readings: the agent's outputs have none, and are built without the library. */
#include "common/counted.h"
#include "common/series.h"

/* An unknown interval adds nothing to the sum, not even an estimate. */
void series_put_counted(struct series *s, const struct series_labels *l, struct series_total *since,
			const struct uncoremsr_reading *r)
{
	if (!reading_has_value(r)) {
		series_put_unknown(s, l, r->word);
		return;
	}
	series_add(since, &(struct series_total){ r->value, r->counted, r->enabled_ns, r->running_ns });
	series_put_total(s, l, since);
	/* Mark a sum as partial if units are missing. */
	if (r->units_known < r->units)
		series_put_unknown(s, l, "partial");
}
