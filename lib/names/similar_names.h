/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find the names of all sources that are most similar to an unknown one. */
#ifndef UM_SIMILAR_NAMES_H
#define UM_SIMILAR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "names/source.h"

/*
 * Write the most similar names as a list for a hint: "a, b or c"; "" if none is similar. Returns true if the text is a
 * part of the first name in the list. Slow: reads every source.
 */
bool um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size);

#endif
