/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What cannot be told, from look to look. Where there are more events than free counters, groups of
 * them take turns, and a question may be answered at every other look only: that is no news.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

static struct throttle_question *find(const struct throttle_track *t, const char *cause, size_t len)
{
	for (size_t i = 0; i < t->num_questions; i++)
		if (strlen(t->questions[i].cause) == len &&
		    strncmp(t->questions[i].cause, cause, len) == 0)
			return &t->questions[i];
	return NULL;
}

static struct throttle_question *get(struct throttle_run *run, struct throttle_track *t,
				     const char *cause, size_t len)
{
	struct throttle_question *list, *q = find(t, cause, len);

	if (q)
		return q;
	list = realloc(t->questions, (t->num_questions + 1) * sizeof(*list));
	if (!list) {
		run->no_memory = true;
		return NULL;
	}
	t->questions = list;
	q = &list[t->num_questions++];
	*q = (struct throttle_question){ .last = 0 };
	snprintf(q->cause, sizeof(q->cause), "%.*s", (int)len, cause);
	return q;
}

/* This look left it open. Those of the first looks are how things are, not a change. */
static bool ask(struct throttle_run *run, struct throttle_question *q, const char *text,
		uint64_t interval_ns, struct out *out)
{
	bool news = !q->open && run->looks > 2;

	if (q->seen) /* a package has several events for one cause */
		return false;
	q->seen = true;
	q->open = true;
	q->looks += run->looks > 0;
	q->last = run->looks;
	q->blind_ns += interval_ns;
	if (news)
		out_fmt(out, "%s%s", out->len ? "; " : "cannot tell any more: ", text);
	return news;
}

bool throttle_follow_questions(struct throttle_run *run, struct throttle_track *t,
			       const struct uncoremsr_throttle_subject *s, uint64_t interval_ns,
			       struct out *out)
{
	bool news = false;
	const char *text;

	for (size_t i = 0; i < t->num_questions; i++)
		t->questions[i].seen = false;
	for (size_t i = 0; (text = uncoremsr_throttle_unknown(s, i)); i++) {
		struct throttle_question *q = get(run, t, text, strcspn(text, ":"));

		if (q)
			news |= ask(run, q, text, interval_ns, out);
	}
	for (size_t i = 0; i < t->num_questions; i++) {
		struct throttle_question *q = &t->questions[i];

		if (!q->open || run->looks - q->last < THROTTLE_LOOKS_OF_A_TURN)
			continue;
		q->open = false;
		/* The first look has no interval: what only that can tell is not worth a word. */
		if (!q->looks)
			continue;
		out_fmt(out, "%s%s can be told again", out->len ? "; " : "", q->cause);
		news = true;
	}
	return news;
}

bool throttle_is_open(const struct throttle_track *t, const char *cause)
{
	const struct throttle_question *q = find(t, cause, strlen(cause));

	return q && q->seen;
}

uint64_t throttle_blind_ns(const struct throttle_track *t, const char *cause)
{
	const struct throttle_question *q = find(t, cause, strlen(cause));

	return q ? q->blind_ns : 0;
}

/* ---- of the whole run ---- */

/* Questions asked of packages and of cores: where a package has no register, its cores answer. */
static bool cores_answer(const struct throttle_run *run, const struct throttle_track *package,
			 const char *cause)
{
	if (package->core >= 0 || !throttle_asked_of_cores(cause))
		return false;
	for (size_t i = 0; i < run->num_tracks; i++) {
		const struct throttle_track *t = &run->tracks[i];

		if (t->core >= 0 && t->package == package->package &&
		    (t->unknown || find(t, cause, strlen(cause))))
			return false;
	}
	return true;
}

static bool never_answered(const struct throttle_run *run, size_t track, size_t question)
{
	const struct throttle_track *t = &run->tracks[track];
	const struct throttle_question *q = &t->questions[question];

	return q->looks && q->looks + 1 >= run->looks && !cores_answer(run, t, q->cause);
}

static bool named_before(const struct throttle_run *run, size_t track, const char *cause)
{
	for (size_t i = 0; i < track; i++)
		for (size_t k = 0; k < run->tracks[i].num_questions; k++)
			if (never_answered(run, i, k) &&
			    strcmp(run->tracks[i].questions[k].cause, cause) == 0)
				return true;
	return false;
}

void throttle_put_never(struct throttle_run *run, const char *before, const char *between)
{
	size_t num = 0;

	for (size_t i = 0; i < run->num_tracks; i++) {
		for (size_t k = 0; k < run->tracks[i].num_questions; k++) {
			const char *cause = run->tracks[i].questions[k].cause;

			if (!never_answered(run, i, k) || named_before(run, i, cause))
				continue;
			out_str(run->out, num++ ? between : before);
			out_str(run->out, cause);
		}
	}
}
