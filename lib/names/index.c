/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/index.h"

#include <stdlib.h>

#include "common/array.h"
#include "names/imc_lists.h"
#include "names/kernel_pmu.h"

const char *um_row_text(const struct uncoremsr_event *ev)
{
	return um_event_from(ev) == UM_FROM_IMC ? ((const struct um_imc_name *)ev)->path
	       : um_event_from(ev) == UM_FROM_KERNEL ? ((const struct um_kernel_alias *)ev)->path : ev->name;
}

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
	return index->of.uarch == l->uarch && index->of.pmus_of == l->pmus_of && index->of.machine == l->machine &&
	       index->of.metrics == l->metrics;
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
