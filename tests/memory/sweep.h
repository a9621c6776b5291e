/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What sweep.c and the preloaded fail_alloc.c share: the memory behind a descriptor. */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>
#include <stdint.h>

enum { SWEEP_DEPTH = 40, SWEEP_STACKS = 1 << 16 };

/* The environment variable with the descriptor of the memory. */
#define SWEEP_VARIABLE "SWEEP_MEMORY"

struct sweep_shared {
	/* What the next run is to do. */
	uint64_t nth;      /* this allocation fails; 0: none */
	bool and_all;      /* all later ones fail, too */
	bool wants_stacks; /* note which call stacks allocate */
	/* What it did. */
	_Atomic uint64_t num;              /* allocations of the process and its children */
	uint32_t depth;                    /* call stack of the allocation that failed */
	uint64_t stack[SWEEP_DEPTH];
	uint32_t num_stacks;               /* different call stacks */
	struct {
		uint64_t hash, first;      /* the first allocation that came from there */
	} stacks[SWEEP_STACKS];
};

#endif
