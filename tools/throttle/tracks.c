/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packages and cores that are followed, with their causes and questions. */
#include <stdlib.h>

#include "common/array.h"
#include "throttle/throttle.h"

struct throttle_track *throttle_find_track(const struct throttle_run *run, int package, int core,
					   size_t hint)
{
	for (size_t i = 0; i < run->num_tracks; i++) {
		struct throttle_track *t = &run->tracks[(i + hint) % run->num_tracks];

		if (t->package == package && t->core == core)
			return t;
	}
	return NULL;
}

struct throttle_track *throttle_add_track(struct throttle_run *run, int package, int core)
{
	if (!ARRAY_APPEND(run->tracks, run->num_tracks, (struct throttle_track){ .package = package, .core = core }))
		return &run->tracks[run->num_tracks - 1];
	run->no_memory = true;
	return NULL;
}

struct throttle_spell *throttle_get_spell(struct throttle_run *run, struct throttle_track *t,
					  enum uncoremsr_cause_kind cause, int die)
{
	for (size_t i = 0; i < t->num; i++)
		if (t->spells[i].cause == cause && t->spells[i].die == die)
			return &t->spells[i];
	if (!ARRAY_APPEND(t->spells, t->num, (struct throttle_spell){ .cause = cause, .die = die, .measured = true }))
		return &t->spells[t->num - 1];
	run->no_memory = true;
	return NULL;
}

const struct throttle_question *throttle_find_question(const struct throttle_track *t,
						       enum uncoremsr_cause_kind cause)
{
	for (size_t i = 0; i < t->num_questions; i++)
		if (t->questions[i].cause == cause)
			return &t->questions[i];
	return NULL;
}

bool throttle_is_open(const struct throttle_track *t, enum uncoremsr_cause_kind cause)
{
	const struct throttle_question *q = throttle_find_question(t, cause);

	return q && q->seen;
}

const struct throttle_question *throttle_first_open(const struct throttle_track *t)
{
	for (size_t i = 0; i < t->num_questions; i++)
		if (t->questions[i].looks)
			return &t->questions[i];
	return NULL;
}

double throttle_spell_share(const struct throttle_run *run, const struct throttle_track *t,
			    const struct throttle_spell *sp)
{
	const struct throttle_question *q = throttle_find_question(t, sp->cause);
	uint64_t ns = throttle_elapsed(run), blind = q ? q->blind_ns : 0;
	double share = ns > blind ? (double)sp->total_ns / (double)(ns - blind) : 0;

	return share < 1 ? share : 1;
}

void throttle_tracks_free(struct throttle_run *run)
{
	for (size_t i = 0; i < run->num_tracks; i++) {
		for (size_t k = 0; k < run->tracks[i].num_questions; k++)
			free(run->tracks[i].questions[k].why);
		free(run->tracks[i].spells);
	}
	free(run->tracks);
	run->tracks = NULL;
	run->num_tracks = 0;
}
