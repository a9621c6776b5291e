/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a look found, property by property, for callers. */
#include <errno.h>

#include "throttle/throttle.h"

_Static_assert((int)UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE == (int)UM_CAUSE_CRITICAL &&
	       (int)UNCOREMSR_CAUSE_DIMM_THERMAL == (int)UM_CAUSE_DIMM &&
	       (int)UNCOREMSR_CAUSE_POWER_LIMIT == (int)UM_CAUSE_POWER &&
	       (int)UNCOREMSR_CAUSE_REGISTERS == (int)UM_NUM_CAUSES, "the same causes");

const char *uncoremsr_verdict_word(enum uncoremsr_verdict verdict)
{
	static const char *const words[] = {
		[UNCOREMSR_VERDICT_OK] = "ok",
		[UNCOREMSR_VERDICT_UNKNOWN] = "unknown",
		[UNCOREMSR_VERDICT_WAS_THROTTLED] = "was-throttled",
		[UNCOREMSR_VERDICT_THROTTLED] = "throttled",
	};

	return (unsigned)verdict < ARRAY_SIZE(words) ? words[verdict] : NULL;
}

const char *uncoremsr_cause_word(enum uncoremsr_cause cause)
{
	static const char *const words[] = {
		[UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE] = "critical-temperature",
		[UNCOREMSR_CAUSE_PROCHOT_EXTERNAL] = "prochot-external",
		[UNCOREMSR_CAUSE_CORE_THERMAL] = "core-thermal",
		[UNCOREMSR_CAUSE_PACKAGE_THERMAL] = "package-thermal",
		[UNCOREMSR_CAUSE_VR_THERMAL] = "vr-thermal",
		[UNCOREMSR_CAUSE_DIMM_THERMAL] = "dimm-thermal",
		[UNCOREMSR_CAUSE_FIRMWARE] = "firmware",
		[UNCOREMSR_CAUSE_CLOCK_MODULATION] = "clock-modulation",
		[UNCOREMSR_CAUSE_POWER_LIMIT] = "power-limit",
		[UNCOREMSR_CAUSE_CURRENT_LIMIT] = "current-limit",
		[UNCOREMSR_CAUSE_CROSS_DOMAIN] = "cross-domain",
		[UNCOREMSR_CAUSE_SMI] = "smi",
		[UNCOREMSR_CAUSE_OTHER] = "other",
		[UNCOREMSR_CAUSE_REGISTERS] = "registers",
		[UNCOREMSR_CAUSE_UNCORE_EVENTS] = "uncore-events",
		[UNCOREMSR_CAUSE_ANY] = "any",
	};

	return (unsigned)cause < ARRAY_SIZE(words) ? words[cause] : NULL;
}

/* The end of every number getter. */
static int give(uint64_t found, uint64_t *v)
{
	if (found == UM_ABSENT || !v)
		return -ENODATA;
	*v = found;
	return 0;
}

static uint64_t unless_zero(uint64_t v)
{
	return v ? v : UM_ABSENT;
}

static uint64_t unless_negative(int v)
{
	return v < 0 ? UM_ABSENT : (uint64_t)v;
}

int uncoremsr_throttle_number(const struct uncoremsr_throttle *t,
			      enum uncoremsr_throttle_property property, uint64_t *v)
{
	if (!t)
		return -ENODATA;
	switch (property) {
	case UNCOREMSR_THROTTLE_TIME:
		return give(t->looked ? t->time_ns : UM_ABSENT, v);
	case UNCOREMSR_THROTTLE_INTERVAL:
		return give(t->looked ? t->interval_ns : UM_ABSENT, v);
	case UNCOREMSR_THROTTLE_CLEARED_AT:
		return give(t->cleared_at, v);
	}
	return -ENODATA;
}

const struct uncoremsr_throttle_subject *
uncoremsr_throttle_subject(const struct uncoremsr_throttle *t, size_t index)
{
	return t && t->looked && index < t->num_subjects ? &t->subjects[index] : NULL;
}

int uncoremsr_subject_number(const struct uncoremsr_throttle_subject *s,
			     enum uncoremsr_subject_property property, uint64_t *v)
{
	if (!s)
		return -ENODATA;
	switch (property) {
	case UNCOREMSR_SUBJECT_PACKAGE:
		return give((uint64_t)s->package, v);
	case UNCOREMSR_SUBJECT_CORE:
		return give(unless_negative(s->core), v);
	case UNCOREMSR_SUBJECT_CPU:
		return give(s->cpu, v);
	case UNCOREMSR_SUBJECT_VERDICT:
		return give(s->verdict, v);
	case UNCOREMSR_SUBJECT_INHERITED:
		return give(s->inherits && !s->could_tell, v);
	case UNCOREMSR_SUBJECT_CORES:
		return give(s->core < 0 ? s->num : UM_ABSENT, v);
	case UNCOREMSR_SUBJECT_BELOW_LIMIT:
		return give(unless_negative(s->below), v);
	case UNCOREMSR_SUBJECT_TEMPERATURE:
		return give(unless_negative(s->celsius), v);
	case UNCOREMSR_SUBJECT_FREQUENCY:
		return give(unless_zero(s->hz), v);
	case UNCOREMSR_SUBJECT_BEFORE_CLEAR:
		return give(unless_zero(s->remembered), v);
	}
	return -ENODATA;
}

const struct uncoremsr_throttle_cause *
uncoremsr_throttle_cause(const struct uncoremsr_throttle_subject *s, size_t index)
{
	return s && index < s->num_causes ? &s->causes[index] : NULL;
}

static enum uncoremsr_since since(const struct uncoremsr_throttle_cause *c)
{
	if (!c->log_bit)
		return UNCOREMSR_SINCE_KERNEL_START;
	return c->of->watcher->cleared_at == UM_ABSENT ? UNCOREMSR_SINCE_LOG_CLEARED
							: UNCOREMSR_SINCE_OUR_CLEAR;
}

int uncoremsr_cause_number(const struct uncoremsr_throttle_cause *c,
			   enum uncoremsr_cause_property property, uint64_t *v)
{
	if (!c)
		return -ENODATA;
	switch (property) {
	case UNCOREMSR_CAUSE_KIND:
		return give(c->cause, v);
	case UNCOREMSR_CAUSE_PHASE:
		return give(c->holds ? UNCOREMSR_PHASE_NOW : c->happened ? UNCOREMSR_PHASE_BETWEEN
									  : UNCOREMSR_PHASE_LOGGED, v);
	case UNCOREMSR_CAUSE_LOGGED:
		return give(c->logged, v);
	case UNCOREMSR_CAUSE_SINCE:
		return give(since(c), v);
	case UNCOREMSR_CAUSE_DECIDES:
		return give(c->decides, v);
	case UNCOREMSR_CAUSE_INHERITED:
		return give(unless_zero(c->cores), v);
	case UNCOREMSR_CAUSE_COUNT:
		return give(unless_zero(c->count), v);
	case UNCOREMSR_CAUSE_TOTAL:
		return give(unless_zero(c->total), v);
	}
	return -ENODATA;
}

int uncoremsr_cause_share(const struct uncoremsr_throttle_cause *c, double *share)
{
	if (!c || !share || c->share < 0)
		return -ENODATA;
	*share = c->share;
	return 0;
}

int uncoremsr_evidence_number(const struct uncoremsr_throttle_cause *c, size_t index,
			      enum uncoremsr_evidence_property property, uint64_t *v)
{
	const struct um_evidence *e = c ? um_evidence_of(c, index) : NULL;

	if (!e)
		return -ENODATA;
	switch (property) {
	case UNCOREMSR_EVIDENCE_KIND:
		return give(e->kind, v);
	case UNCOREMSR_EVIDENCE_FINDING:
		return give(e->finding, v);
	case UNCOREMSR_EVIDENCE_MSR:
		return give(e->msr, v);
	case UNCOREMSR_EVIDENCE_VALUE:
		if (v)
			*v = e->value; /* whatever it is */
		return v ? 0 : -ENODATA;
	case UNCOREMSR_EVIDENCE_MASK:
		return give(e->mask, v);
	case UNCOREMSR_EVIDENCE_AMOUNT:
		return give(e->amount, v);
	case UNCOREMSR_EVIDENCE_OF:
		return give(e->of, v);
	case UNCOREMSR_EVIDENCE_CORE:
		return give(e->core, v);
	default:
		return -ENODATA;
	}
}

const char *uncoremsr_evidence_text(const struct uncoremsr_throttle_cause *c, size_t index,
				    enum uncoremsr_evidence_property property)
{
	const struct um_evidence *e = c ? um_evidence_of(c, index) : NULL;

	if (!e)
		return NULL;
	switch (property) {
	case UNCOREMSR_EVIDENCE_NAME:
		return e->name;
	case UNCOREMSR_EVIDENCE_BITS:
		return e->bits[0] ? e->bits : NULL;
	case UNCOREMSR_EVIDENCE_DETAIL:
		return e->detail[0] ? e->detail : NULL;
	default:
		return NULL;
	}
}

static const struct um_question *question_of(const struct uncoremsr_throttle_subject *s,
					     size_t index)
{
	return s && index < s->num_questions ? &s->questions[index] : NULL;
}

int uncoremsr_question_number(const struct uncoremsr_throttle_subject *s, size_t index,
			      enum uncoremsr_question_property property, uint64_t *v)
{
	const struct um_question *q = question_of(s, index);

	if (!q)
		return -ENODATA;
	switch (property) {
	case UNCOREMSR_QUESTION_CAUSE:
		return give(q->cause, v);
	case UNCOREMSR_QUESTION_REASON:
		return give(q->reason, v);
	case UNCOREMSR_QUESTION_ERRNO:
		return give(unless_zero((uint64_t)q->err), v);
	case UNCOREMSR_QUESTION_MSR:
		return give(q->msr, v);
	default:
		return -ENODATA;
	}
}

const char *uncoremsr_question_text(const struct uncoremsr_throttle_subject *s, size_t index,
				    enum uncoremsr_question_property property)
{
	const struct um_question *q = question_of(s, index);

	if (!q)
		return NULL;
	switch (property) {
	case UNCOREMSR_QUESTION_NAME:
		return q->name;
	case UNCOREMSR_QUESTION_ERROR:
		return q->error;
	default:
		return NULL;
	}
}
