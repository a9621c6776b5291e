/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suggest similar names from all sources. */
#ifndef UM_OFFER_H
#define UM_OFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "names/source.h"

/*
 * The most similar names as a list for an advice: "a, b or c"; "" if none is similar. True: the text is a part of
 * the first one. Slow: reads every source.
 */
bool um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size);

#endif
