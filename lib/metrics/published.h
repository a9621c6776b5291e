/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The meaning of the words in a metric's formula on a machine, for our own metrics and published ones. Sources:
 * Linux tools/perf/util/expr.c and tool_pmu.c, intel/perfmon scripts/create_perf_json.py.
 */
#ifndef UM_PUBLISHED_H
#define UM_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include "metrics/formula.h"
#include "metrics/metrics.h"

struct um_json_lists;  /* json_list.h */

struct um_input_meaning {
	enum um_input_kind {
		UM_INPUT_COUNT,        /* count of @event */
		UM_INPUT_TICKS,        /* count of @event divided by the number of CPUs that counted it */
		UM_INPUT_HZ,           /* UM_INPUT_TICKS per second */
		UM_INPUT_UNITS,        /* number of units or CPUs that counted @event */
		UM_INPUT_TIME,         /* seconds for which the events were counted */
		UM_INPUT_CLOCK,        /* like UM_INPUT_TIME; @event is counted only to measure it, because the
				        * formula itself has no event */
		UM_INPUT_CORES,
		UM_INPUT_CPUS,
		UM_INPUT_THREADS,      /* CPUs per core */
		UM_INPUT_SMT,          /* 1 if cores have several CPUs, else 0 */
		UM_INPUT_SLICES,       /* number of caching agents or CBoxes of the package */
		UM_INPUT_ONE_UNIT,     /* count of @event on the first unit of each package */
		UM_INPUT_HAS_EVENT,
		UM_INPUT_NUMBER,       /* the constant @factor */
		UM_INPUT_PACKAGES,     /* number of counted packages if the metric is for the whole machine, else 1 */
		UM_INPUT_DIES,
		UM_INPUT_UNKNOWN
	} kind;
	double factor;                 /* factor for counts and times; value of UM_INPUT_NUMBER */
	bool of_slots;                 /* a topdown event, which must be in a group led by the slots event */
	bool per_package;              /* if the formula has an input UM_INPUT_PACKAGES, the value is divided by it */
	char event[160];               /* the event in our syntax, or "" */
};

/* Find the meaning of an input. @m: the metric of the formula; @lists may be NULL. */
void um_published_input(const struct um_formula_input *input, const struct um_metric *m,
			const struct um_json_lists *lists, struct um_input_meaning *meaning);
/* The kernel's topdown event @index (a share of the slots), without its PMU; NULL past the end. */
const char *um_share_of_slots(size_t index);
bool um_is_slots(const char *text);

#endif
