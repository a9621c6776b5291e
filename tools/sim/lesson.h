/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lessons: what a counter is and does, performed on a simulated machine and shown register by register.
 */
#ifndef TOOL_SIM_LESSON_H
#define TOOL_SIM_LESSON_H

#include <stdbool.h>
#include <stdint.h>

#include "common/output.h"
#include "uncoremsr/sim.h"

/* A lesson that is being given: one machine, of which CPU 0 is looked at. */
struct lesson_room {
	struct uncoremsr_sim *sim;
	struct out *out;
	struct lesson_seen {
		uint32_t msr;
		uint64_t old;    /* before the lesson, */
		bool written;    /* which changed it */
		uint64_t last;   /* as it was read last */
	} seen[8];
	unsigned num_seen;
	int err;                 /* of the first access that did what the lesson does not expect, */
	uint32_t err_msr;        /* and where */
};

/* What is done, and a word why. After a failure none of them does anything. */
void lesson_say(struct lesson_room *r, const char *text);
void lesson_write(struct lesson_room *r, uint32_t msr, uint64_t value, const char *why);
void lesson_read(struct lesson_room *r, uint32_t msr, const char *why);
/* The same, with how much more it is than the last time. */
void lesson_read_again(struct lesson_room *r, uint32_t msr, const char *why);
/* A write that the processor refuses. */
void lesson_refused(struct lesson_room *r, uint32_t msr, uint64_t value, const char *why);
void lesson_wait(struct lesson_room *r, uint64_t ns);
/* The same two without a word. */
uint64_t lesson_look(struct lesson_room *r, uint32_t msr);
void lesson_put(struct lesson_room *r, uint32_t msr, uint64_t value);

struct lesson {
	const char *name, *title;
	const char *machine;
	void (*give)(struct lesson_room *r);
};

extern const struct lesson lessons[]; /* ended by a row without a name */

/* Give it, and put back what it changed. */
void lesson_give(struct lesson_room *r, const struct lesson *l);

#endif
