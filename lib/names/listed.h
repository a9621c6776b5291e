/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find the event that a text names in the event lists, for both routes. The text begins with the list's name of the
 * event, or with its name in libpfm4 or likwid. More unit masks may follow.
 */
#ifndef UM_LISTED_H
#define UM_LISTED_H

#include <stdbool.h>

#include "names/pmus.h"
#include "names/json_list.h"
#include "names/scanner.h"

enum { UM_LISTED_MASKS = 8, UM_LISTED_GIVEN = 16 };

/* An event written as NAME with terms and modifiers after colons, or as PMU/NAME/ with terms between the slashes. */
struct um_listed {
	const struct um_event *ev;
	const struct um_json_event *entry;  /* NULL: no list has the event */
	/* Entries of further unit masks, which are combined with that of @entry. */
	const struct um_json_event *more[UM_LISTED_MASKS];
	size_t num_more;
	const char *pmu, *name;             /* @pmu NULL: no PMU is named */
	size_t pmu_len, len;
	struct um_term_list terms, modifiers;
	/* Terms of the entry with combined unit masks and libpfm4's filters; "": use the entry's own terms. */
	char masks[UM_JSON_TERMS];
	struct um_event_term given[UM_LISTED_GIVEN]; /* for libpfm4's form: @terms in our words */
	bool filtered;                      /* @masks contains a filter of libpfm4 */
	bool libpfm4;                       /* the event is in libpfm4's form, with the PMU in front */
};

/* Find the event in @lists, which may be NULL. libpfm4's form is accepted only for the processor of @pmus. */
void um_listed_find(struct um_listed *l, const struct um_event_pmus *pmus,
		    const struct um_json_lists *lists, const struct um_event *ev);
/* Length of an event's name before its last dot or colon, which precedes the unit mask in libpfm4. 0: none. */
size_t um_without_mask(const char *name, size_t len);

#endif
