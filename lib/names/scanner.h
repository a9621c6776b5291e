/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The only scanner of the event language. It splits the text, but looks up no names and terms: the route that counts an
 * event does that.
 *
 *   list  = group *( "," group )
 *   group = event / "{" event *( "," event ) "}" [ ":" mods ]
 *   event = pmu "/" [ term *( "," term ) ] "/" [ mods ] *( ":" part )
 *         / part *( ":" part )
 *   part, term = name [ "=" value ]      ; the term "name" gives the name to show
 *
 * A comma or brace between slashes, and a comma in [...], does not separate events.
 */
#ifndef UM_SCANNER_H
#define UM_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* More than anyone needs, but low enough to limit the memory that a malicious text can use. */
enum { UM_MAX_EVENTS = 16384 };

struct um_event_term {
	const char *name, *value;  /* value NULL: the term has no value */
	size_t name_len, value_len;
	const char *end;           /* end of the term and its value */
};

struct um_term_list {
	const struct um_event_term *at;
	size_t num;
};

static inline struct um_term_list um_terms_from(const struct um_event_term *at, size_t num, size_t from)
{
	return (struct um_term_list){ at + from, num - from };
}

/* An event as written. Its pointers point into @text. */
struct um_event {
	char *text;                /* the text of the event, trimmed */
	const char *pmu;           /* the text before the slash; NULL: no slash */
	size_t pmu_len;
	struct um_event_term *terms;  /* between the slashes */
	size_t num_terms;
	const char *terms_end;     /* the closing slash; NULL: none */
	/*
	 * The parts, separated by colons, of the name or, if there are slashes, of the text after the closing slash. A
	 * name may contain colons, so the first parts may all be the name. In "/:u" the first part is empty.
	 */
	struct um_event_term *parts;
	size_t num_parts;
	/* TEXT of "name=TEXT" between the slashes; NULL: there is none. @terms does not contain "name=TEXT". */
	const char *shown;
	size_t shown_len;
	char *group_mods;          /* after the closing brace; NULL: none */
	unsigned group;            /* number of the event's group, from 0 */
	bool braces;
};

struct um_written {
	struct um_event *events;
	size_t num;
};

/* Split @text into events; the caller frees @out. 0; -EINVAL (message in @e); -ENOMEM. On failure @out is empty. */
int um_scan_events(struct um_written *out, const char *text, struct um_error *e) UM_MUST_CHECK UM_CROSSES;
void um_written_free(struct um_written *w) UM_CROSSES;
const char *um_event_end(const char *text);
/*
 * Get the next term of a text whose terms are separated by @separator. Sets *at to NULL after the last term. Also for
 * terms in the kernel's files and in event lists.
 */
bool um_next_term(const char **at, const char *end, char separator, struct um_event_term *t) UM_CROSSES;
/* The value of one term in "event=0x35,umask=0x21"; false: the term is missing, or is not a number. */
bool um_terms_value(const char *terms, const char *name, uint64_t *v);

#endif
