/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lessons: what a counter is and does, performed on a simulated machine and shown register by register. */
#ifndef TOOL_SIM_LESSON_H
#define TOOL_SIM_LESSON_H

#include <stdbool.h>
#include <stdint.h>

#include "common/output.h"
#include "uncoremsr/sim.h"

struct lesson_register {
	uint32_t msr;
	const char *name;
	bool reads_0; /* a write only clears bits of another register, so there is nothing to restore */
};

/* A running lesson, on CPU 0 of a machine of its own. */
struct lesson_room {
	const struct lesson *lesson;
	struct uncoremsr_sim *sim;
	struct out *out;
	struct lesson_seen {
		struct lesson_register reg;
		uint64_t old;    /* value before the lesson */
		bool written;
		uint64_t last;   /* value of the last read */
	} seen[8];
	unsigned num_seen;
};

/* Steps of a lesson. Each step prints what it does, and the reason @why. If a step fails, the tool ends. */
void lesson_say(struct lesson_room *r, const char *text);
void lesson_write(struct lesson_room *r, struct lesson_register reg, uint64_t value, const char *why);
void lesson_read(struct lesson_room *r, struct lesson_register reg, const char *why);
/* Read a register again, and print how much its value has grown since the last read. */
void lesson_read_again(struct lesson_room *r, struct lesson_register reg, const char *why);
void lesson_refused(struct lesson_room *r, struct lesson_register reg, uint64_t value, const char *why);
void lesson_wait(struct lesson_room *r, uint64_t ns);
/* Read and write without printing anything. */
uint64_t lesson_look(struct lesson_room *r, struct lesson_register reg);
void lesson_put(struct lesson_room *r, struct lesson_register reg, uint64_t value);

struct lesson {
	const char *name, *title;
	void (*give)(struct lesson_room *r);
};

extern const struct lesson lessons[]; /* ended by a row without a name */

/* Run the lesson, then restore the registers that it wrote. */
void lesson_give(struct lesson_room *r);

#endif
