/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Samples with their callers, as a tree whose root is above the outermost functions. */
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
	unsigned index;        /* number in the order of adding; a parent has a lower number than its callees */
	uint64_t samples;      /* samples whose innermost function this is */
	double weight;         /* sum of the periods of @samples and of those of all callees */
	double x, used;        /* flame graph: position of the box, and the width that the boxes of callees use so far */
};

struct stacks {
	struct stack_node *root;
	struct set nodes;          /* by parent and name; the first one is the root */
};

/* Make an empty tree. */
struct stacks *stacks_new(void);
void stacks_free(struct stacks *s);
/* Add a sample's stack. @frames: functions, the innermost first. */
void stacks_add(struct stacks *s, const char *const *frames, size_t num, uint64_t period);
/* Write folded lines "main;a;b 12", sorted by name. */
void stacks_fold(struct stacks *s, struct out *o);
/* Write a flame graph as SVG, for a browser. */
void stacks_draw(struct stacks *s, struct out *o, const char *title);

#endif
