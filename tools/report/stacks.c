/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "report/names.h"

enum { PIECE = 1 << 16 }; /* flush the output when it reaches this size */

static struct stack_node *get_node(struct stacks *s, struct stack_node *parent, const char *name)
{
	const struct stack_node like = { .parent = parent, .name = name, .depth = parent ? parent->depth + 1 : 0,
					 .index = (unsigned)s->nodes.num };

	return need(set_get(&s->nodes, &like, sizeof(like), SET_KEY(struct stack_node, name)));
}

struct stacks *stacks_new(void)
{
	struct stacks *s = need(calloc(1, sizeof(*s)));

	s->root = get_node(s, NULL, name_of("all"));
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	set_free(&s->nodes);
	free(s);
}

void stacks_add(struct stacks *s, const char *const *frames, size_t num, uint64_t period)
{
	struct stack_node *node = s->root;

	node->weight += (double)period;
	while (num--) {
		node = get_node(s, node, frames[num]);
		node->weight += (double)period;
	}
	node->samples++;
}

/* Write a name, but replace characters that separate names in folded lines. */
static void put_frame(struct out *o, const char *name)
{
	char shown[OUT_SHOWN];

	for (size_t len = strlen(name), used; len; name += used, len -= used) {
		used = out_show(shown, name, len, "");
		out_str(o, *name == ';' ? ":" : shown);
	}
}

static void put_path(const struct stack_node *node, struct out *o)
{
	if (node->parent->parent) {
		put_path(node->parent, o);
		out_char(o, ';');
	}
	put_frame(o, node->name);
}

/* By the first name that differs; callers before callees; nodes without samples, which have no line, come last. */
static int by_names(const void *a, const void *b)
{
	const struct stack_node *x = *(struct stack_node *const *)a, *y = *(struct stack_node *const *)b;
	const struct stack_node *below_x = NULL, *below_y = NULL;

	if (!x->samples || !y->samples)
		return !x->samples - !y->samples;
	while (x != y) {
		const struct stack_node **at = x->depth >= y->depth ? &x : &y;

		*(at == &x ? &below_x : &below_y) = *at;
		*at = (*at)->parent;
	}
	return below_x && below_y ? strcmp(below_x->name, below_y->name) : !below_y - !below_x;
}

void stacks_fold(struct stacks *s, struct out *o)
{
	set_sort(&s->nodes, by_names);
	for (size_t i = 0; i < s->nodes.num; i++) {
		const struct stack_node *node = s->nodes.items[i];

		if (node->samples && node->parent) {
			put_path(node, o);
			out_fmt(o, " %llu\n", (unsigned long long)node->samples);
		}
		if (o->len >= PIECE)
			out_flush(o);
	}
}
