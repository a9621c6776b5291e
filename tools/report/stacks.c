/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/stacks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "report/names.h"

enum { DEPTH = 8192 }; /* depth limit; no record has room for so many callers */

static size_t *slot_of(const struct stacks *s, size_t parent, const char *name)
{
	uint64_t hash = ((uint64_t)(uintptr_t)name ^ parent << 20) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 20) & (s->num_slots - 1);

	while (s->slots[at]) {
		const struct stack_node *node = &s->nodes[s->slots[at] - 1];

		if (node->parent == parent && node->name == name)
			break;
		at = (at + 1) & (s->num_slots - 1);
	}
	return &s->slots[at];
}

/* Grow the tables, so that at most half of the slots of the hash table are used. */
static int grow(struct stacks *s)
{
	size_t num = s->num_slots ? 2 * s->num_slots : 1024;
	size_t *slots = calloc(num, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(s->slots);
	s->slots = slots;
	s->num_slots = num;
	for (size_t i = 0; i < s->num; i++)
		*slot_of(s, s->nodes[i].parent, s->nodes[i].name) = i + 1;
	return 0;
}

struct stacks *stacks_new(void)
{
	struct stacks *s = calloc(1, sizeof(*s));
	const char *all = name_of("all");

	if (!s || !all || grow(s) || ARRAY_APPEND(s->nodes, s->num, (struct stack_node){ .name = all })) {
		stacks_free(s);
		return NULL;
	}
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	free(s->nodes);
	free(s->slots);
	free(s);
}

int stacks_add(struct stacks *s, const char *const *frames, size_t num, uint64_t period)
{
	size_t at = 0;

	s->nodes[0].weight += (double)period;
	while (num--) {
		size_t *slot;

		if (s->num == s->num_slots / 2 && grow(s))
			return -ENOMEM;
		slot = slot_of(s, at, frames[num]);
		if (!*slot) {
			if (ARRAY_APPEND(s->nodes, s->num, (struct stack_node){ .parent = at, .name = frames[num],
										.depth = s->nodes[at].depth + 1 }))
				return -ENOMEM;
			*slot = s->num;
		}
		at = *slot - 1;
		s->nodes[at].weight += (double)period;
	}
	s->nodes[at].samples++;
	s->nodes[at].self += (double)period;
	return 0;
}

/* ---- folded ---- */

/* Write a name; characters that separate names in folded lines are replaced. */
static void put_frame(struct out *o, const char *name)
{
	char shown[OUT_SHOWN];

	for (size_t len = strlen(name), used; len; name += used, len -= used) {
		used = out_show(shown, name, len, "");
		out_str(o, *name == ';' ? ":" : shown);
	}
}

static void put_line(const struct stacks *s, size_t at, struct out *o)
{
	size_t frames[DEPTH], num = 0;

	for (size_t i = at; i && num < DEPTH; i = s->nodes[i].parent)
		frames[num++] = i;
	while (num--) {
		put_frame(o, s->nodes[frames[num]].name);
		if (num)
			out_char(o, ';');
	}
	out_char(o, ' ');
	out_u64(o, s->nodes[at].samples);
	out_char(o, '\n');
}

static int by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int stacks_fold(const struct stacks *s, struct out *o)
{
	char **lines = calloc(s->num, sizeof(*lines));
	size_t num = 0;
	int err = lines ? 0 : -ENOMEM;

	for (size_t i = 1; !err && i < s->num; i++) {
		struct out line;

		if (!s->nodes[i].samples)
			continue;
		out_init(&line, -1);
		put_line(s, i, &line);
		out_char(&line, '\0');
		err = line.error ? -ENOMEM : 0;
		if (!err)
			lines[num++] = line.buf; /* freed below */
		else
			out_free(&line);
	}
	if (num)
		qsort(lines, num, sizeof(*lines), by_line);
	for (size_t i = 0; i < num; i++) {
		if (!err)
			out_str(o, lines[i]);
		free(lines[i]);
	}
	free(lines);
	return err;
}
