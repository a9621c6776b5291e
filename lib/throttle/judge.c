/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From readings to causes, and from causes to the verdict of each package and core. */
#include <math.h>
#include <stdlib.h>

#include "common/text.h"
#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

/* Causes that the values of this look() can show, as bits. Counters show a cause only if there is an earlier value. */
static unsigned shown_by(const struct um_subject *s)
{
	unsigned causes = 0;

	for (int i = 0; i < UM_NUM_SOURCES; i++)
		if (s->sources[i].known && (s->sources[i].had || !um_sources[i].grows))
			causes |= um_shows(s, i);
	return causes;
}

/* Is there an open question, or a source that can show a cause? If not, nothing can be said about the subject. */
static bool is_asked(const struct um_subject *s)
{
	return s->num_open || ((s->means | s->pub.could_show) & ~s->watcher->without);
}

static bool is_silent(const struct um_subject *s)
{
	return !is_asked(s) && s->pub.verdict == UNCOREMSR_VERDICT_UNKNOWN;
}

static enum uncoremsr_verdict verdict_of(const struct um_subject *s)
{
	enum uncoremsr_verdict v = is_asked(s) && !s->num_open ? UNCOREMSR_VERDICT_OK
								: UNCOREMSR_VERDICT_UNKNOWN;

	for (size_t i = 0; i < s->num_causes; i++) {
		const struct uncoremsr_cause *c = &s->causes[i];

		if (c->decides && c->phase > UNCOREMSR_PHASE_LOGGED)
			return UNCOREMSR_VERDICT_THROTTLED;
		if (c->decides)
			v = UNCOREMSR_VERDICT_WAS_THROTTLED;
	}
	return v;
}

/* ---- lists for callers ---- */

/* Order: first causes that decide the verdict, then causes that hold or have held since the previous look(). */
static int rank(const struct uncoremsr_cause *c)
{
	return (c->decides ? 0 : 200) + (c->phase > UNCOREMSR_PHASE_LOGGED ? 0 : 100) + (int)c->kind;
}

static int by_rank(const void *a, const void *b)
{
	return rank(a) - rank(b);
}

/* Sort the causes, and set the list of evidence for each cause found on the subject itself. */
static void order_causes(struct um_subject *s)
{
	const struct uncoremsr_evidence **list = s->listed_evidence;

	qsort(s->causes, s->num_causes, sizeof(s->causes[0]), by_rank);
	for (enum uncoremsr_cause_kind cause = 0; cause < UM_NUM_CAUSES; cause++) {
		for (size_t i = 0; i < s->num_causes; i++)
			if (s->causes[i].die == s->die && s->causes[i].kind == cause)
				s->causes[i].evidence = list;
		for (struct um_evidence *e = s->evidence; e < s->evidence + s->num_evidence; e++) {
			if (e->cause != cause)
				continue;
			e->pub.bits = um_or_null(e->bits);
			e->pub.detail = um_or_null(e->detail);
			*list++ = &e->pub;
		}
		*list++ = NULL;
	}
}

/* For each open question, set the time of the last look() that answered it. */
static void date_questions(struct um_subject *s, uint64_t now_ns)
{
	unsigned told = s->means | s->pub.could_show;

	for (size_t i = 0; i < s->num_open; i++) {
		struct uncoremsr_question *q = &s->questions[i];

		if (q->cause >= UM_NUM_CAUSES)
			continue;
		told &= ~(1u << q->cause);
		q->since = s->told_ns[q->cause];
	}
	for (int cause = 0; cause < UM_NUM_CAUSES; cause++)
		if (told >> cause & 1)
			s->told_ns[cause] = now_ns;
}

/* ---- one package, die or core ---- */

/* Remove the causes that the user excluded. um_judge_clock() has already used them to explain a slow clock. */
static void leave_out(struct um_subject *s, unsigned without)
{
	size_t num = 0;

	for (size_t i = 0; i < s->num_causes; i++)
		if (!(without >> s->causes[i].kind & 1))
			s->causes[num++] = s->causes[i];
	s->num_causes = num;
	s->pub.could_show &= ~without;
}

static void judge(struct uncoremsr_throttle *t, struct um_subject *s)
{
	s->explained_before = s->explained;
	s->explained = s->inherits = false;
	s->means = s->answered = 0;
	s->pub.could_show = shown_by(s);
	s->pub.below_limit = -1;
	s->pub.temperature = NAN;
	s->pub.frequency = UM_ABSENT;
	s->num_causes = s->num_evidence = s->num_questions = s->num_open = 0;
	s->pub.before_clear = UM_ABSENT;
	if (t->guest) {
		um_add_question(s, UNCOREMSR_CAUSE_ANY, UNCOREMSR_REASON_GUEST);
		s->pub.verdict = UNCOREMSR_VERDICT_UNKNOWN;
		return;
	}
	um_judge_sources(s);
	um_tpmi_judge(s);
	s->inherits = s->core < 0 && !(s->pub.could_show & ~BIT(UNCOREMSR_CAUSE_SMI));
	um_uncore_judge(t, s);
	s->pub.could_show |= s->answered;
	s->explained = um_holding(s) || (s->of && s->of->explained);
	um_judge_clock(t, s);
	leave_out(s, t->without);
	um_judge_questions(t, s);
	date_questions(s, t->state.time);
	order_causes(s);
	s->pub.verdict = verdict_of(s);
	s->fresh = false;
}

/*
 * Judge a package with several dies, each of which has its own package registers. The package gets the causes and the
 * open questions of all dies, and the temperature of the hottest one.
 */
static void merge_dies(struct uncoremsr_throttle *t, struct um_subject *p)
{
	unsigned all = ~0u;

	for (size_t i = t->num_listed; i < t->num_subjects; i++) {
		const struct um_subject *die = &t->subjects[i];

		if (die->of != p)
			continue;
		all &= die->pub.could_show;
		p->means |= die->means;
		p->inherits &= die->inherits;
		if (die->pub.below_limit >= 0 && (p->pub.below_limit < 0 || die->pub.below_limit < p->pub.below_limit))
			p->pub.below_limit = die->pub.below_limit;
		um_raise(&p->pub.temperature, die->pub.temperature);
		if (die->pub.before_clear != UM_ABSENT &&
		    (p->pub.before_clear == UM_ABSENT || die->pub.before_clear > p->pub.before_clear))
			p->pub.before_clear = die->pub.before_clear;
		for (size_t k = 0; k < die->num_causes; k++) {
			p->causes[p->num_causes] = die->causes[k];
			p->num_causes += p->num_causes < UM_MAX_CAUSES;
		}
		for (size_t k = 0; k < die->num_open; k++)
			*um_add_question(p, die->questions[k].cause, die->questions[k].reason) = die->questions[k];
	}
	p->pub.could_show |= all;
	order_causes(p);
	p->pub.verdict = verdict_of(p);
}

/* ---- packages without a status register ---- */

static const struct um_evidence *evidence_for(const struct um_subject *s, enum uncoremsr_cause_kind cause)
{
	for (size_t i = 0; i < s->num_evidence; i++)
		if (s->evidence[i].cause == cause)
			return &s->evidence[i];
	return NULL;
}

static void inherit_cause(struct um_subject *p, const struct um_subject *core, const struct uncoremsr_cause *of_core)
{
	enum uncoremsr_cause_kind cause = of_core->kind;
	struct uncoremsr_cause *c = um_blame(p, cause, UNCOREMSR_PHASE_LOGGED, false);
	const struct um_evidence *e = evidence_for(core, cause);

	if (evidence_for(p, cause) && c->inherited < 0)
		return; /* an uncore event has already shown this cause for the package */
	c->inherited = c->inherited < 0 ? 1 : c->inherited + 1;
	um_blame(p, cause, of_core->phase, of_core->decides);
	c->logged |= of_core->logged;
	if (of_core->since > c->since)
		c->since = of_core->since;
	um_raise_share(c, of_core->share);
	/* Copy one piece of the core's evidence to the package. The core keeps all its evidence. */
	if (e) {
		p->evidence[p->num_evidence] = *e;
		p->evidence[p->num_evidence].pub.core = core->core;
		p->num_evidence += p->num_evidence < UM_MAX_EVIDENCE;
	}
}

/*
 * A package without a status register (Nehalem and Westmere) gets the causes and the verdict of its cores. Westmere's
 * uncore events show more causes, but only for four cores. If they could not be counted, their questions stay open.
 */
static void inherit(struct um_subject *p)
{
	bool silent = is_silent(p), any = false;
	unsigned all = ~0u;

	for (size_t i = 1; i <= p->num; i++) {
		if (is_silent(&p[i]))
			continue;
		any = true;
		all &= p[i].pub.could_show;
		if (silent || p[i].pub.verdict > p->pub.verdict)
			p->pub.verdict = p[i].pub.verdict;
		silent = false;
		for (size_t k = 0; k < p[i].num_causes; k++)
			inherit_cause(p, &p[i], &p[i].causes[k]);
	}
	p->pub.could_show |= any ? all : 0;
	order_causes(p);
}

/* AMD, if hardware chooses the clock: nothing can show a cause for cores, so they follow their package. */
static void follow_package(struct um_subject *p)
{
	for (size_t i = 1; i <= p->num; i++)
		if (is_silent(&p[i]) && p->pub.verdict != UNCOREMSR_VERDICT_UNKNOWN)
			p[i].pub.verdict = UNCOREMSR_VERDICT_OK;
}

/* Judge packages and dies before their cores: a cause of the package explains why its cores are slow. */
void um_judge_all(struct uncoremsr_throttle *t)
{
	struct um_subject *end = t->subjects + t->num_subjects;

	for (int cores = 0; cores <= 1; cores++)
		for (struct um_subject *s = t->subjects; s < end; s++)
			if ((s->core >= 0) == cores)
				judge(t, s);
	for (struct um_subject *p = t->subjects; p < end && !t->guest; p++) {
		if (p->of)
			continue;
		if (p->num_dies)
			merge_dies(t, p);
		if (p->inherits)
			inherit(p);
		follow_package(p);
		um_judge_visibility(t, p);
	}
}
