/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Merges lines of text: cores with the same text share one line. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "throttle/throttle.h"

/* Return a copy of the text in @o, and empty @o. NULL: there is no text, or no memory. */
static const char *take_text(struct throttle_lines *l, struct out *o)
{
	const char *copy = o->len && !o->error ? arena_text(&l->texts, out_text(o)) : NULL;

	if (o->len && !copy)
		out_lacks_memory();
	o->len = 0;
	return copy;
}

void throttle_line_add(struct throttle_lines *l, int package, int core)
{
	const struct throttle_line line = {
		.package = package, .core = core, .text = take_text(l, &l->text), .rest = take_text(l, &l->rest),
		.next = take_text(l, &l->next), .more = take_text(l, &l->more),
	};

	if (ARRAY_APPEND(l->list, l->num, line))
		out_lacks_memory();
}

static int compare_ints(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void put_list(struct out *out, int *ids, size_t num)
{
	qsort(ids, num, sizeof(*ids), compare_ints);
	for (size_t i = 0; i < num;) {
		size_t last = i;

		while (last + 1 < num && ids[last + 1] == ids[last] + 1)
			last++;
		out_fmt(out, "%s%d", i ? "," : "", ids[i]);
		if (last > i)
			out_fmt(out, "%c%d", last > i + 1 ? '-' : ',', ids[last]);
		i = last + 1;
	}
}

/* What a merged line is about: a package, some of its cores, or both. */
struct place {
	bool whole;  /* the line is about the package itself, too */
	int *cores;
	size_t num;
	bool differ; /* the merged lines have different @rest */
};

/* Merge all lines with the text of line @first: collect their package and cores, and remove all but @first. */
static void take_alike(struct throttle_lines *l, size_t first, struct place *place)
{
	const struct throttle_line *line = &l->list[first];

	for (size_t i = first; i < l->num; i++) {
		struct throttle_line *other = &l->list[i];

		if (!other->text || other->package != line->package ||
		    strcmp(other->text, line->text) != 0)
			continue;
		if (other->core < 0)
			place->whole = true;
		else
			place->cores[place->num++] = other->core;
		place->differ |= line->rest && (!other->rest || strcmp(other->rest, line->rest) != 0);
		if (i > first)
			other->text = NULL;
	}
}

static void put_whose(struct out *out, const struct throttle_line *line)
{
	if (line->core < 0)
		out_str(out, "on the package");
	else
		out_fmt(out, "on core %d", line->core);
}

static void put_merged(struct throttle_lines *l, size_t first, int *ids, struct out *out)
{
	const struct throttle_line *line = &l->list[first];
	struct place place = { .cores = ids };

	take_alike(l, first, &place);
	if (line->package >= 0)
		out_fmt(out, "package %d", line->package);
	if (place.num) {
		out_fmt(out, "%s core%s ", place.whole ? " and its" : ",", place.num > 1 ? "s" : "");
		put_list(out, place.cores, place.num);
	}
	out_fmt(out, "%s%s", line->package >= 0 ? ": " : "", line->text);
	if (line->rest) {
		out_str(out, "; ");
		if (place.differ) {
			put_whose(out, line);
			out_str(out, ": ");
		}
		out_str(out, line->rest);
	}
	out_char(out, '\n');
	if (line->next)
		out_str(out, line->next);
	if (!line->more)
		return;
	if (place.whole + place.num > 1) {
		out_str(out, "    ");
		put_whose(out, line);
		out_str(out, ":\n");
	}
	out_str(out, line->more);
}

void throttle_lines_put(struct throttle_lines *l, struct out *out, const char *prefix)
{
	int *ids = calloc(l->num + 1, sizeof(*ids));

	if (!ids)
		out_lacks_memory();
	for (size_t i = 0; ids && i < l->num; i++) {
		if (!l->list[i].text)
			continue;
		out_str(out, prefix);
		put_merged(l, i, ids, out);
	}
	free(ids);
	free(l->list);
	arena_free(&l->texts);
	out_free(&l->text);
	out_free(&l->rest);
	out_free(&l->next);
	out_free(&l->more);
	*l = (struct throttle_lines){ .num = 0 };
}
