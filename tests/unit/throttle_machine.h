/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A simulated machine and a watcher of it, for the tests of throttling. */
#ifndef THROTTLE_MACHINE_H
#define THROTTLE_MACHINE_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "helpers.h"
#include "uncoremsr.h"
#include "uncoremsr/throttle.h"
#include "uncoremsr/sim.h"

extern struct uncoremsr_sim *sim;
extern struct uncoremsr *um;
static struct uncoremsr_throttle *t;

static inline void close_machine(void)
{
	uncoremsr_throttle_free(t);
	uncoremsr_free(um);
	uncoremsr_sim_free(sim);
	t = NULL;
	um = NULL;
	sim = NULL;
}

/* open_machine(): open the machine @what; a machine that is open already is closed first. */
static inline void open_machine(const char *what)
{
	char why[256] = "";

	close_machine();
	ck_assert_msg(uncoremsr_sim_new(&sim, what, why, sizeof(why)) == 0, "%s", why);
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_sim(um, sim), 0);
	ck_assert_msg(uncoremsr_open(um) == 0, "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_throttle_new(um, &t), 0);
}

static inline void look(void)
{
	ck_assert_msg(uncoremsr_throttle_look(t) == 0, "%s", uncoremsr_error(um)->message);
}

static inline void pass(uint64_t seconds)
{
	ck_assert_int_eq(uncoremsr_advance(um, seconds * SECOND), 1);
}

static inline void look_at(const char *what)
{
	open_machine(what);
	look();
}

static inline void pass_and_look(uint64_t seconds)
{
	pass(seconds);
	look();
}

static inline const struct uncoremsr_subject *subject(int package, int core)
{
	const struct uncoremsr_subject *s;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		if (s->package == package && s->core == core)
			return s;
	return NULL;
}

static inline bool is_now(const struct uncoremsr_cause *c)
{
	return c->phase > UNCOREMSR_PHASE_LOGGED;
}

static inline const struct uncoremsr_cause *
find_cause(const struct uncoremsr_subject *s, const char *word)
{
	const struct uncoremsr_cause *c;

	for (size_t i = 0; (c = s->causes[i]); i++)
		if (!strcmp(uncoremsr_cause_word(c->kind), word))
			return c;
	return NULL;
}

static inline const char *verdict(int package, int core)
{
	const struct uncoremsr_subject *s = subject(package, core);

	return s ? uncoremsr_verdict_word(s->verdict) : "gone";
}

/* Find the unanswered question about the cause @word with the reason @reason (-1: any reason), or NULL. */
static inline const struct uncoremsr_question *find_question(const struct uncoremsr_subject *s, const char *word,
							     int reason)
{
	const struct uncoremsr_question *q;

	for (size_t i = 0; (q = s->questions[i]); i++)
		if (!strcmp(uncoremsr_cause_word(q->cause), word) && (reason < 0 || (int)q->reason == reason))
			return q;
	return NULL;
}

static inline bool is_open(const struct uncoremsr_subject *s, const char *word, int reason)
{
	return find_question(s, word, reason) != NULL;
}

/* The state of a question without an answer (enum uncoremsr_question_state); -1: the question has an answer. */
static inline int state_of(const struct uncoremsr_subject *s, const char *word)
{
	const struct uncoremsr_question *q = find_question(s, word, -1);

	return q ? (int)q->state : -1;
}

/* The names of all causes that hold now or held since the previous reading; each name once. */
static inline const char *causes_now(void)
{
	static char words[256];
	const struct uncoremsr_subject *s;
	const struct uncoremsr_cause *c;

	words[0] = '\0';
	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		for (size_t k = 0; (c = s->causes[k]); k++)
			if (is_now(c) && !strstr(words, uncoremsr_cause_word(c->kind)))
				snprintf(words + strlen(words), sizeof(words) - strlen(words),
					 "%s%s", words[0] ? " " : "", uncoremsr_cause_word(c->kind));
	return words;
}

#endif
