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

#define SECOND UINT64_C(1000000000)

static struct uncoremsr_sim *sim;
static struct uncoremsr *um;
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

/* open_machine(): in place of the one before. */
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

/* look_at(): the first look at a machine. */
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

/* Numbers of a subject and other objects; -1: unknown. */
static inline int64_t subject_number(const struct uncoremsr_subject *s,
				     enum uncoremsr_subject_property property)
{
	uint64_t v;

	return get_subject_number(s, property, &v) ? -1 : (int64_t)v;
}

static inline int64_t cause_number(const struct uncoremsr_cause *c,
				   enum uncoremsr_cause_property property)
{
	uint64_t v;

	return get_cause_number(c, property, &v) ? -1 : (int64_t)v;
}

static inline int64_t evidence_number(const struct uncoremsr_cause *c, size_t index,
				      enum uncoremsr_evidence_property property)
{
	uint64_t v;

	return get_evidence_number(c, index, property, &v) ? -1 : (int64_t)v;
}

static inline int64_t question_number(const struct uncoremsr_subject *s, size_t index,
				      enum uncoremsr_question_property property)
{
	uint64_t v;

	return get_question_number(s, index, property, &v) ? -1 : (int64_t)v;
}

static inline const struct uncoremsr_subject *subject(int package, int core)
{
	const struct uncoremsr_subject *s;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		if (subject_number(s, UNCOREMSR_SUBJECT_PACKAGE) == package &&
		    subject_number(s, UNCOREMSR_SUBJECT_CORE) == core)
			return s;
	return NULL;
}

static inline const char *cause_word(const struct uncoremsr_cause *c)
{
	return uncoremsr_cause_word((enum uncoremsr_cause_kind)cause_number(c, UNCOREMSR_CAUSE_KIND));
}

static inline bool is_now(const struct uncoremsr_cause *c)
{
	return cause_number(c, UNCOREMSR_CAUSE_PHASE) > UNCOREMSR_PHASE_LOGGED;
}

static inline bool is_logged(const struct uncoremsr_cause *c)
{
	return cause_number(c, UNCOREMSR_CAUSE_LOGGED) > 0;
}

static inline bool decides(const struct uncoremsr_cause *c)
{
	return cause_number(c, UNCOREMSR_CAUSE_DECIDES) > 0;
}

static inline const struct uncoremsr_cause *
find_cause(const struct uncoremsr_subject *s, const char *word)
{
	const struct uncoremsr_cause *c;

	for (size_t i = 0; (c = uncoremsr_subject_cause(s, i)); i++)
		if (!strcmp(cause_word(c), word))
			return c;
	return NULL;
}

static inline const char *verdict(int package, int core)
{
	const struct uncoremsr_subject *s = subject(package, core);

	return s ? uncoremsr_verdict_word((enum uncoremsr_verdict)
					  subject_number(s, UNCOREMSR_SUBJECT_VERDICT)) : "gone";
}

/* Is this question open, for this reason? -1: any */
static inline bool is_open(const struct uncoremsr_subject *s, const char *word, int reason)
{
	int64_t cause;

	for (size_t i = 0; (cause = question_number(s, i, UNCOREMSR_QUESTION_CAUSE)) >= 0; i++)
		if (!strcmp(uncoremsr_cause_word((enum uncoremsr_cause_kind)cause), word) &&
		    (reason < 0 || question_number(s, i, UNCOREMSR_QUESTION_REASON) == reason))
			return true;
	return false;
}

/* The state of a question without an answer (enum uncoremsr_question_state); -1: it has an answer. */
static inline int64_t state_of(const struct uncoremsr_subject *s, const char *word)
{
	int64_t cause;

	for (size_t i = 0; (cause = question_number(s, i, UNCOREMSR_QUESTION_CAUSE)) >= 0; i++)
		if (!strcmp(uncoremsr_cause_word((enum uncoremsr_cause_kind)cause), word))
			return question_number(s, i, UNCOREMSR_QUESTION_STATE);
	return -1;
}

/* A number about the machine; -1: there is none. */
static inline int64_t machine_number(enum uncoremsr_throttle_property property)
{
	uint64_t v;

	return get_throttle_number(t, property, &v) ? -1 : (int64_t)v;
}

/* Words of all causes that hold or have happened anywhere, each once, in the order found. */
static inline const char *causes_now(void)
{
	static char words[256];
	const struct uncoremsr_subject *s;
	const struct uncoremsr_cause *c;

	words[0] = '\0';
	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		for (size_t k = 0; (c = uncoremsr_subject_cause(s, k)); k++)
			if (is_now(c) && !strstr(words, cause_word(c)))
				snprintf(words + strlen(words), sizeof(words) - strlen(words),
					 "%s%s", words[0] ? " " : "", cause_word(c));
	return words;
}

#endif
