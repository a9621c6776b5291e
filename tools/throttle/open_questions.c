/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What has no answer, from look to look. Where there are more events than free counters, groups of
 * them take turns, and a question may be answered at every other look only: that is no news.
 */
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

static void note_disturbed(struct throttle_run *run, struct throttle_question *q,
			   const struct uncoremsr_subject *s, size_t i)
{
	uint64_t reason = 0;
	struct out why;

	uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_REASON, &reason);
	if (reason != UNCOREMSR_REASON_EVENT_DISTURBED)
		return;
	run->disturbed = true;
	if (q->disturbed)
		return;
	out_init(&why, -1);
	throttle_say_reason(&why, run, s, i);
	q->disturbed = why.error ? NULL : strndup(why.buf, why.len);
	run->no_memory |= !q->disturbed;
	out_free(&why);
}

bool throttle_follow_questions(struct throttle_run *run, struct throttle_track *t,
			       const struct uncoremsr_subject *s, uint64_t interval_ns,
			       struct out *out)
{
	bool news = false;
	int cause;

	for (size_t i = 0; i < t->num_questions; i++)
		t->questions[i].seen = false;
	for (size_t i = 0; (cause = throttle_question(s, i)) >= 0; i++) {
		struct throttle_question *q = get(t, (enum uncoremsr_cause_kind)cause);

		note_disturbed(run, q, s, i);
		if (q->seen) /* a package has several events for one cause */
			continue;
		/* Those of the first looks are how things are, not a change. */
		if (!q->open && run->looks > 2) {
			out_str(out, out->len ? "; " : "no longer known: ");
			throttle_say_question(out, run, s, i);
			news = true;
		}
		q->seen = q->open = true;
		q->looks += run->looks > 0;
		q->last = run->looks;
		q->blind_ns += interval_ns;
	}
	for (size_t i = 0; i < t->num_questions; i++) {
		struct throttle_question *q = &t->questions[i];

		if (!q->open || run->looks - q->last < THROTTLE_LOOKS_OF_A_TURN)
			continue;
		q->open = false;
		/* The first look has no interval: what only an interval can show is not worth a word. */
		if (!q->looks)
			continue;
		out_fmt(out, "%s%s is known again", out->len ? "; " : "",
			throttle_question_word((int)q->cause));
		news = true;
	}
	return news;
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
