/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the names that are most similar to an unknown one. */
#ifndef UM_SIMILAR_NAMES_H
#define UM_SIMILAR_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

enum { UM_NEAR = 3, UM_NEAR_WORDS = 16 };

/* A name, folded and split into words; UNC is no word, because most names have it. */
struct um_near_name {
	char text[UM_EVENT_FOLDED];
	size_t len;                    /* 0: no similar name was found */
	uint8_t letters[32];           /* how often each letter occurs; some letters share an element */
	struct { size_t at, len; } words[UM_NEAR_WORDS];
	size_t num_words;
};

struct um_near {
	struct um_near_name wanted;
	struct {
		const char *name;
		const void *what;
		unsigned alike;        /* similarity in percent */
		bool has_wanted;       /* the wanted name is a part of this longer one */
	} best[UM_NEAR];               /* the most similar first */
	size_t num;
};

/* Start looking for names like @text. Of "PMU/NAME/" only NAME counts, because another PMU may have the event. */
void um_near_to(struct um_near *n, const char *text, size_t len);
/*
 * Keep the name if it is among the most similar so far: if it contains the wanted name, differs from it by a few
 * letters, or has most words in common with it. A name is kept only once. @name has to live as long as @n.
 */
void um_near_try(struct um_near *n, const char *name, const void *what);
/* Append name @i of those found to the list "a, b or c", written as @spelt. */
void um_near_add(const struct um_near *n, size_t i, const char *spelt, char *buf, size_t size);

#endif
