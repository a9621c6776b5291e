/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Registers and bits of the lessons are from the Intel SDM, volume 3B, "Performance monitoring", and volume 4. */
#include <stddef.h>

#include "sim/lesson.h"

#define MS UINT64_C(1000000) /* nanoseconds */

static const struct lesson_register
	TIME_STAMP = { 0x10, .name = "IA32_TIME_STAMP_COUNTER" },
	COUNTER = { 0xc1, .name = "IA32_PMC0" }, COUNTER_1 = { 0xc2, .name = "IA32_PMC1" },
	SELECTOR = { 0x186, .name = "IA32_PERFEVTSEL0" }, SELECTOR_1 = { 0x187, .name = "IA32_PERFEVTSEL1" },
	SELECTOR_4 = { 0x18a, .name = "IA32_PERFEVTSEL4" },
	STATUS = { 0x38e, .name = "IA32_PERF_GLOBAL_STATUS" }, SWITCH = { 0x38f, .name = "IA32_PERF_GLOBAL_CTRL" },
	CLEAR = { 0x390, .name = "IA32_PERF_GLOBAL_OVF_CTRL", .reads_0 = true },
	UNCORE_SWITCH = { 0x391, .name = "UNCORE_PERF_GLOBAL_CTRL" },
	UNCORE_COUNTER = { 0x3b0, .name = "UNCORE_PMC0" }, UNCORE_SELECTOR = { 0x3c0, .name = "UNCORE_PERFEVTSEL0" };

enum {
	/* Bits of a selector. ON is USR, OS and EN. */
	ON = 0x430000, INTERRUPT = 0x100000,
	CYCLES = 0x003c, CACHE_REFERENCES = 0x4f2e, CACHE_MISSES = 0x412e,
};

static void clock_lesson(struct lesson_room *r)
{
	lesson_say(r, "The simplest counter is wired to a clock: each pulse adds one. Nobody starts it, nobody stops it.");
	lesson_read(r, TIME_STAMP, "");
	lesson_wait(r, MS);
	lesson_read_again(r, TIME_STAMP, "since the first reading");
	lesson_wait(r, 2 * MS);
	lesson_read_again(r, TIME_STAMP, "twice the time gives twice the ticks");
	lesson_say(r, "The value of a counter means nothing by itself; two readings show how much happened in between.");
}

static void selector_lesson(struct lesson_room *r)
{
	lesson_say(r, "One counter, many wires: a selector register chooses which of them it counts.");
	lesson_write(r, SWITCH, 1, "counter 0 may run");
	lesson_write(r, COUNTER, 0, "begin at 0");
	lesson_write(r, SELECTOR, ON | CYCLES, "cycles");
	lesson_wait(r, MS);
	lesson_read(r, COUNTER, "cycles");
	lesson_write(r, SELECTOR, ON | CACHE_MISSES, "misses of the last-level cache");
	lesson_write(r, COUNTER, 0, "it still held the count of cycles");
	lesson_wait(r, MS);
	lesson_read(r, COUNTER, "misses; the cycles of this time were not counted");
	lesson_write(r, SELECTOR, ON | CYCLES, "and back");
	lesson_write(r, COUNTER, 0, "");
	lesson_wait(r, MS);
	lesson_read(r, COUNTER, "cycles");
	lesson_say(r, "One counter counts one event at a time. Two events need two counters, or take turns on one.");
}

static void switch_lesson(struct lesson_room *r)
{
	lesson_say(r, "One register (0x38f) starts and stops several counters: their counts cover the same time.");
	lesson_write(r, SWITCH, 0, "all off");
	lesson_write(r, COUNTER, 0, "");
	lesson_write(r, COUNTER_1, 0, "");
	lesson_write(r, SELECTOR, ON | CACHE_REFERENCES, "counter 0: references to the last-level cache");
	lesson_write(r, SELECTOR_1, ON | CACHE_MISSES, "counter 1: misses of that cache");
	lesson_refused(r, SELECTOR_4, ON | CYCLES, "this processor has four counters, and no fifth one");
	lesson_wait(r, MS);
	lesson_read(r, COUNTER, "still off");
	lesson_write(r, SWITCH, 3, "both on, with one write");
	lesson_wait(r, MS);
	lesson_write(r, SWITCH, 0, "both off");
	lesson_read(r, COUNTER, "references");
	lesson_read(r, COUNTER_1, "misses in exactly the same time");
	lesson_wait(r, MS);
	lesson_read_again(r, COUNTER, "the counters stand still, so they can be read slowly");
	lesson_read_again(r, COUNTER_1, "");
}

static void uncore_lesson(struct lesson_room *r)
{
	lesson_say(r, "The uncore is what the cores of a package share. Each package has one set of uncore counters,\n"
		      "which every CPU of the package can access.");
	lesson_write(r, UNCORE_COUNTER, 0, "begin at 0");
	lesson_write(r, UNCORE_SELECTOR, 0x400182, "event 0x82, unit mask 0x1: PROCHOT was asserted");
	lesson_write(r, UNCORE_SWITCH, 1, "counter 0 may run");
	lesson_wait(r, 100 * MS);
	lesson_read(r, UNCORE_COUNTER, "");
	lesson_wait(r, 100 * MS);
	lesson_read_again(r, UNCORE_COUNTER, "each count: the board asked the processor once to slow down");
	lesson_say(r, "This is what uncore-read --event 0x82 --umask 0x1 does: with a counter that was free, on each\n"
		      "package. Afterwards it restores all registers.");
}

enum { PERIOD = 1618033, SAMPLES = 200, PULSE = 100 }; /* PERIOD in cycles; PULSE in ns, between two reads of STATUS */

/* The counter has 48 bits. A write sets the lower 32 and sign-extends them. */
static const uint64_t preset = (UINT64_C(1) << 48) - PERIOD;

/* The program that the CPU is assumed to run: three functions in turn. */
static const struct function {
	const char *name;
	unsigned address, ns;
} functions[] = {
	{ "hot", 0x401130, 650000 }, { "warm", 0x401190, 250000 }, { "main", 0x4011f0, 100000 },
};
enum { TURN = 1000000 }; /* nanoseconds of all three functions together */

static const struct function *running_at(uint64_t ns)
{
	unsigned at = (unsigned)(ns % TURN), i = 0;

	while (at >= functions[i].ns)
		at -= functions[i++].ns;
	return &functions[i];
}

/* Wait until the counter has overflowed. Returns the function that runs when the interrupt arrives, a little later. */
static const struct function *wait_for_overflow(struct lesson_room *r)
{
	while (!(lesson_look(r, STATUS) & 1))
		uncoremsr_sim_advance(r->sim, PULSE);
	return running_at(uncoremsr_sim_state(r->sim)->now);
}

static void show_table(struct lesson_room *r, const unsigned taken[])
{
	out_fmt(r->out, "    function  samples   share  of the time\n");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		out_fmt(r->out, "    %-8s  %7u  %5.1f%%  %10.1f%%\n", functions[i].name, taken[i],
			100.0 * taken[i] / SAMPLES, 100.0 * functions[i].ns / TURN);
}

/* Lesson: a preset computed from the largest value, as many texts advise, counts one event too many. */
static void off_by_one(struct lesson_room *r)
{
	const uint64_t ticks = 2000000; /* ticks in a millisecond */
	const uint64_t presets[] = { (UINT64_C(1) << 48) - ticks, (UINT64_C(1) << 48) - 1 - ticks };

	lesson_say(r, "\nThe preset is 2^48 - period. Subtracting from the largest value instead is off by one:");
	for (size_t i = 0; i < ARRAY_SIZE(presets); i++) {
		lesson_write(r, SWITCH, 0, "");
		lesson_write(r, CLEAR, 1, "");
		lesson_write(r, COUNTER, presets[i] & UINT32_MAX, i ? "2^48 - 1 - 2000000" : "2^48 - 2000000");
		lesson_write(r, SWITCH, 1, "");
		lesson_wait(r, MS);
		lesson_read(r, STATUS,
			    i ? "after 2000000 cycles it has not wrapped" : "after 2000000 cycles it has wrapped");
		lesson_read(r, COUNTER, "");
	}
}

static void sampling_lesson(struct lesson_room *r)
{
	unsigned taken[ARRAY_SIZE(functions)] = { 0 };
	const struct function *f;

	lesson_say(r, "Where does the time go? Let a counter overflow every so many cycles, and note where the CPU is.\n"
		      "The program is invented: hot, warm and main take turns within a millisecond, at 2 GHz.\n\n"
		      "1. Preset: 1618033 cycles before the end of a counter of 48 bits");
	lesson_write(r, SWITCH, 0, "off while it is set up");
	lesson_write(r, COUNTER, preset & UINT32_MAX, "2^48 - 1618033; a write takes 32 bits and repeats the highest");
	lesson_read(r, COUNTER, "");
	lesson_say(r, "2. Enable");
	lesson_write(r, SELECTOR, ON | INTERRUPT | CYCLES, "cycles, user and kernel, interrupt at overflow, on");
	lesson_write(r, SWITCH, 1, "counter 0 may run");
	lesson_say(r, "3. Wait for the overflow");
	f = wait_for_overflow(r);
	out_fmt(r->out, "    %.4f ms\n", (double)uncoremsr_sim_state(r->sim)->now / 1e6);
	lesson_say(r, "4. Capture, in the handler of the interrupt");
	lesson_read(r, STATUS, "it was counter 0");
	lesson_read(r, COUNTER, "counting went on: the handler runs late (skid)");
	out_fmt(r->out, "    instruction pointer 0x%x, which is in %s()\n", f->address, f->name);
	taken[f - functions]++;
	lesson_say(r, "5. Repeat");
	lesson_write(r, CLEAR, 1, "clears the bit of the status");
	lesson_write(r, COUNTER, preset & UINT32_MAX, "the preset again");
	for (unsigned i = 1; i < SAMPLES; i++) {
		f = wait_for_overflow(r);
		taken[f - functions]++;
		lesson_put(r, CLEAR, 1);
		lesson_put(r, COUNTER, preset & UINT32_MAX);
	}
	out_fmt(r->out, "\nAfter %u samples, %.1f ms:\n", SAMPLES, (double)uncoremsr_sim_state(r->sim)->now / 1e6);
	show_table(r, taken);
	lesson_say(r, "The period is prime, so that samples do not keep step with a loop.");
	off_by_one(r);
}

const struct lesson lessons[] = {
	{ "clock", "a counter of clock ticks: two readings and a difference", clock_lesson },
	{ "selector", "one counter for many events, one at a time", selector_lesson },
	{ "switch", "two counters started and stopped together", switch_lesson },
	{ "sampling", "preset, enable, wait, capture, repeat: where the time goes", sampling_lesson },
	{ "uncore", "a counter of a whole package, register by register", uncore_lesson },
	{ NULL, NULL, NULL },
};
