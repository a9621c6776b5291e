/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frequency of each core, to find cores that were slower than requested without a known reason. */
#include "throttle/throttle.h"

/*
 * Base frequency. Intel: register 0xce bits 15:8, in steps of 100 MHz (Nehalem and Westmere: 133 MHz). AMD: the
 * frequency of P-state 0, on processors that do not boost P-state 0.
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

/* Until the operating system has enabled HWP (hardware-chosen frequency), reads of its levels (0x771) fault. */
bool um_judges_ratio(const struct um_subject *s)
{
	const struct um_gauge *enable = s->of ? &s->of->sources[UM_ROLE_PM_ENABLE] : NULL;

	return !(s->gates & UM_GATE_HWP) || (enable && enable->known && !(enable->value & 1));
}

/* Was the core busy for @busy of the time since the previous look(), and slower than @hz without a known reason? */
static bool ran_slowly(const struct uncoremsr_throttle *t, const struct um_subject *s, double busy, double hz)
{
	const struct um_gauge *m = &s->sources[UM_ROLE_MPERF];

	return s->pub.frequency != UM_ABSENT && !s->explained && !s->explained_before &&
	       (double)(m->value - m->before) / base_hz(t, s) / ((double)t->state.interval / 1e9) >= busy &&
	       (double)s->pub.frequency < 0.95 * hz;
}

static void blame_firmware(const struct uncoremsr_throttle *t, struct um_subject *s, bool now)
{
	um_blame(s, UNCOREMSR_CAUSE_FIRMWARE, now ? UNCOREMSR_PHASE_NOW : UNCOREMSR_PHASE_BETWEEN, true);
	um_add_gauge(s, UNCOREMSR_CAUSE_FIRMWARE, &s->sources[UM_ROLE_APERF], UNCOREMSR_FINDING_FREQUENCY,
		       s->pub.frequency, (uint64_t)base_hz(t, s));
}

/*
 * Intel: compare the core's clock ratio with the one that the operating system requested. Report a low ratio only if
 * the core is slower than requested and slower than the base frequency. A core that is slower than requested but faster
 * than the base frequency only lacks turbo. A core that mostly sleeps is not judged, because it is slow just after
 * waking up. Nor is a core whose requested ratio has changed since the previous look(): a change takes a moment.
 */
static void judge_ratio(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	const struct um_gauge *status = &s->sources[UM_ROLE_PERF_STATUS], *asked = &s->sources[UM_ROLE_PERF_CTL];
	const struct um_gauge *info = &(s->of ? s->of : s)->sources[UM_ROLE_PLATFORM_INFO];
	const struct um_gauge *m = &s->sources[UM_ROLE_MPERF], *a = &s->sources[UM_ROLE_APERF];
	unsigned now = ratio_of(t, status->value), wanted = ratio_of(t, asked->value);
	unsigned base = info->known ? (unsigned)(info->value >> 8 & 0xff) : 0, least = wanted < base ? wanted : base;

	if (!status->known || !asked->known || !um_judges_ratio(s))
		return;
	if (status->had && asked->had) {
		if (m->known && m->had && a->known && a->had && base_hz(t, s) > 0 && base)
			s->pub.could_show |= 1u << UNCOREMSR_CAUSE_FIRMWARE;
		if ((now < least || ratio_of(t, status->before) < least) && wanted == ratio_of(t, asked->before) &&
		    ran_slowly(t, s, 0.1, base_hz(t, s) * wanted / base))
			blame_firmware(t, s, now < least);
	}
	for (size_t i = 0; i < s->num_causes && now < wanted; i++)
		if (s->causes[i].phase == UNCOREMSR_PHASE_NOW)
			um_add_gauge(s, s->causes[i].kind, status, UNCOREMSR_FINDING_RATIO, now, wanted);
}

/*
 * AMD: did the core run below the frequency of P-state 0, although P-state 0 was requested at this look() and at the
 * previous one? The core must have been busy nearly all the time, because a governor may lower an idle core's clock. If
 * the hardware chooses the clock (CPPC), a low clock may be intended.
 */
static void judge_pstate(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	const struct um_gauge *asked = &s->sources[UM_ROLE_PSTATE_ASKED];
	const struct um_gauge *cppc = &s->sources[UM_ROLE_CPPC];

	if (asked->known && asked->had && !((asked->value | asked->before) & 7) &&
	    !(cppc->known && (cppc->value & 1)) && ran_slowly(t, s, 0.9, base_hz(t, s)))
		blame_firmware(t, s, false);
}

void um_judge_clock(struct uncoremsr_throttle *t, struct um_subject *s)
{
	uint64_t base_clocks = um_grown(&s->sources[UM_ROLE_MPERF]), clocks = um_grown(&s->sources[UM_ROLE_APERF]);

	if (!t->model)
		return;
	if (base_clocks && clocks) {
		double hz = base_hz(t, s) * (double)clocks / (double)base_clocks;

		/* Ignore an impossible clock: a program must have written MPERF or APERF. */
		if (hz >= 1 && hz < UM_HZ_BEYOND_ANY)
			s->pub.frequency = (uint64_t)hz;
	}
	if (t->model->has & UM_HAS_AMD)
		judge_pstate(t, s);
	else
		judge_ratio(t, s);
}
