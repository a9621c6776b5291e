/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Write an explanation: a tree of named values, as lines of text or as an object of a record format. */
#ifndef TOOL_EVENTS_PAGE_H
#define TOOL_EVENTS_PAGE_H

#include "events/events.h"

/* Begin an explanation of @name, which is a @what ("register"). Both may be NULL. */
void page_begin(struct events *e, const char *what, const char *name);
void page_end(struct events *e);
/*
 * Write a value under @name in records, and after @label in text. If @name is NULL, it is only in text; if @label is
 * NULL, only in records. Text has no line for an empty value.
 */
void page_str(struct events *e, const char *name, const char *label, const char *text);
void page_fmt(struct events *e, const char *name, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void page_word(struct events *e, const char *name, const char *label, uint64_t v);

/* Write a list of texts; in text the label is only before the first one. */
void page_list(struct events *e, const char *name, const char *label);
void page_item(struct events *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page_list_end(struct events *e);
/* Write the fields of a register, with their values in *@word unless @word is NULL. */
void page_fields(struct events *e, const struct uncoremsr_register *reg, const uint64_t *word);

/* A row of glossary.tsv: a longer text about a bit or a word. */
struct explanation {
	const char *reg; /* start of the names of registers that have the bit; NULL: the row is about a word */
	const char *word, *text;
};
extern const struct explanation explanations[]; /* made from glossary.tsv; an entry without a word ends the list */
/* Find the row about bit @word of register @reg or, if @reg is NULL, about a word (in any case). NULL: none. */
const struct explanation *explanation(const char *reg, const char *word);

/* explain_bits.c. Each returns the exit status; explain_field() returns whether the field exists. */
int explain_register(struct events *e, const struct uncoremsr_register *reg);
int explain_address(struct events *e, uint64_t msr);
int explain_bit(struct events *e, unsigned bit, const char *word);
bool explain_field(struct events *e, const char *text);
/* The platform registers: heat, power and frequency. */
bool explain_platform_field(struct events *e, const char *text);

#endif
