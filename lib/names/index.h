/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An index: one array with the names of all sources. It is made on first use. */
#ifndef UM_INDEX_H
#define UM_INDEX_H

#include "names/source.h"

struct um_index {
	struct um_index *next;
	struct um_lookup of;           /* the lookup to which the index belongs */
	const struct uncoremsr_event **rows; /* source by source, in the order of um_name_source() */
	size_t num;
};

/* The index for a lookup. It is kept for later calls. NULL: out of memory. */
const struct um_index *um_index_of(const struct um_lookup *l);
/*
 * Find the events whose name matches the pattern, in the order of the index. The caller frees *found. Returns how many;
 * -ENOMEM; or, with a message, an error of um_pattern_compile() or um_pattern_check().
 */
int um_index_match(const struct um_lookup *l, const char *text, size_t len, const struct uncoremsr_event ***found,
		   struct um_error *e) UM_MUST_CHECK;
/*
 * similar_names.c: write the most similar names as a list for a hint ("a, b or c"); "" if none is similar. Returns true
 * if the text is a part of the first name in the list. Slow, because it reads every source.
 */
bool um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size);
/* Forget all indexes, because a source has changed. The records of events are kept. */
void um_index_forget(struct um_names *n);

#endif
