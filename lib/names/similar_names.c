/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/similar_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/*
 * Names are similar if they have at least ALIKE percent of their words in common. ALIKE_SEVERAL percent are enough if
 * these are SEVERAL words or more.
 */
enum { ALIKE = 60, ALIKE_SEVERAL = 40, SEVERAL = 3, SAME = 100 };
enum { PREFIX = 4, SHORTEST_PART = 3 }; /* "UNC_", which each folded name begins with */

static void fold(struct um_near_name *f, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);

	if (slash) {
		len -= (size_t)(slash + 1 - text);
		text = slash + 1;
		len -= len && text[len - 1] == '/';
	}
	f->len = um_name_fold_letters(text, len, f->text);
	f->num_words = 0;
	memset(f->letters, 0, sizeof(f->letters));
	for (size_t i = PREFIX, word = 0; i < f->len; i++) {
		f->letters[(unsigned char)f->text[i] % sizeof(f->letters)]++;
		word = isalnum((unsigned char)f->text[i]) ? word + 1 : 0;
		if (word == 1 && f->num_words < UM_NEAR_WORDS)
			f->words[f->num_words++].at = i;
		if (word && f->num_words)
			f->words[f->num_words - 1].len = i + 1 - f->words[f->num_words - 1].at;
	}
}

static bool has_word(const struct um_near_name *f, const char *word, size_t len)
{
	for (size_t i = 0; i < f->num_words; i++)
		if (f->words[i].len == len && memcmp(f->text + f->words[i].at, word, len) == 0)
			return true;
	return false;
}

/* The share of common words in all words of both names, in percent; 0: too few. */
static unsigned by_words(const struct um_near_name *a, const struct um_near_name *b)
{
	size_t num = 0, alike;

	for (size_t i = 0; i < a->num_words; i++)
		num += has_word(b, a->text + a->words[i].at, a->words[i].len);
	alike = num ? 2 * SAME * num / (a->num_words + b->num_words) : 0;
	return alike >= (num < SEVERAL ? ALIKE : ALIKE_SEVERAL) ? (unsigned)alike : 0;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* A lower bound of the edit distance, from the numbers of letters that only one of the names has. */
static unsigned least_distance(const struct um_near_name *a, const struct um_near_name *b)
{
	int only_a = 0, only_b = 0;

	for (size_t i = 0; i < sizeof(a->letters); i++) {
		int more = a->letters[i] - b->letters[i];

		only_a += more > 0 ? more : 0;
		only_b += more < 0 ? -more : 0;
	}
	return (unsigned)(only_a > only_b ? only_a : only_b);
}

/*
 * Number of characters to insert, delete or change (Levenshtein distance); any number above @limit if it exceeds
 * @limit. Two rows of the usual matrix; stops as soon as every path exceeds the limit.
 */
static unsigned distance(const struct um_near_name *a, const struct um_near_name *b, unsigned limit)
{
	unsigned row[UM_EVENT_FOLDED + 1];

	if (least_distance(a, b) > limit)
		return limit + 1;
	for (unsigned j = 0; j <= b->len; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a->len; i++) {
		unsigned diagonal = row[0], best = row[0] = i;

		for (size_t j = 1; j <= b->len; j++) {
			unsigned above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1,
				      diagonal + (a->text[i - 1] != b->text[j - 1]));
			diagonal = above;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return best;
	}
	return row[b->len];
}

/* The similarity by letters; 0 if it is not above @least, which saves most of the work. */
static unsigned by_letters(const struct um_near_name *a, const struct um_near_name *b, unsigned least)
{
	/* One wrong character in four can be a typing error; with more it is another word. */
	unsigned slips = (unsigned)a->len / 4, useful = (unsigned)((SAME - least) * (a->len + 1) / SAME);
	unsigned limit = slips < useful ? slips : useful, n = distance(a, b, limit);

	return n > limit ? 0 : (unsigned)(SAME - n * SAME / (a->len + 1));
}

/* Similarity if @a is a part of the name @b: the more of @b it covers, the higher. 0: it is no part. */
static unsigned by_part(const struct um_near_name *a, const struct um_near_name *b)
{
	bool part = a->len >= PREFIX + SHORTEST_PART && b->len && strstr(b->text, a->text + PREFIX);

	return part ? (unsigned)(ALIKE + (SAME - ALIKE) * a->len / (b->len + 1)) : 0;
}

void um_near_to(struct um_near *n, const char *text, size_t len)
{
	n->num = 0;
	fold(&n->wanted, text, len);
}

void um_near_try(struct um_near *n, const char *name, const void *what)
{
	size_t at = n->num < UM_NEAR ? n->num : UM_NEAR - 1;
	unsigned part, alike, words, least = n->num == UM_NEAR ? n->best[at].alike : 0;
	struct um_near_name theirs;

	fold(&theirs, name, strlen(name));
	if (!n->wanted.len || !theirs.len)
		return;
	part = by_part(&n->wanted, &theirs);
	alike = part ? part : by_letters(&n->wanted, &theirs, least);
	words = by_words(&n->wanted, &theirs);
	alike = words > alike ? words : alike;
	if (alike <= least)
		return;
	for (size_t i = 0; i < n->num; i++)
		if (strcmp(n->best[i].name, name) == 0)
			return;
	/* Of equally similar names the earlier one stays first. */
	for (; at > 0 && n->best[at - 1].alike < alike; at--)
		n->best[at] = n->best[at - 1];
	n->best[at].name = name;
	n->best[at].what = what;
	n->best[at].alike = alike;
	n->best[at].has_wanted = part && theirs.len > n->wanted.len;
	n->num += n->num < UM_NEAR;
}

void um_near_add(const struct um_near *n, size_t i, const char *spelt, char *buf, size_t size)
{
	size_t at = strlen(buf);

	if (at < size)
		snprintf(buf + at, size - at, "%s%s", !i ? "" : i + 1 < n->num ? ", " : " or ", spelt);
}
