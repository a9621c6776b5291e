/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All sources of names; to add one, add a line. */
#include "events/source.h"

#include <stdlib.h>
#include <string.h>

const struct um_name_source *const um_name_sources[] = {
	&um_table_source,
	&um_perf_source,
	&um_list_source,
	&um_imc_source,
	&um_kernel_source,
	&um_fixed_source,
	&um_metric_source,
	NULL,
};

void um_name_encode(const struct uncoremsr_event *ev, struct um_meaning *m)
{
	*m = (struct um_meaning){
		.event = ev, .scale = 1, .impossible = "", .occupancy_terms = "",
	};
	ev->source->encode(ev, m);
}

const struct uncoremsr_event *um_name_find(const struct um_lookup *l, const char *text, size_t len,
					   struct um_meaning *m)
{
	for (size_t i = 0; um_name_sources[i]; i++) {
		const struct uncoremsr_event *ev = um_asks(l, um_name_sources[i])
							   ? um_name_sources[i]->find(l, text, len) : NULL;

		if (ev && m)
			um_name_encode(ev, m);
		if (ev)
			return ev;
	}
	return NULL;
}
