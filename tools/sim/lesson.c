/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a lesson. A step accesses a register and prints the access. At the end all registers are restored. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "sim/lesson.h"

/* End the tool if an access did not do what the lesson expects. */
static void check(struct lesson_room *r, int err, struct lesson_register reg)
{
	if (!err)
		return;
	out_finish(r->out, TOOL_DONE);
	exit(tool_say(TOOL_PARTIAL, "lesson %s: register 0x%x: %s", r->lesson->name, reg.msr, strerror(-err)));
}

static struct lesson_seen *find_or_add(struct lesson_room *r, struct lesson_register reg)
{
	struct lesson_seen *s = r->seen;

	while (s < r->seen + r->num_seen && s->reg.msr != reg.msr)
		s++;
	check(r, s == r->seen + ARRAY_SIZE(r->seen) ? -ENOSPC : 0, reg);
	if (s == r->seen + r->num_seen) {
		*s = (struct lesson_seen){ .reg = reg };
		r->num_seen++;
	}
	return s;
}

static void show(struct lesson_room *r, const char *verb, struct lesson_register reg, uint64_t value)
{
	out_fmt(r->out, "    %s 0x%-4x%-26s0x%llx", verb, reg.msr, reg.name, (unsigned long long)value);
}

static void show_why(struct lesson_room *r, const char *why)
{
	out_fmt(r->out, "%s%s\n", *why ? "  " : "", why);
}

void lesson_say(struct lesson_room *r, const char *text)
{
	out_str(r->out, text);
	out_char(r->out, '\n');
}

void lesson_put(struct lesson_room *r, struct lesson_register reg, uint64_t value)
{
	struct lesson_seen *s = find_or_add(r, reg);

	if (!s->written && !reg.reads_0 && !uncoremsr_sim_rdmsr(r->sim, 0, reg.msr, &s->old))
		s->written = true;
	check(r, uncoremsr_sim_wrmsr(r->sim, 0, reg.msr, value), reg);
}

uint64_t lesson_look(struct lesson_room *r, struct lesson_register reg)
{
	uint64_t value = 0;

	check(r, uncoremsr_sim_rdmsr(r->sim, 0, reg.msr, &value), reg);
	return value;
}

void lesson_write(struct lesson_room *r, struct lesson_register reg, uint64_t value, const char *why)
{
	lesson_put(r, reg, value);
	show(r, "write", reg, value);
	show_why(r, why);
}

static void read_and_show(struct lesson_room *r, struct lesson_register reg, bool again, const char *why)
{
	uint64_t value = lesson_look(r, reg);
	struct lesson_seen *s = find_or_add(r, reg);

	show(r, "read ", reg, value);
	if (again)
		out_fmt(r->out, ", %llu more", (unsigned long long)(value - s->last));
	else if (value > 9 && value < UINT32_MAX)
		out_fmt(r->out, " = %llu", (unsigned long long)value);
	s->last = value;
	show_why(r, why);
}

void lesson_read(struct lesson_room *r, struct lesson_register reg, const char *why)
{
	read_and_show(r, reg, false, why);
}

void lesson_read_again(struct lesson_room *r, struct lesson_register reg, const char *why)
{
	read_and_show(r, reg, true, why);
}

void lesson_refused(struct lesson_room *r, struct lesson_register reg, uint64_t value, const char *why)
{
	check(r, uncoremsr_sim_wrmsr(r->sim, 0, reg.msr, value) == -EIO ? 0 : -EPROTO, reg);
	show(r, "write", reg, value);
	out_str(r->out, ": refused");
	show_why(r, why);
}

void lesson_wait(struct lesson_room *r, uint64_t ns)
{
	uncoremsr_sim_advance(r->sim, ns);
	out_fmt(r->out, "    %g ms go by\n", (double)ns / 1e6);
}

void lesson_give(struct lesson_room *r)
{
	bool said = false;

	r->lesson->give(r);
	for (unsigned i = r->num_seen; i-- > 0;) {
		const struct lesson_seen *s = &r->seen[i];

		if (!s->written)
			continue;
		if (!said)
			lesson_say(r, "\nRestored in reverse order:");
		said = true;
		lesson_write(r, s->reg, s->old, "");
	}
}
