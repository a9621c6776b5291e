/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From names to rows of an event table and back. Nothing here allocates or stores anything, and the time does not
 * grow with the length of what a user typed.
 *
 * Spellings that count as the same name (@len bytes of @text, no NUL needed):
 *   - upper and lower case; '.', ':' and '_'
 *   - likwid:   UNC_L3_HITS_READ, UNCORE_CLOCK, UNC_ADDR_OPCODE_MATCH_AND_IOH (its filter dropped)
 *   - libpfm4:  UNC_LLC_HITS:READ, wsm_unc::UNC_..., and its own words for three queues
 *   - FreeBSD:  names without UNC_, UCLOCK
 *   - Linux:    clockticks, qhl_request_ioh_reads
 */
#ifndef UM_EVENT_NAMES_H
#define UM_EVENT_NAMES_H

#include "common/error.h"
#include "names/table.h"

enum { UM_EVENT_FOLDED = 96 };

/* Fold one letter: letters that every source of names treats as equal give the same result. */
static inline char um_name_letter(char c)
{
	return c == '.' || c == ':' ? '_' : c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/*
 * Fold a name: write the one spelling that stands for all spellings of it. Returns its length; 0 if the text cannot
 * be a name.
 */
size_t um_name_fold(const char *text, size_t len, char out[UM_EVENT_FOLDED]);
/* Like um_name_fold(), but other programs' words for an event are kept: only case and separators are folded. */
size_t um_name_fold_letters(const char *text, size_t len, char out[UM_EVENT_FOLDED]);
/* um_name_fold() for the name of a row, but faster. */
void um_name_fold_row(const char *name, char out[UM_EVENT_FOLDED]);

/* Find the row of a name; NULL: the table has none. Patterns are not expanded. */
const struct um_event_row *um_event_find(const struct um_event_table *t, const char *text,
					 size_t len);
/*
 * How @who (UM_LIBPFM4, UM_LIKWID or UM_FREEBSD) spells the event. Returns the length of the name; -ENOENT: @who does
 * not have the event, or has several names for it.
 */
int um_event_spell(const struct um_event_row *row, enum um_source who, char out[UM_EVENT_FOLDED]);

/* Is the text a pattern: does it contain '*', '?' or '['? */
bool um_event_is_pattern(const char *text, size_t len);
#endif
