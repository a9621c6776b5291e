/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "events/offer.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "events/imc_lists.h"
#include "events/names.h"

/*
 * In percent: names are similar if at least this share of their words is common; fewer suffice if several words
 * are.
 */
enum { ALIKE = 60, ALIKE_SEVERAL = 40, SEVERAL = 3, SAME = 100, MOST_WORDS = 16 };

struct folded {
	char text[UM_EVENT_FOLDED];
	size_t len;
	struct { size_t at, len; } words[MOST_WORDS];
	size_t num_words;
};

/* Fold the event of "PMU/EVENT/" to capitals, truncated to the length of names, and split it into words. */
static void fold(struct folded *f, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);

	if (slash) {
		len -= (size_t)(slash + 1 - text);
		text = slash + 1;
		len -= len && text[len - 1] == '/';
	}
	f->len = len < sizeof(f->text) ? len : sizeof(f->text) - 1;
	f->num_words = 0;
	for (size_t i = 0, word = 0; i < f->len; i++) {
		bool sign = !isalnum((unsigned char)text[i]);

		f->text[i] = (char)(sign ? '_' : toupper((unsigned char)text[i]));
		word = sign ? 0 : word + 1;
		if (word == 1 && f->num_words < MOST_WORDS)
			f->words[f->num_words++].at = i;
		if (word && f->num_words)
			f->words[f->num_words - 1].len = i + 1 - f->words[f->num_words - 1].at;
	}
}

static bool has_word(const struct folded *f, const char *word, size_t len)
{
	for (size_t i = 0; i < f->num_words; i++)
		if (f->words[i].len == len && memcmp(f->text + f->words[i].at, word, len) == 0)
			return true;
	return false;
}

/* The share of common words in all words of both names, in percent; 0: too few. */
static unsigned by_words(const struct folded *a, const struct folded *b)
{
	size_t num = 0, alike;

	for (size_t i = 0; i < a->num_words; i++)
		num += has_word(b, a->text + a->words[i].at, a->words[i].len);
	alike = num ? 2 * SAME * num / (a->num_words + b->num_words) : 0;
	return alike >= (num < SEVERAL ? ALIKE : ALIKE_SEVERAL) ? (unsigned)alike : 0;
}

static unsigned by_letters(const struct folded *a, const struct folded *b)
{
	/* One wrong character in four is a slip; more is another word. */
	unsigned limit = (unsigned)a->len / 4;
	unsigned n = um_name_distance(a->text, a->len, b->text, b->len, limit);

	return n > limit ? 0 : (unsigned)(SAME - n * SAME / (a->len + 1));
}

struct best {
	const struct uncoremsr_event *events[UM_NEAR];
	unsigned alike[UM_NEAR];
	size_t num;
};

/* Was the event suggested already? Catalogs share many events. */
static bool is_told(const struct best *b, const struct uncoremsr_event *ev)
{
	if (ev->source != &um_imc_source)
		return false;
	for (size_t i = 0; i < b->num; i++)
		if (b->events[i]->source == ev->source &&
		    strcmp(((const struct um_imc_name *)b->events[i])->path,
			   ((const struct um_imc_name *)ev)->path) == 0)
			return true;
	return false;
}

static void insert(struct best *b, const struct uncoremsr_event *ev, unsigned alike)
{
	size_t at = b->num < UM_NEAR ? b->num++ : UM_NEAR - 1;

	if (b->events[at] && b->alike[at] >= alike)
		return;
	for (; at > 0 && b->alike[at - 1] < alike; at--) {
		b->events[at] = b->events[at - 1];
		b->alike[at] = b->alike[at - 1];
	}
	b->events[at] = ev;
	b->alike[at] = alike;
}

static void compare(struct best *b, const struct folded *wanted, const struct uncoremsr_event *ev)
{
	const char *name = ev->source->text(ev, UNCOREMSR_EVENT_NAME);
	struct folded theirs;
	unsigned words, letters;

	fold(&theirs, name, strlen(name));
	words = by_words(wanted, &theirs);
	letters = by_letters(wanted, &theirs);
	if ((words || letters) && !is_told(b, ev))
		insert(b, ev, words > letters ? words : letters);
}

static void compare_all(struct best *b, const struct folded *wanted, const struct um_name_source *source,
			const struct um_lookup *l)
{
	const struct uncoremsr_event *ev;

	for (size_t k = 0, index = 0; (ev = source->list(l, &index)); index = ++k)
		compare(b, wanted, ev);
}

/* The path of a catalog; NULL: it is not in these lists. */
static const char *path_of(const struct um_imc_lists *lists, const struct um_imc_catalog *c)
{
	for (size_t i = 0; i < lists->num; i++)
		if (lists->lists[i].catalog == c)
			return lists->lists[i].path;
	return NULL;
}

/*
 * An event of a catalog is shown with PMU and level and, if there are several catalogs, with its processor and
 * catalog.
 */
static void spell(const struct uncoremsr_event *ev, const struct um_imc_lists *lists,
		  const struct um_imc_lists *others, char *buf, size_t size)
{
	const struct um_imc_name *n = (const struct um_imc_name *)ev;
	const char *path, *file, *generation;

	if (ev->source != &um_imc_source) {
		snprintf(buf, size, "%s", ev->source->text(ev, UNCOREMSR_EVENT_NAME));
		return;
	}
	path = lists->num + others->num > 1 ? path_of(lists, n->catalog) ?: path_of(others, n->catalog) : NULL;
	file = path ? strrchr(path, '/') : NULL;
	file = file ? file + 1 : path;
	generation = file ? um_imc_generation(file) : NULL;
	snprintf(buf, size, "%s (%s%s%s%s%s)", n->path, ev->source->text(ev, UNCOREMSR_EVENT_LEVEL),
		 generation ? ", " : "", generation ? generation : "", file ? ", " : "", file ? file : "");
}

void um_near_names(const struct um_lookup *l, const char *text, size_t len, char *buf, size_t size)
{
	struct best best = { .num = 0 };
	struct um_imc_lists others = { .num = 0 };
	struct um_names names = { .imc = &others };
	struct folded wanted;
	size_t at = 0;

	*buf = '\0';
	fold(&wanted, text, len);
	for (size_t i = 0; wanted.len && um_name_sources[i]; i++)
		compare_all(&best, &wanted, um_name_sources[i], l);
	/* If memory is short for the other catalogs, there are only fewer suggestions. */
	if (wanted.len && l->names->imc && !um_imc_add_others(&others, l->names->imc))
		compare_all(&best, &wanted, &um_imc_source,
			    &(struct um_lookup){ .names = &names, .machine = true });
	for (size_t i = 0; i < best.num && at < size; i++) {
		char name[2 * UM_IMC_NAME];

		spell(best.events[i], l->names->imc, &others, name, sizeof(name));
		at += (size_t)snprintf(buf + at, size - at, "%s%s",
				       !i ? "" : i + 1 < best.num ? ", " : " or ", name);
	}
	um_imc_empty(&others);
}
