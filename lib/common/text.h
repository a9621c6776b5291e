/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare texts with words, and other small operations on texts. */
#ifndef UM_TEXT_H
#define UM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* A string literal and its length, as two arguments of a call. */
#define UM_WORD(word) word, sizeof(word) - 1

/* Is the text of length @len exactly this word? Not case-sensitive. */
static inline bool um_is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !strncasecmp(text, word, len);
}

static inline bool um_is_exactly(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

/* Replace "" by NULL, which means "no text" in members of public structs. */
static inline const char *um_or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static inline bool um_starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Append to the text in @buf, as printf() would write. False if it does not fit; the text is then unchanged. */
bool um_append(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
