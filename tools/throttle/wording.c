/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compose all sentences of uncore-throttle from the library's data. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "throttle/texts.h"
#include "throttle/throttle.h"

/* ---- causes ---- */

void throttle_say_number(struct out *o, size_t n, const char *what)
{
	out_fmt(o, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void say_name(struct out *o, const struct uncoremsr_subject *s)
{
	out_fmt(o, "package %d", s->package);
	if (s->core >= 0)
		out_fmt(o, " core %d (CPU %d)", s->core, s->cpu);
}

static void say_cleared_at(struct out *o, const struct uncoremsr_throttle *t)
{
	out_str(o, "(by us, ");
	out_timestamp(o, uncoremsr_throttle_state(t)->cleared_at * NS_PER_S, 0);
	out_char(o, ')');
}

static void say_when(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_cause *c)
{
	if (c->phase == UNCOREMSR_PHASE_NOW) {
		out_str(o, "now");
	} else if (c->phase == UNCOREMSR_PHASE_BETWEEN) {
		out_str(o, "since the last look");
	} else if (c->since == UNCOREMSR_SINCE_OUR_CLEAR) {
		out_str(o, "at some time since the log was cleared ");
		say_cleared_at(o, t);
	} else {
		out_str(o, c->since == UNCOREMSR_SINCE_LOG_CLEARED
			? "at some time since the log was last cleared"
			: "at some time since the kernel began to count");
	}
}

static void say_details(struct out *o, const struct uncoremsr_cause *c)
{
	const struct uncoremsr_evidence *e;
	const char *before = " (";

	for (size_t i = 0; (e = c->evidence[i]); i++) {
		const char *detail = e->detail;

		if (e->core >= 0)
			continue;
		if (e->finding == UNCOREMSR_FINDING_PSTATE)
			detail = "this register does not tell heat, PROCHOT and power apart";
		if (e->finding == UNCOREMSR_FINDING_FREQUENCY)
			detail = "slower than requested for an unknown reason";
		if (!detail)
			continue;
		out_fmt(o, "%s%s", before, detail);
		before = ", ";
	}
	out_str(o, *before == ',' ? ")" : "");
}

void throttle_say_who(struct out *o, const struct uncoremsr_subject *s, const struct uncoremsr_cause *c)
{
	out_str(o, cause_texts[c->kind]);
	say_details(o, c);
	if (c->die >= 0)
		out_fmt(o, ", on die %d", c->die);
	if (c->inherited >= 0)
		out_fmt(o, ", on %d of its %d cores", c->inherited, s->cores);
}

static void say_degrees(struct out *o, const struct uncoremsr_subject *s)
{
	if (s->below_limit > 0)
		out_fmt(o, "%d degrees C below its limit", s->below_limit);
	else if (!s->below_limit)
		out_str(o, "at its limit");
	if (!isnan(s->temperature))
		out_fmt(o, s->below_limit >= 0 ? " (%.0f C)" : "at %.0f degrees C", s->temperature);
}

static void say_times(struct out *o, uint64_t n)
{
	if (n == 1)
		out_str(o, "the kernel has counted it once");
	else
		out_fmt(o, "the kernel has counted it %" PRIu64 " times", n);
}

static void say_next(struct out *o, size_t start)
{
	out_str(o, o->len > start ? "; " : "");
}

/* An AMD core has no temperature sensor and no throttling register, so write the temperature of its package. */
static void say_package_degrees(struct out *o, size_t start, const struct uncoremsr_throttle *t,
				const struct uncoremsr_subject *core)
{
	double celsius = throttle_find_subject(t, core->package, -1)->temperature;

	if (isnan(celsius))
		return;
	say_next(o, start);
	out_fmt(o, "the package is at %.0f degrees C", celsius);
}

static void say_rest_of_cause(struct out *o, const struct uncoremsr_throttle *t,
			      const struct uncoremsr_subject *s, const struct uncoremsr_cause *c)
{
	bool hot = c->kind == UNCOREMSR_CAUSE_CORE_THERMAL || c->kind == UNCOREMSR_CAUSE_PACKAGE_THERMAL ||
		   c->kind == UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE;
	size_t start = o->len;

	if (!isnan(c->share))
		out_fmt(o, "%.3g %% of the time since the last look", 100 * c->share);
	if (hot && s->below_limit >= 0) {
		say_next(o, start);
		say_degrees(o, s);
	}
	if (c->kind == UNCOREMSR_CAUSE_FIRMWARE && s->core >= 0 && s->below_limit < 0)
		say_package_degrees(o, start, t, s);
	if (c->count == UINT64_MAX)
		return;
	say_next(o, start);
	say_times(o, c->count);
	if (c->total != UINT64_MAX && c->total > c->count)
		out_fmt(o, " since then (%" PRIu64 " in all)", c->total);
}

static void say_rest_of_subject(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_subject *s)
{
	size_t start = o->len;

	say_degrees(o, s);
	if (s->before_clear == UINT64_MAX)
		return;
	say_next(o, start);
	say_times(o, s->before_clear);
	out_str(o, " before the log was cleared ");
	say_cleared_at(o, t);
}

static bool inherits(const struct uncoremsr_subject *s)
{
	const struct uncoremsr_cause *worst = s->causes[0];

	if (s->verdict >= UNCOREMSR_VERDICT_WAS_THROTTLED)
		return worst && worst->inherited >= 0;
	return s->verdict == UNCOREMSR_VERDICT_OK && s->inherited;
}

static size_t cores_alike(const struct uncoremsr_throttle *t, const struct uncoremsr_subject *p)
{
	const struct uncoremsr_subject *s;
	size_t num = 0;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		num += s->package == p->package && s->core >= 0 && s->verdict == p->verdict;
	return num;
}

static void say_inherited(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_subject *p)
{
	if (p->verdict == UNCOREMSR_VERDICT_OK)
		out_str(o, "not slowed down, as far as its cores show: the package has no status of its own");
	else if (p->verdict == UNCOREMSR_VERDICT_UNKNOWN)
		out_fmt(o, "cannot tell: the package has no status of its own, and no answer for %zu of its %d cores",
			cores_alike(t, p), p->cores);
	else
		out_fmt(o, p->verdict == UNCOREMSR_VERDICT_THROTTLED
			? "slowed down now: %zu of its %d cores"
			: "slowed down at some time: %zu of its %d cores", cores_alike(t, p),
			p->cores);
}

static bool may_be_mended(enum uncoremsr_reason reason)
{
	return (reason >= UNCOREMSR_REASON_KERNEL_ONLY && reason <= UNCOREMSR_REASON_CPU_OFFLINE) ||
	       reason == UNCOREMSR_REASON_EVENT_DISTURBED;
}

/* How useful the reason of an open question is to the user; 3 is most useful: no register can be accessed. */
static int usefulness(const struct uncoremsr_question *q)
{
	return q->reason == UNCOREMSR_REASON_NO_ACCESS ? 3 : q->access ? 2 : may_be_mended(q->reason);
}

const struct uncoremsr_question *throttle_obstacle(const struct uncoremsr_subject *s,
						   const struct uncoremsr_question *best)
{
	const struct uncoremsr_question *q;

	for (size_t i = 0; (q = throttle_question(s, i)); i++)
		if (!best || usefulness(q) > usefulness(best))
			best = q;
	return best;
}

void throttle_say_causes(struct out *o, const char *before, unsigned causes)
{
	for (unsigned cause = 0; causes >> cause; cause++)
		if (causes >> cause & 1) {
			out_fmt(o, "%s%s", before, throttle_cause_word(cause));
			before = ", ";
		}
}

void throttle_say_phrase(struct out *o, const struct throttle_run *run, const struct uncoremsr_subject *s,
			 const struct uncoremsr_cause *c)
{
	bool unknown = !c && s->verdict == UNCOREMSR_VERDICT_UNKNOWN;
	unsigned open = unknown ? throttle_causes_in(s, UNCOREMSR_QUESTION_OPEN) : 0;

	if (open) {
		throttle_say_causes(o, "cannot tell ", open);
		out_str(o, ": ");
		throttle_say_reason(o, run, throttle_obstacle(s, NULL));
	} else if (unknown || (!c && inherits(s))) {
		say_inherited(o, run->t, s);
	} else if (!c) {
		out_str(o, "not slowed down");
		if (s->core >= 0 && !s->could_show)
			out_str(o, ", as far as its package shows: the core has no status of its own");
	} else {
		out_str(o, c->decides ? "slowed down " : "limited ");
		say_when(o, run->t, c);
		out_str(o, c->decides ? ": " : ", which is normal: ");
		throttle_say_who(o, s, c);
	}
}

static void say_since(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_cause *c)
{
	if (c->phase == UNCOREMSR_PHASE_NOW) {
		out_str(o, "now; when it began is not recorded (a watch with -i records it)");
	} else if (c->phase == UNCOREMSR_PHASE_LOGGED) {
		say_when(o, t, c);
	} else {
		out_fmt(o, "in the last %.3g s", (double)uncoremsr_throttle_state(t)->interval / 1e9);
		if (c->logged)
			out_str(o, ", and perhaps before that");
	}
}

void throttle_say_advice(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_cause *c)
{
	out_str(o, "    since when: ");
	say_since(o, t, c);
	out_fmt(o, "\n    what to do: %s\n", advice_texts[c->kind]);
}

void throttle_say_rest(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_subject *s,
		       const struct uncoremsr_cause *c)
{
	if (c)
		say_rest_of_cause(o, t, s, c);
	else if (s->verdict == UNCOREMSR_VERDICT_OK && !inherits(s))
		say_rest_of_subject(o, t, s);
}

void throttle_say_sentence(struct out *o, const struct throttle_run *run, const struct uncoremsr_subject *s,
			   const struct uncoremsr_cause *c)
{
	size_t start;
	bool now;

	if (!c && s->verdict >= UNCOREMSR_VERDICT_WAS_THROTTLED && !inherits(s))
		c = s->causes[0];
	now = c ? c->phase == UNCOREMSR_PHASE_NOW : s->verdict != UNCOREMSR_VERDICT_WAS_THROTTLED;
	say_name(o, s);
	if (!c && s->verdict == UNCOREMSR_VERDICT_UNKNOWN)
		out_str(o, ": ");
	else
		out_str(o, now ? " is " : " was ");
	throttle_say_phrase(o, run, s, c);
	start = o->len;
	out_str(o, "; ");
	throttle_say_rest(o, run->t, s, c);
	if (o->len == start + 2)
		o->len = start;
}

/* ---- evidence ---- */

void throttle_say_finding(struct out *o, const struct uncoremsr_evidence *e)
{
	const struct finding_text *text = &finding_texts[e->finding];
	double of_unit = e->finding == UNCOREMSR_FINDING_FREQUENCY ? text->unit : 1;

	if (e->core >= 0)
		out_fmt(o, "core %d: ", e->core);
	if (e->finding == UNCOREMSR_FINDING_POWER_LIMITS)
		out_fmt(o, text->numbers, (double)e->amount / 1e6, e->mask >> 15 & 1 ? "" : " (off)",
			(double)e->of / 1e6, e->mask >> 47 & 1 ? "" : " (off)");
	else if (e->amount != UINT64_MAX)
		out_fmt(o, text->numbers, (double)e->amount / text->unit, (double)e->of / of_unit);
	else if (e->of != UINT64_MAX)
		out_fmt(o, text->numbers, (double)e->of);
	else
		out_str(o, text->plain ? text->plain : e->bits ? e->bits : "");
}

void throttle_say_evidence(struct out *o, const struct uncoremsr_evidence *e, const char *equals)
{
	size_t start;

	out_str(o, e->name);
	if (e->msr != UINT64_MAX)
		out_fmt(o, " (0x%" PRIx64 ")%s0x%" PRIx64, e->msr, equals, e->value);
	else
		out_fmt(o, "%s%" PRIu64, equals, e->value);
	start = o->len;
	out_str(o, " [");
	throttle_say_finding(o, e);
	if (o->len == start + 2)
		o->len = start;
	else
		out_char(o, ']');
}

/* ---- questions without an answer ---- */

static const char *why_unread(int err)
{
	if (err == EIO)
		return "reading it faults here";
	return err == EACCES || err == EPERM ? "access is denied" : strerror(err);
}

static void say_part(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q, char part)
{
	switch (part) {
	case 'N':
		out_str(o, q->name ? q->name : "");
		if (q->msr != UINT64_MAX)
			out_fmt(o, " (0x%" PRIx64 ")", q->msr);
		break;
	case 'E':
		out_str(o, q->error ? q->error : "not counted");
		break;
	case 'H':
		if (q->hint)
			out_fmt(o, "; %s", q->hint);
		break;
	case 'O':
		out_str(o, why_unread(q->err));
		break;
	default:
		out_timestamp(o, throttle_wall_ns(run, q->since), 3);
		break;
	}
}

void throttle_say_reason(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q)
{
	bool dated = false;

	for (const char *p = reason_texts[q->reason]; *p; p++) {
		if (*p == '%') {
			say_part(o, run, q, *++p);
			dated |= *p == 'S';
		} else {
			out_char(o, *p);
		}
	}
	if (dated || q->since == UINT64_MAX)
		return;
	out_str(o, " (unknown since ");
	say_part(o, run, q, 'S');
	out_char(o, ')');
}

static bool have_same_reason(const struct throttle_run *run, const struct uncoremsr_question *a,
			     const struct uncoremsr_question *b)
{
	struct out one, other;
	bool same;

	out_init(&one, -1);
	out_init(&other, -1);
	throttle_say_reason(&one, run, a);
	throttle_say_reason(&other, run, b);
	same = one.len == other.len && (!one.len || !memcmp(one.buf, other.buf, one.len));
	out_free(&one);
	out_free(&other);
	return same;
}

const struct uncoremsr_question *throttle_next_reason(const struct throttle_run *run, const struct uncoremsr_subject *s,
						      unsigned *left, unsigned *alike)
{
	const struct uncoremsr_question *first = NULL, *q;

	*alike = 0;
	for (size_t i = 0; (q = throttle_question(s, i)); i++) {
		if (!(*left >> q->cause & 1))
			continue;
		first = first ? first : q;
		if (q == first || have_same_reason(run, q, first))
			*alike |= 1u << q->cause;
	}
	*left &= ~*alike;
	return first;
}

void throttle_say_question(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q)
{
	out_fmt(o, "%s: ", uncoremsr_cause_word(q->cause));
	throttle_say_reason(o, run, q);
}
