/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/stacks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/tree.h"
#include "report/names.h"

enum { DEPTH = 8192 }; /* depth limit; no record has room for so many callers */

/* Names are interned, so their addresses are compared. */
static int compare(const void *a, const void *b)
{
	const struct stack_node *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* The node of a function called by @parent; it is added if there is none. NULL: no memory. */
static struct stack_node *get_node(struct stacks *s, struct stack_node *parent, const char *name)
{
	const struct stack_node like = { .parent = parent, .name = name, .depth = parent ? parent->depth + 1 : 0 };
	struct stack_node *node = tree_get(&s->tree, &like, sizeof(like), compare);

	if (!node || node->index)
		return node;
	node->index = s->num;
	return ARRAY_APPEND(s->nodes, s->num, node) ? NULL : node;
}

struct stacks *stacks_new(void)
{
	struct stacks *s = calloc(1, sizeof(*s));
	const char *all = name_of("all");
	struct stack_node *root = s && all ? get_node(s, NULL, all) : NULL;

	if (root)
		return s;
	stacks_free(s);
	return NULL;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	tdestroy(s->tree, free);
	free(s->nodes);
	free(s);
}

int stacks_add(struct stacks *s, const char *const *frames, size_t num, uint64_t period)
{
	struct stack_node *node = s->nodes[0];

	node->weight += (double)period;
	while (num--) {
		node = get_node(s, node, frames[num]);
		if (!node)
			return -ENOMEM;
		node->weight += (double)period;
	}
	node->samples++;
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

static void put_line(const struct stack_node *node, struct out *o)
{
	const char *frames[DEPTH];
	size_t num = 0;

	for (const struct stack_node *n = node; n->parent && num < DEPTH; n = n->parent)
		frames[num++] = n->name;
	while (num--) {
		put_frame(o, frames[num]);
		if (num)
			out_char(o, ';');
	}
	out_char(o, ' ');
	out_u64(o, node->samples);
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

		if (!s->nodes[i]->samples)
			continue;
		out_init(&line, -1);
		put_line(s->nodes[i], &line);
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
