/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Open questions, from look to look. If a question is answered for only a part of the run, the rest of the time counts as
 * "cannot tell", whatever the reason.
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

/* Keep the reason. The reason why an answer was lost replaces the reason why there was none at first. */
static void note_reason(struct throttle_run *run, struct throttle_question *q,
			const struct uncoremsr_question *of, bool lost)
{
	struct out why;

	if (q->why && (q->lost || !lost))
		return;
	out_init(&why, -1);
	throttle_say_reason(&why, run, of);
	free(q->why);
	q->why = why.error ? NULL : strndup(why.buf, why.len);
	run->no_memory |= !q->why;
	out_free(&why);
}

/*
 * Follow open question @of of a look. Returns whether the lack of an answer is news. At the first look, which has no
 * interval, it is news only if an answer was lost.
 */
static bool follow_open(struct throttle_run *run, struct throttle_question *q,
			const struct uncoremsr_question *of, uint64_t interval_ns)
{
	bool lost = of->since != UINT64_MAX;
	bool news = !q->open && (lost || run->looks > 1);

	if (run->looks) {
		run->disturbed |= of->reason == UNCOREMSR_REASON_EVENT_DISTURBED;
		note_reason(run, q, of, lost);
		q->lost |= lost;
		q->looks += !q->seen; /* once per look, even with several dies or events for one cause */
		q->blind_ns += q->seen ? 0 : interval_ns;
	}
	q->open = q->seen = true;
	return news;
}

struct throttle_answers throttle_follow_questions(struct throttle_run *run, struct throttle_track *t,
						  const struct uncoremsr_subject *s, uint64_t interval_ns)
{
	struct throttle_answers a = { .lost = 0 };
	const struct uncoremsr_question *q;

	for (size_t i = 0; i < t->num_questions; i++)
		t->questions[i].seen = false;
	for (size_t i = 0; (q = throttle_question(s, i)); i++)
		if (follow_open(run, get(t, q->cause), q, interval_ns))
			a.lost |= 1u << q->cause;
	for (size_t i = 0; i < t->num_questions; i++) {
		struct throttle_question *was = &t->questions[i];

		if (!was->open || was->seen)
			continue;
		*(was->lost ? &a.again : &a.now) |= 1u << was->cause;
		was->open = false;
		was->lost = true;
	}
	return a;
}

/* ---- of the whole run ---- */

unsigned throttle_never_answered(const struct throttle_run *run)
{
	unsigned causes = 0;

	for (size_t i = 0; i < run->num_tracks; i++) {
		const struct throttle_track *t = &run->tracks[i];

		for (size_t k = 0; k < t->num_questions; k++)
			if (t->questions[k].looks && t->questions[k].looks + 1 >= run->looks)
				causes |= 1u << t->questions[k].cause;
	}
	return causes;
}
