/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics that the vendor publishes, in the two forms of intel/perfmon: PLATFORM/metrics (formulas over
 * aliases of events and constants) and PLATFORM/metrics/perf (formulas as perf has them).
 */
#ifndef UM_JSON_LIST_METRICS_H
#define UM_JSON_LIST_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "events/metrics.h"

struct um_published {
	struct uncoremsr_metric base;  /* nothing in it but where this is */
	char *name, *title, *unit;
	char *formula;                 /* as formula.h has it, over names and not aliases */
	char *file;
	double factor;                 /* what is worked out, times this, is in @unit */
	double low, high;              /* what can be, as far as unit and kind tell; else infinite */
	bool hidden;                   /* one before it has the same name */
	bool ticks;                    /* SYSTEM_TSC_FREQ means ticks in the interval, not Hz */
};

/*
 * Those of a file that um_list_read() gave, in *metrics, to be freed with um_published_free(). -EINVAL: not
 * such a file, or none in it (a sentence in @e); -ENOMEM; -ENOTSUP: built without JSON.
 */
int um_published_read(const char *path, const char *text, size_t len, struct um_published **metrics,
		      size_t *num, struct um_error *e) UM_MUST_CHECK;
void um_published_free(struct um_published *metrics, size_t num);

#endif
