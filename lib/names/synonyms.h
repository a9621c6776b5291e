/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words of other programs and of files, and our words for them: the lists in synonyms.tsv. */
#ifndef UM_SYNONYMS_H
#define UM_SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text.h"
#include "names/scanner.h"
#include "uarch/uarch.h"

enum um_synonyms {
	UM_LIKWID_COUNTER, UM_LIBPFM4_PROCESSOR, UM_LIBPFM4_BOX, UM_LIBPFM4_MASK, UM_LIBPFM4_FILTER,
	UM_LIBPFM4_MODIFIER, UM_BEGINNING, UM_SPELLING, UM_TERM, UM_LIKWID_OPTION, UM_PERF_NAME, UM_PERF_CACHE,
	UM_PERF_OPERATION, UM_PERF_RESULT, UM_LIST_UNIT, UM_LIST_FIXED, UM_LIST_CORE, UM_TOPDOWN,
	UM_CORE_EVENT,
};

struct um_synonym {
	char theirs[32], ours[28];
	uint32_t value;
	char on[16];                   /* where the word is valid; "": everywhere */
};

struct um_synonym_list {
	const struct um_synonym *rows;
	size_t num;
};

extern const struct um_synonym_list um_synonyms[] UM_CROSSES; /* indexed by enum um_synonyms */

#define UM_EACH_SYNONYM(w, list) \
	for (const struct um_synonym *w = um_synonyms[list].rows; \
	     w < um_synonyms[list].rows + um_synonyms[list].num; w++)

/* The first entry for a word, in upper or lower case; NULL: none. */
static inline const struct um_synonym *um_synonym_find(enum um_synonyms list, const char *text, size_t len)
{
	UM_EACH_SYNONYM(w, list)
		if (um_is_word(text, len, w->theirs))
			return w;
	return NULL;
}

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
