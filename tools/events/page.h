/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An explanation: the same values, as lines of text or as an object of a record format. */
#ifndef TOOL_EVENTS_PAGE_H
#define TOOL_EVENTS_PAGE_H

#include "events/events.h"

/* Everything is written as a tree of named values; in text each value is a line. */
struct page {
	struct records f;
	struct out *o;
	bool text;
	const char *label;     /* label of the next line of a list */
};

/* Begin an explanation of @name, which is a @what (a "register"). NULL: without these two. */
void page_begin(struct page *p, struct events *e, const char *what, const char *name);
void page_end(struct page *p);
/*
 * Write a value: with @name in records, with @label in text. @name NULL: only in text; @label NULL: only in records. An
 * empty text writes no line.
 */
void page_str(struct page *p, const char *name, const char *label, const char *text);
void page_fmt(struct page *p, const char *name, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void page_word(struct page *p, const char *name, const char *label, uint64_t v);

/* Write a list of texts; in text the label is only before the first one. */
void page_list(struct page *p, const char *name, const char *label);
void page_item(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page_list_end(struct page *p);
/* Write the fields of a register, and what they are in @word, unless that is NULL. */
void page_fields(struct page *p, const struct uncoremsr_register *reg, const uint64_t *word);

/* A row of glossary.tsv: a longer text about a bit or a word. */
struct explanation {
	const char *reg; /* the bit is in registers whose names begin with this; NULL: the row is about a word */
	const char *word, *text;
};
extern const struct explanation explanations[]; /* made from glossary.tsv; an entry without a word ends the list */
/* The text about bit @word of register @reg. @reg NULL: the text about @word, in upper or lower case. NULL: none. */
const struct explanation *explanation(const char *reg, const char *word);

/* explain_bits.c. Each returns the exit status; explain_field() returns whether the field exists. */
int explain_register(struct events *e, const struct uncoremsr_register *reg);
int explain_address(struct events *e, uint64_t msr);
int explain_bit(struct events *e, unsigned bit, const char *word);
bool explain_field(struct events *e, const char *text);
/* The platform registers: heat, power and frequency. */
bool explain_platform_field(struct events *e, const char *text);

#endif
