/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Derived metrics: what people want to know, as formulas over events. Data only; adding a metric is
 * one row in metrics.c or metrics_nehalem.c. A unit test walks every row on every processor it names.
 */
#ifndef UM_METRICS_H
#define UM_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "events/formula.h"
#include "uncoremsr/names.h"

/* Processors, by the name of their tables; see metric_names.c. */
enum um_metric_processors {
	UM_M_NHM = 1 << 0, UM_M_WSM = 1 << 1, UM_M_EX = 1 << 2,
	UM_M_SNB = 1 << 3,        /* clients with data_reads: Sandy Bridge to Comet Lake, Ice Lake */
	UM_M_TGL = 1 << 4,        /* clients whose memory controller counts all the time, from Tiger Lake on */
	UM_M_LNL = 1 << 5,        /* clients without either */
	UM_M_JKT = 1 << 6, UM_M_IVT = 1 << 7, UM_M_HSX = 1 << 8, UM_M_BDX = 1 << 9,
	UM_M_KNL = 1 << 10, UM_M_SKX = 1 << 11, UM_M_ICX = 1 << 12, UM_M_SNR = 1 << 13,
	UM_M_SPR = 1 << 14, UM_M_EMR = 1 << 15, UM_M_GNR = 1 << 16,
	UM_M_SRF = 1 << 17,       /* with Clearwater Forest */
	UM_M_GRR = 1 << 18,
	UM_M_ZEN = 1 << 19, UM_M_ZEN2 = 1 << 20, UM_M_ZEN3 = 1 << 21, UM_M_ZEN4 = 1 << 22,
	UM_M_ZEN5 = 1 << 23,
	UM_M_ALL = (1 << 24) - 1
};

/* Without pointers, so that a program pays nothing for it at start. */
struct um_json_lists;
struct um_published;

struct uncoremsr_metric {
	unsigned on;              /* enum um_metric_processors */
	char name[32];            /* lower case with hyphens */
	char title[80];           /* what it tells */
	char formula[448];        /* see formula.h; "dt" is the interval in seconds */
	char unit[20];            /* "GB/s", "%", "GHz", "W", "clocks", "ns", "instructions/cycle" */
	double high;              /* what the machine can physically do, with some reserve */
	char note[152];           /* a trap one should know about, or "" */
	char sources[64];
	/* Of a file: nothing above. NULL: of our tables. */
	const struct um_published *published;
	enum um_metric_trait {
		UM_METRIC_PLAIN,
		UM_METRIC_BETWEEN_PACKAGES, /* it tells nothing where there is one alone */
		UM_METRIC_CORE_CLOCK,       /* in GHz: bounded by what this machine's cores reach */
	} trait;
};

/* Two tables. */
extern const struct uncoremsr_metric um_metrics[], um_metrics_nehalem[];
extern const size_t um_num_metrics, um_num_metrics_nehalem;

/* Is it defined for the processor of this name? */
bool um_metric_is_on(const struct uncoremsr_metric *m, const char *uarch);
/* The name that stands for what is asked first on a machine that one does not know. */
#define UM_METRICS_DEFAULT "default"
/* Texts of a metric, wherever it is from. */
const char *um_metric_name(const struct uncoremsr_metric *m);
const char *um_metric_formula(const struct uncoremsr_metric *m);
/* What is worked out, times this, is in its unit. */
double um_metric_factor(const struct uncoremsr_metric *m);
/* Does the name stand for several: is it a pattern, or the one above? */
bool um_metrics_several(const char *text, size_t len);
/* A metric of that name on some other processor; NULL: none. */
const struct uncoremsr_metric *um_metric_elsewhere(const char *name, size_t len);
struct um_machine;
/*
 * Call @fn for each metric of machine @of that the name or pattern ("*", "?", "[...]") of @len
 * bytes stands for, until it returns other than 0. Returns how many there are; what @fn returned;
 * or, with a sentence in @e, -ENOENT there is none, -ENOTSUP not of this processor, or not from here
 * (a guest), -EINVAL the text is too long.
 */
int um_metrics_find(const struct um_machine *of, struct um_json_lists *lists, const char *text, size_t len,
		    int (*fn)(void *user, const struct uncoremsr_metric *m), void *user,
		    struct um_error *e) UM_MUST_CHECK;

#endif
