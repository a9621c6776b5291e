/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event language: from text to selector words. Knows the tables of a PMU, no machine.
 *
 *   list     = item *( "," item )
 *   item     = event / "{" event *( "," event ) "}"
 *   event    = name / pattern / raw / pmu  [ *( ":" modifier ) ]
 *   name     = what names.h takes for the name of an event
 *   pattern  = a name with "*" (any text), "[0-3]" or "[0,2]" (numbers) in it: several events
 *   raw      = number ":" number          ; event select and unit mask
 *            / number                     ; selector word
 *   pmu      = pmuname "/" ( name / pattern / term *( "," term ) ) "/"
 *   term     = ( "event" / "umask" / "cmask" / "raw" ) "=" number / "edge" / "inv"
 *   modifier = "edge" / "e" / "inv" / "invert" / "i" / ( "cmask" / "c" / "t" ) "=" number
 *            / "raw" "=" number            ; more bits of the selector word
 */
#ifndef UM_EVENT_H
#define UM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "events/table.h"
#include "uarch/uarch.h"

struct um_event {
	char name[64];                     /* canonical */
	const struct uncoremsr_pmu *pmu;
	const struct um_event_row *row;    /* NULL: the tables have no name for it */
	bool fixed;                        /* counted by the fixed counter alone */
	uint64_t word;                     /* for the selector (or fixed control) */
	unsigned group;                    /* events of one group are counted at the same time */
	int counter;                       /* the one asked for; -1 any */
	unsigned max_per_clock;            /* highest increment per uncore clock */
};

struct um_event_list {
	struct um_event *events;
	size_t num, room;
	unsigned num_groups;
};

/*
 * Append the events of @text. On failure (-EINVAL, -ENOENT, -ENOMEM, with a sentence in @e) the list
 * is as before. Returns how many were added.
 */
int um_events_parse(struct um_event_list *list, const char *text,
		    const struct um_uarch *uarch, struct um_error *e) UM_MUST_CHECK;
void um_events_free(struct um_event_list *list);

/* What of @cmask, @edge etc. an event is made of, and the word of it. */
struct um_event_spec {
	uint64_t event, umask, cmask;
	bool edge, invert;
	bool raw;                          /* @word was given as a whole */
	uint64_t word;
	uint64_t more;                     /* bits of the word that were asked for one by one */
	const struct um_event_table *table; /* where a name for the codes may be; or NULL */
	const struct um_event_row *row;    /* the name that was asked for; NULL: look it up */
};

/* Check the values against the selector's layout and fill @ev's word and canonical name. */
int um_event_encode(struct um_event *ev, const struct uncoremsr_pmu *pmu,
		    const struct um_event_spec *spec, const char *text, struct um_error *e);

#endif
