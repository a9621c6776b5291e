/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics published by the vendor, in the two forms of intel/perfmon: PLATFORM/metrics (formulas over aliases of
 * events and constants) and PLATFORM/metrics/perf (formulas as in perf).
 */
#ifndef UM_JSON_LIST_METRICS_H
#define UM_JSON_LIST_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "events/metrics.h"

struct um_published {
	struct uncoremsr_metric base;  /* its own fields are empty; it only points to this struct */
	char *name, *title, *unit;
	char *formula;                 /* in the syntax of formula.h, with names in place of aliases */
	char *file;
	double factor;                 /* result of the formula times this is in @unit */
	double low, high;              /* the possible range as far as unit and kind tell; else infinite */
	bool hidden;                   /* an earlier metric has the same name */
	bool ticks;                    /* SYSTEM_TSC_FREQ in the formula means ticks in the interval, not Hz */
};

/*
 * Parse the metrics in a text of um_list_read() into *metrics; free them with um_published_free(). -EINVAL: not
 * such a file, or no metric in it (sentence in @e); -ENOMEM; -ENOTSUP: built without JSON.
 */
int um_published_read(const char *path, const char *text, size_t len, struct um_published **metrics,
		      size_t *num, struct um_error *e) UM_MUST_CHECK;
void um_published_free(struct um_published *metrics, size_t num);

#endif
