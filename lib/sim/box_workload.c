/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens in boxes and cores, as a function of the clock (see workload.c). */
#include <errno.h>
#include <string.h>

#include "sim/box.h"

/* ---- counting ---- */

/* The event as unit @n sees it. */
static struct um_sim_event of_unit(const struct um_sim_box_event *e, uint64_t n)
{
	struct um_sim_event when = e->when;
	um_u128 rate = when.rate + (um_u128)e->spread * n;

	when.rate = rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
	return when;
}

static bool passes(const struct um_sim_select *s, const struct um_sim_box_event *e)
{
	const struct um_sim_counting *c = s->counting;

	return !c || !c->pmu->type->passes || c->pmu->type->passes(c, s->umask, e);
}

static bool is_candidate(const struct um_sim_box_event *e, const struct um_sim_select *s)
{
	if (e->index != s->pmu || (e->when.package >= 0 && e->when.package != s->package))
		return false;
	if (s->name)
		return !strcmp(e->name, s->name);
	return !e->name[0] && e->event == s->event && !(e->umask & ~s->umask) &&
		(e->umask || !s->umask);
}

/* As for the Nehalem uncore: joined unit masks add up, unless the joint mask is defined itself. */
static bool is_counted(const struct uncoremsr_sim *sim, const struct um_sim_box_event *e,
		       const struct um_sim_select *s)
{
	if (!is_candidate(e, s))
		return false;
	for (size_t i = 0; i < sim->num_box_events; i++) {
		const struct um_sim_box_event *o = &sim->box_events[i];

		if (o->umask != e->umask && !(e->umask & ~o->umask) && is_candidate(o, s))
			return false;
	}
	return s->name || passes(s, e);
}

um_u128 um_sim_select_count(const struct uncoremsr_sim *sim, const struct um_sim_select *s,
			    uint64_t ns)
{
	um_u128 sum = 0, busy = 0, all = (um_u128)sim->uncore_hz * ns;
	bool inverted = s->invert && s->threshold && !s->edge;

	for (size_t i = 0; i < sim->num_box_events; i++) {
		const struct um_sim_box_event *e = &sim->box_events[i];
		struct um_sim_event when;

		if (!is_counted(sim, e, s))
			continue;
		when = of_unit(e, s->n);
		if (!inverted)
			sum += um_sim_event_count(&when, s->edge, s->threshold, ns);
		else if (s->threshold <= when.inc)
			busy += um_sim_event_busy(sim, &when, ns);
	}
	if (inverted)
		sum = busy < all ? (all - busy) / UM_SIM_NS : 0;
	return sum;
}

bool um_sim_has_named(const struct uncoremsr_sim *sim, unsigned pmu, const char *name)
{
	for (size_t i = 0; i < sim->num_box_events; i++)
		if (sim->box_events[i].index == pmu && !strcmp(sim->box_events[i].name, name))
			return true;
	return false;
}

/* Units of a PMU in one package, for the highest rate. */
static uint64_t most_units(const struct uncoremsr_sim *sim, unsigned pmu)
{
	const struct um_sim_pmu *p;
	uint64_t most = 1;

	if (pmu == UM_SIM_CORE_PMU)
		return sim->num_cpus;
	p = &sim->boxes->pmus[pmu];
	for (unsigned i = 0; i < sim->boxes->copies[p->pmu->scope].num; i++)
		if (sim->boxes->copies[p->pmu->scope].at[i].rank >= most)
			most = sim->boxes->copies[p->pmu->scope].at[i].rank + 1;
	return most * p->num_units;
}

uint64_t um_sim_box_max_rate(const struct uncoremsr_sim *sim)
{
	uint64_t max = 0;

	for (size_t i = 0; i < sim->num_box_events; i++) {
		const struct um_sim_box_event *e = &sim->box_events[i];
		uint64_t n = most_units(sim, e->index) - 1;
		um_u128 sum = 0;

		for (size_t k = 0; k < sim->num_box_events; k++) {
			const struct um_sim_box_event *o = &sim->box_events[k];

			if (o->index == e->index && o->event == e->event)
				sum += of_unit(o, n).rate;
		}
		if (sum > max)
			max = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
	}
	return max;
}

/* ---- rates, names ---- */

static bool same_event(const struct um_sim_box_event *a, const struct um_sim_box_event *b)
{
	return !strcmp(a->pmu, b->pmu) && !strcmp(a->name, b->name) && a->event == b->event &&
		a->umask == b->umask;
}

static void set_rate(struct um_sim_box_event *e, const struct um_sim_box_event *rate)
{
	e->spread = rate->spread;
	e->when.rate = rate->when.rate;
	e->when.every = e->when.length = e->when.phase = 0;
	e->when.package = -1;
	if (!e->when.burst)
		e->when.burst = 1;
}

/* The first event of its kind takes the rate, the others of the kind go. */
static int apply_rate(struct uncoremsr_sim *sim, const struct um_sim_box_event *rate)
{
	struct um_sim_box_event *e;
	size_t kept = 0;
	bool found = false;

	for (size_t i = 0; i < sim->num_box_events; i++) {
		e = &sim->box_events[i];
		if (same_event(e, rate)) {
			if (found)
				continue;
			set_rate(e, rate);
			found = true;
		}
		sim->box_events[kept++] = *e;
	}
	sim->num_box_events = kept;
	if (found)
		return 0;
	e = UM_SIM_APPEND(sim->box_events, sim->num_box_events);
	if (!e)
		return -ENOMEM;
	*e = *rate;
	return 0;
}

int um_sim_box_rates(struct uncoremsr_sim *sim)
{
	int err = 0;

	for (size_t i = 0; i < sim->num_box_rates && !err; i++)
		err = apply_rate(sim, &sim->box_rates[i]);
	return err;
}

static bool has_fixed(const struct um_sim_pmu *p, const char *name)
{
	for (unsigned i = 0; i < p->pmu->num_fixed; i++)
		if (!strcmp(p->pmu->fixed[i].event, name))
			return true;
	return false;
}

static int resolve(const struct uncoremsr_sim *sim, struct um_sim_box_event *e,
		   struct um_error *error)
{
	int index = um_sim_box_pmu(sim, e->pmu);

	if (!strcmp(e->pmu, "core")) {
		e->index = UM_SIM_CORE_PMU;
		return 0;
	}
	if (index < 0)
		return um_fail(error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s: event: there is no PMU '%s'", sim->name, e->pmu);
	e->index = (unsigned)index;
	if (e->name[0] && !has_fixed(&sim->boxes->pmus[index], e->name))
		return um_fail(error, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "%s: event: '%s' has no counter for '%s'", sim->name, e->pmu,
			       e->name);
	return 0;
}

int um_sim_box_resolve(struct uncoremsr_sim *sim, struct um_error *e)
{
	int err = 0;

	for (size_t i = 0; i < sim->num_box_events && !err; i++)
		err = resolve(sim, &sim->box_events[i], e);
	for (size_t i = 0; i < sim->num_units && !err; i++)
		if (um_sim_box_pmu(sim, sim->units[i].pmu) < 0)
			err = um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
				      "%s: units: there is no PMU '%s'", sim->name,
				      sim->units[i].pmu);
	return err;
}
