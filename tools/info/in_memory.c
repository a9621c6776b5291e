/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* POWER: the levels of in-memory collection counters, from the machine's catalog and the kernel's PMUs. */
#include <string.h>

#include "common/properties.h"
#include "info/info.h"

enum { LEVELS = 4 };

struct level {
	const char *name, *scope, *mode, *sentence; /* @mode is NULL for the nest */
	size_t events, pmus; /* numbers of events and PMUs in the catalog */
	size_t kernel;       /* number of the kernel's PMUs */
	const char *last; /* PMU of the last event; events are sorted by PMU, so each new name is counted */
};

static const struct level levels[LEVELS] = {
	{ "nest", "chip", .sentence = "per chip; microcode of the on-chip controller writes them to memory" },
	{ "core", "core", "accumulation", .sentence = "per core; accumulation mode" },
	{ "thread", "thread", "accumulation", .sentence = "per hardware thread, for processes; accumulation mode" },
	{ "trace", "thread", "trace",
	  .sentence = "records of where a program runs; trace mode: not together with core or thread" },
};

struct counters {
	struct level levels[LEVELS];
	bool any, unknown;
};

static struct level *level_of(struct counters *c, const char *name)
{
	for (size_t i = 0; name && i < LEVELS; i++)
		if (strcmp(c->levels[i].name, name) == 0)
			return &c->levels[i];
	return NULL;
}

static struct counters look(const struct info *i)
{
	const struct uncoremsr_event *ev;
	struct counters c = { .any = false };

	memcpy(c.levels, levels, sizeof(levels));
	for (size_t n = 0; (ev = uncoremsr_event(i->um, NULL, n)); n++) {
		struct level *l = level_of(&c, ev->level);

		if (!l)
			continue;
		l->events++;
		l->pmus += strcmp(ev->from, "imc") == 0 && (!l->last || strcmp(l->last, ev->pmu) != 0);
		l->last = ev->pmu;
	}
	for (struct level *l = c.levels; l < c.levels + LEVELS; l++) {
		for (const struct kernel_pmu *p = i->pmus; p < i->pmus + i->num_pmus; p++)
			l->kernel += is_in_memory_pmu(p->name) && strncmp(p->name, l->name, strlen(l->name)) == 0;
		c.any |= l->events || l->kernel;
	}
	/* If memory or file descriptors ran out, the numbers are incomplete. */
	c.unknown = uncoremsr_error(i->um)->starved != 0;
	return c;
}

/* Show a level if the kernel has PMUs for it, or if the catalog has events for it (except trace mode). */
static bool is_shown(const struct level *l)
{
	return l->kernel || (l->events && strcmp(l->name, "trace") != 0);
}

static const struct record_column columns[] = {
	{ "level", RECORD_STR, RECORD_AT(level, name) },
	{ "scope", RECORD_STR, RECORD_AT(level, scope) },
	{ "mode", RECORD_STR, RECORD_AT(level, mode) },
	{ "events", RECORD_INT, RECORD_AT(level, events) },
	{ "catalog_pmus", RECORD_INT, RECORD_AT(level, pmus) },
	{ "available_pmus", RECORD_INT, RECORD_AT(level, kernel) },
};

void info_put_in_memory(struct info *i)
{
	const struct uncoremsr_event_list *catalog;
	struct counters c = { .unknown = true };

	if (machine_is_power(i->um))
		c = look(i);
	record_if_known(&i->w, "pvr", RECORD_WORD, i->m->pvr);
	if (c.unknown) {
		record_str(&i->w, "catalog", NULL);
		record_str(&i->w, "levels", NULL);
		return;
	}
	catalog = uncoremsr_event_list(i->um, 0);
	record_str(&i->w, "catalog", catalog ? catalog->file : NULL);
	record_open_list(&i->w, "levels");
	for (struct level *l = c.levels; l < c.levels + LEVELS; l++)
		if (is_shown(l))
			record_object(&i->w, NULL, RECORD_COLUMNS(columns), l);
	record_close(&i->w);
}

void info_show_in_memory(struct info *i)
{
	size_t pmus;
	struct counters c = look(i); /* must come first: listing events loads the catalog */
	const struct uncoremsr_event_list *catalog = uncoremsr_event_list(i->um, 0);

	out_fmt(i->o, INFO_LABEL, "catalog");
	if (c.unknown) {
		out_str(i->o, "unknown\n");
		return;
	}
	if (catalog)
		out_fmt(i->o, "%s%s%s\n", catalog->file, *catalog->version ? ", version " : "", catalog->version);
	else
		out_fmt(i->o, "none: %s\n", c.any ? "events have no descriptions"
						  : "this machine has no in-memory counters");
	for (struct level *l = c.levels; l < c.levels + LEVELS; l++) {
		if (!is_shown(l))
			continue;
		pmus = l->pmus ? l->pmus : l->kernel;
		out_fmt(i->o, INFO_LABEL "%zu event%s of %zu PMU%s, ", l->name, l->events,
			l->events == 1 ? "" : "s", pmus, pmus == 1 ? "" : "s");
		if (l->kernel >= pmus)
			out_fmt(i->o, "%s\n", l->sentence);
		else
			out_fmt(i->o, "of which this kernel has %zu\n", l->kernel);
	}
}
