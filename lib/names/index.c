/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/index.h"

#include <stdlib.h>

#include "common/array.h"

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

static bool is_of(const struct um_index *index, const struct um_lookup *l)
{
	return index->of.uarch == l->uarch && index->of.machine == l->machine && index->of.metrics == l->metrics;
}

const struct um_index *um_index_of(const struct um_lookup *l)
{
	const struct um_name_source *source;
	struct um_names *n = l->names;
	struct um_index *index = n->indexes;
	bool before = *n->no_memory;

	while (index && !is_of(index, l))
		index = index->next;
	if (index)
		return index;
	index = calloc(1, sizeof(*index));
	*n->no_memory = !index;
	for (size_t i = 0; (source = um_name_source(l, i)) && !*n->no_memory; i++)
		*n->no_memory |= source->each(l, add_row, index) != 0;
	/* If memory ran out, do not keep an incomplete index. */
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
