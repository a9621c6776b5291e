/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters in use. A processor may have a thousand counters, so free counters are usually counted but not listed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/properties.h"
#include "info/info.h"

struct census {
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	const struct uncoremsr_counters *counters; /* NULL: unknown */
	char why[384];    /* why @counters is NULL */
	unsigned num, by_state[UNCOREMSR_COUNTER_STUCK + 1];
};

static const char *const state_words[] = {
	[UNCOREMSR_COUNTER_FREE] = "free",
	[UNCOREMSR_COUNTER_IN_USE] = "in-use",
	[UNCOREMSR_COUNTER_UNKNOWN] = "unknown",
	[UNCOREMSR_COUNTER_STUCK] = "stuck",
};

/* The counters of all packages and PMUs that have registers. In the last element, @package is NULL. */
static struct census *count_all(struct uncoremsr *um)
{
	const struct uncoremsr_package *p;
	const struct uncoremsr_pmu *pmu;
	struct census *all = NULL, c;
	size_t num = 0;

	for (size_t i = 0; (p = uncoremsr_package(um, i)); i++)
		for (size_t n = 0; (pmu = uncoremsr_pmu(um, NULL, n)); n++) {
			if (strcmp(pmu->reach, "msr"))
				continue;
			c = (struct census){ .package = p, .pmu = pmu, .counters = uncoremsr_counters(um, p, pmu) };
			if (!c.counters)
				snprintf(c.why, sizeof(c.why), "%s", uncoremsr_error(um)->message);
			for (; c.counters && c.counters->list[c.num]; c.num++)
				c.by_state[c.counters->list[c.num]->state]++;
			/* Skip a PMU that has only free-running counters. */
			if (!c.counters || c.num)
				NEED_APPEND(all, num, c);
		}
	NEED_APPEND(all, num, (struct census){ .package = NULL });
	return all;
}

/* Write a register value; without @known, write unknown. UINT64_MAX is a valid value. */
static void put_word(struct info *i, const char *name, bool known, uint64_t word)
{
	const struct record_value v = { .count = word };

	record_value(&i->w, name, RECORD_WORD, known ? &v : NULL);
}

static void put_counter(struct info *i, const struct census *c, const struct uncoremsr_counter *k)
{
	const struct uncoremsr_stuck *stuck = k->stuck;

	if (c->counters->units > 1 && k->state == UNCOREMSR_COUNTER_FREE)
		return;
	record_open(&i->w, NULL);
	record_int(&i->w, "package", c->package->id);
	record_int(&i->w, "counter", k->number);
	record_str(&i->w, "state", state_words[k->state]);
	put_word(i, "selector", k->state != UNCOREMSR_COUNTER_UNKNOWN, k->selector);
	record_int(&i->w, "die", c->package->die);
	record_str(&i->w, "pmu", c->pmu->name);
	record_int(&i->w, "unit", c->pmu->units > 1 ? (int)k->unit : -1);
	put_word(i, "stuck_register", stuck, stuck ? stuck->msr : 0);
	put_word(i, "stuck_holds", stuck, stuck ? stuck->holds : 0);
	put_word(i, "stuck_bits", stuck, stuck ? stuck->bits : 0);
	record_close(&i->w);
}

/* Open an object about a PMU, or a unit of it, on a package. */
static void open_place(struct info *i, const struct census *c)
{
	record_open(&i->w, NULL);
	record_int(&i->w, "package", c->package->id);
	record_int(&i->w, "die", c->package->die);
	record_str(&i->w, "pmu", c->pmu->name);
}

static void put_stuck_filters_and_gates(struct info *i, const struct census *all)
{
	const struct uncoremsr_stuck *s;

	record_open_list(&i->w, "stuck_registers");
	for (const struct census *c = all; c->package; c++)
		for (size_t n = 0; c->counters && (s = c->counters->shared[n]); n++) {
			open_place(i, c);
			record_int(&i->w, "unit", c->pmu->units > 1 ? (int)s->unit : -1);
			record_word(&i->w, "register", s->msr);
			record_word(&i->w, "holds", s->holds);
			record_word(&i->w, "bits", s->bits);
			record_close(&i->w);
		}
	record_close(&i->w);
}

void info_put_counters(struct info *i, bool ready)
{
	static const char *const names[] = { "free", "in_use", "unknown", "stuck" };
	struct census *all = info_pmu(i) && ready ? count_all(i->um) : NULL;

	if (!all) {
		record_str(&i->w, "counters", NULL);
		record_str(&i->w, "units", NULL);
		record_str(&i->w, "stuck_registers", NULL);
		return;
	}
	record_open_list(&i->w, "counters");
	for (const struct census *c = all; c->package; c++)
		for (unsigned n = 0; n < c->num; n++)
			put_counter(i, c, c->counters->list[n]);
	record_close(&i->w);
	record_open_list(&i->w, "units");
	for (const struct census *c = all; c->package; c++) {
		open_place(i, c);
		record_int(&i->w, "units", c->counters ? (int64_t)c->counters->units : -1);
		for (unsigned s = 0; s <= UNCOREMSR_COUNTER_STUCK; s++)
			record_int(&i->w, names[s], c->counters ? (int64_t)c->by_state[s] : -1);
		record_close(&i->w);
	}
	record_close(&i->w);
	put_stuck_filters_and_gates(i, all);
	free(all);
}

static void show_package(struct out *o, const struct census *c, const char *label)
{
	out_fmt(o, INFO_LABEL "package %d", label, c->package->id);
	if (c->package->die >= 0)
		out_fmt(o, " die %d", c->package->die);
}

/* @effect: what the stuck register prevents; may be "". */
static void show_stuck(struct out *o, const struct uncoremsr_stuck *s, const char *effect)
{
	out_fmt(o, " (0x%x holds 0x%llx, bits 0x%llx could not be put back; %sif no program uses it: wrmsr -p %u 0x%x 0)",
		s->msr, (unsigned long long)s->holds, (unsigned long long)s->bits, effect, s->cpu, s->msr);
}

static void show_words(struct out *o, const struct uncoremsr_counter *k)
{
	if (k->state == UNCOREMSR_COUNTER_IN_USE)
		out_fmt(o, " (0x%llx)", (unsigned long long)k->selector);
	else if (k->state == UNCOREMSR_COUNTER_STUCK)
		show_stuck(o, k->stuck, "");
}

static void show_counters(struct info *i, const struct census *c)
{
	if (!c->counters)
		out_fmt(i->o, ": unknown (%s)", c->why);
	for (unsigned n = 0; n < c->num; n++) {
		const struct uncoremsr_counter *k = c->counters->list[n];

		out_fmt(i->o, "%s %u %s", n ? "," : ":", k->number, state_words[k->state]);
		show_words(i->o, k);
	}
	out_char(i->o, '\n');
}

static void show_numbers_of_free(struct info *i, const struct census *c)
{
	const struct uncoremsr_package *p = c->package;

	for (const char *before = ":"; c->package == p; c++, before = ",") {
		out_fmt(i->o, "%s %s ", before, c->pmu->name);
		if (!c->counters)
			out_fmt(i->o, "unknown (%s)", c->why);
		else
			out_fmt(i->o, "%u of %u free", c->by_state[UNCOREMSR_COUNTER_FREE], c->num);
		if (c->counters && c->counters->units > 1)
			out_fmt(i->o, " in %u units", c->counters->units);
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

/* One line for each unit with counters in @state; one line for all units that cannot be read (probably fused off). */
static void show_units(struct info *i, const struct census *c, enum uncoremsr_counter_state state)
{
	const bool by_unit = state != UNCOREMSR_COUNTER_UNKNOWN;
	const struct uncoremsr_package *p = c->package;
	bool any = false;

	for (; c->package == p; c++) {
		int unit = -1; /* unit of the previous counter that was shown */

		for (unsigned n = 0; n < c->num; n++) {
			const struct uncoremsr_counter *k = c->counters->list[n];
			bool same = (int)k->unit == unit;

			if (k->state != state)
				continue;
			if (by_unit && any && !same)
				out_char(i->o, '\n');
			if (by_unit ? !same : !any)
				show_package(i->o, c, "");
			if (!by_unit && !any)
				out_str(i->o, ": unknown, cannot be read:");
			if (!same)
				show_unit(i->o, c, k->unit);
			if (by_unit) {
				out_fmt(i->o, "%s %u %s", same ? "," : ":", k->number, state_words[state]);
				show_words(i->o, k);
			}
			any = true;
			unit = (int)k->unit;
		}
	}
	if (any)
		out_char(i->o, '\n');
}

static void show_stuck_filters_and_gates(struct info *i, const struct census *c)
{
	const struct uncoremsr_package *p = c->package;
	const struct uncoremsr_stuck *s;

	for (; c->package == p; c++)
		for (size_t n = 0; c->counters && (s = c->counters->shared[n]); n++) {
			show_package(i->o, c, "");
			out_char(i->o, ':');
			show_unit(i->o, c, s->unit);
			out_str(i->o, " filter or gate");
			show_stuck(i->o, s, "events that need it are refused; ");
			out_char(i->o, '\n');
		}
}

void info_show_counters(struct info *i)
{
	struct census *all = info_pmu(i) ? count_all(i->um) : NULL;
	const struct uncoremsr_package *p = NULL;

	for (const struct census *c = all; c && c->package; c++) {
		if (c->package == p)
			continue;
		show_package(i->o, c, p ? "" : "counters");
		p = c->package;
		if (num_pmus(i->um) == 1) {
			show_counters(i, c);
		} else {
			show_numbers_of_free(i, c);
			show_units(i, c, UNCOREMSR_COUNTER_IN_USE);
			show_units(i, c, UNCOREMSR_COUNTER_STUCK);
			show_units(i, c, UNCOREMSR_COUNTER_UNKNOWN);
		}
		show_stuck_filters_and_gates(i, c);
	}
	free(all);
}
