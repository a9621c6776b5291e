/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find similar names. */
#include <string.h>

#include "events/names.h"

/* A name that contains the text counts as this many typing errors. */
enum { REMEMBERED_PART = 2, SHORTEST_PART = 3 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Two rows of the usual matrix; stops as soon as every path exceeds the limit. */
unsigned um_name_distance(const char *a, size_t len_a, const char *b, size_t len_b, unsigned limit)
{
	unsigned row[UM_EVENT_FOLDED + 1];

	if (len_a > len_b + limit || len_b > len_a + limit)
		return limit + 1;
	for (unsigned j = 0; j <= len_b; j++)
		row[j] = j;
	for (unsigned i = 1; i <= len_a; i++) {
		unsigned diagonal = row[0], best = row[0] = i;

		for (size_t j = 1; j <= len_b; j++) {
			unsigned above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1,
				      diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return best;
	}
	return row[len_b];
}

static bool is_part(const char *name, size_t len, const char *other)
{
	return len >= strlen("UNC_") + SHORTEST_PART && strstr(other, name + strlen("UNC_"));
}

bool um_event_has_part(const struct um_event_row *row, const char *text, size_t len)
{
	char name[UM_EVENT_FOLDED], other[UM_EVENT_FOLDED];
	size_t folded = um_name_fold(text, len, name);

	um_name_fold_row(row, other);
	return folded && is_part(name, folded, other);
}

static unsigned errors(const char *name, size_t len, const struct um_event_row *row,
		       unsigned limit)
{
	char other[UM_EVENT_FOLDED];
	size_t other_len = um_name_fold_row(row, other);

	if (limit >= REMEMBERED_PART && is_part(name, len, other))
		return REMEMBERED_PART;
	return um_name_distance(name, len, other, other_len, limit);
}

/* Insert a row, best first; of equal rows the earlier one stays first. */
static size_t insert(const struct um_event_row *near[UM_NEAR], unsigned best[UM_NEAR], size_t num,
		     const struct um_event_row *row, unsigned n)
{
	size_t at = num < UM_NEAR ? num : UM_NEAR - 1;

	for (; at > 0 && best[at - 1] > n; at--) {
		best[at] = best[at - 1];
		near[at] = near[at - 1];
	}
	best[at] = n;
	near[at] = row;
	return num < UM_NEAR ? num + 1 : num;
}

size_t um_event_near(const struct um_event_table *t, const char *text, size_t len,
		     const struct um_event_row *near[UM_NEAR])
{
	char name[UM_EVENT_FOLDED];
	unsigned best[UM_NEAR];
	size_t folded = um_name_fold(text, len, name), num = 0;
	/* One wrong character in four is a slip; more is another word. */
	unsigned limit = (unsigned)folded / 4;
	const struct um_event_row *row = NULL;

	while (folded && (row = um_event_next(t, row))) {
		unsigned n = errors(name, folded, row, limit);

		if (n <= limit && (num < UM_NEAR || n < best[UM_NEAR - 1]))
			num = insert(near, best, num, row, n);
	}
	return num;
}
