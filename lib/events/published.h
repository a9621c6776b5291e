/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the words of a metric's formula mean on a machine, ours and published ones. Sources: Linux
 * tools/perf/util/expr.c and tool_pmu.c, intel/perfmon scripts/create_perf_json.py.
 */
#ifndef UM_PUBLISHED_H
#define UM_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include "events/formula.h"
#include "events/metrics.h"

struct um_json_lists;  /* json_list.h */

/* What an input of a formula is, ours or a published one. */
struct um_input_meaning {
	enum um_input_kind {
		UM_INPUT_COUNT,        /* of @event */
		UM_INPUT_TICKS,        /* the same for one of the CPUs that it was counted on */
		UM_INPUT_HZ,           /* the same in a second */
		UM_INPUT_UNITS,        /* how many units or CPUs it was counted on */
		UM_INPUT_TIME,         /* seconds in which the events were counted */
		UM_INPUT_CLOCK,        /* the same of @event, where the formula has no event */
		UM_INPUT_CORES,        /* of the package */
		UM_INPUT_CPUS,
		UM_INPUT_THREADS,      /* CPUs of a core */
		UM_INPUT_SMT,          /* 1: several */
		UM_INPUT_SLICES,       /* caching agents of the package, or CBoxes */
		UM_INPUT_ONE_UNIT,     /* of @event, which the first unit of each package counts */
		UM_INPUT_HAS_EVENT,    /* 1: @event can be counted here */
		UM_INPUT_NUMBER,       /* @factor, known without counting */
		UM_INPUT_PACKAGES,     /* 1, and of the whole machine as many as are counted */
		UM_INPUT_DIES,
		UM_INPUT_UNKNOWN       /* a word that means nothing here */
	} kind;
	double factor;                 /* of a count, of the time */
	bool of_slots;                 /* a share of the slots: it is counted in a group behind the slots */
	bool per_package;              /* of one package, where the formula has their number as well */
	char event[160];               /* as it is written for us, or "" */
};

/* @m: of which metric; its lists may be NULL. */
void um_published_input(const struct um_formula_input *input, const struct uncoremsr_metric *m,
			const struct um_json_lists *lists, struct um_input_meaning *meaning);
/* The kernel's events of all shares of the slots, without their PMU; NULL past the end. */
const char *um_share_of_slots(size_t index);
/* Is an input of a formula the number of the slots? */
bool um_is_slots(const char *text);

#endif
