/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suggestions for misspelt words of a command line. (The library suggests events and metrics.) */
#ifndef TOOL_MISSPELT_H
#define TOOL_MISSPELT_H

#include <stddef.h>

/*
 * The number of letters to insert, remove, replace, or swap with their neighbour to turn the @len letters at @text into
 * @name; SIZE_MAX: so many that nobody would mistake one for the other.
 */
size_t misspelt_distance(const char *text, size_t len, const char *name);

#endif
