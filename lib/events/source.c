/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/source.h"

#include <stdlib.h>
#include <string.h>

void um_name_encode(const struct uncoremsr_event *ev, struct um_meaning *m)
{
	*m = (struct um_meaning){
		.event = ev, .scale = 1, .impossible = "", .occupancy_terms = "",
	};
	ev->source->encode(ev, m);
}

bool um_terms_value(const char *terms, const char *name, uint64_t *v)
{
	size_t len = strlen(name);

	for (const char *at = terms; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, len) == 0 && at[len] == '=') {
			*v = strtoull(at + len + 1, NULL, 0);
			return true;
		}
	}
	return false;
}
