/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/text.h"
#include "names/source.h"

static const struct um_name_source *const sources[] = {
	[UM_FROM_TABLE] = &um_table_source,
	[UM_FROM_PERF] = &um_perf_source,
	[UM_FROM_LIST] = &um_list_source,
	[UM_FROM_IMC] = &um_imc_source,
	[UM_FROM_KERNEL] = &um_kernel_source,
	[UM_FROM_FIXED] = &um_fixed_source,
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
	/* Casting const away is safe: all records are in allocated memory. */
	struct um_name *n = (struct um_name *)ev;

	if (!n || n->described)
		return ev;
	sources[n->from]->describe(n);
	return ev;
}

struct search {
	const char *text;
	size_t len;
	const struct uncoremsr_event *found;
};

static int compare(void *user, const struct uncoremsr_event *ev)
{
	struct search *s = user;

	if (um_is_word(s->text, s->len, ev->name))
		s->found = ev;
	return s->found != NULL;
}

const struct uncoremsr_event *um_name_find(const struct um_lookup *l, const char *text, size_t len)
{
	struct search s = { text, len, NULL };
	const struct um_name_source *source;

	for (size_t i = 0; !s.found && (source = um_name_source(l, i)); i++)
		if (source->find)
			s.found = source->find(l, text, len);
		else
			source->each(l, compare, &s);
	return s.found;
}
