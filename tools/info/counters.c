/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * uncore-info: counters in use. A processor may have a thousand of them, so where a PMU has several
 * units those that are free are told as a number.
 */
#include <string.h>

#include "info/info.h"

/* The counters of one PMU on one package. */
struct census {
	struct uncoremsr *um;
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	int units;      /* negative: cannot be told */
	unsigned free, in_use, unknown;
};

typedef void counter_fn(void *user, const struct census *c, unsigned unit, unsigned counter,
			enum uncoremsr_counter_state state, uint64_t selector);

static bool is_free_running(const struct uncoremsr_pmu *pmu, unsigned counter)
{
	unsigned general = uncoremsr_pmu_general_counters(pmu), width;
	const char *desc;
	int free_running = 0;

	if (counter < general)
		return false;
	uncoremsr_pmu_fixed_event(pmu, counter - general, &desc, &width, &free_running);
	return free_running;
}

static void look(struct census *c, unsigned unit, unsigned counter, counter_fn *fn, void *user)
{
	uint64_t selector = 0;
	enum uncoremsr_counter_state state =
		uncoremsr_counter_state(c->um, c->package, c->pmu, unit, counter, &selector);

	c->free += state == UNCOREMSR_COUNTER_FREE;
	c->in_use += state == UNCOREMSR_COUNTER_IN_USE;
	c->unknown += state == UNCOREMSR_COUNTER_UNKNOWN;
	if (fn)
		fn(user, c, unit, counter, state, selector);
}

/* Each counter that can be taken; free-running ones are nobody's. False: there is none. */
static bool take_census(struct census *c, counter_fn *fn, void *user)
{
	unsigned num = uncoremsr_pmu_general_counters(c->pmu) +
		       uncoremsr_pmu_fixed_counters(c->pmu);

	c->units = uncoremsr_pmu_num_units(c->um, c->package, c->pmu);
	for (unsigned u = 0; (int)u < c->units; u++)
		for (unsigned n = 0; n < num; n++)
			if (!is_free_running(c->pmu, n))
				look(c, u, n, fn, user);
	return c->units < 0 || c->free + c->in_use + c->unknown;
}

static bool is_reached(const struct uncoremsr_pmu *pmu)
{
	return strcmp(uncoremsr_pmu_reach(pmu), "msr") == 0;
}

/* ---- for programs ---- */

static void write_counter(void *user, const struct census *c, unsigned unit, unsigned counter,
			  enum uncoremsr_counter_state state, uint64_t selector)
{
	struct fields *f = user;

	if (c->units > 1 && state == UNCOREMSR_COUNTER_FREE)
		return;
	fields_open(f, NULL);
	fields_int(f, "package", uncoremsr_package_id(c->package));
	fields_int(f, "counter", counter);
	fields_str(f, "state", info_counter_word(state));
	if (state == UNCOREMSR_COUNTER_UNKNOWN)
		fields_str(f, "selector", NULL);
	else
		fields_word(f, "selector", selector);
	fields_int(f, "die", uncoremsr_package_die(c->package));
	fields_str(f, "pmu", uncoremsr_pmu_name(c->pmu));
	fields_int(f, "unit", uncoremsr_pmu_units(c->pmu) > 1 ? (int)unit : -1);
	fields_close(f);
}

static void write_census(struct fields *f, const struct census *c)
{
	fields_open(f, NULL);
	fields_int(f, "package", uncoremsr_package_id(c->package));
	fields_int(f, "die", uncoremsr_package_die(c->package));
	fields_str(f, "pmu", uncoremsr_pmu_name(c->pmu));
	fields_int(f, "units", c->units);
	fields_int(f, "free", c->units < 0 ? -1 : (int64_t)c->free);
	fields_int(f, "in_use", c->units < 0 ? -1 : (int64_t)c->in_use);
	fields_int(f, "unknown", c->units < 0 ? -1 : (int64_t)c->unknown);
	fields_close(f);
}

static void each_pmu(struct uncoremsr *um, struct fields *f, bool counters)
{
	const struct uncoremsr_package *p;
	const struct uncoremsr_pmu *pmu;

	for (size_t i = 0; (p = uncoremsr_package(um, i)); i++)
		for (size_t n = 0; (pmu = uncoremsr_pmu(um, n)); n++) {
			struct census c = { .um = um, .package = p, .pmu = pmu };

			if (!is_reached(pmu))
				continue;
			if (take_census(&c, counters ? write_counter : NULL, f) && !counters)
				write_census(f, &c);
		}
}

void info_write_counters(struct uncoremsr *um, struct fields *f, bool ready)
{
	if (!info_pmu(um) || !ready) {
		fields_str(f, "counters", NULL);
		fields_str(f, "units", NULL);
		return;
	}
	fields_open_list(f, "counters");
	each_pmu(um, f, true);
	fields_close(f);
	fields_open_list(f, "units");
	each_pmu(um, f, false);
	fields_close(f);
}

/* ---- for people ---- */

static void write_label(struct out *o, const struct uncoremsr_package *p, bool *first)
{
	out_fmt(o, INFO_LABEL "package %d", *first ? "counters" : "", uncoremsr_package_id(p));
	if (uncoremsr_package_die(p) >= 0)
		out_fmt(o, " die %d", uncoremsr_package_die(p));
	*first = false;
}

struct line {
	struct out *o;
	bool any;
};

/* All counters of the only unit on one line. */
static void write_on_line(void *user, const struct census *c, unsigned unit, unsigned counter,
			  enum uncoremsr_counter_state state, uint64_t selector)
{
	struct line *l = user;

	(void)c, (void)unit;
	out_fmt(l->o, "%s %u %s", l->any ? "," : ":", counter, info_counter_word(state));
	if (state == UNCOREMSR_COUNTER_IN_USE)
		out_fmt(l->o, " (0x%llx)", (unsigned long long)selector);
	l->any = true;
}

static void write_sum(struct line *l, const struct census *c)
{
	out_fmt(l->o, "%s %s ", l->any ? "," : ":", uncoremsr_pmu_name(c->pmu));
	l->any = true;
	if (c->units < 0) {
		out_fmt(l->o, "unknown (%s)", uncoremsr_errmsg(c->um));
		return;
	}
	out_fmt(l->o, "%u of %u free", c->free, c->free + c->in_use + c->unknown);
	if (c->units > 1)
		out_fmt(l->o, " in %d units", c->units);
}

static void write_sums(struct uncoremsr *um, struct out *o, const struct uncoremsr_package *p,
		       bool *first)
{
	struct line l = { .o = o };
	const struct uncoremsr_pmu *pmu;

	write_label(o, p, first);
	for (size_t i = 0; (pmu = uncoremsr_pmu(um, i)); i++) {
		struct census c = { .um = um, .package = p, .pmu = pmu };

		if (is_reached(pmu) && take_census(&c, NULL, NULL))
			write_sum(&l, &c);
	}
	out_char(o, '\n');
}

static void put_unit(struct out *o, const struct census *c, unsigned unit)
{
	out_char(o, ' ');
	out_str(o, uncoremsr_pmu_name(c->pmu));
	if (uncoremsr_pmu_units(c->pmu) > 1)
		out_u64(o, unit);
}

struct busy {
	struct out *o;
	bool *first, open;
	const struct uncoremsr_pmu *pmu; /* whose line is open */
	unsigned unit;
};

static void write_busy(void *user, const struct census *c, unsigned unit, unsigned counter,
		       enum uncoremsr_counter_state state, uint64_t selector)
{
	struct busy *b = user;
	bool same = b->open && b->pmu == c->pmu && b->unit == unit;

	if (state != UNCOREMSR_COUNTER_IN_USE)
		return;
	if (b->open && !same)
		out_char(b->o, '\n');
	if (!same) {
		write_label(b->o, c->package, b->first);
		put_unit(b->o, c, unit);
	}
	out_fmt(b->o, "%s %u in-use (0x%llx)", same ? "," : ":", counter,
		(unsigned long long)selector);
	b->open = true;
	b->pmu = c->pmu;
	b->unit = unit;
}

/* Units that do not answer, most likely because they were fused off: their names alone. */
static void write_silent(void *user, const struct census *c, unsigned unit, unsigned counter,
			 enum uncoremsr_counter_state state, uint64_t selector)
{
	struct busy *b = user;

	(void)counter, (void)selector;
	if (state != UNCOREMSR_COUNTER_UNKNOWN || (b->open && b->pmu == c->pmu && b->unit == unit))
		return;
	if (!b->open) {
		write_label(b->o, c->package, b->first);
		out_str(b->o, ": unknown, cannot be read:");
	}
	put_unit(b->o, c, unit);
	b->open = true;
	b->pmu = c->pmu;
	b->unit = unit;
}

/* Only what units have to tell beyond their numbers. */
static void write_units(struct uncoremsr *um, struct out *o, const struct uncoremsr_package *p,
			bool *first, counter_fn *fn)
{
	struct busy b = { .o = o, .first = first };
	const struct uncoremsr_pmu *pmu;

	for (size_t i = 0; (pmu = uncoremsr_pmu(um, i)); i++) {
		struct census c = { .um = um, .package = p, .pmu = pmu };

		if (is_reached(pmu))
			take_census(&c, fn, &b);
	}
	if (b.open)
		out_char(o, '\n');
}

void info_write_counters_text(struct uncoremsr *um, struct out *o)
{
	const struct uncoremsr_pmu *pmu = info_pmu(um);
	bool alone = uncoremsr_num_pmus(um) == 1, first = true;
	const struct uncoremsr_package *p;

	for (size_t i = 0; pmu && (p = uncoremsr_package(um, i)); i++) {
		struct census c = { .um = um, .package = p, .pmu = pmu };
		struct line l = { .o = o };

		if (alone) {
			write_label(o, p, &first);
			take_census(&c, write_on_line, &l);
			out_char(o, '\n');
		} else {
			write_sums(um, o, p, &first);
			write_units(um, o, p, &first, write_busy);
			write_units(um, o, p, &first, write_silent);
		}
	}
}
