/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Derived metrics, as formulas over events. Data only: adding a metric is one row in metrics.c or
 * metrics_nehalem.c. A unit test checks every row on every processor that it names.
 */
#ifndef UM_METRICS_H
#define UM_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "metrics/formula.h"
#include "names/json_list.h"
#include "names/source.h"
#include "uncoremsr/names.h"

/* Processors, one bit for each name of tables; see source_metric.c. */
enum um_metric_processors {
	UM_M_NHM = 1 << 0, UM_M_WSM = 1 << 1, UM_M_EX = 1 << 2,
	UM_M_SNB = 1 << 3,        /* clients with the counter data_reads: Sandy Bridge to Comet Lake, Ice Lake */
	UM_M_TGL = 1 << 4,        /* clients whose memory controllers have free-running counters: from Tiger Lake on */
	UM_M_LNL = 1 << 5,        /* clients without data_reads and without free-running memory counters */
	UM_M_JKT = 1 << 6, UM_M_IVT = 1 << 7, UM_M_HSX = 1 << 8, UM_M_BDX = 1 << 9,
	UM_M_KNL = 1 << 10, UM_M_SKX = 1 << 11, UM_M_ICX = 1 << 12, UM_M_SNR = 1 << 13,
	UM_M_SPR = 1 << 14, UM_M_EMR = 1 << 15, UM_M_GNR = 1 << 16,
	UM_M_SRF = 1 << 17,       /* also Clearwater Forest */
	UM_M_GRR = 1 << 18,
	UM_M_ZEN = 1 << 19, UM_M_ZEN2 = 1 << 20, UM_M_ZEN3 = 1 << 21, UM_M_ZEN4 = 1 << 22,
	UM_M_ZEN5 = 1 << 23,
	UM_M_ALL = (1 << 24) - 1
};

/* Arrays instead of pointers: the tables need no relocation when a program starts. */
struct um_metric_row {
	unsigned on;              /* enum um_metric_processors */
	char name[32];            /* lower case with hyphens */
	char title[80];           /* one line that explains the metric */
	char formula[448];        /* see formula.h; "dt" is the interval in seconds */
	char unit[20];            /* "GB/s", "%", "GHz", "W", "clocks", "ns", "instructions/cycle" */
	double high;              /* physical limit of the machine, with some reserve */
	char note[152];           /* a trap that users should know about, or "" */
	char sources[64];
	enum um_metric_trait {
		UM_METRIC_PLAIN,
		UM_METRIC_BETWEEN_PACKAGES, /* meaningless with one package only */
		UM_METRIC_CORE_CLOCK,       /* in GHz: cannot exceed the clock that the machine's cores reach */
	} trait;
};

extern const struct um_metric_row um_metrics[], um_metrics_nehalem[];
extern const size_t um_num_metrics, um_num_metrics_nehalem;

/* A metric as a row of the index: of our tables, or of a file. */
struct um_metric {
	struct um_name base;
	const char *title, *formula, *unit, *note, *sources; /* as in struct um_metric_row */
	double factor;            /* multiplies the result of the formula, which is then in @unit */
	double low, high;         /* the possible range; infinite: unknown */
	enum um_metric_trait trait;
	const struct um_metric_row *ours; /* NULL: from a file, which owns the texts */
	bool hidden;              /* of a file: an earlier metric has the same name */
	bool ticks;               /* of a file: SYSTEM_TSC_FREQ means ticks in the interval, not Hz */
};

/* The metrics of a file among the event lists. */
struct um_metric_file {
	size_t num;
	struct um_metric metrics[];
};

/* The table of this room that the handle gives to names/. */
extern const struct um_metric_names um_metric_names;
extern const struct um_metric_reader um_metric_reader;
/* Read the metrics of all files among the lists; NULL: there are no lists. 0; -EINVAL: a file is damaged; -ENOMEM. */
int um_metrics_read(struct um_json_lists *lists, struct um_error *e) UM_MUST_CHECK;
/* Free the records of our tables. */
void um_metrics_free(struct um_names *n);
/* Record @index of our tables; NULL past the end, or out of memory. */
const struct um_metric *um_metric_of_tables(struct um_names *n, size_t index);
/* A processor that has metrics of its own; NULL past the end. */
const char *um_metric_processor(size_t index);
/* Do our tables define the metric for the processor @uarch? */
bool um_metric_is_on(const struct um_metric *m, const char *uarch);
/* The name that stands for a set of metrics for a first look at a machine. */
#define UM_METRICS_DEFAULT "default"
/* Can the name stand for several metrics: is it a pattern, or UM_METRICS_DEFAULT? */
bool um_metrics_several(const char *text, size_t len);
/* A metric of that name on another processor; NULL: none. */
const struct um_metric *um_metric_elsewhere(struct um_names *n, const char *name, size_t len);
struct um_machine;
/*
 * Call @fn for each metric that matches the name or pattern of @len bytes, until it returns other than 0. @l must ask
 * for metrics only; @of: the machine, used for the message if no metric is found. Returns how many there are; what @fn
 * returned; or, with a message in @e, -ENOENT there is none, -ENOTSUP not on this processor, or not in a guest, -EINVAL
 * the text is too long.
 */
int um_metrics_find(const struct um_lookup *l, const struct um_machine *of, const char *name, size_t len,
		    int (*fn)(void *user, const struct um_metric *m), void *user,
		    struct um_error *e) UM_MUST_CHECK;

#endif
