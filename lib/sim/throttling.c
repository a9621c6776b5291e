/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The effect of throttling episodes, computed from the time alone, as in workload.c. */
#include "sim/throttling.h"

#include "common/array.h"
#include "sim/box.h"

#define LIMITS (UM_SIM_690_SERVER | UM_SIM_690_CLIENT | UM_SIM_64F)

/* Losses of frequency are made up, but plausible, and different for each cause. */
const struct um_sim_cause_kind um_sim_cause_kinds[UM_SIM_CAUSES] = {
	[UM_SIM_CORE_THERMAL] = { "core-thermal", 300, true, UM_SIM_DTS | UM_SIM_AMD_PSTATE },
	[UM_SIM_PACKAGE_THERMAL] = { "package-thermal", 250, false, UM_SIM_PKG | LIMITS | UM_SIM_AMD_PSTATE },
	[UM_SIM_CRITICAL] = { "critical-temperature", 450, true, UM_SIM_DTS },
	[UM_SIM_PROCHOT] = { "prochot-external", 400, false, UM_SIM_DTS | UM_SIM_AMD_PSTATE },
	[UM_SIM_POWER] = { "power-limit", 150, true, UM_SIM_PLN | LIMITS | UM_SIM_PKG_TIME },
	[UM_SIM_CURRENT] = { "current-limit", 100, true, UM_SIM_HWP | LIMITS | UM_SIM_PLR },
	[UM_SIM_VR] = { "vr-thermal", 200, false, LIMITS | UM_SIM_PLR },
	[UM_SIM_CROSS] = { "cross-domain", 100, true, UM_SIM_HWP },
	[UM_SIM_DIMM] = { "dimm-thermal", 0, false, 0 },
	[UM_SIM_MODULATION] = { "clock-modulation", 500, true, UM_SIM_DTS },
	[UM_SIM_SMI] = { "smi", 0, false, 0 },
	[UM_SIM_FIRMWARE] = { "firmware", 350, false, 0 }, /* only the frequency shows this cause */
	[UM_SIM_OTHER] = { "other", 100, true, UM_SIM_PLR },
};

struct um_sim_subject um_sim_package_of(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return (struct um_sim_subject) { sim->cpus[cpu].package, -1, (int)sim->cpus[cpu].die };
}

struct um_sim_subject um_sim_core_of(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return (struct um_sim_subject) { sim->cpus[cpu].package, (int)sim->cpus[cpu].core_id, (int)sim->cpus[cpu].die };
}

static bool concerns(const struct um_sim_throttle *t, struct um_sim_subject s)
{
	return (t->when.package < 0 || t->when.package == s.package) &&
		(t->core < 0 || t->core == s.core) && (t->die < 0 || t->die == s.die);
}

/* The episodes that affect @s. */
#define FOR_EACH_THROTTLE(t, sim, s) \
	for (const struct um_sim_throttle *t = (sim)->throttles; t < (sim)->throttles + (sim)->num_throttles; t++) \
		if (concerns(t, s))

static bool holds(const struct um_sim_episodes *e, uint64_t ns)
{
	return !e->every || (ns >= e->phase && (ns - e->phase) % e->every < e->length);
}

unsigned um_sim_causes(const struct uncoremsr_sim *sim, struct um_sim_subject s, uint64_t ns)
{
	unsigned causes = 0;

	FOR_EACH_THROTTLE(t, sim, s)
		causes |= (unsigned)holds(&t->when, ns) << t->cause;
	return causes;
}

um_u128 um_sim_cause_ns(const struct uncoremsr_sim *sim, struct um_sim_subject s, enum um_sim_cause cause, uint64_t ns)
{
	um_u128 sum = 0;

	FOR_EACH_THROTTLE(t, sim, s)
		sum += t->cause == cause ? um_sim_active_ns(&t->when, ns) : 0;
	return sum;
}

bool um_sim_logged(const struct uncoremsr_sim *sim, uint64_t since, enum um_sim_cause cause, struct um_sim_subject s)
{
	return um_sim_causes(sim, s, sim->now) >> cause & 1 ||
		um_sim_cause_ns(sim, s, cause, sim->now) > um_sim_cause_ns(sim, s, cause, since);
}

struct um_sim_past um_sim_past(const struct uncoremsr_sim *sim, struct um_sim_subject s, enum um_sim_cause cause)
{
	struct um_sim_past past = { 0 };

	FOR_EACH_THROTTLE(t, sim, s) {
		const struct um_sim_episodes *e = &t->when;
		uint64_t begun, over, end;

		if (t->cause != cause)
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

	FOR_EACH_THROTTLE(t, sim, s) /* clock modulation stops clocks, but does not change the ratio */
		if (t->cause != UM_SIM_MODULATION && holds(&t->when, sim->now))
			speed -= t->loss;
	return speed;
}

uint64_t um_sim_aperf(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	um_u128 left = (um_u128)sim->now * 1000;

	FOR_EACH_THROTTLE(t, sim, s)
		left -= (um_u128)um_sim_active_ns(&t->when, sim->now) * t->loss;
	return (uint64_t)(left * sim->tsc_hz / 1000 / UM_SIM_NS);
}

uint64_t um_sim_smis(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	um_u128 sum = 0;

	FOR_EACH_THROTTLE(t, sim, s)
		if (t->cause == UM_SIM_SMI)
			sum += um_sim_ticks(t->rate, um_sim_active_ns(&t->when, sim->now));
	return (uint64_t)sum;
}

/* ---- temperature ---- */

#define CALM 40u             /* degrees below the limit outside of episodes */
#define SECONDS_TO_CALM 10u

/* Degrees below the limit: the temperature rises evenly before an episode of heat, and falls evenly after it. */
static unsigned degrees(const struct um_sim_episodes *e, uint64_t ns)
{
	uint64_t to_nearest, t;

	if (holds(e, ns))
		return 0;
	if (ns < e->phase) {
		to_nearest = e->phase - ns;
	} else {
		t = (ns - e->phase) % e->every;
		to_nearest = t - e->length < e->every - t ? t - e->length : e->every - t;
	}
	return to_nearest >= SECONDS_TO_CALM * UM_SIM_NS ? CALM :
		(unsigned)(to_nearest * CALM / (SECONDS_TO_CALM * UM_SIM_NS));
}

/* Does the episode concern a core of @s? A member of @s that is -1 stands for all. */
static bool concerns_core_of(const struct uncoremsr_sim *sim, const struct um_sim_throttle *t, struct um_sim_subject s)
{
	for (unsigned i = 0; i < sim->num_cpus; i++) {
		struct um_sim_subject core = um_sim_core_of(sim, i);

		if (sim->cpus[i].present && concerns(t, core) && (s.package < 0 || core.package == s.package) &&
		    (s.die < 0 || core.die == s.die) && (s.core < 0 || core.core == s.core))
			return true;
	}
	return false;
}

/* A die is as hot as its hottest core. In an episode of package heat its cores are 5 degrees cooler than the die. */
unsigned um_sim_below(const struct uncoremsr_sim *sim, struct um_sim_subject s)
{
	unsigned below = CALM;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];
		unsigned d;

		if ((t->cause != UM_SIM_CORE_THERMAL && t->cause != UM_SIM_CRITICAL &&
		     t->cause != UM_SIM_PACKAGE_THERMAL) || !concerns_core_of(sim, t, s))
			continue;
		d = degrees(&t->when, sim->now);
		if (t->cause == UM_SIM_PACKAGE_THERMAL && s.core >= 0)
			d += 5;
		if (d < below)
			below = d;
	}
	return below;
}

/* ---- throttling events of the Westmere uncore ---- */

/* Unit mask of an event: bit n is the core with the n-th lowest id; only four have events. @core -1: all four. */
static unsigned core_mask(const struct uncoremsr_sim *sim, int package, int core)
{
	bool ids[UM_SIM_MAX_CPUS] = { false };
	unsigned nth = 0, mask = 0;

	for (unsigned i = 0; i < sim->num_cpus; i++)
		if (sim->cpus[i].present && sim->cpus[i].package == package)
			ids[sim->cpus[i].core_id] = true;
	for (int id = 0; id < (int)UM_SIM_MAX_CPUS && nth < 4; id++) {
		mask |= (unsigned)(ids[id] && (core < 0 || id == core)) << nth;
		nth += ids[id];
	}
	return mask;
}

/* Uncore events that happen during an episode: one, or one for each core concerned. */
static const struct {
	enum um_sim_cause cause;
	uint32_t event;
	bool of_cores;
	unsigned hz_by; /* rate is uncore clock / @hz_by; 0: 240 events per second, each a separate burst */
} uncore_events[] = {
	{ UM_SIM_DIMM, 0x67, false, 50 },
	{ UM_SIM_PROCHOT, 0x82, false, 0 },
	{ UM_SIM_PROCHOT, 0x83, true, 2 },     /* cores are throttled */
	{ UM_SIM_CORE_THERMAL, 0x80, true, 1 }, /* cores are above their threshold */
	{ UM_SIM_CORE_THERMAL, 0x81, true, 2 },
};

static int add_events(struct uncoremsr_sim *sim, const struct um_sim_throttle *t, int package)
{
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(uncore_events); i++) {
		unsigned by = uncore_events[i].hz_by;
		unsigned mask = uncore_events[i].of_cores ? core_mask(sim, package, t->core) : 1;
		struct um_sim_event e = { .event = uncore_events[i].event, .rate = by ? sim->uncore_hz / by : 240,
					  .inc = 1, .burst = !by, .when = t->when };

		e.when.package = package;
		for (e.umask = 1; e.umask <= 8 && !err; e.umask <<= 1)
			if (uncore_events[i].cause == t->cause && mask & e.umask)
				err = ARRAY_APPEND(sim->events, sim->num_events, e);
	}
	return err;
}

/* ---- loss of frequency ---- */

static bool can_meet(const struct um_sim_episodes *a, const struct um_sim_episodes *b)
{
	uint64_t g, rest, ab, ba;

	if (!a->every || !b->every)
		return true;
	if (b->every == UINT64_MAX) { /* once */
		uint64_t end = b->phase > UINT64_MAX - b->length ? UINT64_MAX :
			b->phase + b->length;

		return um_sim_active_ns(a, end) > um_sim_active_ns(a, b->phase);
	}
	if (a->every == UINT64_MAX)
		return can_meet(b, a);
	/* Distances of starts are all values congruent to (b->phase - a->phase) modulo g, the gcd of the periods. */
	for (g = a->every, rest = b->every; rest;) {
		uint64_t r = g % rest;

		g = rest;
		rest = r;
	}
	ab = (b->phase % g + (g - a->phase % g)) % g;
	ba = ab ? g - ab : 0;
	return ab < a->length || ba < b->length;
}

/* The largest sum of losses on any core, over all episodes that can overlap with @t. */
static unsigned worst_loss(const struct uncoremsr_sim *sim, const struct um_sim_throttle *t)
{
	unsigned on_all = 0, on_core[UM_SIM_MAX_CPUS] = { 0 }, most = 0;

	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_throttle *o = &sim->throttles[i];

		if ((t->when.package >= 0 && o->when.package >= 0 && t->when.package != o->when.package) ||
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

/* Losses of overlapping episodes add up, to at most half of the frequency. */
#define MAX_LOSS 500u

static void set_losses(struct uncoremsr_sim *sim)
{
	unsigned worst = 0;

	/* A cause that the processor cannot show lowers no frequency: that would look like a limit of the firmware. */
	for (size_t i = 0; i < sim->num_throttles; i++) {
		const struct um_sim_cause_kind *k = &um_sim_cause_kinds[sim->throttles[i].cause];

		sim->throttles[i].loss = !k->shown_by || sim->processor->has & k->shown_by
			? k->loss : 0;
	}
	for (size_t i = 0; i < sim->num_throttles; i++) {
		unsigned loss = worst_loss(sim, &sim->throttles[i]);

		worst = loss > worst ? loss : worst;
	}
	for (size_t i = 0; i < sim->num_throttles && worst > MAX_LOSS; i++)
		sim->throttles[i].loss = sim->throttles[i].loss * MAX_LOSS / worst;
}

int um_sim_finish_throttles(struct uncoremsr_sim *sim, struct um_error *e)
{
	const struct um_sim_copies *packages = &sim->copies[UM_SIM_PER_PACKAGE];
	int err = 0;

	for (size_t i = 0; i < sim->num_throttles; i++)
		if (!concerns_core_of(sim, &sim->throttles[i], (struct um_sim_subject){ -1, -1, -1 }))
			return UM_USAGE(e, "%s: throttle: there is no package %d, die %d, core %d (-1: any)", sim->name,
					sim->throttles[i].when.package, sim->throttles[i].die, sim->throttles[i].core);
	set_losses(sim);
	for (size_t i = 0; i < sim->num_throttles && um_sim_is_of(sim, UM_SIM_WSM); i++) {
		const struct um_sim_throttle *t = &sim->throttles[i];

		for (unsigned n = 0; n < packages->num && t->events && !err; n++) {
			int package = sim->cpus[packages->at[n].first_cpu].package;

			if (t->when.package < 0 || t->when.package == package)
				err = add_events(sim, t, package);
		}
	}
	return err;
}
