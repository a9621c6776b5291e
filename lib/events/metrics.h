/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Derived metrics: what people want to know, as formulas over events. Data only; adding a metric is
 * one row in metrics.c. A unit test walks every row on every processor it names.
 */
#ifndef UM_METRICS_H
#define UM_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "events/formula.h"
#include "uncoremsr/names.h"

/* Without pointers, so that a program pays nothing for it at start. */
struct uncoremsr_metric {
	unsigned on;              /* processors it exists on, a set of bits */
	char name[32];            /* lower case with hyphens */
	char title[80];           /* what it tells */
	char unit[8];             /* "B/s", "Hz", "ratio", "clocks", "s" */
	char formula[288];        /* see formula.h */
	double low, high;         /* what the machine can physically do, with some reserve */
	char note[152];           /* a trap one should know about, or "" */
	char sources[48];
};

extern const struct uncoremsr_metric um_metrics[];
extern const size_t um_num_metrics;

/* Is it defined for the processor of this name? */
bool um_metric_is_on(const struct uncoremsr_metric *m, const char *uarch);
/*
 * Call @fn for each metric of processor @uarch that the name or pattern ("*", "?", "[...]") of @len
 * bytes stands for, until it returns other than 0. Returns how many there are; what @fn returned;
 * or, with a sentence in @e, -ENOENT there is none, -ENOTSUP the processor has none at all, -EINVAL
 * the text is too long.
 */
int um_metrics_find(const char *uarch, const char *text, size_t len,
		    int (*fn)(void *user, const struct uncoremsr_metric *m), void *user,
		    struct um_error *e) UM_MUST_CHECK;

#endif
