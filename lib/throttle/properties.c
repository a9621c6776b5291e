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
		[UNCOREMSR_VERDICT_UNKNOWN] = "cannot-tell",
		[UNCOREMSR_VERDICT_WAS_THROTTLED] = "was-throttled",
		[UNCOREMSR_VERDICT_THROTTLED] = "throttled",
	};

	return (unsigned)verdict < ARRAY_SIZE(words) ? words[verdict] : NULL;
}

const char *uncoremsr_cause_word(enum uncoremsr_cause_kind cause)
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
		[UNCOREMSR_CAUSE_ANY] = "any",
	};

	return (unsigned)cause < ARRAY_SIZE(words) ? words[cause] : NULL;
}

static int give(const uint64_t *numbers, size_t num, unsigned property, uint64_t *v)
{
	if (property >= num || numbers[property] == UM_ABSENT || !v)
		return -ENODATA;
	*v = numbers[property];
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

/* The verdict on the machine: the worst one of all subjects. */
static uint64_t verdict_on_machine(const struct uncoremsr_throttle *t)
{
	enum uncoremsr_verdict worst = t->num_listed ? UNCOREMSR_VERDICT_OK : UNCOREMSR_VERDICT_UNKNOWN;

	for (size_t i = 0; i < t->num_listed; i++)
		if (t->subjects[i].verdict > worst)
			worst = t->subjects[i].verdict;
	return worst;
}

/* Why something about the machine is not known: lack of access, or no means here; UM_ABSENT: everything is known. */
static uint64_t what_lacks(const struct uncoremsr_throttle *t)
{
	bool open = !t->num_listed;

	for (size_t i = 0; i < t->num_listed; i++) {
		const struct uncoremsr_subject *s = &t->subjects[i];

		open |= s->num_open || s->verdict == UNCOREMSR_VERDICT_UNKNOWN;
		for (size_t k = 0; k < s->num_open; k++)
			if (s->questions[k].number[UNCOREMSR_QUESTION_ACCESS] == 1)
				return UNCOREMSR_ERROR_ACCESS;
	}
	return open ? UNCOREMSR_ERROR_UNSUPPORTED : UM_ABSENT;
}

int uncoremsr_throttle_number(const struct uncoremsr_throttle *t,
			      enum uncoremsr_throttle_property property, uint64_t *v)
{
	uint64_t numbers[] = {
		[UNCOREMSR_THROTTLE_TIME] = t && t->looked ? t->time_ns : UM_ABSENT,
		[UNCOREMSR_THROTTLE_INTERVAL] = t && t->looked ? t->interval_ns : UM_ABSENT,
		[UNCOREMSR_THROTTLE_CLEARED_AT] = t ? t->cleared_at : UM_ABSENT,
		[UNCOREMSR_THROTTLE_EVENTS] = t && um_uncore_counts(t) ? 1 : UM_ABSENT,
		[UNCOREMSR_THROTTLE_VERDICT] = t && t->looked ? verdict_on_machine(t) : UM_ABSENT,
		[UNCOREMSR_THROTTLE_LACKS] = t && t->looked ? what_lacks(t) : UM_ABSENT,
	};

	return give(numbers, ARRAY_SIZE(numbers), property, v);
}

const struct uncoremsr_subject *uncoremsr_throttle_subject(const struct uncoremsr_throttle *t,
							   size_t index)
{
	return t && t->looked && index < t->num_listed ? &t->subjects[index] : NULL;
}

int uncoremsr_subject_number(const struct uncoremsr_subject *s,
			     enum uncoremsr_subject_property property, uint64_t *v)
{
	if (!s)
		return -ENODATA;
	/* A temperature may have any value, even that of UM_ABSENT (-1 degree), so look at celsius instead. */
	if (property == UNCOREMSR_SUBJECT_TEMPERATURE) {
		if (s->celsius == UM_NO_CELSIUS || !v)
			return -ENODATA;
		*v = (uint64_t)(int64_t)s->celsius;
		return 0;
	}
	return give((uint64_t[]){
		[UNCOREMSR_SUBJECT_PACKAGE] = (uint64_t)s->package,
		[UNCOREMSR_SUBJECT_CORE] = unless_negative(s->core),
		[UNCOREMSR_SUBJECT_CPU] = s->cpu,
		[UNCOREMSR_SUBJECT_VERDICT] = s->verdict,
		[UNCOREMSR_SUBJECT_INHERITED] = s->inherits && !s->could_tell,
		[UNCOREMSR_SUBJECT_CORES] = s->core < 0 ? s->num : UM_ABSENT,
		[UNCOREMSR_SUBJECT_BELOW_LIMIT] = unless_negative(s->below),
		[UNCOREMSR_SUBJECT_TEMPERATURE] = UM_ABSENT,
		[UNCOREMSR_SUBJECT_FREQUENCY] = unless_zero(s->hz),
		[UNCOREMSR_SUBJECT_BEFORE_CLEAR] = unless_zero(s->remembered),
		[UNCOREMSR_SUBJECT_COULD_SHOW] = s->could_show,
	}, UNCOREMSR_SUBJECT_COULD_SHOW + 1, property, v);
}

const struct uncoremsr_cause *uncoremsr_subject_cause(const struct uncoremsr_subject *s,
						      size_t index)
{
	return s && index < s->num_causes ? &s->causes[index] : NULL;
}

static enum uncoremsr_since since(const struct uncoremsr_cause *c)
{
	if (!c->log_bit)
		return UNCOREMSR_SINCE_KERNEL_START;
	return c->of->watcher->cleared_at == UM_ABSENT ? UNCOREMSR_SINCE_LOG_CLEARED
							: UNCOREMSR_SINCE_OUR_CLEAR;
}

int uncoremsr_cause_number(const struct uncoremsr_cause *c,
			   enum uncoremsr_cause_property property, uint64_t *v)
{
	if (!c)
		return -ENODATA;
	return give((uint64_t[]){
		[UNCOREMSR_CAUSE_KIND] = c->cause,
		[UNCOREMSR_CAUSE_PHASE] = c->holds ? UNCOREMSR_PHASE_NOW : c->happened
					  ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED,
		[UNCOREMSR_CAUSE_LOGGED] = c->logged,
		[UNCOREMSR_CAUSE_SINCE] = since(c),
		[UNCOREMSR_CAUSE_DECIDES] = c->decides,
		[UNCOREMSR_CAUSE_INHERITED] = unless_zero(c->cores),
		[UNCOREMSR_CAUSE_COUNT] = unless_zero(c->count),
		[UNCOREMSR_CAUSE_TOTAL] = unless_zero(c->total),
		[UNCOREMSR_CAUSE_DIE] = unless_negative(c->of->die),
	}, UNCOREMSR_CAUSE_DIE + 1, property, v);
}

int uncoremsr_cause_share(const struct uncoremsr_cause *c, double *share)
{
	if (!c || !share || c->share < 0)
		return -ENODATA;
	*share = c->share;
	return 0;
}

int uncoremsr_evidence_number(const struct uncoremsr_cause *c, size_t index,
			      enum uncoremsr_evidence_property property, uint64_t *v)
{
	const struct um_evidence *e = c ? um_evidence_of(c, index) : NULL;

	return e ? give(e->number, ARRAY_SIZE(e->number), property, v) : -ENODATA;
}

const char *uncoremsr_evidence_text(const struct uncoremsr_cause *c, size_t index,
				    enum uncoremsr_evidence_property property)
{
	const struct um_evidence *e = c ? um_evidence_of(c, index) : NULL;
	const char *text = !e ? NULL : property == UNCOREMSR_EVIDENCE_NAME ? e->name :
			   property == UNCOREMSR_EVIDENCE_BITS ? e->bits :
			   property == UNCOREMSR_EVIDENCE_DETAIL ? e->detail : NULL;

	return text && *text ? text : NULL;
}

static const struct um_question *question_of(const struct uncoremsr_subject *s, size_t index)
{
	return s && index < s->num_questions ? &s->questions[index] : NULL;
}

int uncoremsr_question_number(const struct uncoremsr_subject *s, size_t index,
			      enum uncoremsr_question_property property, uint64_t *v)
{
	const struct um_question *q = question_of(s, index);

	return q ? give(q->number, ARRAY_SIZE(q->number), property, v) : -ENODATA;
}

const char *uncoremsr_question_text(const struct uncoremsr_subject *s, size_t index,
				    enum uncoremsr_question_property property)
{
	const struct um_question *q = question_of(s, index);
	const char *text = !q ? NULL : property == UNCOREMSR_QUESTION_NAME ? q->name :
			   property == UNCOREMSR_QUESTION_ERROR ? q->error :
			   property == UNCOREMSR_QUESTION_HINT ? q->hint : NULL;

	return text && *text ? text : NULL;
}

/* ---- limits that software has set ---- */

const char *uncoremsr_policy_word(enum uncoremsr_policy_kind kind)
{
	static const char *const words[] = {
		[UNCOREMSR_POLICY_MAX_FREQUENCY] = "scaling_max_freq",
		[UNCOREMSR_POLICY_MAX_PERFORMANCE] = "max_perf_pct",
		[UNCOREMSR_POLICY_NO_TURBO] = "no_turbo",
		[UNCOREMSR_POLICY_POWER_LIMIT] = "rapl_power_limit",
	};

	return (unsigned)kind < ARRAY_SIZE(words) ? words[kind] : NULL;
}

int uncoremsr_policy_number(const struct uncoremsr_subject *s, size_t index,
			    enum uncoremsr_policy_property property, uint64_t *v)
{
	const struct um_policy *p = s && index < s->num_policies ? &s->policies[index] : NULL;

	if (!p)
		return -ENODATA;
	return give((uint64_t[]){
		[UNCOREMSR_POLICY_KIND] = p->kind,
		[UNCOREMSR_POLICY_SCOPE] = p->scope,
		[UNCOREMSR_POLICY_VALUE] = p->value,
		[UNCOREMSR_POLICY_OF] = p->of,
		[UNCOREMSR_POLICY_CORES] = unless_zero(p->cores),
	}, UNCOREMSR_POLICY_CORES + 1, property, v);
}

const char *uncoremsr_policy_text(const struct uncoremsr_subject *s, size_t index,
				  enum uncoremsr_policy_property property)
{
	const struct um_policy *p = s && index < s->num_policies ? &s->policies[index] : NULL;

	return !p ? NULL : property == UNCOREMSR_POLICY_FILE ? p->file
			 : property == UNCOREMSR_POLICY_NAME ? p->name : NULL;
}
