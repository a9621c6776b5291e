/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formats: the word and the bits of each term. Our tables have the formats of registers, and the kernel's files
 * "format/TERM" those of config words. Both are kept as struct um_term.
 */
#ifndef UM_FORMAT_H
#define UM_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "uarch/uarch.h"

enum { UM_CONFIGS = 4 }; /* config, config1, config2, config3 */

/* The words of an event while its terms are encoded. */
struct um_words {
	uint64_t at[UM_WORDS];
	uint64_t given[UM_WORDS];    /* bits that have a final value; another term must not change them */
};

/* Parse the contents of a file in a PMU's format folder, "config1:0-7,32-35". Returns 0 or -EINVAL. */
int um_format_parse(struct um_term *t, const char *text) UM_MUST_CHECK UM_CROSSES;
/*
 * Find the term with this name, or with a synonym of it ("thresh" for "cmask"); NULL: none. In our tables "event" and
 * "umask" also find a term of another name if it has the bits of the event select or unit mask. For the kernel's PMUs
 * case matters, and "config", "config1" and so on are terms for the whole words.
 */
const struct um_term *um_term_find(const struct um_pmu *pmu, const char *name, size_t len);
/* The first term that has one of these bits of a word; NULL: none. */
const struct um_term *um_term_of_bits(const struct um_pmu *pmu, unsigned word, uint64_t bits);
/* The selector bits of the term with this name; 0: there is no such term. */
uint64_t um_selector_bits(const struct um_pmu *pmu, const char *name);
/*
 * The selector bits of edge detection, inversion and threshold, which change how an event is counted, but not which
 * event.
 */
uint64_t um_modifier_bits(const struct um_pmu *pmu);
/*
 * Synonym @index of a term: names in other programs for edge, inversion and threshold, or our term for an option of
 * likwid. NULL past the last.
 */
const char *um_term_synonym(const char *name, size_t len, size_t index);
uint64_t um_term_max(const struct um_term *t);
uint64_t um_term_get(const struct um_term *t, uint64_t word);
/*
 * Put the value of a term into its word. 0; -EINVAL, with a message about event @text: the value is too large, or the
 * term has another value already.
 */
int um_term_put(const struct um_term *t, uint64_t value, struct um_words *w, const char *text,
		struct um_error *e) UM_MUST_CHECK;

#endif
