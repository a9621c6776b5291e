/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Derived metrics, as formulas over events: those in metrics.tsv, and those of files. */
#ifndef UM_METRICS_H
#define UM_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics/formula.h"
#include "names/json_list.h"
#include "names/source.h"
#include "uncoremsr/names.h"

/* Processors that have metrics of their own; ends with "". */
extern const char um_metric_processors[][20];
#define UM_EVERY_PROCESSOR UINT64_MAX

/* Arrays instead of pointers: the tables need no relocation when a program starts. */
struct um_metric_row {
	uint64_t on;              /* bits of um_metric_processors, or UM_EVERY_PROCESSOR */
	char name[32], title[80], formula[448], unit[20];
	double high;
	char note[152], sources[64];
	enum um_metric_trait {
		UM_METRIC_PLAIN,
		UM_METRIC_BETWEEN_PACKAGES, /* the metric means nothing if there is only one package */
		UM_METRIC_CORE_CLOCK,       /* in GHz: cannot exceed the clock that the machine's cores reach */
	} trait;
};

extern const struct um_metric_row um_metrics[];
extern const size_t um_num_metrics;

struct um_metric {
	struct um_name base;
	double factor;            /* the formula's result times this factor is the metric's value */
	enum um_metric_trait trait;
	const struct um_metric_row *ours; /* NULL: the metric is from a file, which owns its texts */
	bool hidden;              /* metric of a file: an earlier metric has the same name */
	bool ticks;               /* metric of a file: SYSTEM_TSC_FREQ stands for ticks in the interval, not for Hz */
};

struct um_metric_file {
	bool compared;            /* metrics whose name an earlier file has are already hidden */
	size_t num;
	struct um_metric metrics[];
};

/* Functions through which lib/names finds metrics; it does not include this header. */
extern const struct um_metric_names um_metric_names;
/* JSON readers are in libuncoremsr-lists.so, which um_list_reader_find() loads, or in libuncoremsr.a (json_*.c). */
int um_list_reader_find(const struct um_list_reader **found, const char *path, struct um_error *e) UM_MUST_CHECK;
extern const struct um_list_reader um_list_reader __attribute__((visibility("default")));
void um_metric_file_free(struct um_metric_file *file) UM_CROSSES;
/* Read the metrics of all files in @lists, which may be NULL. Returns 0; -EINVAL: a file is damaged; -ENOMEM. */
int um_metrics_read(struct um_json_lists *lists, struct um_error *e) UM_MUST_CHECK;
/* Metric @index of our tables; NULL if there are fewer metrics, or no memory. */
const struct um_metric *um_metric_of_tables(struct um_names *n, size_t index);
bool um_metric_is_on(const struct um_metric *m, const char *uarch);
#define UM_METRICS_DEFAULT "default"
/* Can the name stand for several metrics: is it a pattern, or UM_METRICS_DEFAULT? */
bool um_metrics_several(const char *text, size_t len);
/* A metric of that name on another processor; NULL: none. */
const struct um_metric *um_metric_elsewhere(struct um_names *n, const char *name, size_t len);
struct um_machine;
/*
 * Call @fn for each metric that matches the name or pattern of @len bytes, until it returns a nonzero value. @l must
 * look up metrics only; @of: the machine, used for the message if no metric is found. Returns how many there are; what
 * @fn returned; or, with a message in @e:
 * -ENOENT: there is no such metric;
 * -ENOTSUP: this processor does not have the metric, or this machine does not reach its registers;
 * -EINVAL: the text is too long, its pattern is malformed, or a metric file is damaged;
 * -ENOMEM.
 */
int um_metrics_find(const struct um_lookup *l, const struct um_machine *of, const char *name, size_t len,
		    int (*fn)(void *user, const struct um_metric *m), void *user,
		    struct um_error *e) UM_MUST_CHECK;

#endif
