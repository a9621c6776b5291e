/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one scanner of the event language: it takes the text apart, once, and knows no names. What a name or
 * a term means is looked up by the route that claims the event.
 *
 *   list  = group *( "," group )
 *   group = event / "{" event *( "," event ) "}" [ ":" mods ]
 *   event = pmu "/" [ term *( "," term ) ] "/" [ mods ] *( ":" part )
 *         / part *( ":" part )
 *   part, term = name [ "=" value ]      ; the term "name" is what to call it
 *
 * A comma or brace between slashes, and a comma in [...], belongs to what is around it.
 */
#ifndef UM_SCANNER_H
#define UM_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct um_event_term {
	const char *name, *value;  /* value NULL: none was given */
	size_t name_len, value_len;
	const char *end;           /* of the whole, value included */
};

/* Terms or modifiers: some of those of an event. */
struct um_term_list {
	const struct um_event_term *at;
	size_t num;
};

static inline struct um_term_list um_terms_from(const struct um_event_term *at, size_t num,
						size_t from)
{
	return (struct um_term_list){ at + from, num - from };
}

/* An event as it was written. Pointers point into @text. */
struct um_event {
	char *text;                /* blanks around it cut off */
	const char *pmu;           /* what stands before the slash; NULL: there is none */
	size_t pmu_len;
	struct um_event_term *terms;  /* between the slashes */
	size_t num_terms;
	const char *terms_end;     /* the closing slash; NULL: there is none */
	/*
	 * What colons separate: all of a name, or what stands behind the closing slash, where the first
	 * part needs no colon (then it is empty if there is one). A name may have colons of its own.
	 */
	struct um_event_term *parts;
	size_t num_parts;
	/* What "name=TEXT" between the slashes calls it, which is no term then; NULL: nothing. */
	const char *shown;
	size_t shown_len;
	char *group_mods;          /* behind the closing brace; NULL: none */
	unsigned group;            /* events of one have the same, counted from 0 */
	bool braces;               /* it stands in braces */
};

struct um_written {
	struct um_event *events;
	size_t num;
};

/*
 * 0; -EINVAL with a sentence in @e, -ENOMEM: @out is empty then. @out is to be freed.
 */
int um_scan_events(struct um_written *out, const char *text, struct um_error *e) UM_MUST_CHECK;
void um_written_free(struct um_written *w);
/* The end of the event that starts at @text. */
const char *um_event_end(const char *text);
/*
 * The next one of what @separator stands between; *at becomes NULL behind the last. Terms of the kernel's
 * files and of event lists are read with it too.
 */
bool um_next_term(const char **at, const char *end, char separator, struct um_event_term *t);
/* The value of a term of "event=0x35,umask=0x21"; false: it is not there, or no number. */
bool um_terms_value(const char *terms, const char *name, uint64_t *v);

#endif
