/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All sources of names except the metrics; to add one, add a line. */
#include "names/source.h"

#include <math.h>

static const struct um_name_source *const sources[] = {
	&um_table_source,
	&um_perf_source,
	&um_list_source,
	&um_imc_source,
	&um_kernel_source,
	&um_fixed_source,
};

const struct um_name_source *um_name_source(const struct um_lookup *l, size_t index)
{
	const struct um_metric_names *metrics = l->metrics ? l->names->metric_names : NULL;
	size_t num = l->metrics == UM_METRICS_ONLY ? 0 : ARRAY_SIZE(sources);

	if (index < num)
		return sources[index];
	return metrics && index == num ? metrics->source : NULL;
}

const struct uncoremsr_event *um_event_shown(const struct uncoremsr_event *ev)
{
	static const struct uncoremsr_spelling *const no_spellings[] = { NULL };
	static const char *const no_sources[] = { NULL };
	/* The cast is safe, because all records are allocated. */
	struct um_name *n = (struct um_name *)ev;

	if (!n || n->described)
		return ev;
	n->described = true;
	n->pub = (struct uncoremsr_event){
		.size = sizeof(n->pub), .name = ev->name, .from = n->source->name, .sources = no_sources,
		.spellings = no_spellings, .event_select = UINT64_MAX, .unit_mask = UINT64_MAX, .word = UINT64_MAX,
		.extra_register = UINT64_MAX, .extra_value = UINT64_MAX, .offset = UINT64_MAX,
		.ports = -1, .uncore = -1, .deprecated = -1, .hidden = -1, .core_type = -1, .on_cpus = -1,
		.low = NAN, .high = NAN,
	};
	n->source->describe(n);
	return ev;
}

const struct uncoremsr_event *um_name_find(const struct um_lookup *l, const char *text, size_t len)
{
	const struct uncoremsr_event *ev = NULL;
	const struct um_name_source *source;

	for (size_t i = 0; !ev && (source = um_name_source(l, i)); i++)
		ev = source->find(l, text, len);
	return ev;
}
