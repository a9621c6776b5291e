/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find the event that a text names in the event lists, for the route by registers and for perf. The text is the name in
 * the list, or the name as libpfm4 and likwid write it; more unit masks may follow.
 */
#ifndef UM_LISTED_H
#define UM_LISTED_H

#include <stdbool.h>

#include "names/pmus.h"
#include "names/json_list.h"
#include "names/scanner.h"

enum { UM_LISTED_TERMS = 256, UM_LISTED_MASKS = 8, UM_LISTED_GIVEN = 16 };

/* An event written as NAME with terms and modifiers after colons, or as PMU/NAME/ with terms between the slashes. */
struct um_listed {
	const struct um_event *ev;
	const struct um_json_event *entry;  /* NULL: no list has the event */
	/* More entries, whose unit masks are or-ed to that of @entry. */
	const struct um_json_event *more[UM_LISTED_MASKS];
	size_t num_more;
	const char *pmu, *name;             /* pmu NULL: the text names none */
	size_t pmu_len, len;
	struct um_term_list terms, modifiers;
	/* The entry's terms with the or-ed unit masks and libpfm4's filters; "": the terms are unchanged. */
	char masks[UM_LISTED_TERMS];
	struct um_event_term given[UM_LISTED_GIVEN]; /* @terms translated, if libpfm4 has other words for them */
	bool libpfm4;                       /* the event is written as libpfm4 does, with the PMU in front */
};

/* Find the event in @lists, which may be NULL. libpfm4's form is accepted only for the processor of @pmus. */
void um_listed_find(struct um_listed *l, const struct um_event_pmus *pmus,
		    const struct um_json_lists *lists, const struct um_event *ev);
/* Length of an event's name before the last dot or colon: libpfm4 writes the word after it as unit mask. 0: none. */
size_t um_without_mask(const char *name, size_t len);
/* Does the text name an event that was left out of the lists? -EINVAL with file, line and reason in @e; else 0. */
int um_listed_refused(const struct um_json_lists *lists, const struct um_event *ev, struct um_error *e);

#endif
