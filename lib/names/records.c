/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records of named events that are built in; see source.h. */
#include <stdlib.h>

#include "names/source.h"

struct um_records {
	struct um_records *next;
	const void *of;
	max_align_t first;
};

void *um_records(struct um_names *n, const void *of, size_t num, size_t size,
		 void (*fill)(void *records, const void *of))
{
	struct um_records *r = n->records;

	while (r && r->of != of)
		r = r->next;
	if (r)
		return &r->first;
	r = calloc(1, sizeof(*r) + num * size);
	if (!r) {
		*n->no_memory = true;
		return NULL;
	}
	r->next = n->records;
	r->of = of;
	n->records = r;
	fill(&r->first, of);
	return &r->first;
}

void um_records_free(struct um_names *n)
{
	while (n->records) {
		struct um_records *next = n->records->next;

		free(n->records);
		n->records = next;
	}
}
