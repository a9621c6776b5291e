/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/index.h"

#include <stdlib.h>

#include "common/array.h"
#include "names/pattern.h"

void um_index_forget(struct um_names *n)
{
	while (n->indexes) {
		struct um_index *next = n->indexes->next;

		free(n->indexes->rows);
		free(n->indexes);
		n->indexes = next;
	}
}

static int add_row(void *user, const struct uncoremsr_event *ev)
{
	struct um_index *index = user;

	return ARRAY_APPEND(index->rows, index->num, ev);
}

const struct um_index *um_index_of(const struct um_lookup *l)
{
	const struct um_name_source *source;
	struct um_names *n = l->names;
	struct um_index *index = n->indexes;
	bool before = *n->no_memory;

	while (index && (index->of.uarch != l->uarch || index->of.machine != l->machine ||
			 index->of.metrics != l->metrics))
		index = index->next;
	if (index)
		return index;
	index = calloc(1, sizeof(*index));
	*n->no_memory = !index;
	for (size_t i = 0; (source = um_name_source(l, i)) && !*n->no_memory; i++)
		*n->no_memory |= source->each(l, add_row, index) != 0;
	/* Do not keep an index that is incomplete because memory ran out. */
	if (*n->no_memory) {
		if (index)
			free(index->rows);
		free(index);
		return NULL;
	}
	*n->no_memory = before;
	index->of = *l;
	index->next = n->indexes;
	n->indexes = index;
	return index;
}

int um_index_match(const struct um_lookup *l, const char *text, size_t len, const struct uncoremsr_event ***found,
		   struct um_error *e)
{
	const struct um_index *index = um_index_of(l);
	struct um_pattern folded, plain;
	size_t num = 0;
	int err = index ? 0 : um_no_memory(e);

	*found = NULL;
	err = err ?: um_pattern_compile(&folded, "event", text, len, true, e) ?:
	      um_pattern_compile(&plain, "event", text, len, false, e);
	for (size_t i = 0; !err && i < index->num; i++) {
		const struct uncoremsr_event *ev = index->rows[i];
		bool is = um_event_from(ev) == UM_FROM_TABLE ? um_pattern_matches_row(&folded, ev->name)
			  : um_pattern_matches(&plain, ev->name) ||
			    (um_row_text(ev) != ev->name && um_pattern_matches(&plain, um_row_text(ev)));

		if (is && ARRAY_APPEND(*found, num, ev))
			err = um_no_memory(e);
	}
	if (!err && num)
		err = um_pattern_check(um_event_from(**found) == UM_FROM_TABLE ? &folded : &plain,
				       um_lookup_uarch(l) ?: "this machine", e);
	if (err)
		FREE_AND_NULL(*found);
	return err ? err : (int)num;
}
