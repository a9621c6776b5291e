/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>

#include "names/source.h"

void um_name_make(struct um_name *n, enum um_from from, const char *name)
{
	static const struct uncoremsr_spelling *const no_spellings[] = { NULL };
	static const char *const no_sources[] = { NULL };
	static const char words[][8] = {
		[UM_FROM_TABLE] = "table", [UM_FROM_PERF] = "perf", [UM_FROM_LIST] = "list", [UM_FROM_IMC] = "imc",
		[UM_FROM_KERNEL] = "kernel", [UM_FROM_FIXED] = "fixed", [UM_FROM_METRIC] = "metric",
	};

	n->from = from;
	n->described = true;
	n->pub = (struct uncoremsr_event){
		.size = sizeof(n->pub), .name = name, .from = words[from], .sources = no_sources,
		.spellings = no_spellings, .event_select = UINT64_MAX, .unit_mask = UINT64_MAX, .word = UINT64_MAX,
		.extra_register = UINT64_MAX, .extra_value = UINT64_MAX, .offset = UINT64_MAX,
		.ports = -1, .uncore = -1, .deprecated = -1, .hidden = -1, .core_type = -1, .on_cpus = -1,
		.low = NAN, .high = NAN,
	};
}

struct um_records {
	struct um_records *next;
	const void *of;
	size_t num;
	void (*fill)(void *records, const void *of);
	void (*drop)(void *records, size_t num);
	max_align_t first;
};

void *um_records(struct um_names *n, const void *of, size_t num, size_t size,
		 void (*fill)(void *records, const void *of), void (*drop)(void *records, size_t num))
{
	struct um_records *r = n->records;

	while (r && (r->of != of || r->fill != fill))
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
	r->num = num;
	r->fill = fill;
	r->drop = drop;
	n->records = r;
	if (fill)
		fill(&r->first, of);
	return &r->first;
}

void um_records_free(struct um_names *n)
{
	while (n->records) {
		struct um_records *r = n->records;

		if (r->drop)
			r->drop(&r->first, r->num);
		n->records = r->next;
		free(r);
	}
}
