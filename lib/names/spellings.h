/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How likwid writes counters and libpfm4 writes PMUs (from synonyms.tsv). For their event names see names.h. */
#ifndef UM_SPELLINGS_H
#define UM_SPELLINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "names/scanner.h"
#include "uarch/uarch.h"

/* A counter as likwid names it: "UPMC3", "UPMCFIX", "CBOX2C1", "PMC0", "FIXC1". */
struct um_counter_word {
	int unit;                    /* -1: not given */
	int counter;                 /* number among the general or (@fixed) fixed counters; -1: only one exists */
	bool fixed;
};

/* Is the word a counter name of this PMU? The counter need not exist. */
bool um_counter_word(const struct um_pmu *pmu, const char *text, size_t len, struct um_counter_word *w);

/*
 * Parse libpfm4's form of an event, which begins with its PMU: "wsm_unc::...", "snb_unc_cbo0::...". Returns the
 * processor's name, and sets *pmu to our name of the PMU ("" where the uncore is one PMU). The event begins with part 2
 * of the text. NULL: the text has another form.
 */
const char *um_libpfm4_event(const struct um_event *ev, const char **pmu, size_t *pmu_len);

#endif
