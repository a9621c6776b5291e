/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From names to rows of an event table and back. Nothing here allocates or keeps anything, and the
 * time does not grow with the length of what a user typed.
 *
 * What is taken for the same name (@len bytes of @text, no NUL needed):
 *   - upper and lower case; '.', ':' and '_'
 *   - likwid:   UNC_L3_HITS_READ, UNCORE_CLOCK, UNC_ADDR_OPCODE_MATCH_AND_IOH (its filter dropped)
 *   - libpfm4:  UNC_LLC_HITS:READ, wsm_unc::UNC_..., and its own words for three queues
 *   - FreeBSD:  names without UNC_, UCLOCK
 *   - Linux:    clockticks, qhl_request_ioh_reads
 */
#ifndef UM_EVENT_NAMES_H
#define UM_EVENT_NAMES_H

#include "common/error.h"
#include "events/table.h"

enum { UM_NEAR = 3, UM_EVENT_FOLDED = 96 };

/* The order of rows: as strcmp() of their names, folded. */
int um_name_compare(const char *a, const char *b);
/*
 * Write the one spelling that all spellings of a name have in common. Returns its length; 0 when
 * the text is too long or too strange to be a name.
 */
size_t um_name_fold(const char *text, size_t len, char out[UM_EVENT_FOLDED]);
/* The same for the name of a row, quicker. */
size_t um_name_fold_row(const struct um_event_row *row, char out[UM_EVENT_FOLDED]);

/* The row of that name; NULL: the table has none. Patterns are no names. */
const struct um_event_row *um_event_find(const struct um_event_table *t, const char *text,
					 size_t len);
/*
 * The next row with these codes; the first one after NULL; NULL after the last. The clock is never
 * among them: its codes mean nothing to a selector.
 */
const struct um_event_row *um_event_at(const struct um_event_table *t, unsigned event,
				       unsigned umask, const struct um_event_row *after);
/*
 * The row that may give its name to a selector with these codes; NULL: none. A row that needs
 * another register too may not, because the codes do not tell what that holds.
 */
const struct um_event_row *um_event_named(const struct um_event_table *t, unsigned event,
					  unsigned umask);
/* The first table of another processor that has the name, and the row there; NULL: none has. */
const struct um_event_table *um_event_elsewhere(const char *uarch, const char *text, size_t len,
						const struct um_event_row **row);
/* Is the text part of the row's name? */
bool um_event_has_part(const struct um_event_row *row, const char *text, size_t len);
/* Names that may have been meant, the likeliest first. Returns how many, at most UM_NEAR. */
size_t um_event_near(const struct um_event_table *t, const char *text, size_t len,
		     const struct um_event_row *near[UM_NEAR]);
/*
 * Number of characters to insert, delete or change (Levenshtein), or anything above @limit when it
 * is more than that. @len_b is at most UM_EVENT_FOLDED.
 */
unsigned um_name_distance(const char *a, size_t len_a, const char *b, size_t len_b,
			  unsigned limit);
/*
 * How UM_LIBPFM4, UM_LIKWID or UM_FREEBSD spell it. Returns the length as snprintf() does; -ENOENT:
 * they do not have it. likwid's choice of four filters is written {AND,OR,RSPFWDS,RSPIWB}.
 */
int um_event_spell(const struct um_event_row *row, enum um_source who, char *buf, size_t size);

/* Is it a pattern: is there a '*' or a '[' in it? */
bool um_event_is_pattern(const char *text, size_t len);
/*
 * Call @fn for each row that matches the pattern, in table order, until it returns other than 0;
 * with @fn NULL only count them.
 * '*' is any text; [0-3] and [0,2] are numbers, and each of them has to exist.
 * Returns the number of rows, 0 when nothing matches; or, with a sentence in @e and no call made,
 *   -EINVAL  it is not understood
 *   -ENOENT  a number in a bracket does not exist, while others do
 * or what @fn returned.
 */
int um_event_expand(const struct um_event_table *t, const char *text, size_t len,
		    int (*fn)(void *user, const struct um_event_row *row), void *user,
		    struct um_error *e) UM_MUST_CHECK;

#endif
