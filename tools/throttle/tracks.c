/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packages and cores that are followed, and their causes: found, added, freed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	struct throttle_track *list = realloc(run->tracks, (run->num_tracks + 1) * sizeof(*list));

	if (!list) {
		run->no_memory = true;
		return NULL;
	}
	run->tracks = list;
	list[run->num_tracks] = (struct throttle_track){ .package = package, .core = core };
	return &list[run->num_tracks++];
}

struct throttle_spell *throttle_get_spell(struct throttle_run *run, struct throttle_track *t,
					  const char *cause)
{
	struct throttle_spell *list;

	for (size_t i = 0; i < t->num; i++)
		if (strcmp(t->spells[i].cause, cause) == 0)
			return &t->spells[i];
	list = realloc(t->spells, (t->num + 1) * sizeof(*list));
	if (!list) {
		run->no_memory = true;
		return NULL;
	}
	t->spells = list;
	list[t->num] = (struct throttle_spell){ .measured = true };
	snprintf(list[t->num].cause, sizeof(list[t->num].cause), "%s", cause);
	return &list[t->num++];
}

void throttle_tracks_free(struct throttle_run *run)
{
	for (size_t i = 0; i < run->num_tracks; i++) {
		free(run->tracks[i].spells);
		free(run->tracks[i].questions);
	}
	free(run->tracks);
	run->tracks = NULL;
	run->num_tracks = 0;
}
