/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which event of the lists a text means, for both routes: by the list's own name, as libpfm4 and likwid
 * write it, with more unit masks behind it.
 */
#ifndef UM_LISTED_H
#define UM_LISTED_H

#include <stdbool.h>

#include "events/event.h"
#include "events/json_list.h"
#include "events/scanner.h"

enum { UM_LISTED_TERMS = 256, UM_LISTED_MASKS = 8, UM_LISTED_GIVEN = 16 };

/* Alone with terms and modifiers behind colons, or between slashes with terms. */
struct um_listed {
	const struct um_event *ev;
	const struct um_json_event *entry;  /* NULL: the lists do not have it */
	/* Those whose unit masks are or-ed to it. */
	const struct um_json_event *more[UM_LISTED_MASKS];
	size_t num_more;
	const char *pmu, *name;             /* pmu NULL: it was not said */
	size_t pmu_len, len;
	struct um_term_list terms, modifiers;
	const char *terms_end;              /* of what was written, up to the modifiers */
	/* The entry's terms with unit masks or-ed and libpfm4's filters; "": as they are. */
	char masks[UM_LISTED_TERMS];
	struct um_event_term given[UM_LISTED_GIVEN]; /* @terms, where libpfm4 has other words for them */
	bool libpfm4;                       /* it is written so, with its PMU in front */
};

/* @lists may be NULL. Only what libpfm4 writes for the processor of @pmus is found in its form. */
void um_listed_find(struct um_listed *l, const struct um_event_pmus *pmus,
		    const struct um_json_lists *lists, const struct um_event *ev);
/* Why the lists left out the event that is meant: -EINVAL with file and line in @e; 0: they did not. */
int um_listed_refused(const struct um_json_lists *lists, const struct um_event *ev, struct um_error *e);

#endif
