/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens to one core mostly happens to its neighbours as well: one line for all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

const char *throttle_phrase(const struct uncoremsr_throttle_subject *s, const char *sentence)
{
	int package = uncoremsr_subject_package(s), core = uncoremsr_subject_core(s);
	char name[64];
	size_t len;

	if (core < 0)
		snprintf(name, sizeof(name), "package %d ", package);
	else
		snprintf(name, sizeof(name), "package %d core %d (CPU %d) ", package, core,
			 uncoremsr_subject_cpu(s));
	len = strlen(name);
	if (strncmp(sentence, name, len) != 0)
		return sentence;
	sentence += len;
	if (strncmp(sentence, "is ", 3) == 0)
		return sentence + 3;
	return strncmp(sentence, "was ", 4) == 0 ? sentence + 4 : sentence;
}

const char *throttle_who(const char *phrase)
{
	const char *colon = strstr(phrase, ": ");

	return colon ? colon : "";
}

static char *copy(struct throttle_lines *l, const char *text)
{
	char *new = text ? strdup(text) : NULL;

	l->no_memory |= text && !new;
	return new;
}

void throttle_line_add(struct throttle_lines *l, int package, int core, const char *key,
		       const char *tail, const char *more)
{
	struct throttle_line *list = realloc(l->list, (l->num + 1) * sizeof(*list));

	if (!list) {
		l->no_memory = true;
		return;
	}
	l->list = list;
	list[l->num++] = (struct throttle_line){
		.package = package, .core = core, .key = copy(l, key), .tail = copy(l, tail),
		.more = copy(l, more),
	};
}

static bool alike(const struct throttle_line *a, const struct throttle_line *b)
{
	return a->key && b->key && a->package == b->package && strcmp(a->key, b->key) == 0;
}

static int compare_ints(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* "0-2,8-10". */
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

static bool tails_differ(const struct throttle_line *a, const struct throttle_line *b)
{
	return a->tail && (!b->tail || strcmp(a->tail, b->tail) != 0);
}

/* What the lines are about: a package, some of its cores, or both. */
struct place {
	int package;
	bool whole;  /* the package itself */
	int *cores;
	size_t num;
	bool differ; /* their tails do */
};

/* Take the line @first and all that are like it, which are forgotten. */
static void take_alike(struct throttle_lines *l, size_t first, struct place *place)
{
	const struct throttle_line *line = &l->list[first];

	for (size_t i = first; i < l->num; i++) {
		struct throttle_line *other = &l->list[i];

		if (i != first && !alike(line, other))
			continue;
		if (other->core < 0)
			place->whole = true;
		else
			place->cores[place->num++] = other->core;
		place->differ |= tails_differ(line, other);
		if (i == first)
			continue;
		free(other->key);
		other->key = NULL;
	}
}

static void put_place(struct out *out, const struct place *place)
{
	out_fmt(out, "package %d", place->package);
	if (!place->num)
		return;
	out_fmt(out, "%s core%s ", place->whole ? " and its" : ",", place->num > 1 ? "s" : "");
	put_list(out, place->cores, place->num);
}

/* Whose tail or further lines these are, where the line is about several. */
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
	struct place place = { .package = line->package, .cores = ids };

	take_alike(l, first, &place);
	put_place(out, &place);
	out_fmt(out, ": %s", line->key);
	if (line->tail) {
		out_char(out, ';');
		if (place.differ) {
			out_char(out, ' ');
			put_whose(out, line);
			out_char(out, ':');
		}
		out_str(out, line->tail + 1);
	}
	out_char(out, '\n');
	if (!line->more || !*line->more)
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

	l->no_memory |= !ids;
	for (size_t i = 0; ids && i < l->num; i++) {
		if (!l->list[i].key)
			continue;
		out_str(out, prefix);
		put_merged(l, i, ids, out);
	}
	for (size_t i = 0; i < l->num; i++) {
		free(l->list[i].key);
		free(l->list[i].tail);
		free(l->list[i].more);
	}
	free(ids);
	free(l->list);
	if (l->no_memory)
		tool_say(&throttle_tool, 0, "out of memory: lines are missing");
	*l = (struct throttle_lines){ .num = 0 };
}
