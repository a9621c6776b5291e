/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Findings about a subject (package, die or core): causes of throttling, evidence for them, and open questions. */
#include <math.h>

#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

struct uncoremsr_cause *um_blame(struct um_subject *s, enum uncoremsr_cause_kind cause,
				 enum uncoremsr_phase phase, bool decides)
{
	struct uncoremsr_cause *c = s->causes, *end = c + s->num_causes;

	while (c < end && (c->die != s->die || c->kind != cause))
		c++;
	if (c == end) {
		s->num_causes += s->num_causes < UM_MAX_CAUSES;
		*c = (struct uncoremsr_cause){
			.size = sizeof(*c), .kind = cause, .inherited = -1, .die = s->die,
			.share = NAN, .count = UM_ABSENT, .total = UM_ABSENT,
		};
	}
	if (phase > c->phase)
		c->phase = phase;
	c->decides |= decides;
	return c;
}

unsigned um_holding(const struct um_subject *s)
{
	unsigned causes = 0;

	for (size_t i = 0; i < s->num_causes; i++)
		causes |= s->causes[i].phase > UNCOREMSR_PHASE_LOGGED ? 1u << s->causes[i].kind : 0;
	return causes;
}

void um_note_log_bit(const struct um_subject *s, struct uncoremsr_cause *c)
{
	c->logged = 1;
	c->since = s->watcher->state.cleared_at != UM_ABSENT ? UNCOREMSR_SINCE_OUR_CLEAR : UNCOREMSR_SINCE_LOG_CLEARED;
}

void um_raise(double *known, double value)
{
	if (isnan(*known) || value > *known)
		*known = value;
}

void um_raise_share(struct uncoremsr_cause *c, double share)
{
	um_raise(&c->share, share > 1 ? 1 : share);
}

bool um_blame_bit(struct um_subject *s, const struct um_limit_bit *b, const struct um_gauge *r)
{
	bool now = b->now != UM_NO_BIT && (r->value & BIT(b->now));
	bool logged = (r->value & BIT(b->log)) != 0;
	bool is_new = logged && r->had && !(r->before & BIT(b->log));
	struct uncoremsr_cause *c;

	if (b->cause == UM_NUM_CAUSES || (b->gates & ~s->gates) || (!now && !logged))
		return false;
	c = um_blame(s, b->cause, now ? UNCOREMSR_PHASE_NOW : is_new ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED,
		     now || is_new || b->decides);
	if (logged)
		um_note_log_bit(s, c);
	return true;
}

struct um_evidence *um_add_evidence(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    enum uncoremsr_evidence_kind kind, const char *name,
				    uint64_t value, enum uncoremsr_finding finding, uint64_t amount, uint64_t of)
{
	struct um_evidence *e = &s->evidence[s->num_evidence];

	s->num_evidence += s->num_evidence < UM_MAX_EVIDENCE;
	*e = (struct um_evidence){
		.cause = cause,
		.pub = {
			.size = sizeof(e->pub), .kind = kind, .finding = finding, .name = name, .msr = UM_ABSENT,
			.value = value, .mask = UM_ABSENT, .amount = amount, .of = of, .core = -1,
		},
	};
	return e;
}

struct um_evidence *um_add_gauge(struct um_subject *s, enum uncoremsr_cause_kind cause, const struct um_gauge *r,
				   enum uncoremsr_finding finding, uint64_t amount, uint64_t of)
{
	enum uncoremsr_evidence_kind kind = r->row ? UNCOREMSR_EVIDENCE_REGISTER : UNCOREMSR_EVIDENCE_FILE;
	struct um_evidence *e = um_add_evidence(s, cause, kind, um_gauge_name(r), r->value, finding, amount, of);

	e->pub.msr = um_gauge_msr(r);
	return e;
}

struct um_evidence *um_add_bits(struct um_subject *s, enum uncoremsr_cause_kind cause,
				const struct um_gauge *r, uint64_t mask)
{
	struct um_evidence *e = s->evidence, *end = e + s->num_evidence;

	while (e < end && (e->cause != cause || e->pub.msr != r->row->reg.msr))
		e++;
	if (e == end) {
		e = um_add_gauge(s, cause, r, UNCOREMSR_FINDING_BITS, UM_ABSENT, UM_ABSENT);
		e->pub.mask = 0;
	}
	e->pub.mask |= mask;
	um_thermal_bits(um_reg_fields(&r->row->reg), e->pub.mask, e->bits, sizeof(e->bits));
	return e;
}

static enum uncoremsr_question_state state_of(enum uncoremsr_reason reason)
{
	return reason == UNCOREMSR_REASON_NEEDS_COUNTING ? UNCOREMSR_QUESTION_NEEDS_COUNTING
	     : reason == UNCOREMSR_REASON_LEFT_OUT ? UNCOREMSR_QUESTION_NOT_ASKED
	     : reason < UNCOREMSR_REASON_NEEDS_COUNTING ? UNCOREMSR_QUESTION_NOT_VISIBLE
							: UNCOREMSR_QUESTION_OPEN;
}

struct uncoremsr_question *um_add_question(struct um_subject *s, enum uncoremsr_cause_kind cause,
				    enum uncoremsr_reason reason)
{
	struct uncoremsr_question *q = &s->questions[s->num_questions];

	s->num_questions += s->num_questions < UM_MAX_QUESTIONS;
	*q = (struct uncoremsr_question){
		.size = sizeof(*q), .cause = cause, .reason = reason,
		.state = state_of(reason), .err = -1, .msr = UM_ABSENT, .since = UM_ABSENT,
	};
	if (state_of(reason) == UNCOREMSR_QUESTION_OPEN)
		s->num_open = s->num_questions;
	return q;
}
