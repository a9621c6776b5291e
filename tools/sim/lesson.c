/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a lesson. A step accesses a register and prints the access. At the end all registers are restored. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "sim/lesson.h"

enum { OVERFLOW_CONTROL = 0x390 };

static const char *register_name(uint32_t msr)
{
	/* Names are from the Intel SDM, volume 4. */
	static const struct { uint32_t msr; const char *name; } names[] = {
		{ 0x10, "IA32_TIME_STAMP_COUNTER" },
		{ 0xc1, "IA32_PMC0" }, { 0xc2, "IA32_PMC1" },
		{ 0x186, "IA32_PERFEVTSEL0" }, { 0x187, "IA32_PERFEVTSEL1" },
		{ 0x18a, "IA32_PERFEVTSEL4" },
		{ 0x38e, "IA32_PERF_GLOBAL_STATUS" }, { 0x38f, "IA32_PERF_GLOBAL_CTRL" },
		{ OVERFLOW_CONTROL, "IA32_PERF_GLOBAL_OVF_CTRL" },
		{ 0x391, "UNCORE_PERF_GLOBAL_CTRL" },
		{ 0x3b0, "UNCORE_PMC0" }, { 0x3c0, "UNCORE_PERFEVTSEL0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].msr == msr)
			return names[i].name;
	return "";
}

/* End the tool if an access did not do what the lesson expects. */
static void check(struct lesson_room *r, int err, uint32_t msr)
{
	if (!err)
		return;
	out_finish(r->out, TOOL_DONE);
	exit(tool_say(TOOL_PARTIAL, "lesson %s: register 0x%x: %s", r->lesson->name, msr, strerror(-err)));
}

static struct lesson_seen *find_or_add(struct lesson_room *r, uint32_t msr)
{
	struct lesson_seen *s = r->seen;

	while (s < r->seen + r->num_seen && s->msr != msr)
		s++;
	check(r, s == r->seen + ARRAY_SIZE(r->seen) ? -ENOSPC : 0, msr);
	if (s == r->seen + r->num_seen) {
		*s = (struct lesson_seen){ .msr = msr };
		r->num_seen++;
	}
	return s;
}

static void show(struct lesson_room *r, const char *verb, uint32_t msr, uint64_t value)
{
	out_fmt(r->out, "    %s 0x%-4x%-26s0x%llx", verb, msr, register_name(msr), (unsigned long long)value);
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

void lesson_put(struct lesson_room *r, uint32_t msr, uint64_t value)
{
	struct lesson_seen *s = find_or_add(r, msr);

	/* OVERFLOW_CONTROL only clears bits of another register and reads 0, so there is nothing to restore. */
	if (!s->written && msr != OVERFLOW_CONTROL && !uncoremsr_sim_rdmsr(r->sim, 0, msr, &s->old))
		s->written = true;
	check(r, uncoremsr_sim_wrmsr(r->sim, 0, msr, value), msr);
}

uint64_t lesson_look(struct lesson_room *r, uint32_t msr)
{
	uint64_t value = 0;

	check(r, uncoremsr_sim_rdmsr(r->sim, 0, msr, &value), msr);
	return value;
}

void lesson_write(struct lesson_room *r, uint32_t msr, uint64_t value, const char *why)
{
	lesson_put(r, msr, value);
	show(r, "write", msr, value);
	show_why(r, why);
}

static void read_and_show(struct lesson_room *r, uint32_t msr, bool again, const char *why)
{
	uint64_t value = lesson_look(r, msr);
	struct lesson_seen *s = find_or_add(r, msr);

	show(r, "read ", msr, value);
	if (again)
		out_fmt(r->out, ", %llu more", (unsigned long long)(value - s->last));
	else if (value > 9 && value < UINT32_MAX)
		out_fmt(r->out, " = %llu", (unsigned long long)value);
	s->last = value;
	show_why(r, why);
}

void lesson_read(struct lesson_room *r, uint32_t msr, const char *why)
{
	read_and_show(r, msr, false, why);
}

void lesson_read_again(struct lesson_room *r, uint32_t msr, const char *why)
{
	read_and_show(r, msr, true, why);
}

void lesson_refused(struct lesson_room *r, uint32_t msr, uint64_t value, const char *why)
{
	check(r, uncoremsr_sim_wrmsr(r->sim, 0, msr, value) == -EIO ? 0 : -EPROTO, msr);
	show(r, "write", msr, value);
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
		lesson_write(r, s->msr, s->old, "");
	}
}
