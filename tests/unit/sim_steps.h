/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests of the simulator as text: steps on the machine of sim_machine.h, with ";" between them. Numbers are as in C.
 *
 *   use MACHINE                      continue with another machine
 *   write CPU MSR VALUE              refuses CPU MSR VALUE ERROR: the write must fail so; 0: succeed
 *   read CPU MSR VALUE               the register must have this value; fails CPU MSR ERROR: reading must fail so; 0: succeed
 *   field CPU MSR SHIFT MASK VALUE   these bits of the register must have this value
 *   takes CPU MSR MASK               each bit of the mask can be set alone, the others fault; 0 is written at the end
 *   count CPU SELECTOR COUNTER WORD VALUE    what the counter must count in a second with this word in its selector
 *   pass SECONDS                     advance the clock by this time; at SECONDS: to this time
 *   file PATH TEXT                   the file must have this line
 */
#ifndef SIM_STEPS_H
#define SIM_STEPS_H

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_machine.h"

enum { STEP_WORDS = 7 };

struct step {
	const char *row, *text; /* @row: name of the test; @text: the whole step, unsplit */
	char *word[STEP_WORDS]; /* the words after the first one */
};

static inline uint64_t step_number(const struct step *s, unsigned word)
{
	char *end;
	uint64_t v = strtoull(s->word[word], &end, 0);

	ck_assert_msg(!*end, "%s: %s: no number: %s", s->row, s->text, s->word[word]);
	return v;
}

static inline unsigned step_cpu(const struct step *s)
{
	return (unsigned)step_number(s, 0);
}

static inline uint32_t step_msr(const struct step *s, unsigned word)
{
	return (uint32_t)step_number(s, word);
}

/* A time in seconds with at most nine decimals, in nanoseconds. */
static inline uint64_t step_time(const struct step *s)
{
	char *at;
	uint64_t ns = strtoull(s->word[0], &at, 10) * SECOND, unit = SECOND;

	while (*at && *++at)
		ns += (uint64_t)(*at - '0') * (unit /= 10);
	return ns;
}

static inline void step_got(const struct step *s, bool right, uint64_t got)
{
	ck_assert_msg(right, "%s: %s: 0x%" PRIx64 " (%" PRIu64 ")", s->row, s->text, got, got);
}

/* The word is the name of the error, or 0. */
static inline void step_failed(const struct step *s, int err, unsigned word)
{
	ck_assert_msg(!strcmp(err ? strerrorname_np(-err) : "0", s->word[word]), "%s: %s: %d", s->row, s->text, err);
}

static inline uint64_t step_read(const struct step *s)
{
	return rd(sim, step_cpu(s), step_msr(s, 1));
}

static inline void step_use(const struct step *s)
{
	use(s->text + strlen("use "));
}

static inline void step_write(const struct step *s)
{
	wr(sim, step_cpu(s), step_msr(s, 1), step_number(s, 2));
}

static inline void step_refuses(const struct step *s)
{
	step_failed(s, uncoremsr_sim_wrmsr(sim, step_cpu(s), step_msr(s, 1), step_number(s, 2)), 3);
}

static inline void step_is(const struct step *s)
{
	uint64_t v = step_read(s);

	step_got(s, v == step_number(s, 2), v);
}

static inline void step_field(const struct step *s)
{
	uint64_t bits = step_read(s) >> step_number(s, 2) & step_number(s, 3);

	step_got(s, bits == step_number(s, 4), bits);
}

static inline void step_fails(const struct step *s)
{
	step_failed(s, rd_err(sim, step_cpu(s), step_msr(s, 1)), 2);
}

static inline void step_takes(const struct step *s)
{
	uint64_t mask = step_number(s, 2);

	for (unsigned bit = 0; bit < 64; bit++)
		step_got(s, uncoremsr_sim_wrmsr(sim, step_cpu(s), step_msr(s, 1), UINT64_C(1) << bit) ==
			 (mask >> bit & 1 ? 0 : -EIO), UINT64_C(1) << bit);
	wr(sim, step_cpu(s), step_msr(s, 1), 0);
}

/* The selector is written twice, because some S-boxes forget the first write. */
static inline void step_count(const struct step *s)
{
	const uint64_t words[] = { 0, step_number(s, 3), step_number(s, 3) };
	uint64_t counted;

	wr(sim, step_cpu(s), step_msr(s, 2), 0);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		wr(sim, step_cpu(s), step_msr(s, 1), words[i]);
	advance(sim, SECOND);
	counted = rd(sim, step_cpu(s), step_msr(s, 2));
	step_got(s, counted == step_number(s, 4), counted);
	wr(sim, step_cpu(s), step_msr(s, 1), 0);
}

static inline void step_pass(const struct step *s)
{
	advance(sim, step_time(s));
}

static inline void step_at(const struct step *s)
{
	advance(sim, step_time(s) - uncoremsr_sim_state(sim)->now);
}

/* The expected line is all of the step after the path. */
static inline void step_file(const struct step *s)
{
	const char *have = sim_file(sim, s->word[0]), *line = strchr(strchr(s->text, ' ') + 1, ' ') + 1;
	size_t len = strlen(line);

	ck_assert_msg(!strncmp(have, line, len) && !strcmp(have + len, "\n"), "%s: %s: %s", s->row, s->text, have);
}

static const struct {
	const char *name;
	unsigned words; /* 0: any number */
	void (*fn)(const struct step *s);
} step_kinds[] = {
	{ "use", 0, step_use }, { "write", 3, step_write }, { "refuses", 4, step_refuses }, { "read", 3, step_is },
	{ "field", 5, step_field }, { "fails", 3, step_fails }, { "takes", 3, step_takes }, { "count", 5, step_count },
	{ "pass", 1, step_pass }, { "at", 1, step_at }, { "file", 0, step_file },
};

static inline void play_step(const char *row, const char *text)
{
	struct step s = { .row = row, .text = text };
	char copy[512], *rest = copy, *word;
	size_t num = 0, kind = 0;

	ck_assert_uint_lt(strlen(text), sizeof(copy));
	strcpy(copy, text);
	word = strsep(&rest, " ");
	while (kind < ARRAY_SIZE(step_kinds) && strcmp(step_kinds[kind].name, word))
		kind++;
	ck_assert_msg(kind < ARRAY_SIZE(step_kinds), "%s: no such step: %s", row, text);
	while (rest && num < STEP_WORDS)
		s.word[num++] = strsep(&rest, " ");
	ck_assert_msg(!step_kinds[kind].words || num == step_kinds[kind].words, "%s: %zu words: %s", row, num, text);
	step_kinds[kind].fn(&s);
}

/* play_on(): the steps of the test @row on the machine that is used; play(): on this machine. */
static inline void play_on(const char *row, const char *steps)
{
	char *copy = strdup(steps), *rest = copy, *step;

	ck_assert_ptr_nonnull(copy);
	while ((step = strsep(&rest, ";")))
		play_step(row, step + strspn(step, " "));
	free(copy);
}

static inline void play(const char *row, const char *machine, const char *steps)
{
	use(machine);
	play_on(row, steps);
}

#endif
