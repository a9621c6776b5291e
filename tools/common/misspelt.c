/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/misspelt.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* rows[i][k]: the distance of the first i letters of @text from the first k of @name. */
size_t misspelt_distance(const char *text, size_t len, const char *name)
{
	size_t rows[LONGEST + 1][LONGEST + 1], to = strlen(name), far;

	if (len > LONGEST || to > LONGEST)
		return SIZE_MAX;
	for (size_t i = 0; i <= len; i++)
		for (size_t k = 0; k <= to; k++) {
			size_t *cell = &rows[i][k];

			*cell = i ? i : k;
			if (!i || !k)
				continue;
			*cell = least(least(rows[i - 1][k], rows[i][k - 1]) + 1,
				      rows[i - 1][k - 1] + (text[i - 1] != name[k - 1]));
			if (i > 1 && k > 1 && text[i - 1] == name[k - 2] && text[i - 2] == name[k - 1])
				*cell = least(*cell, rows[i - 2][k - 2] + 1);
		}
	far = (len < to ? len : to) / 3;
	return rows[len][to] > far ? SIZE_MAX : rows[len][to];
}
