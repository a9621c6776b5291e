/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How often an event has happened since the machine was made: a pure function of the clock, in
 * integers of 128 bits, so that a stepped clock gives exact counts however often one looks.
 */
#include "sim/model.h"

/* Selector fields, SDM "MSR_UNCORE_PERFEVTSELx". */
#define SEL_EVENT(s) ((uint8_t)(s))
#define SEL_UMASK(s) ((uint8_t)((s) >> 8))
#define SEL_EDGE(s) ((s) >> 18 & 1)
#define SEL_INVERT(s) ((s) >> 23 & 1)
#define SEL_CMASK(s) ((unsigned)((s) >> 24 & 0xff))

um_u128 um_sim_clock(const struct uncoremsr_sim *sim, uint64_t ns)
{
	return (um_u128)sim->uncore_hz * ns / UM_SIM_NS;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t um_sim_active_ns(const struct um_sim_event *e, uint64_t ns)
{
	if (!e->every)
		return ns;
	if (ns < e->phase)
		return 0;
	ns -= e->phase;
	return ns / e->every * e->length + min_u64(ns % e->every, e->length);
}

uint64_t um_sim_begun(const struct um_sim_event *e, uint64_t ns)
{
	if (!e->every)
		return 1;
	return ns < e->phase ? 0 : (ns - e->phase) / e->every + 1;
}

static um_u128 bursts(const struct um_sim_event *e, uint64_t ns)
{
	um_u128 cycles;

	if (!e->burst)
		return um_sim_begun(e, ns);
	cycles = (um_u128)e->rate * um_sim_active_ns(e, ns) / UM_SIM_NS / e->inc;
	return cycles / e->burst;
}

/* Active cycles, never more than there are cycles (for the inverted count). */
um_u128 um_sim_event_busy(const struct uncoremsr_sim *sim, const struct um_sim_event *e,
			  uint64_t ns)
{
	return (um_u128)min_u64(e->rate, sim->uncore_hz * e->inc) * um_sim_active_ns(e, ns) / e->inc;
}

static bool is_candidate(const struct um_sim_event *e, int package, uint64_t selector)
{
	return e->event == SEL_EVENT(selector) && (e->package < 0 || e->package == package) &&
		!(e->umask & ~SEL_UMASK(selector)) && (e->umask || !SEL_UMASK(selector));
}

/*
 * A unit mask of several bits counts the sum of its parts, unless the workload defines it (or a
 * larger part of it): then the parts are already in that.
 */
static bool is_counted(const struct uncoremsr_sim *sim, const struct um_sim_event *e, int package,
		       uint64_t selector)
{
	if (!is_candidate(e, package, selector))
		return false;
	for (size_t i = 0; i < sim->num_events; i++) {
		const struct um_sim_event *o = &sim->events[i];

		if (o->umask != e->umask && !(e->umask & ~o->umask) &&
		    is_candidate(o, package, selector))
			return false;
	}
	return true;
}

um_u128 um_sim_event_count(const struct um_sim_event *e, bool edge, unsigned threshold,
			   uint64_t ns)
{
	if (threshold > e->inc)
		return 0;
	if (edge)
		return bursts(e, ns);
	if (threshold)
		return (um_u128)e->rate * um_sim_active_ns(e, ns) / UM_SIM_NS / e->inc;
	return (um_u128)e->rate * um_sim_active_ns(e, ns) / UM_SIM_NS;
}

um_u128 um_sim_count(const struct uncoremsr_sim *sim, int package, uint64_t selector, uint64_t ns)
{
	um_u128 sum = 0, busy = 0, all = (um_u128)sim->uncore_hz * ns;
	/* With threshold 0 there is no compare to invert. A state is left as often as entered, so
	 * the edges of the inverted signal are those of the signal. */
	bool inverted = SEL_INVERT(selector) && SEL_CMASK(selector) && !SEL_EDGE(selector);

	for (size_t i = 0; i < sim->num_events; i++) {
		const struct um_sim_event *e = &sim->events[i];

		if (!is_counted(sim, e, package, selector))
			continue;
		if (!inverted)
			sum += um_sim_event_count(e, SEL_EDGE(selector), SEL_CMASK(selector), ns);
		else if (SEL_CMASK(selector) <= e->inc)
			busy += um_sim_event_busy(sim, e, ns);
	}
	if (inverted)
		sum = busy < all ? (all - busy) / UM_SIM_NS : 0;
	return sum;
}

uint64_t um_sim_max_rate(const struct uncoremsr_sim *sim)
{
	uint64_t max = sim->uncore_hz, boxes = um_sim_box_max_rate(sim);

	if (boxes > max)
		max = boxes;
	for (size_t i = 0; i < sim->num_events; i++) {
		uint64_t sum = 0;

		/* A unit mask may be a union of these. */
		for (size_t k = 0; k < sim->num_events; k++)
			if (sim->events[k].event == sim->events[i].event &&
			    __builtin_add_overflow(sum, sim->events[k].rate, &sum))
				sum = UINT64_MAX;
		if (sum > max)
			max = sum;
	}
	return max;
}
