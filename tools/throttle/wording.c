/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All English sentences of uncore-throttle are made here, from the library's data. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "throttle/texts.h"
#include "throttle/throttle.h"

/* ---- causes ---- */

void throttle_say_number(struct out *o, size_t n, const char *what)
{
	out_fmt(o, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void say_name(struct out *o, const struct uncoremsr_subject *s)
{
	out_fmt(o, "package %d", throttle_package(s));
	if (throttle_core(s) >= 0)
		out_fmt(o, " core %d (CPU %d)", throttle_core(s), throttle_cpu(s));
}

static void say_cleared_at(struct out *o, const struct uncoremsr_throttle *t)
{
	uint64_t at = 0;
	char text[sizeof("2026-11-21T16:03:00Z") + 8];
	struct tm tm;
	time_t when;

	uncoremsr_throttle_number(t, UNCOREMSR_THROTTLE_CLEARED_AT, &at);
	when = (time_t)at;
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &tm));
	out_fmt(o, "(by us, %s)", text);
}

/* Write since when. A cause that holds now needs no date; a log bit tells only about the time since it was cleared. */
static void say_when(struct out *o, const struct uncoremsr_throttle *t,
		     const struct uncoremsr_cause *c)
{
	int64_t phase = throttle_cause_number(c, UNCOREMSR_CAUSE_PHASE);
	int64_t since = throttle_cause_number(c, UNCOREMSR_CAUSE_SINCE);

	if (phase == UNCOREMSR_PHASE_NOW) {
		out_str(o, "now");
	} else if (phase == UNCOREMSR_PHASE_BETWEEN) {
		out_str(o, "since the last look");
	} else if (since == UNCOREMSR_SINCE_OUR_CLEAR) {
		out_str(o, "at some time since the log was cleared ");
		say_cleared_at(o, t);
	} else {
		out_str(o, since == UNCOREMSR_SINCE_LOG_CLEARED
			? "at some time since the log was last cleared"
			: "at some time since the kernel began to count");
	}
}

/* Write details of the cause. A cause that a package has only from its cores has none. */
static void say_details(struct out *o, const struct uncoremsr_cause *c)
{
	const char *before = " (";

	for (size_t i = 0; throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_KIND) >= 0; i++) {
		int64_t finding = throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_FINDING);
		const char *detail = uncoremsr_evidence_text(c, i, UNCOREMSR_EVIDENCE_DETAIL);

		if (throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_CORE) >= 0)
			continue;
		if (finding == UNCOREMSR_FINDING_PSTATE)
			detail = "this register does not tell heat, PROCHOT and power apart";
		if (finding == UNCOREMSR_FINDING_FREQUENCY)
			detail = "slower than requested, for a reason that nothing shows";
		if (!detail)
			continue;
		out_fmt(o, "%s%s", before, detail);
		before = ", ";
	}
	out_str(o, *before == ',' ? ")" : "");
}

void throttle_say_who(struct out *o, const struct uncoremsr_subject *s,
		      const struct uncoremsr_cause *c)
{
	int64_t cores = throttle_cause_number(c, UNCOREMSR_CAUSE_INHERITED);
	int64_t die = throttle_cause_number(c, UNCOREMSR_CAUSE_DIE);

	out_str(o, cause_texts[throttle_kind(c)]);
	say_details(o, c);
	if (die >= 0)
		out_fmt(o, ", on die %d", (int)die);
	if (cores >= 0)
		out_fmt(o, ", on %d of its %d cores", (int)cores,
			(int)throttle_subject_number(s, UNCOREMSR_SUBJECT_CORES));
}

/* Write "at its limit (96 C)" or "40 degrees C below its limit (56 C)"; nothing if both are unknown. */
static void say_degrees(struct out *o, const struct uncoremsr_subject *s)
{
	int below = (int)throttle_subject_number(s, UNCOREMSR_SUBJECT_BELOW_LIMIT), celsius;
	bool known = throttle_temperature(s, &celsius);

	if (below > 0)
		out_fmt(o, "%d degrees C below its limit", below);
	else if (!below)
		out_str(o, "at its limit");
	if (known)
		out_fmt(o, below >= 0 ? " (%d C)" : "at %d degrees C", celsius);
}

static void say_times(struct out *o, uint64_t n)
{
	if (n == 1)
		out_str(o, "the kernel has counted it once");
	else
		out_fmt(o, "the kernel has counted it %" PRIu64 " times", n);
}

/* Write "; " before the next part of @o, unless nothing was written since @start. */
static void say_next(struct out *o, size_t start)
{
	out_str(o, o->len > start ? "; " : "");
}

/*
 * For a core of AMD write the package's temperature: AMD has none per core, nor a register that tells what slows a
 * core.
 */
static void say_package_degrees(struct out *o, size_t start, const struct uncoremsr_throttle *t,
				const struct uncoremsr_subject *core)
{
	int celsius;

	if (!throttle_temperature(throttle_package_of(t, core), &celsius))
		return;
	say_next(o, start);
	out_fmt(o, "the package is at %d degrees C", celsius);
}

static void say_rest_of_cause(struct out *o, const struct uncoremsr_throttle *t,
			      const struct uncoremsr_subject *s, const struct uncoremsr_cause *c)
{
	enum uncoremsr_cause_kind kind = throttle_kind(c);
	bool hot = kind == UNCOREMSR_CAUSE_CORE_THERMAL || kind == UNCOREMSR_CAUSE_PACKAGE_THERMAL ||
		   kind == UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE;
	uint64_t count = 0, total = 0;
	size_t start = o->len;
	double share;

	if (uncoremsr_cause_share(c, &share) == 0)
		out_fmt(o, "%.3g %% of the time since the last look", 100 * share);
	if (hot && throttle_subject_number(s, UNCOREMSR_SUBJECT_BELOW_LIMIT) >= 0) {
		say_next(o, start);
		say_degrees(o, s);
	}
	if (kind == UNCOREMSR_CAUSE_FIRMWARE && throttle_core(s) >= 0 &&
	    throttle_subject_number(s, UNCOREMSR_SUBJECT_BELOW_LIMIT) < 0)
		say_package_degrees(o, start, t, s);
	if (uncoremsr_cause_number(c, UNCOREMSR_CAUSE_COUNT, &count) < 0)
		return;
	say_next(o, start);
	say_times(o, count);
	uncoremsr_cause_number(c, UNCOREMSR_CAUSE_TOTAL, &total);
	if (total > count)
		out_fmt(o, " since then (%" PRIu64 " in all)", total);
}

static void say_rest_of_subject(struct out *o, const struct uncoremsr_throttle *t,
				const struct uncoremsr_subject *s)
{
	size_t start = o->len;
	uint64_t times;

	say_degrees(o, s);
	if (uncoremsr_subject_number(s, UNCOREMSR_SUBJECT_BEFORE_CLEAR, &times) < 0)
		return;
	say_next(o, start);
	say_times(o, times);
	out_str(o, " before the log was cleared ");
	say_cleared_at(o, t);
}

/* Does the package's verdict come from its cores? */
static bool inherits(const struct uncoremsr_subject *s)
{
	const struct uncoremsr_cause *worst = uncoremsr_subject_cause(s, 0);

	if (throttle_verdict(s) >= UNCOREMSR_VERDICT_WAS_THROTTLED)
		return throttle_cause_number(worst, UNCOREMSR_CAUSE_INHERITED) >= 0;
	return throttle_verdict(s) == UNCOREMSR_VERDICT_OK &&
	       throttle_subject_number(s, UNCOREMSR_SUBJECT_INHERITED) > 0;
}

/* Number of cores that have the same verdict as the package. */
static size_t cores_alike(const struct uncoremsr_throttle *t, const struct uncoremsr_subject *p)
{
	const struct uncoremsr_subject *s;
	size_t num = 0;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++)
		num += throttle_package(s) == throttle_package(p) && throttle_core(s) >= 0 &&
		       throttle_verdict(s) == throttle_verdict(p);
	return num;
}

static void say_inherited(struct out *o, const struct uncoremsr_throttle *t,
			  const struct uncoremsr_subject *p)
{
	if (throttle_verdict(p) == UNCOREMSR_VERDICT_OK)
		out_str(o, "not slowed down, as far as its cores show: the package has no status of its own");
	else if (throttle_verdict(p) == UNCOREMSR_VERDICT_UNKNOWN)
		out_fmt(o, "cannot tell: the package has no status of its own, and no answer for %zu of its %d cores",
			cores_alike(t, p), (int)throttle_subject_number(p, UNCOREMSR_SUBJECT_CORES));
	else
		out_fmt(o, throttle_verdict(p) == UNCOREMSR_VERDICT_THROTTLED
			? "slowed down now: %zu of its %d cores"
			: "slowed down at some time: %zu of its %d cores", cores_alike(t, p),
			(int)throttle_subject_number(p, UNCOREMSR_SUBJECT_CORES));
}

static bool may_be_mended(uint64_t reason)
{
	return (reason >= UNCOREMSR_REASON_KERNEL_ONLY && reason <= UNCOREMSR_REASON_CPU_OFFLINE) ||
	       reason == UNCOREMSR_REASON_EVENT_DISTURBED;
}

/*
 * How useful is the reason to the user; 0: not at all. Missing access to registers matters more than to anything else.
 */
static int helps(const struct uncoremsr_subject *s, size_t i)
{
	uint64_t reason = 0, access = 0;

	uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_REASON, &reason);
	uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_ACCESS, &access);
	return reason == UNCOREMSR_REASON_NO_ACCESS ? 3 : access ? 2 : may_be_mended(reason);
}

int throttle_obstacle(const struct uncoremsr_subject *s, size_t *i)
{
	int most = 0;

	*i = 0;
	for (size_t k = 0; throttle_question(s, k) >= 0; k++) {
		if (helps(s, k) <= most)
			continue;
		most = helps(s, k);
		*i = k;
	}
	return most;
}

void throttle_say_causes(struct out *o, unsigned causes)
{
	for (int cause = 0; causes >> cause; cause++)
		if (causes >> cause & 1)
			out_fmt(o, "%s%s", causes & ((1u << cause) - 1) ? ", " : "",
				throttle_question_word(cause));
}

unsigned throttle_open_causes(const struct uncoremsr_subject *s)
{
	unsigned causes = 0;
	int question;

	for (size_t i = 0; (question = throttle_question(s, i)) >= 0; i++)
		causes |= 1u << question;
	return causes;
}

void throttle_say_open(struct out *o, const struct throttle_run *run, const struct uncoremsr_subject *s)
{
	size_t obstacle;

	throttle_say_causes(o, throttle_open_causes(s));
	out_str(o, ": ");
	throttle_obstacle(s, &obstacle);
	throttle_say_reason(o, run, s, obstacle);
}

void throttle_say_phrase(struct out *o, const struct throttle_run *run,
			 const struct uncoremsr_subject *s,
			 const struct uncoremsr_cause *c)
{
	bool decides = throttle_cause_number(c, UNCOREMSR_CAUSE_DECIDES) > 0;
	bool unknown = !c && throttle_verdict(s) == UNCOREMSR_VERDICT_UNKNOWN;

	if (unknown && throttle_open_causes(s)) {
		out_str(o, "cannot tell ");
		throttle_say_open(o, run, s);
	} else if (unknown || (!c && inherits(s))) {
		say_inherited(o, run->t, s);
	} else if (!c) {
		out_str(o, "not slowed down");
		if (throttle_core(s) >= 0 && !throttle_subject_number(s, UNCOREMSR_SUBJECT_COULD_SHOW))
			out_str(o, ", as far as its package shows: the core has no status of its own");
	} else {
		out_str(o, decides ? "slowed down " : "limited ");
		say_when(o, run->t, c);
		out_str(o, decides ? ": " : ", which is normal: ");
		throttle_say_who(o, s, c);
	}
}

/* Write since when a cause has held, if that is known; a single look cannot know it. */
void throttle_say_since(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_cause *c)
{
	int64_t phase = throttle_cause_number(c, UNCOREMSR_CAUSE_PHASE);
	bool logged = throttle_cause_number(c, UNCOREMSR_CAUSE_LOGGED) > 0;

	if (phase == UNCOREMSR_PHASE_NOW) {
		out_str(o, "now; when it began is not recorded (a watch with -i does that)");
	} else if (phase == UNCOREMSR_PHASE_LOGGED) {
		say_when(o, t, c);
	} else {
		out_fmt(o, "in the last %.3g s", (double)throttle_interval_ns(t) / 1e9);
		if (logged)
			out_str(o, ", and perhaps before that");
	}
}

void throttle_say_advice(struct out *o, const struct uncoremsr_cause *c)
{
	out_str(o, advice_texts[throttle_kind(c)]);
}

void throttle_say_rest(struct out *o, const struct uncoremsr_throttle *t,
		       const struct uncoremsr_subject *s,
		       const struct uncoremsr_cause *c)
{
	if (c)
		say_rest_of_cause(o, t, s, c);
	else if (throttle_verdict(s) == UNCOREMSR_VERDICT_OK && !inherits(s))
		say_rest_of_subject(o, t, s);
}

const struct uncoremsr_cause *
throttle_worst(const struct uncoremsr_subject *s)
{
	return throttle_verdict(s) >= UNCOREMSR_VERDICT_WAS_THROTTLED && !inherits(s)
	       ? uncoremsr_subject_cause(s, 0) : NULL;
}

void throttle_say_sentence(struct out *o, const struct throttle_run *run,
			   const struct uncoremsr_subject *s,
			   const struct uncoremsr_cause *c)
{
	bool now = c ? throttle_cause_number(c, UNCOREMSR_CAUSE_PHASE) == UNCOREMSR_PHASE_NOW
		     : throttle_verdict(s) != UNCOREMSR_VERDICT_WAS_THROTTLED;
	size_t start;

	say_name(o, s);
	if (!c && throttle_verdict(s) == UNCOREMSR_VERDICT_UNKNOWN)
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

void throttle_say_finding(struct out *o, const struct uncoremsr_cause *c, size_t i)
{
	const struct finding_text *text =
		&finding_texts[throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_FINDING)];
	const char *bits = uncoremsr_evidence_text(c, i, UNCOREMSR_EVIDENCE_BITS);
	int64_t amount = throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_AMOUNT);
	int64_t of = throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_OF);
	int64_t core = throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_CORE);
	int64_t mask = throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_MASK);
	double of_unit = text == &finding_texts[UNCOREMSR_FINDING_FREQUENCY] ? text->unit : 1;

	if (core >= 0)
		out_fmt(o, "core %d: ", (int)core);
	if (text == &finding_texts[UNCOREMSR_FINDING_POWER_LIMITS])
		out_fmt(o, text->numbers, (double)amount / 1e6, mask >> 15 & 1 ? "" : " (off)",
			(double)of / 1e6, mask >> 47 & 1 ? "" : " (off)");
	else if (amount >= 0)
		out_fmt(o, text->numbers, (double)amount / text->unit,
			(double)of / of_unit);
	else if (of >= 0)
		out_fmt(o, text->numbers, (double)of);
	else
		out_str(o, text->plain ? text->plain : bits ? bits : "");
}

void throttle_say_evidence(struct out *o, const struct uncoremsr_cause *c, size_t i,
			   const char *equals)
{
	int64_t msr = throttle_evidence_number(c, i, UNCOREMSR_EVIDENCE_MSR);
	uint64_t value = 0;
	size_t start;

	uncoremsr_evidence_number(c, i, UNCOREMSR_EVIDENCE_VALUE, &value);
	out_str(o, uncoremsr_evidence_text(c, i, UNCOREMSR_EVIDENCE_NAME));
	if (msr >= 0)
		out_fmt(o, " (0x%" PRIx64 ")%s0x%" PRIx64, (uint64_t)msr, equals, value);
	else
		out_fmt(o, "%s%" PRIu64, equals, value);
	start = o->len;
	out_str(o, " [");
	throttle_say_finding(o, c, i);
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

static void say_part(struct out *o, const struct throttle_run *run,
		     const struct uncoremsr_subject *s, size_t i, char part)
{
	const char *name = uncoremsr_question_text(s, i, UNCOREMSR_QUESTION_NAME);
	const char *error = uncoremsr_question_text(s, i, UNCOREMSR_QUESTION_ERROR);
	const char *hint = uncoremsr_question_text(s, i, UNCOREMSR_QUESTION_HINT);
	uint64_t number = 0;

	switch (part) {
	case 'N':
		out_str(o, name ? name : "");
		if (uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_MSR, &number) == 0)
			out_fmt(o, " (0x%" PRIx64 ")", number);
		break;
	case 'E':
		out_str(o, error ? error : "not counted");
		break;
	case 'H':
		if (hint)
			out_fmt(o, "; %s", hint);
		break;
	case 'O':
		uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_ERRNO, &number);
		out_str(o, why_unread((int)number));
		break;
	default:
		uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_SINCE, &number);
		out_timestamp(o, throttle_wall_ns(run, number), 3);
		break;
	}
}

void throttle_say_reason(struct out *o, const struct throttle_run *run,
			 const struct uncoremsr_subject *s, size_t i)
{
	bool dated = false;
	uint64_t reason, since;

	if (uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_REASON, &reason) < 0)
		return;
	for (const char *p = reason_texts[reason]; *p; p++) {
		if (*p == '%') {
			say_part(o, run, s, i, *++p);
			dated |= *p == 'S';
		} else {
			out_char(o, *p);
		}
	}
	if (dated || uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_SINCE, &since) < 0)
		return;
	out_str(o, " (unknown since ");
	say_part(o, run, s, i, 'S');
	out_char(o, ')');
}

static bool have_same_reason(const struct throttle_run *run, const struct uncoremsr_subject *s, size_t a,
			     size_t b)
{
	struct out one, other;
	bool same;

	out_init(&one, -1);
	out_init(&other, -1);
	throttle_say_reason(&one, run, s, a);
	throttle_say_reason(&other, run, s, b);
	same = one.len == other.len && (!one.len || !memcmp(one.buf, other.buf, one.len));
	out_free(&one);
	out_free(&other);
	return same;
}

unsigned throttle_alike(const struct throttle_run *run, const struct uncoremsr_subject *s, size_t i)
{
	unsigned causes = 0;

	for (size_t k = 0; throttle_question(s, k) >= 0; k++)
		if (k == i || have_same_reason(run, s, i, k))
			causes |= 1u << throttle_question(s, k);
	return causes;
}

const char *throttle_question_word(int question)
{
	return uncoremsr_cause_word((enum uncoremsr_cause_kind)question);
}

void throttle_say_question(struct out *o, const struct throttle_run *run,
			   const struct uncoremsr_subject *s, size_t i)
{
	uint64_t question;

	if (uncoremsr_question_number(s, i, UNCOREMSR_QUESTION_CAUSE, &question))
		return;
	out_fmt(o, "%s: ", throttle_question_word((int)question));
	throttle_say_reason(o, run, s, i);
}

/* ---- clearing ---- */

void throttle_say_cleared(char line[THROTTLE_CLEARED], const struct uncoremsr_clear_report *r, bool dry_run)
{
	if (r->result == UNCOREMSR_CLEAR_KERNEL_COUNTS)
		snprintf(line, THROTTLE_CLEARED, "the kernel's counts cannot be reset (%" PRIu64 " are not 0): "
				"verdicts use only what is added from now on", r->value);
	else if (dry_run)
		snprintf(line, THROTTLE_CLEARED, "CPU %u: %s (0x%x) is 0x%" PRIx64 ": would clear %s", r->cpu,
			 r->name, r->msr, r->value, r->bits);
	else
		snprintf(line, THROTTLE_CLEARED, "CPU %u: %s (0x%x) was 0x%" PRIx64 ": cleared %s%s", r->cpu,
			 r->name, r->msr, r->value, r->bits, r->result == UNCOREMSR_CLEAR_SET_AGAIN
			 ? "; what still holds is set again at once" : "");
}
