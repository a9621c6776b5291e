/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How often an event has happened since the machine was made. */
#include "sim/workload.h"

#include <string.h>

#include "common/array.h"

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t um_sim_active_ns(const struct um_sim_episodes *e, uint64_t ns)
{
	if (!e->every)
		return ns;
	if (ns < e->phase)
		return 0;
	ns -= e->phase;
	return ns / e->every * e->length + lesser(ns % e->every, e->length);
}

uint64_t um_sim_begun(const struct um_sim_episodes *e, uint64_t ns)
{
	if (!e->every)
		return 1;
	return ns < e->phase ? 0 : (ns - e->phase) / e->every + 1;
}

static uint64_t rate_of_unit(const struct um_sim_event *e, uint64_t n)
{
	um_u128 rate = e->rate + (um_u128)e->spread * n;

	return rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}

void um_sim_index_events(struct uncoremsr_sim *sim)
{
	for (size_t i = 0; i < sim->num_events; i++) {
		uint8_t code = (uint8_t)sim->events[i].event;

		if (!sim->events_of[code].end)
			sim->events_of[code].first = i;
		sim->events_of[code].end = i + 1;
	}
}

/* Compare the code first: it rejects most events. Events with a name have code 0. */
static inline bool is_candidate(const struct um_sim_event *e, const struct um_sim_selection *s)
{
	if (e->event != s->event || e->index != s->pmu || (e->when.package >= 0 && e->when.package != s->package))
		return false;
	if (s->name)
		return !strcmp(e->name, s->name);
	return !e->name[0] && !(e->umask & ~s->umask) && (e->umask || !s->umask);
}

/*
 * A unit mask with several bits counts the sum of its bits' events. But if the workload defines an event with several
 * of these bits, that event already includes the events of the single bits.
 */
static bool is_counted(const struct uncoremsr_sim *sim, const struct um_sim_event *e, const struct um_sim_selection *s)
{
	const struct um_sim_event *end = sim->events + sim->events_of[(uint8_t)s->event].end;

	for (const struct um_sim_event *o = sim->events + sim->events_of[(uint8_t)s->event].first; o < end; o++) {
		if (is_candidate(o, s) && o->umask != e->umask && !(e->umask & ~o->umask))
			return false;
	}
	for (unsigned i = 0; i < s->num_opcodes && e->opcode; i++)
		if (s->opcodes[i] == e->opcode)
			return true;
	return !s->num_opcodes || !e->opcode;
}

/* The count of one event, without inversion. */
static um_u128 count_event(const struct um_sim_event *e, const struct um_sim_selection *s, uint64_t rate, uint64_t ns)
{
	um_u128 count;

	if (s->threshold > e->inc)
		return 0;
	if (s->edge && !e->burst)
		return um_sim_begun(&e->when, ns);
	count = um_sim_ticks(rate, um_sim_active_ns(&e->when, ns));
	return s->edge ? count / e->inc / e->burst : s->threshold ? count / e->inc : count;
}

um_u128 um_sim_count(const struct uncoremsr_sim *sim, const struct um_sim_selection *s, uint64_t ns)
{
	um_u128 sum = 0, busy = 0, all = (um_u128)sim->uncore_hz * ns;
	/* Invert needs a threshold. It does not change the number of edges: a condition ends as often as it begins. */
	bool inverted = s->invert && s->threshold && !s->edge;
	const struct um_sim_event *end = sim->events + sim->events_of[(uint8_t)s->event].end;

	for (const struct um_sim_event *e = sim->events + sim->events_of[(uint8_t)s->event].first; e < end; e++) {
		uint64_t rate;

		if (s->blocked || !is_candidate(e, s) || !is_counted(sim, e, s))
			continue;
		rate = rate_of_unit(e, s->n);
		if (!inverted)
			sum += count_event(e, s, rate, ns);
		else if (s->threshold <= e->inc) /* at most, all cycles are active */
			busy += (um_u128)lesser(rate, sim->uncore_hz * e->inc) *
				um_sim_active_ns(&e->when, ns) / e->inc;
	}
	if (inverted)
		sum = busy < all ? (all - busy) / UM_SIM_NS : 0;
	return sum;
}

void um_sim_select(struct um_sim_selection *s, uint64_t selector)
{
	s->event = selector & 0xff;
	s->umask = selector >> 8 & 0xff;
	s->edge = selector >> 18 & 1;
	s->invert = selector >> 23 & 1;
	s->threshold = selector >> 24 & 0xff;
}

bool um_sim_counts_named(const struct uncoremsr_sim *sim, unsigned pmu, const char *name)
{
	for (size_t i = 0; i < sim->num_events; i++)
		if (sim->events[i].index == pmu && !strcmp(sim->events[i].name, name))
			return true;
	return false;
}

/*
 * Apply a key rate=, a constant rate without episodes. The first event of the workload with the same PMU and the same
 * code or name gets the rate, and further such events are removed. If there is none, add one.
 */
static int apply_rate(struct uncoremsr_sim *sim, const struct um_sim_event *rate)
{
	struct um_sim_event *found = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < sim->num_events; i++) {
		struct um_sim_event *e = &sim->events[i];

		if (e->event == rate->event && e->umask == rate->umask &&
		    !strcmp(e->pmu, rate->pmu) && !strcmp(e->name, rate->name)) {
			if (found)
				continue;
			e->rate = rate->rate;
			e->spread = rate->spread;
			e->when = rate->when;
			e->burst += !e->burst;
			found = e;
		}
		sim->events[kept++] = *e;
	}
	sim->num_events = kept;
	return found ? 0 : ARRAY_APPEND(sim->events, sim->num_events, *rate);
}

int um_sim_apply_rates(struct uncoremsr_sim *sim)
{
	int err = 0;

	for (size_t i = 0; i < sim->num_rates && !err; i++)
		err = apply_rate(sim, &sim->rates[i]);
	return err;
}
