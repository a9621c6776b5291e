/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How likwid spells counters, and libpfm4 PMUs (from synonyms.tsv). Their names of events are in names.h. */
#ifndef UM_SPELLINGS_H
#define UM_SPELLINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "names/scanner.h"
#include "uarch/uarch.h"

/* A counter as likwid names it: "UPMC3", "UPMCFIX", "CBOX2C1", "PMC0", "FIXC1". */
struct um_counter_word {
	int unit;                    /* -1: not given */
	int counter;                 /* number of a general counter, or of a fixed one if @fixed; -1: only one exists */
	bool fixed;
};

/* Is the word a counter name of this PMU? Does not check that the number exists. */
bool um_counter_word(const struct um_pmu *pmu, const char *text, size_t len,
		     struct um_counter_word *w);

/*
 * Recognise an event with its PMU in libpfm4's form: "wsm_unc::...", "snb_unc_cbo0::...". Returns the processor's
 * name; *pmu becomes our name of the PMU ("" where the uncore is one PMU). The event itself begins with part 2.
 * NULL: not in that form.
 */
const char *um_libpfm4_event(const struct um_event *ev, const char **pmu, size_t *pmu_len);

#endif
