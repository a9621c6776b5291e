/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/stacks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/names.h"

enum {
	DEPTH = 8192,    /* depth limit; no record has room for so many callers */
	PIECE = 1 << 16, /* the output is written in pieces of this size */
};

/* What makes two nodes the same. Names are interned, so their addresses are compared. */
struct place {
	const struct stack_node *parent;
	const char *name;
};

static bool same(const void *a, const void *b)
{
	const struct stack_node *x = a, *y = b;

	return x->parent == y->parent && x->name == y->name;
}

/* The node of a function called by @parent; it is added if there is none. NULL: no memory. */
static struct stack_node *get_node(struct stacks *s, struct stack_node *parent, const char *name)
{
	const struct place place = { parent, name };
	const struct stack_node like = { .parent = parent, .name = name, .depth = parent ? parent->depth + 1 : 0,
					 .index = (unsigned)s->nodes.num };

	return set_get(&s->nodes, &like, sizeof(like), set_hash(&place, sizeof(place)), same);
}

struct stacks *stacks_new(void)
{
	struct stacks *s = calloc(1, sizeof(*s));
	const char *all = name_of("all");

	if (s && all)
		s->root = get_node(s, NULL, all);
	if (s && s->root)
		return s;
	stacks_free(s);
	return NULL;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	set_free(&s->nodes);
	free(s);
}

int stacks_add(struct stacks *s, const char *const *frames, size_t num, uint64_t period)
{
	struct stack_node *node = s->root;

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

/* ---- the order of the lines: that of their bytes ---- */

/* The character of a folded line at @p in a name; @last: the name is the last one of its line. */
static unsigned char character(const char *p, bool last)
{
	return (unsigned char)(*p ? *p : last ? ' ' : ';');
}

/* Is the character one byte, and written unchanged? */
static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x7f;
}

static int compare_lines(const struct stack_node *x, const struct stack_node *y)
{
	struct out a, b;
	int order;

	out_init(&a, -1);
	out_init(&b, -1);
	put_line(x, &a);
	put_line(y, &b);
	order = strcmp(out_text(&a), out_text(&b));
	out_free(&a);
	out_free(&b);
	return order;
}

/*
 * Compare two lines by @x and @y, the first names after the callers that both share. For most lines this is enough
 * (*known), and the lines need not be written. @last_x, @last_y: the name is the last one of its line, so a blank
 * follows it.
 */
static int compare_names(const char *x, bool last_x, const char *y, bool last_y, bool *known)
{
	while (*x && *x == *y && *x != ';' && is_plain((unsigned char)*x))
		x++, y++;
	*known = *x != ';' && *y != ';' && is_plain(character(x, last_x)) && is_plain(character(y, last_y)) &&
		 character(x, last_x) != character(y, last_y);
	return character(x, last_x) < character(y, last_y) ? -1 : 1;
}

/* Order of nodes: by their lines. Nodes without samples have no line and come last. */
static int by_line(const void *a, const void *b)
{
	const struct stack_node *x = *(struct stack_node *const *)a, *y = *(struct stack_node *const *)b;
	const struct stack_node *n = x, *m = y, *below_n = NULL, *below_m = NULL;
	bool known;
	int order;

	if (!x->samples || !y->samples)
		return !x->samples - !y->samples;
	while (n != m) {
		const struct stack_node **at = n->depth >= m->depth ? &n : &m;

		*(at == &n ? &below_n : &below_m) = *at;
		*at = (*at)->parent;
	}
	if (!below_n || !below_m)
		return !below_m - !below_n;
	order = compare_names(below_n->name, below_n == x, below_m->name, below_m == y, &known);
	return known ? order : compare_lines(x, y);
}

int stacks_fold(struct stacks *s, struct out *o)
{
	set_sort(&s->nodes, by_line);
	for (size_t i = 0; i < s->nodes.num; i++) {
		const struct stack_node *node = s->nodes.items[i];

		if (node->samples && node->parent)
			put_line(node, o);
		if (o->len >= PIECE)
			out_flush(o);
	}
	return out_lacked_memory() ? -ENOMEM : 0;
}
