/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by sweep.c and the preloaded fail_alloc.c: the layout of the memory through which they communicate. */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>
#include <stdint.h>

enum { SWEEP_DEPTH = 40, SWEEP_STACKS = 1 << 16 };

/* environment variable with the file descriptor of the shared memory */
#define SWEEP_VARIABLE "SWEEP_MEMORY"

struct sweep_shared {
	/* Set by sweep.c for the next run. */
	uint64_t nth;      /* number of the allocation that fails; 0: none */
	bool and_all;      /* all later allocations fail, too */
	bool wants_stacks; /* note which call stacks allocate */
	/* Results of the run. */
	_Atomic uint64_t num;              /* allocations of the process and its children */
	uint32_t depth;                    /* call stack of the allocation that failed */
	uint64_t stack[SWEEP_DEPTH];
	uint32_t num_stacks;               /* different call stacks */
	struct {
		uint64_t hash, first;      /* number of the first allocation with this call stack */
	} stacks[SWEEP_STACKS];
};

#endif
