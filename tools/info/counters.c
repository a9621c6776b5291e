/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters in use. A processor may have a thousand counters, so if a PMU has several units, only the number of free
 * counters is shown.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "info/info.h"
#include "common/properties.h"

struct counter {
	unsigned unit, counter;
	enum uncoremsr_counter_state state;
	struct uncoremsr_counter_words words;
};

/* The counters of one PMU on one package that can be taken; free-running ones are never in use. */
struct census {
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	int units;        /* negative: unknown */
	char why[384];    /* why @units is unknown */
	struct counter *counters;
	unsigned num, by_state[UNCOREMSR_COUNTER_STUCK + 1];
	struct shared {   /* filters and gates whose content could not be put back */
		unsigned unit;
		struct uncoremsr_counter_words words;
	} *shared;
	size_t num_shared;
};

static const char *const state_words[] = {
	[UNCOREMSR_COUNTER_FREE] = "free",
	[UNCOREMSR_COUNTER_IN_USE] = "in-use",
	[UNCOREMSR_COUNTER_UNKNOWN] = "unknown",
	[UNCOREMSR_COUNTER_STUCK] = "stuck",
};

static bool is_free_running(const struct uncoremsr_pmu *pmu, unsigned counter)
{
	unsigned general = (unsigned)pmu->general_counters;
	const struct uncoremsr_fixed_counter *fixed =
		counter < general ? NULL : pmu->fixed[counter - general];

	return fixed && fixed->free_running;
}

static void lack_memory(struct census *c)
{
	out_lacks_memory();
	c->units = -ENOMEM;
	snprintf(c->why, sizeof(c->why), "out of memory");
}

static void take_census(struct uncoremsr *um, struct census *c)
{
	unsigned num = (unsigned)(c->pmu->general_counters + c->pmu->fixed_counters);

	c->units = uncoremsr_pmu_num_units(um, c->package, c->pmu);
	if (c->units < 0)
		snprintf(c->why, sizeof(c->why), "%s", uncoremsr_error(um)->message);
	else
		c->counters = calloc((size_t)c->units * num + 1, sizeof(*c->counters));
	if (c->units >= 0 && !c->counters)
		lack_memory(c);
	for (unsigned u = 0; c->counters && (int)u < c->units; u++)
		for (unsigned n = 0; n < num; n++) {
			struct counter *k = &c->counters[c->num];

			if (is_free_running(c->pmu, n))
				continue;
			k->unit = u;
			k->counter = n;
			k->state = uncoremsr_counter_state(um, c->package, c->pmu, u, n,
							   &k->words);
			c->by_state[k->state]++;
			c->num++;
		}
}

/* Find stuck filters and gates. For a unit that does not answer none are reported. */
static void take_shared(struct uncoremsr *um, struct census *c)
{
	for (int u = 0; u < c->units; u++) {
		struct uncoremsr_counter_words words;
		int is;

		for (unsigned n = 0; (is = uncoremsr_unit_stuck(um, c->package, c->pmu, (unsigned)u, n, &words)) >= 0;
		     n++) {
			if (is && ARRAY_APPEND(c->shared, c->num_shared, (struct shared){ (unsigned)u, words })) {
				lack_memory(c);
				return;
			}
		}
	}
}

/* Look at every package and every PMU that is reached through registers; the last element has no package. */
static struct census *take_all(struct uncoremsr *um)
{
	const struct uncoremsr_package *p;
	const struct uncoremsr_pmu *pmu;
	struct census *all, *c;
	size_t num = 0;

	while (uncoremsr_package(um, num))
		num++;
	all = c = calloc(num * num_pmus(um) + 1, sizeof(*all));
	for (size_t i = 0; all && (p = uncoremsr_package(um, i)); i++)
		for (size_t n = 0; (pmu = uncoremsr_pmu(um, NULL, n)); n++) {
			if (strcmp(pmu->reach, "msr"))
				continue;
			*c = (struct census){ .package = p, .pmu = pmu };
			take_census(um, c);
			take_shared(um, c);
			/* Skip a PMU that has only free-running counters. */
			if (c->units < 0 || c->num) {
				c++;
			} else {
				free(c->counters);
				free(c->shared);
			}
		}
	if (all)
		*c = (struct census){ .package = NULL };
	else
		out_lacks_memory();
	return all;
}

static void free_all(struct census *all)
{
	for (struct census *c = all; c && c->package; c++) {
		free(c->counters);
		free(c->shared);
	}
	free(all);
}

/* ---- for programs ---- */

/* A word that may have any value, if it is known. */
static void put_word(struct info *i, const char *name, bool known, uint64_t word)
{
	const struct record_value v = { .count = word };

	record_value(&i->w, name, RECORD_WORD, known ? &v : NULL);
}

static void put_counter(struct info *i, const struct census *c, const struct counter *k)
{
	if (c->units > 1 && k->state == UNCOREMSR_COUNTER_FREE)
		return;
	record_open(&i->w, NULL);
	record_int(&i->w, "package", c->package->id);
	record_int(&i->w, "counter", k->counter);
	record_str(&i->w, "state", state_words[k->state]);
	put_word(i, "selector", k->state != UNCOREMSR_COUNTER_UNKNOWN, k->words.selector);
	record_int(&i->w, "die", c->package->die);
	record_str(&i->w, "pmu", c->pmu->name);
	record_int(&i->w, "unit", c->pmu->units > 1 ? (int)k->unit : -1);
	put_word(i, "stuck_register", k->words.stuck, k->words.stuck);
	put_word(i, "stuck_holds", k->words.stuck, k->words.holds);
	put_word(i, "stuck_bits", k->words.stuck, k->words.bits);
	record_close(&i->w);
}

static void put_shared(struct info *i, const struct census *all)
{
	record_open_list(&i->w, "stuck_registers");
	for (const struct census *c = all; c->package; c++)
		for (size_t n = 0; n < c->num_shared; n++) {
			const struct shared *s = &c->shared[n];

			record_open(&i->w, NULL);
			record_int(&i->w, "package", c->package->id);
			record_int(&i->w, "die", c->package->die);
			record_str(&i->w, "pmu", c->pmu->name);
			record_int(&i->w, "unit", c->pmu->units > 1 ? (int)s->unit : -1);
			record_word(&i->w, "register", s->words.stuck);
			record_word(&i->w, "holds", s->words.holds);
			record_word(&i->w, "bits", s->words.bits);
			record_close(&i->w);
		}
	record_close(&i->w);
}

void info_put_counters(struct info *i, bool ready)
{
	static const char *const names[] = { "free", "in_use", "unknown", "stuck" };
	struct census *all = info_pmu(i) && ready ? take_all(i->um) : NULL;

	if (!all) {
		record_str(&i->w, "counters", NULL);
		record_str(&i->w, "units", NULL);
		record_str(&i->w, "stuck_registers", NULL);
		return;
	}
	record_open_list(&i->w, "counters");
	for (const struct census *c = all; c->package; c++)
		for (unsigned n = 0; n < c->num; n++)
			put_counter(i, c, &c->counters[n]);
	record_close(&i->w);
	record_open_list(&i->w, "units");
	for (const struct census *c = all; c->package; c++) {
		record_open(&i->w, NULL);
		record_int(&i->w, "package", c->package->id);
		record_int(&i->w, "die", c->package->die);
		record_str(&i->w, "pmu", c->pmu->name);
		record_int(&i->w, "units", c->units);
		for (unsigned s = 0; s <= UNCOREMSR_COUNTER_STUCK; s++)
			record_int(&i->w, names[s], c->units < 0 ? -1 : (int64_t)c->by_state[s]);
		record_close(&i->w);
	}
	record_close(&i->w);
	put_shared(i, all);
	free_all(all);
}

/* ---- for people ---- */

static void show_package(struct info *i, const struct census *c, bool *first)
{
	out_fmt(i->o, INFO_LABEL "package %d", *first ? "counters" : "",
		c->package->id);
	if (c->package->die >= 0)
		out_fmt(i->o, " die %d", c->package->die);
	*first = false;
}

static void show_words(struct out *o, const struct counter *k)
{
	const struct uncoremsr_counter_words *w = &k->words;

	if (k->state == UNCOREMSR_COUNTER_IN_USE)
		out_fmt(o, " (0x%llx)", (unsigned long long)w->selector);
	else if (k->state == UNCOREMSR_COUNTER_STUCK)
		out_fmt(o, " (0x%x holds 0x%llx, bits 0x%llx could not be put back; if no program "
			"uses it: wrmsr -p %u 0x%x 0)", w->stuck, (unsigned long long)w->holds,
			(unsigned long long)w->bits, w->cpu, w->stuck);
}

/* Show all counters on one line; for a PMU with one unit. */
static void show_counters(struct info *i, const struct census *c)
{
	if (c->units < 0)
		out_fmt(i->o, ": unknown (%s)", c->why);
	for (unsigned n = 0; n < c->num; n++) {
		const struct counter *k = &c->counters[n];

		out_fmt(i->o, "%s %u %s", n ? "," : ":", k->counter, state_words[k->state]);
		show_words(i->o, k);
	}
	out_char(i->o, '\n');
}

/* Show how many counters are free, for each PMU of the package of @c. */
static void show_sums(struct info *i, const struct census *c)
{
	const struct uncoremsr_package *p = c->package;

	for (const char *before = ":"; c->package == p; c++, before = ",") {
		out_fmt(i->o, "%s %s ", before, c->pmu->name);
		if (c->units < 0)
			out_fmt(i->o, "unknown (%s)", c->why);
		else
			out_fmt(i->o, "%u of %u free", c->by_state[UNCOREMSR_COUNTER_FREE], c->num);
		if (c->units > 1)
			out_fmt(i->o, " in %d units", c->units);
	}
	out_char(i->o, '\n');
}

static void show_unit(struct out *o, const struct census *c, unsigned unit)
{
	out_char(o, ' ');
	out_str(o, c->pmu->name);
	if (c->pmu->units > 1)
		out_u64(o, unit);
}

/*
 * Show details of units: counters in use, or stuck ones, on a line per unit; or units that do not answer (most likely
 * fused off), by name on one line.
 */
static void show_units(struct info *i, const struct census *c, enum uncoremsr_counter_state state,
		       bool *first)
{
	const struct uncoremsr_package *p = c->package;
	bool any = false;

	for (; c->package == p; c++) {
		int unit = -1; /* unit of the counter that was shown last */

		for (unsigned n = 0; n < c->num; n++) {
			const struct counter *k = &c->counters[n];
			bool same = (int)k->unit == unit,
				by_unit = state != UNCOREMSR_COUNTER_UNKNOWN;

			if (k->state != state || (same && !by_unit))
				continue;
			if (by_unit && any && !same)
				out_char(i->o, '\n');
			if (by_unit ? !same : !any)
				show_package(i, c, first);
			if (!by_unit && !any)
				out_str(i->o, ": unknown, cannot be read:");
			if (!same)
				show_unit(i->o, c, k->unit);
			if (by_unit)
				out_fmt(i->o, "%s %u %s", same ? "," : ":", k->counter,
					state_words[state]);
			if (by_unit)
				show_words(i->o, k);
			any = true;
			unit = (int)k->unit;
		}
	}
	if (any)
		out_char(i->o, '\n');
}

/* Show the stuck filters and gates of the package of @c. */
static void show_shared(struct info *i, const struct census *c, bool *first)
{
	const struct uncoremsr_package *p = c->package;

	for (; c->package == p; c++)
		for (size_t n = 0; n < c->num_shared; n++) {
			const struct uncoremsr_counter_words *w = &c->shared[n].words;

			show_package(i, c, first);
			out_char(i->o, ':');
			show_unit(i->o, c, c->shared[n].unit);
			out_fmt(i->o, " filter or gate (0x%x holds 0x%llx, bits 0x%llx could not be put back; "
				"events that need it are refused; if no program uses it: wrmsr -p %u 0x%x 0)\n",
				w->stuck, (unsigned long long)w->holds, (unsigned long long)w->bits, w->cpu,
				w->stuck);
		}
}

void info_show_counters(struct info *i)
{
	struct census *all = info_pmu(i) ? take_all(i->um) : NULL;
	const struct uncoremsr_package *p = NULL;
	bool first = true;

	if (info_pmu(i) && !all)
		i->o->error = ENOMEM;
	for (const struct census *c = all; c && c->package; c++) {
		if (c->package == p)
			continue;
		p = c->package;
		show_package(i, c, &first);
		if (num_pmus(i->um) == 1) {
			show_counters(i, c);
			show_shared(i, c, &first);
			continue;
		}
		show_sums(i, c);
		show_units(i, c, UNCOREMSR_COUNTER_IN_USE, &first);
		show_units(i, c, UNCOREMSR_COUNTER_STUCK, &first);
		show_units(i, c, UNCOREMSR_COUNTER_UNKNOWN, &first);
		show_shared(i, c, &first);
	}
	free_all(all);
}
