/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packages and cores that are followed from check to check, with their causes and questions. */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "throttle/throttle.h"

struct throttle_track *throttle_get_track(struct throttle_run *run, int package, int core, size_t hint)
{
	for (size_t i = 0; i < run->num_tracks; i++) {
		struct throttle_track *t = &run->tracks[(i + hint) % run->num_tracks];

		if (t->package == package && t->core == core)
			return t;
	}
	if (!ARRAY_APPEND(run->tracks, run->num_tracks, (struct throttle_track){ .package = package, .core = core }))
		return &run->tracks[run->num_tracks - 1];
	out_lacks_memory();
	return NULL;
}

double throttle_spell_share(const struct throttle_run *run, const struct throttle_track *t,
			    const struct throttle_spell *sp)
{
	uint64_t ns = throttle_elapsed(run), blind = t->questions[sp->cause].blind_ns;
	double share = ns > blind ? (double)sp->total_ns / (double)(ns - blind) : 0;

	return share < 1 ? share : 1;
}

/* ---- open questions: the time for which a question has no answer counts as "cannot tell", whatever the reason ---- */

/* Keep the first reason. But the reason why an answer was lost replaces the reason why there was no answer at first. */
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
	if (!q->why)
		out_lacks_memory();
	out_free(&why);
}

/* Note that a check after the first one left question @of open. */
static void note_open(struct throttle_run *run, struct throttle_question *q, const struct uncoremsr_question *of)
{
	const bool lost = of->since != UINT64_MAX;

	run->disturbed |= of->reason == UNCOREMSR_REASON_EVENT_DISTURBED;
	note_reason(run, q, of, lost);
	q->lost |= lost;
}

/*
 * Several dies or events can leave the same question open, which counts once. At the first two checks only the loss of an
 * earlier answer is printed, because many questions cannot be answered before the first interval.
 */
struct throttle_answers throttle_follow_questions(struct throttle_run *run, struct throttle_track *t,
						  const struct uncoremsr_subject *s, uint64_t interval_ns)
{
	struct throttle_answers a = { .lost = 0 };
	const struct uncoremsr_question *of;
	unsigned open = 0;

	for (size_t i = 0; (of = throttle_question(s, i)); i++) {
		struct throttle_question *q = &t->questions[of->cause];
		const unsigned bit = 1u << of->cause;

		if (run->looks)
			note_open(run, q, of);
		if (open & bit)
			continue;
		open |= bit;
		q->looks += run->looks > 0;
		q->blind_ns += run->looks ? interval_ns : 0;
		if (of->since != UINT64_MAX || run->looks > 1)
			a.lost |= bit & ~t->open;
	}
	for (size_t i = 0; i < THROTTLE_QUESTIONS; i++) {
		if (!((t->open & ~open) >> i & 1))
			continue;
		*(t->questions[i].lost ? &a.again : &a.now) |= 1u << i;
		t->questions[i].lost = true;
	}
	t->open = open;
	return a;
}

void throttle_tracks_free(struct throttle_run *run)
{
	for (size_t i = 0; i < run->num_tracks; i++) {
		for (size_t k = 0; k < THROTTLE_QUESTIONS; k++)
			free(run->tracks[i].questions[k].why);
		free(run->tracks[i].policies);
		free(run->tracks[i].spells);
	}
	free(run->tracks);
	run->tracks = NULL;
	run->num_tracks = 0;
}
