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

/*
 * Parse the metrics in a text of um_list_read() into *metrics; free them with um_published_free(). -EINVAL: not
 * such a file, or no metric in it (sentence in @e); -ENOMEM; -ENOTSUP: built without JSON.
 */
int um_published_read(const char *path, const char *text, size_t len, struct um_metric **metrics,
		      size_t *num, struct um_error *e) UM_MUST_CHECK;
void um_published_free(struct um_metric *metrics, size_t num);

#endif
