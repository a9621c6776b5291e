/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the episodes of throttling mean for the Westmere uncore's events and for the frequency. */
#include <errno.h>

#include "sim/thermal.h"

/* The throttling events name the first four cores of the package, in the order of their ids. */
static unsigned core_mask(const struct uncoremsr_sim *sim, unsigned package, int core)
{
	bool ids[UM_SIM_MAX_CPUS] = { false };
	unsigned nth = 0, mask = 0;

	for (unsigned i = 0; i < sim->num_cpus; i++)
		if (sim->cpus[i].present && sim->cpus[i].package == package)
			ids[sim->cpus[i].core_id] = true;
	for (int id = 0; id < (int)UM_SIM_MAX_CPUS && nth < 4; id++)
		if (ids[id]) {
			if (core < 0 || id == core)
				mask |= 1u << nth;
			nth++;
		}
	return mask;
}

static int add_event(struct uncoremsr_sim *sim, struct um_sim_event e, unsigned event,
		     unsigned umask, uint64_t rate, uint64_t burst)
{
	struct um_sim_event *added = UM_SIM_APPEND(sim->events, sim->num_events);

	if (!added)
		return -ENOMEM;
	e.event = (uint8_t)event;
	e.umask = (uint8_t)umask;
	e.rate = rate;
	e.burst = burst;
	*added = e;
	return 0;
}

#define HALF(sim) ((sim)->uncore_hz / 2)

/* Each core in @mask has been above its threshold and slowed down all through the episode. */
static int add_core_events(struct uncoremsr_sim *sim, const struct um_sim_throttle *t,
			   struct um_sim_event e, unsigned mask)
{
	int err = 0;

	for (unsigned bit = 1; bit <= 8 && !err; bit <<= 1) {
		if (!(mask & bit))
			continue;
		if (t->cause == UM_SIM_PROCHOT) {
			err = add_event(sim, e, 0x83, bit, HALF(sim), 0);
			continue;
		}
		err = add_event(sim, e, 0x80, bit, sim->uncore_hz, 0);
		if (!err)
			err = add_event(sim, e, 0x81, bit, HALF(sim), 0);
	}
	return err;
}

static int add_events(struct uncoremsr_sim *sim, const struct um_sim_throttle *t, unsigned package)
{
	struct um_sim_event e = t->when;

	e.package = sim->packages[package].id;
	switch (t->cause) {
	case UM_SIM_DIMM: return add_event(sim, e, 0x67, 1, sim->uncore_hz / 50, 0);
	case UM_SIM_PROCHOT:
		if (add_event(sim, e, 0x82, 1, 240, 1) < 0)
			return -ENOMEM;
		return add_core_events(sim, t, e, core_mask(sim, package, -1));
	case UM_SIM_CORE_THERMAL:
		return add_core_events(sim, t, e, core_mask(sim, package, t->core));
	default: return 0;
	}
}

static int westmere_events(struct uncoremsr_sim *sim)
{
	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		for (unsigned p = 0; p < sim->num_packages && t->events; p++) {
			if (t->when.package >= 0 && t->when.package != sim->packages[p].id)
				continue;
			if (add_events(sim, t, p) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/* ---- and for the frequency ---- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

/* Can there be a moment at which both hold? */
static bool can_meet(const struct um_sim_event *a, const struct um_sim_event *b)
{
	uint64_t g, ab, ba;

	if (!a->every || !b->every)
		return true;
	if (b->every == UINT64_MAX) { /* once */
		uint64_t end = b->phase > UINT64_MAX - b->length ? UINT64_MAX :
			b->phase + b->length;

		return um_sim_active_ns(a, end) > um_sim_active_ns(a, b->phase);
	}
	if (a->every == UINT64_MAX)
		return can_meet(b, a);
	/* Every distance that the common divisor allows comes about at some time. */
	g = gcd(a->every, b->every);
	ab = (b->phase % g + (g - a->phase % g)) % g;
	ba = ab ? g - ab : 0;
	return ab < a->length || ba < b->length;
}

#define LIMITS (UM_SIM_690_SERVER | UM_SIM_690_CLIENT | UM_SIM_64F)

/* By what a processor can show a cause, any of these; 0: every processor by its frequency. */
static const unsigned shown_by[UM_SIM_CAUSES] = {
	[UM_SIM_CORE_THERMAL] = UM_SIM_DTS | UM_SIM_AMD_PSTATE,
	[UM_SIM_PACKAGE_THERMAL] = UM_SIM_PKG | LIMITS | UM_SIM_AMD_PSTATE,
	[UM_SIM_CRITICAL] = UM_SIM_DTS,
	[UM_SIM_PROCHOT] = UM_SIM_DTS | UM_SIM_AMD_PSTATE,
	[UM_SIM_POWER] = UM_SIM_PLN | LIMITS | UM_SIM_PKG_TIME,
	[UM_SIM_CURRENT] = UM_SIM_HWP | LIMITS,
	[UM_SIM_VR] = LIMITS,
	[UM_SIM_CROSS] = UM_SIM_HWP,
	[UM_SIM_MODULATION] = UM_SIM_DTS,
};

/* What leaves no other trace must not look like the firmware's work. */
static void drop_untold_losses(struct uncoremsr_sim *sim)
{
	for (size_t i = 0; i < sim->num_throttles; i++) {
		unsigned by = shown_by[sim->throttles[i].cause];

		if (by && !(sim->part->has & by))
			sim->throttles[i].loss = 0;
	}
}

/* What the episodes that may coincide with @t take together, on the core where that is the most. */
static unsigned worst_loss(const struct uncoremsr_sim *sim, const struct um_sim_throttle *t)
{
	unsigned on_all = 0, on_core[UM_SIM_MAX_CPUS] = { 0 }, most = 0;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *o = &sim->throttles[i];

		if ((t->when.package >= 0 && o->when.package >= 0 &&
		     t->when.package != o->when.package) ||
		    (t->core >= 0 && o->core >= 0 && t->core != o->core) ||
		    (o != t && !can_meet(&t->when, &o->when)))
			continue;
		if (o->core < 0) {
			on_all += o->loss;
			continue;
		}
		on_core[o->core] += o->loss;
		if (on_core[o->core] > most)
			most = on_core[o->core];
	}
	return on_all + most;
}

/* What coincides adds up; half of the frequency is left whatever happens. */
#define MAX_LOSS 500u

static void limit_losses(struct uncoremsr_sim *sim)
{
	unsigned worst = 0;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		unsigned loss = worst_loss(sim, &sim->throttles[i]);

		worst = loss > worst ? loss : worst;
	}
	for (size_t i = 0; i < sim->num_throttles && worst > MAX_LOSS; i++)
		sim->throttles[i].loss = sim->throttles[i].loss * MAX_LOSS / worst;
}

static bool exists(const struct uncoremsr_sim *sim, const struct um_sim_throttle *t)
{
	for (unsigned i = 0; i < sim->num_cpus; i++) {
		const struct um_sim_cpu *c = &sim->cpus[i];

		if (c->present && (t->core < 0 || (unsigned)t->core == c->core_id) &&
		    (t->when.package < 0 || t->when.package == sim->packages[c->package].id))
			return true;
	}
	return false;
}

int um_sim_finish_throttles(struct uncoremsr_sim *sim, struct um_error *e)
{
	for (size_t i = 0; i < sim->num_throttles; i++)
		if (!exists(sim, &sim->throttles[i]))
			return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
				       "%s: throttle: package %d core %d does not exist (-1: all)",
				       sim->name, sim->throttles[i].when.package,
				       sim->throttles[i].core);
	drop_untold_losses(sim);
	limit_losses(sim);
	return sim->uncore == UM_SIM_WESTMERE ? westmere_events(sim) : 0;
}
