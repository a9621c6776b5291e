/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The frequency of each core since the previous look(), and whether it was slower than requested for a reason that
 * nothing shows.
 */
#include "throttle/throttle.h"

/*
 * Base frequency. AMD: that of P-state 0, on processors where P-state 0 is not boosted. Intel: register 0xce bits 15:8,
 * in steps of 100 MHz; 133 MHz on Nehalem and Westmere.
 */
static double base_hz(const struct uncoremsr_throttle *t, const struct um_subject *s)
{
	const struct um_gauge *r = &(s->of ? s->of : s)->sources[UM_ROLE_PLATFORM_INFO];
	double step = t->model->has & UM_HAS_NEHALEM ? 400e6 / 3 : 100e6;

	if (s->sources[UM_ROLE_PSTATE_0].known)
		return um_thermal_base_hz(t->model, s->sources[UM_ROLE_PSTATE_0].value);
	if (t->base_hz > 0 || !r->known)
		return t->base_hz;
	return (double)(r->value >> 8 & 0xff) * step;
}

static unsigned ratio_of(const struct uncoremsr_throttle *t, uint64_t value)
{
	return (unsigned)(t->model->has & UM_HAS_NEHALEM ? value & 0xff : value >> 8 & 0xff);
}

/*
 * Clock ratios: the current one and the one that the operating system requested, each as read by this look() and by the
 * previous one; and the ratio of the base frequency (0: unknown).
 */
struct ratios {
	unsigned now, wanted, now_before, wanted_before, base;
	bool known, had;
};

/* Until the operating system has enabled HWP (hardware-chosen frequency), reads of its levels (0x771) fault. */
bool um_judges_ratio(const struct um_subject *s)
{
	const struct um_gauge *enable = s->of ? &s->of->sources[UM_ROLE_PM_ENABLE] : NULL;

	return !(s->gates & UM_GATE_HWP) || (enable && enable->known && !(enable->value & 1));
}

static struct ratios read_ratios(const struct uncoremsr_throttle *t,
				 const struct um_subject *s)
{
	const struct um_gauge *r = &s->sources[UM_ROLE_PERF_STATUS];
	const struct um_gauge *asked = &s->sources[UM_ROLE_PERF_CTL];
	const struct um_gauge *base = s->of ? &s->of->sources[UM_ROLE_PLATFORM_INFO] : NULL;

	return (struct ratios){
		.base = base && base->known ? (unsigned)(base->value >> 8 & 0xff) : 0,
		.known = r->known && asked->known && um_judges_ratio(s),
		.had = r->had && asked->had,
		.now = ratio_of(t, r->value), .wanted = ratio_of(t, asked->value),
		.now_before = ratio_of(t, r->before), .wanted_before = ratio_of(t, asked->before),
	};
}

static double share_busy(const struct uncoremsr_throttle *t, const struct um_subject *s)
{
	const struct um_gauge *m = &s->sources[UM_ROLE_MPERF];

	return (double)(m->value - m->before) / base_hz(t, s) / ((double)t->state.interval / 1e9);
}

/*
 * Was the core busy for at least a tenth of the time since the previous look(), and slower than the requested ratio? A
 * core that mostly sleeps is not judged, because it is slow just after waking up. Nor is a core whose requested ratio
 * has changed since the previous look(), because a change takes a moment.
 */
static bool ran_slowly(const struct uncoremsr_throttle *t, const struct um_subject *s, const struct ratios *r)
{
	double ratio;

	if (s->pub.frequency == UM_ABSENT || !r->had || r->wanted != r->wanted_before)
		return false;
	ratio = (double)s->pub.frequency / base_hz(t, s) * r->base;
	return share_busy(t, s) >= 0.1 && ratio < 0.95 * r->wanted;
}

/* The core ran slowly for a reason that nothing shows. */
static void blame_firmware(const struct uncoremsr_throttle *t, struct um_subject *s, bool now)
{
	um_blame(s, UNCOREMSR_CAUSE_FIRMWARE, now ? UNCOREMSR_PHASE_NOW : UNCOREMSR_PHASE_BETWEEN, true);
	um_add_gauge(s, UNCOREMSR_CAUSE_FIRMWARE, &s->sources[UM_ROLE_APERF], UNCOREMSR_FINDING_FREQUENCY,
		       s->pub.frequency, (uint64_t)base_hz(t, s));
}

/*
 * Report a low clock ratio only if the core is slower than requested and slower than the base frequency, and nothing
 * else explains it. A core that is slower than requested but faster than the base frequency only lacks turbo.
 */
static void judge_ratio(const struct uncoremsr_throttle *t, struct um_subject *s,
			const struct ratios *r)
{
	unsigned least = r->wanted < r->base ? r->wanted : r->base;

	if (!s->explained && !s->explained_before && (r->now < least || r->now_before < least) &&
	    ran_slowly(t, s, r))
		blame_firmware(t, s, r->now < least);
}

/*
 * AMD: find a core that ran below the frequency of P-state 0 although this look() and the previous one found that
 * P-state 0 was requested. (With boost it would run even faster.) The core must have been busy nearly all the time: a
 * governor may have lowered the clock of an idle core in between. Where the hardware chooses the clock itself (CPPC), a
 * low clock may be what was requested.
 */
static void judge_clock(struct uncoremsr_throttle *t, struct um_subject *s)
{
	const struct um_gauge *asked = &s->sources[UM_ROLE_PSTATE_ASKED];
	const struct um_gauge *cppc = &s->sources[UM_ROLE_CPPC];

	if (s->pub.frequency == UM_ABSENT || s->explained || s->explained_before || !asked->known || !asked->had ||
	    ((asked->value | asked->before) & 7) || (cppc->known && (cppc->value & 1)) ||
	    share_busy(t, s) < 0.9 || (double)s->pub.frequency >= 0.95 * base_hz(t, s))
		return;
	blame_firmware(t, s, false);
}

/* Add the ratios as evidence to each cause that holds, to show how much speed is lost. */
static void show_ratio(struct um_subject *s, const struct ratios *r)
{
	for (size_t i = 0; i < s->num_causes && r->now < r->wanted; i++)
		if (s->causes[i].phase == UNCOREMSR_PHASE_NOW)
			um_add_gauge(s, s->causes[i].kind, &s->sources[UM_ROLE_PERF_STATUS],
				       UNCOREMSR_FINDING_RATIO, r->now, r->wanted);
}

void um_judge_frequency(struct uncoremsr_throttle *t, struct um_subject *s)
{
	const struct um_gauge *m = &s->sources[UM_ROLE_MPERF], *a = &s->sources[UM_ROLE_APERF];
	struct ratios r;
	double hz;

	if (!t->model)
		return;
	if (um_grown(m) && um_grown(a)) {
		hz = base_hz(t, s) * (double)um_grown(a) / (double)um_grown(m);
		/* Ignore an impossible clock: a program has written MPERF or APERF in between. */
		if (hz >= 1 && hz < UM_HZ_BEYOND_ANY)
			s->pub.frequency = (uint64_t)hz;
	}
	if (t->model->has & UM_HAS_AMD)
		judge_clock(t, s);
	r = read_ratios(t, s);
	if (!r.known)
		return;
	if (r.had && m->known && m->had && a->known && a->had && base_hz(t, s) > 0 && r.base)
		s->pub.could_show |= 1u << UNCOREMSR_CAUSE_FIRMWARE;
	judge_ratio(t, s, &r);
	show_ratio(s, &r);
}
