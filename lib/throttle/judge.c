/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From readings to causes, and from causes to a verdict. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

struct uncoremsr_throttle_cause *um_blame(struct uncoremsr_throttle_subject *s, enum um_cause cause)
{
	struct uncoremsr_throttle_cause *c = s->causes;

	for (; c < s->causes + s->num_causes; c++)
		if (c->cause == cause)
			return c;
	s->num_causes++;
	*c = (struct uncoremsr_throttle_cause){ .of = s, .cause = cause, .share = -1 };
	return c;
}

void um_add_evidence(struct uncoremsr_throttle_subject *s, enum um_cause cause, const char *what,
		     int64_t msr, uint64_t value, const char *fmt, ...)
{
	struct um_evidence *e = &s->evidence[s->num_evidence];
	va_list ap;

	if (s->num_evidence == UM_MAX_EVIDENCE)
		return;
	s->num_evidence++;
	*e = (struct um_evidence){ .cause = cause, .what = what, .msr = msr, .value = value };
	va_start(ap, fmt);
	vsnprintf(e->bits, sizeof(e->bits), fmt, ap);
	va_end(ap);
}

void um_add_unknown(struct uncoremsr_throttle_subject *s, const char *fmt, ...)
{
	va_list ap;

	if (s->num_unknown == UM_MAX_UNKNOWN)
		return;
	va_start(ap, fmt);
	vsnprintf(s->unknown[s->num_unknown++], UM_SENTENCE, fmt, ap);
	va_end(ap);
}

/* ---- status registers ---- */

void um_add_detail(struct uncoremsr_throttle_cause *c, const char *detail)
{
	size_t len = strlen(c->detail);

	if (detail && !strstr(c->detail, detail))
		snprintf(c->detail + len, sizeof(c->detail) - len, "%s%s", len ? ", " : "", detail);
}

/* One reason of one register: it holds, it has come since the last look, it was at some time. */
static void judge_bit(struct uncoremsr_throttle_subject *s, const struct um_limit_bit *b,
		      const struct um_decoded *d, const struct um_decoded *before)
{
	bool now = b->now != UM_NO_BIT && (d->now & BIT(b->now));
	bool logged = (d->logged & BIT(b->log)) != 0;
	bool is_new = logged && before && !(before->logged & BIT(b->log));
	struct uncoremsr_throttle_cause *c;

	if (b->cause == UM_NUM_CAUSES || (!now && !logged))
		return;
	c = um_blame(s, (enum um_cause)b->cause);
	c->holds |= now;
	c->happened |= is_new;
	c->logged |= logged;
	c->log_bit |= logged;
	c->decides |= now || is_new || b->decides;
	um_add_detail(c, b->detail);
}

/* All bits of a register that speak for one cause are one piece of evidence. */
static void show_bits(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s,
		      const struct um_reading *r, const struct um_decoded *d)
{
	char names[UM_BITS];

	for (int cause = 0; cause < UM_NUM_CAUSES; cause++) {
		uint64_t mask = 0;

		for (size_t i = 0; i < r->row->num_bits; i++) {
			const struct um_limit_bit *b = &r->row->bits[i];

			if (b->cause == cause)
				mask |= (b->now == UM_NO_BIT ? 0 : BIT(b->now)) | BIT(b->log);
		}
		mask &= d->now | d->logged;
		if (mask)
			um_add_evidence(s, (enum um_cause)cause, t->names[r->row->role],
					r->row->reg.msr, r->value, "%s",
					um_thermal_bits(&r->row->reg, mask, names, sizeof(names)));
	}
}

static void judge_status(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s,
			 const struct um_reading *r)
{
	struct um_decoded d, before;

	if (!r->row || !r->known || !r->row->num_bits)
		return;
	d = um_thermal_decode(r->row, s->gates, r->value);
	if (r->had)
		before = um_thermal_decode(r->row, s->gates, r->before);
	for (size_t i = 0; i < r->row->num_bits; i++)
		judge_bit(s, &r->row->bits[i], &d, r->had ? &before : NULL);
	show_bits(t, s, r, &d);
	if (d.valid)
		s->below = d.below;
	s->could_tell = true;
}

static void judge_temperature(struct uncoremsr_throttle_subject *s)
{
	const struct uncoremsr_throttle_subject *package = s->of ? s->of : s;
	const struct um_reading *r = &package->regs[UM_ROLE_TARGET];
	int target = r->known ? um_thermal_target(r->value) : 0;

	if (s->below >= 0 && target)
		s->celsius = target - s->below;
}

/* ---- other registers ---- */

static void judge_clock_modulation(struct uncoremsr_throttle *t,
				   struct uncoremsr_throttle_subject *s)
{
	const struct um_reading *r = &s->regs[UM_ROLE_CLOCK_MODULATION];
	double duty = r->known ? um_thermal_duty(r->value, s->gates) : 1;
	struct uncoremsr_throttle_cause *c;

	if (duty >= 1)
		return;
	c = um_blame(s, UM_CAUSE_CLOCK_MODULATION);
	c->holds = c->decides = true;
	c->share = 1 - duty;
	um_add_evidence(s, c->cause, t->names[UM_ROLE_CLOCK_MODULATION], r->row->reg.msr, r->value,
			"ON, running %.4g %% of the time", 100 * duty);
}

static void blame_hwp(struct uncoremsr_throttle_subject *s, bool lower, bool changed)
{
	struct uncoremsr_throttle_cause *c = um_blame(s, UM_CAUSE_FIRMWARE);

	c->holds |= lower;
	c->decides |= lower;
	c->logged |= changed;
	c->log_bit |= changed;
}

/*
 * The guaranteed level sinks when the processor is limited for good (Linux intel_pstate). Bit 2 of
 * 0x777 is set on most healthy machines and no alarm.
 */
static void judge_hwp(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	const struct um_reading *r = &s->regs[UM_ROLE_HWP_CAPABILITIES];
	const struct um_reading *status = &s->regs[UM_ROLE_HWP_STATUS];
	unsigned now = r->known ? (unsigned)(r->value >> 8 & 0xff) : 0;
	bool changed = status->known && (status->value & 1), lower;

	if (!s->guaranteed)
		s->guaranteed = now;
	lower = now && now < s->guaranteed;
	if (!changed && !lower)
		return;
	blame_hwp(s, lower, changed);
	if (lower)
		um_add_evidence(s, UM_CAUSE_FIRMWARE, t->names[UM_ROLE_HWP_CAPABILITIES],
				r->row->reg.msr, r->value,
				"guaranteed level %u, %u at the first look", now, s->guaranteed);
	if (changed)
		um_add_evidence(s, UM_CAUSE_FIRMWARE, t->names[UM_ROLE_HWP_STATUS],
				status->row->reg.msr, status->value, "GUARANTEED_CHANGED");
}

static void judge_pstate_limit(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	const struct um_reading *r = &s->regs[UM_ROLE_PSTATE_LIMIT];
	struct uncoremsr_throttle_cause *c;

	if (!r->known)
		return;
	s->could_tell = true;
	if (!(r->value & 0xf))
		return;
	c = um_blame(s, UM_CAUSE_FIRMWARE);
	c->holds = c->decides = true;
	um_add_detail(c, "this register does not say whether for heat, PROCHOT or power");
	um_add_evidence(s, c->cause, t->names[UM_ROLE_PSTATE_LIMIT], r->row->reg.msr, r->value,
			"fastest P-state allowed now is %u of 0 to %u", (unsigned)(r->value & 0xf),
			(unsigned)(r->value >> 4 & 0xf));
}

/* ---- the verdict ---- */

/* What decides first, of these what is so now, then the order of the causes. */
static int rank(const struct uncoremsr_throttle_cause *c)
{
	bool now = c->holds || c->happened;

	return (c->decides ? 0 : 200) + (now ? 0 : 100) + (int)c->cause;
}

static int by_rank(const void *a, const void *b)
{
	return rank(a) - rank(b);
}

void um_sort_causes(struct uncoremsr_throttle_subject *s)
{
	qsort(s->causes, s->num_causes, sizeof(s->causes[0]), by_rank);
}

static enum uncoremsr_verdict verdict_of(const struct uncoremsr_throttle_subject *s)
{
	enum uncoremsr_verdict v = s->could_tell ? UNCOREMSR_VERDICT_OK : UNCOREMSR_VERDICT_UNKNOWN;

	for (size_t i = 0; i < s->num_causes; i++) {
		const struct uncoremsr_throttle_cause *c = &s->causes[i];

		if (c->decides && (c->holds || c->happened))
			return UNCOREMSR_VERDICT_THROTTLED;
		if (c->decides)
			v = UNCOREMSR_VERDICT_WAS_THROTTLED;
	}
	return v;
}

/* A slow clock needs no other reason then. */
static bool is_explained(const struct uncoremsr_throttle_subject *s)
{
	for (size_t i = 0; i < s->num_causes; i++)
		if (s->causes[i].holds || s->causes[i].happened)
			return true;
	return s->of && s->of->explained;
}

static void forget(struct uncoremsr_throttle_subject *s)
{
	s->explained_before = s->explained;
	s->could_tell = s->explained = false;
	s->answered = 0;
	s->below = s->celsius = -1;
	s->hz = 0;
	s->num_causes = s->num_evidence = s->num_unknown = 0;
	s->remembered = 0;
}

void um_judge(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	static const enum um_thermal_role roles[] = {
		UM_ROLE_CORE_STATUS, UM_ROLE_PACKAGE_STATUS, UM_ROLE_LIMITS,
		UM_ROLE_GRAPHICS_LIMITS, UM_ROLE_RING_LIMITS,
	};

	forget(s);
	if (t->guest) {
		um_add_unknown(s, "%s", t->guest);
		s->verdict = UNCOREMSR_VERDICT_UNKNOWN;
		s->inherits = false;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		judge_status(t, s, &s->regs[roles[i]]);
	judge_temperature(s);
	judge_clock_modulation(t, s);
	judge_hwp(t, s);
	judge_pstate_limit(t, s);
	um_judge_power(t, s);
	um_judge_files(t, s);
	um_tpmi_judge(s);
	s->inherits = s->core < 0 && !s->could_tell;
	um_uncore_judge(t, s);
	s->explained = is_explained(s);
	um_judge_frequency(t, s);
	um_judge_unknown(t, s);
	um_sort_causes(s);
	s->verdict = verdict_of(s);
}
