/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the episodes of throttling have done to a core or a package until now: pure functions of the
 * clock, as in workload.c.
 */
#include "sim/thermal.h"

struct um_sim_subject um_sim_package_of(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return (struct um_sim_subject) { sim->packages[sim->cpus[cpu].package].id, -1 };
}

struct um_sim_subject um_sim_core_of(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return (struct um_sim_subject) { sim->packages[sim->cpus[cpu].package].id,
					 (int)sim->cpus[cpu].core_id };
}

bool um_sim_concerns(const struct um_sim_throttle *t, struct um_sim_subject s)
{
	return (t->when.package < 0 || t->when.package == s.package) &&
		(t->core < 0 || t->core == s.core);
}

static bool holds(const struct um_sim_event *e, uint64_t ns)
{
	return !e->every || (ns >= e->phase && (ns - e->phase) % e->every < e->length);
}

unsigned um_sim_causes(const struct uncoremsr_sim *sim, struct um_sim_subject s, uint64_t ns)
{
	unsigned causes = 0;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		if (um_sim_concerns(t, s) && holds(&t->when, ns))
			causes |= 1u << t->cause;
	}
	return causes;
}

um_u128 um_sim_cause_ns(const struct uncoremsr_sim *sim, struct um_sim_subject s,
			enum um_sim_cause cause, uint64_t ns)
{
	um_u128 sum = 0;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		if (t->cause == cause && um_sim_concerns(t, s))
			sum += um_sim_active_ns(&t->when, ns);
	}
	return sum;
}

struct um_sim_past um_sim_past(const struct uncoremsr_sim *sim, struct um_sim_subject s,
			       enum um_sim_cause cause)
{
	struct um_sim_past past = { 0 };

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];
		const struct um_sim_event *e = &t->when;
		uint64_t begun, over, end;

		if (t->cause != cause || !um_sim_concerns(t, s))
			continue;
		begun = um_sim_begun(e, sim->now);
		over = begun - (begun && holds(e, sim->now));
		past.begun += begun;
		if (!over)
			continue;
		past.total_ns += over * e->length;
		if (e->length > past.max_ns)
			past.max_ns = e->length;
		end = e->phase + (over - 1) * e->every + e->length;
		if (end > past.last_end)
			past.last_end = end;
	}
	return past;
}

unsigned um_sim_speed(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	unsigned speed = 1000;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		/* A duty cycle is no other ratio. */
		if (t->cause != UM_SIM_MODULATION && um_sim_concerns(t, s) &&
		    holds(&t->when, sim->now))
			speed -= t->loss;
	}
	return speed;
}

uint64_t um_sim_aperf(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	um_u128 lost = 0, all = (um_u128)sim->now * 1000;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		if (um_sim_concerns(t, s))
			lost += (um_u128)um_sim_active_ns(&t->when, sim->now) * t->loss;
	}
	return (uint64_t)((all - lost) * sim->tsc_hz / 1000 / UM_SIM_NS);
}

uint64_t um_sim_smis(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	um_u128 sum = 0;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		if (t->cause == UM_SIM_SMI && um_sim_concerns(t, s))
			sum += (um_u128)um_sim_active_ns(&t->when, sim->now) * t->rate / UM_SIM_NS;
	}
	return (uint64_t)sum;
}

/* ---- temperature ---- */

#define CALM 40u             /* degrees below the limit with nothing going on */
#define SECONDS_TO_CALM 10u

/* How long to the nearest moment of an episode, past or to come. */
static uint64_t distance(const struct um_sim_event *e, uint64_t ns)
{
	uint64_t t;

	if (holds(e, ns))
		return 0;
	if (ns < e->phase)
		return e->phase - ns;
	t = (ns - e->phase) % e->every;
	return t - e->length < e->every - t ? t - e->length : e->every - t;
}

/* It warms up before an episode of heat and cools down after it, evenly. */
static unsigned degrees(const struct um_sim_event *e, uint64_t ns)
{
	uint64_t d = distance(e, ns);

	return d >= SECONDS_TO_CALM * UM_SIM_NS ? CALM :
		(unsigned)(d * CALM / (SECONDS_TO_CALM * UM_SIM_NS));
}

/* A package is as hot as its hottest core; its cores stay some degrees below its own sensor. */
unsigned um_sim_below(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	unsigned below = CALM;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];
		struct um_sim_subject of = { s.package, s.core < 0 ? t->core : s.core };
		unsigned d;

		if (t->cause != UM_SIM_CORE_THERMAL && t->cause != UM_SIM_CRITICAL &&
		    t->cause != UM_SIM_PACKAGE_THERMAL)
			continue;
		d = degrees(&t->when, sim->now);
		if (t->cause == UM_SIM_PACKAGE_THERMAL && s.core >= 0)
			d += 5;
		if (um_sim_concerns(t, of) && d < below)
			below = d;
	}
	return below;
}
