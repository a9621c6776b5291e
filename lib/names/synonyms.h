/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words of other programs and of files, and our words for them: the lists in synonyms.tsv. */
#ifndef UM_SYNONYMS_H
#define UM_SYNONYMS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text.h"

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

#endif
