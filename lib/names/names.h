/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find rows of an event table by name, and write names as other programs do. Nothing here allocates memory, and the
 * time does not depend on the length of the user's text.
 *
 * Different spellings of the same name (@len bytes of @text, which need not end in NUL):
 *   - upper and lower case; '.', ':' and '_'
 *   - likwid:   UNC_L3_HITS_READ, UNCORE_CLOCK, UNC_ADDR_OPCODE_MATCH_AND_IOH (without its filter)
 *   - libpfm4:  UNC_LLC_HITS:READ, wsm_unc::UNC_..., and other words for three queues
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

/* Write one canonical spelling for all spellings of a name. Returns its length; 0 if the text cannot be a name. */
size_t um_name_fold(const char *text, size_t len, char out[UM_EVENT_FOLDED]);
/* Like um_name_fold(), but folds only case and separators, and keeps other programs' words. */
size_t um_name_fold_letters(const char *text, size_t len, char out[UM_EVENT_FOLDED]);
/* A faster um_name_fold() for the name of a row. */
void um_name_fold_row(const char *name, char out[UM_EVENT_FOLDED]);

/* Find the row of a name; NULL: the table has none. Patterns are not expanded. */
const struct um_event_row *um_event_find(const struct um_event_table *t, const char *text, size_t len);
/*
 * How @who (UM_LIBPFM4, UM_LIKWID or UM_FREEBSD) spells the event. Returns the length of the name; -ENOENT: @who does
 * not have the event, or has several names for it.
 */
int um_event_spell(const struct um_event_row *row, enum um_source who, char out[UM_EVENT_FOLDED]);

bool um_event_is_pattern(const char *text, size_t len);
#endif
