/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "names/imc_lists.h"
#include "names/index.h"
#include "names/names.h"

/*
 * Names are similar if at least ALIKE percent of their words are the same, or ALIKE_SEVERAL percent if these are at
 * least SEVERAL words.
 */
enum { ALIKE = 60, ALIKE_SEVERAL = 40, SEVERAL = 3, SAME = 100 };
enum { PREFIX = 4, SHORTEST_PART = 3 }; /* PREFIX: length of "UNC_", which each folded name has */

enum { NUM_NEAR = 3, NUM_WORDS = 16 };

/* A folded name and its words. UNC is not counted as a word, because most names have it. */
struct folded_name {
	char text[UM_EVENT_FOLDED];
	size_t len;                    /* 0: the text cannot be a name */
	struct { size_t at, len; } words[NUM_WORDS];
	size_t num_words;
};

struct similar {
	struct folded_name wanted;
	struct {
		const struct uncoremsr_event *event;
		unsigned alike;        /* similarity in percent */
		bool has_wanted;       /* this name is longer and contains the wanted one */
	} best[NUM_NEAR];              /* most similar first */
	size_t num;
};

static void fold(struct folded_name *f, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);

	if (slash) {
		len -= (size_t)(slash + 1 - text);
		text = slash + 1;
		len -= len && text[len - 1] == '/';
	}
	f->len = um_name_fold_letters(text, len, f->text);
	f->num_words = 0;
	for (size_t i = PREFIX, word = 0; i < f->len; i++) {
		word = isalnum((unsigned char)f->text[i]) ? word + 1 : 0;
		if (word == 1 && f->num_words < NUM_WORDS)
			f->words[f->num_words++].at = i;
		if (word && f->num_words)
			f->words[f->num_words - 1].len = i + 1 - f->words[f->num_words - 1].at;
	}
}

static bool has_word(const struct folded_name *f, const char *word, size_t len)
{
	for (size_t i = 0; i < f->num_words; i++)
		if (f->words[i].len == len && memcmp(f->text + f->words[i].at, word, len) == 0)
			return true;
	return false;
}

/* Percentage of the words of both names that are in the other name, too; 0: too few. */
static unsigned by_words(const struct folded_name *a, const struct folded_name *b)
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

/* Levenshtein distance; any number above @limit if the distance exceeds @limit. */
static unsigned distance(const struct folded_name *a, const struct folded_name *b, unsigned limit)
{
	unsigned row[UM_EVENT_FOLDED + 1];

	for (unsigned j = 0; j <= b->len; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a->len; i++) {
		unsigned diagonal = row[0], best = row[0] = i;

		for (size_t j = 1; j <= b->len; j++) {
			unsigned above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a->text[i - 1] != b->text[j - 1]));
			diagonal = above;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return best;
	}
	return row[b->len];
}

/* The similarity by letters; 0: below @least, or too low for a suggestion. Because of @least most calls stop early. */
static unsigned by_letters(const struct folded_name *a, const struct folded_name *b, unsigned least)
{
	/* Up to one wrong character in four is treated as a typing error. */
	unsigned slips = (unsigned)a->len / 4, useful = (unsigned)((SAME - least) * (a->len + 1) / SAME);
	unsigned limit = slips < useful ? slips : useful, n = distance(a, b, limit);

	return n > limit ? 0 : (unsigned)(SAME - n * SAME / (a->len + 1));
}

/* The similarity of a name @b that contains the name @a, higher for a longer part. 0: @b does not contain @a. */
static unsigned by_part(const struct folded_name *a, const struct folded_name *b)
{
	bool part = a->len >= PREFIX + SHORTEST_PART && b->len && strstr(b->text, a->text + PREFIX);

	return part ? (unsigned)(ALIKE + (SAME - ALIKE) * a->len / (b->len + 1)) : 0;
}

/*
 * Keep the name, once, if it is one of the most similar so far: it contains the wanted name, differs by a few letters,
 * or has most words in common with it.
 */
static int try_one(void *similar, const struct uncoremsr_event *ev)
{
	const char *name = um_row_text(ev);
	struct similar *n = similar;
	size_t at = n->num < NUM_NEAR ? n->num : NUM_NEAR - 1;
	unsigned part, alike, words, least = n->num == NUM_NEAR ? n->best[at].alike : 0;
	struct folded_name theirs;

	fold(&theirs, name, strlen(name));
	if (!n->wanted.len || !theirs.len)
		return 0;
	part = by_part(&n->wanted, &theirs);
	alike = part ? part : by_letters(&n->wanted, &theirs, least);
	words = by_words(&n->wanted, &theirs);
	alike = words > alike ? words : alike;
	if (alike <= least)
		return 0;
	for (size_t i = 0; i < n->num; i++)
		if (strcmp(um_row_text(n->best[i].event), name) == 0)
			return 0;
	/* If two names are equally similar, the earlier one comes first. */
	for (; at > 0 && n->best[at - 1].alike < alike; at--)
		n->best[at] = n->best[at - 1];
	n->best[at].event = ev;
	n->best[at].alike = alike;
	n->best[at].has_wanted = part && theirs.len > n->wanted.len;
	n->num += n->num < NUM_NEAR;
	return 0;
}

static bool is_extra_metric(const struct um_lookup *l, const struct uncoremsr_event *ev)
{
	return l->metrics == UM_METRICS_TOO && um_event_from(ev) == UM_FROM_METRIC;
}

/*
 * An event of a catalog is shown with PMU, level, processor and catalog. A metric is marked "(a metric)" if the user
 * asked for an event.
 */
static void spell(const struct um_lookup *l, const struct uncoremsr_event *ev, char *buf, size_t size)
{
	const struct um_imc_name *n = (const struct um_imc_name *)ev;
	const char *file, *slash, *generation;

	if (um_event_from(ev) != UM_FROM_IMC) {
		snprintf(buf, size, "%s%s", um_row_text(ev), is_extra_metric(l, ev) ? " (a metric)" : "");
		return;
	}
	file = n->list->path;
	slash = strrchr(file, '/');
	if (slash && slash[1] && !n->list->own)
		file = slash + 1;
	generation = um_imc_generation(file);
	snprintf(buf, size, "%s (%s%s%s, %s)", n->base.path, um_event_shown(ev)->level,
		 generation ? ", " : "", generation ? generation : "", file);
}

bool um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size)
{
	struct um_names others = { .imc.num = 0 };
	const struct um_index *index;
	struct similar near = { .num = 0 };

	*buf = '\0';
	fold(&near.wanted, text, len);
	index = near.wanted.len ? um_index_of(l) : NULL;
	/*
	 * Suggest no metric for a text of three letters or less: most such texts are PMUs ("imc"), not metrics ("ipc").
	 */
	for (size_t i = 0; index && i < index->num; i++)
		if (len > 3 || !is_extra_metric(l, index->rows[i]))
			try_one(&near, index->rows[i]);
	if (l->core)
		um_table_source.each(&(struct um_lookup){ .names = l->names, .uarch = &um_core_registers },
				     try_one, &near);
	/* If memory runs out here, there are only fewer suggestions. */
	if (l->machine && !um_imc_add_others(&others.imc, &l->names->imc))
		um_imc_source.each(&(struct um_lookup){ .names = &others, .machine = true }, try_one, &near);
	for (size_t i = 0, at = 0; i < near.num && at < size; i++, at = strlen(buf)) {
		char name[2 * UM_IMC_NAME];

		spell(l, near.best[i].event, name, sizeof(name));
		snprintf(buf + at, size - at, "%s%s", !i ? "" : i + 1 < near.num ? ", " : " or ", name);
	}
	um_imc_free(&others.imc);
	return near.num && near.best[0].has_wanted;
}
