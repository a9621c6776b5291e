/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What has no answer, from look to look. A question that is answered for part of the time only has
 * lost its answer for the rest: nothing is acquitted there, whatever the reason.
 */
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

static struct throttle_question *get(struct throttle_track *t, enum uncoremsr_cause_kind cause)
{
	struct throttle_question *q = t->questions;

	for (; q < t->questions + t->num_questions; q++)
		if (q->cause == cause)
			return q;
	t->num_questions++;
	*q = (struct throttle_question){ .cause = cause };
	return q;
}

/* Keep the reason; that an answer was lost says more than that there never was one. */
static void note_reason(struct throttle_run *run, struct throttle_question *q,
			const struct uncoremsr_subject *s, size_t i, bool lost)
{
	struct out why;

	if (q->why && (q->lost || !lost))
		return;
	out_init(&why, -1);
	throttle_say_reason(&why, run, s, i);
	free(q->why);
	q->why = why.error ? NULL : strndup(why.buf, why.len);
	run->no_memory |= !q->why;
	out_free(&why);
}

/* What was seen to hold has an answer, whoever else has none. */
static bool holds(const struct uncoremsr_subject *s, int cause)
{
	const struct uncoremsr_cause *c;

	for (size_t i = 0; (c = uncoremsr_subject_cause(s, i)); i++)
		if ((int)throttle_kind(c) == cause)
			return throttle_is_now(c);
	return false;
}

static void lose(struct throttle_run *run, struct throttle_question *q)
{
	q->lost = run->lost = true;
}

/* Question @i of a look; what the first one, which has no interval, leaves open is how things are. */
static void follow_open(struct throttle_run *run, struct throttle_question *q,
			const struct uncoremsr_subject *s, size_t i, uint64_t interval_ns, struct out *out)
{
	uint64_t since, reason = 0;
	bool lost = uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_SINCE, &since) == 0, has_means;

	if (!run->looks)
		return;
	uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_REASON, &reason);
	run->disturbed |= reason == UNCOREMSR_REASON_EVENT_DISTURBED;
	has_means = reason >= UNCOREMSR_REASON_KERNEL_ONLY && (int)q->cause < THROTTLE_CAUSES;
	q->has_means |= has_means;
	note_reason(run, q, s, i, lost);
	if (lost)
		lose(run, q);
	if (q->seen) /* a package has several events for one cause */
		return;
	if (!q->open && (lost || (has_means && run->looks > 1))) {
		out_str(out, out->len ? "; " : "");
		throttle_say_question(out, run, s, i);
	}
	q->open = true;
	q->looks++;
	q->blind_ns += interval_ns;
}

void throttle_follow_questions(struct throttle_run *run, struct throttle_track *t,
			       const struct uncoremsr_subject *s, uint64_t interval_ns,
			       struct out *lost, struct out *found)
{
	int cause;

	for (size_t i = 0; i < t->num_questions; i++)
		t->questions[i].seen = false;
	for (size_t i = 0; (cause = throttle_question(s, i)) >= 0; i++) {
		struct throttle_question *q = get(t, (enum uncoremsr_cause_kind)cause);

		if (holds(s, cause))
			continue;
		follow_open(run, q, s, i, interval_ns, lost);
		q->seen = true;
	}
	for (size_t i = 0; i < t->num_questions; i++) {
		struct throttle_question *q = &t->questions[i];

		if (!q->open || q->seen)
			continue;
		q->open = false;
		if (q->has_means)
			lose(run, q);
		out_fmt(found, "%s%s is known again", found->len ? "; " : "",
			throttle_question_word((int)q->cause));
	}
}

/* ---- of the whole run ---- */

/* Questions asked of packages and of cores: where a package has no register, its cores answer. */
static bool cores_answer(const struct throttle_run *run, const struct throttle_track *package,
			 enum uncoremsr_cause_kind cause)
{
	if (package->core >= 0 || !throttle_asked_of_cores((int)cause))
		return false;
	for (size_t i = 0; i < run->num_tracks; i++) {
		const struct throttle_track *t = &run->tracks[i];

		if (t->core < 0 || t->package != package->package)
			continue;
		for (size_t k = 0; k < t->num_questions; k++)
			if (t->questions[k].cause == cause)
				return false;
		if (t->unknown)
			return false;
	}
	return true;
}

void throttle_put_never(struct throttle_run *run, const char *before, const char *between)
{
	unsigned named = 0;

	for (size_t i = 0; i < run->num_tracks; i++) {
		const struct throttle_track *t = &run->tracks[i];

		for (size_t k = 0; k < t->num_questions; k++) {
			const struct throttle_question *q = &t->questions[k];

			if (!q->looks || q->looks + 1 < run->looks || (named >> q->cause & 1) ||
			    cores_answer(run, t, q->cause))
				continue;
			out_str(run->out, named ? between : before);
			out_str(run->out, throttle_question_word((int)q->cause));
			named |= 1u << q->cause;
		}
	}
}
