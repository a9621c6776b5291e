/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Call stacks of samples, as a tree. The children of the root are the outermost functions. */
#ifndef TOOL_REPORT_STACKS_H
#define TOOL_REPORT_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "common/output.h"
#include "common/set.h"

struct stack_node {
	struct stack_node *parent; /* NULL: the root */
	const char *name;      /* interned */
	unsigned depth;
	unsigned index;        /* nodes are numbered as they are added, so parents have lower numbers than their callees */
	uint64_t samples;      /* number of samples in this function itself */
	double weight;         /* sum of the periods of all samples in this function and its callees */
	double x, used;        /* flame graph: position of the box; total width of the callees placed so far */
};

struct stacks {
	struct stack_node *root;
	struct set nodes;          /* by parent and name; the first node is the root */
};

struct stacks *stacks_new(void);
void stacks_free(struct stacks *s);
/* Add the stack of a sample. @frames: names of its functions, innermost first. */
void stacks_add(struct stacks *s, const char *const *frames, size_t num, uint64_t period);
/* Write folded lines "main;a;b 12", sorted by name. */
void stacks_fold(struct stacks *s, struct out *o);
void stacks_draw(struct stacks *s, struct out *o, const char *title);

#endif
