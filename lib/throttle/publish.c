/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fill the public structs with what a look has found. */
#include <math.h>

#include "common/text.h"
#include "throttle/throttle.h"

_Static_assert((int)UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE == (int)UM_CAUSE_CRITICAL &&
	       (int)UNCOREMSR_CAUSE_DIMM_THERMAL == (int)UM_CAUSE_DIMM &&
	       (int)UNCOREMSR_CAUSE_POWER_LIMIT == (int)UM_CAUSE_POWER &&
	       (int)UNCOREMSR_CAUSE_REGISTERS == (int)UM_NUM_CAUSES, "public and internal causes have the same numbers");

const char *uncoremsr_verdict_word(enum uncoremsr_verdict verdict)
{
	static const char words[][16] = {
		[UNCOREMSR_VERDICT_OK] = "ok",
		[UNCOREMSR_VERDICT_UNKNOWN] = "cannot-tell",
		[UNCOREMSR_VERDICT_WAS_THROTTLED] = "was-throttled",
		[UNCOREMSR_VERDICT_THROTTLED] = "throttled",
	};

	return (unsigned)verdict < ARRAY_SIZE(words) ? words[verdict] : NULL;
}

const char *uncoremsr_cause_word(enum uncoremsr_cause_kind cause)
{
	static const char words[][24] = {
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

static uint64_t unless_zero(uint64_t v)
{
	return v ? v : UM_ABSENT;
}

/* ---- a package or core ---- */

static void list_evidence(struct um_subject *s)
{
	size_t num = 0;

	for (int cause = 0; cause < UM_NUM_CAUSES; cause++) {
		for (size_t i = 0; i < s->num_evidence; i++) {
			struct um_evidence *e = &s->evidence[i];

			if ((int)e->cause != cause)
				continue;
			e->pub.bits = um_or_null(e->bits);
			e->pub.detail = um_or_null(e->detail);
			s->listed_evidence[num++] = &e->pub;
		}
		s->listed_evidence[num++] = NULL;
	}
}

static const struct uncoremsr_evidence *const *evidence_for(const struct um_subject *s, enum um_cause cause)
{
	const struct uncoremsr_evidence *const *list = s->listed_evidence;

	for (int before = (int)cause; before; list++)
		before -= !*list;
	return list;
}

static enum uncoremsr_since since(const struct um_blame *c)
{
	if (!c->log_bit)
		return UNCOREMSR_SINCE_KERNEL_START;
	return c->of->watcher->state.cleared_at == UM_ABSENT ? UNCOREMSR_SINCE_LOG_CLEARED
							      : UNCOREMSR_SINCE_OUR_CLEAR;
}

static void publish_cause(struct um_blame *c)
{
	c->pub = (struct uncoremsr_cause){
		.size = sizeof(c->pub), .kind = (enum uncoremsr_cause_kind)c->cause,
		.phase = c->holds ? UNCOREMSR_PHASE_NOW : c->happened ? UNCOREMSR_PHASE_BETWEEN
								      : UNCOREMSR_PHASE_LOGGED,
		.logged = c->logged, .since = since(c), .decides = c->decides,
		.inherited = c->cores ? (int)c->cores : -1, .die = c->of->die,
		.share = c->share < 0 ? NAN : c->share, .count = unless_zero(c->count),
		.total = unless_zero(c->total), .evidence = evidence_for(c->of, c->cause),
	};
}

static void publish_subject(struct um_subject *s)
{
	for (size_t i = 0; i < s->num_causes; i++) {
		publish_cause(&s->causes[i]);
		s->listed_causes[i] = &s->causes[i].pub;
	}
	s->listed_causes[s->num_causes] = NULL;
	for (size_t i = 0; i < s->num_policies; i++)
		s->listed_policies[i] = &s->policies[i];
	s->listed_policies[s->num_policies] = NULL;
	for (size_t i = 0; i < s->num_questions; i++) {
		s->questions[i].error = um_or_null(s->questions[i].error);
		s->questions[i].hint = um_or_null(s->questions[i].hint);
		s->listed_questions[i] = &s->questions[i];
	}
	s->listed_questions[s->num_questions] = NULL;
	s->pub = (struct uncoremsr_subject){
		.size = sizeof(s->pub), .package = s->package, .core = s->core, .cpu = (int)s->cpu,
		.verdict = s->verdict, .inherited = s->inherits && !s->answered,
		.cores = s->core < 0 ? (int)s->num : -1, .below_limit = s->below,
		.temperature = s->celsius == UM_NO_CELSIUS ? (double)NAN : s->celsius, .frequency = unless_zero(s->hz),
		.before_clear = unless_zero(s->remembered), .could_show = s->could_show,
		.causes = s->listed_causes, .policies = s->listed_policies, .questions = s->listed_questions,
	};
}

const struct uncoremsr_subject *uncoremsr_throttle_subject(const struct uncoremsr_throttle *t,
							   size_t index)
{
	return t && t->looked && index < t->num_listed ? &t->subjects[index].pub : NULL;
}

/* ---- the machine ---- */

/* The worst verdict of all subjects. */
static enum uncoremsr_verdict verdict_on_machine(const struct uncoremsr_throttle *t)
{
	enum uncoremsr_verdict worst = t->num_listed ? UNCOREMSR_VERDICT_OK : UNCOREMSR_VERDICT_UNKNOWN;

	for (size_t i = 0; i < t->num_listed; i++)
		if (t->subjects[i].verdict > worst)
			worst = t->subjects[i].verdict;
	return worst;
}

static enum uncoremsr_error_class what_lacks(const struct uncoremsr_throttle *t)
{
	bool open = !t->num_listed;

	for (size_t i = 0; i < t->num_listed; i++) {
		const struct um_subject *s = &t->subjects[i];

		open |= s->num_open || s->verdict == UNCOREMSR_VERDICT_UNKNOWN;
		for (size_t k = 0; k < s->num_open; k++)
			if (s->questions[k].access)
				return UNCOREMSR_ERROR_ACCESS;
	}
	return open ? UNCOREMSR_ERROR_UNSUPPORTED : UNCOREMSR_ERROR_NONE;
}

const struct uncoremsr_throttle_state *uncoremsr_throttle_state(const struct uncoremsr_throttle *t)
{
	return t ? &t->state : NULL;
}

void um_publish(struct uncoremsr_throttle *t)
{
	if (!t->looked)
		return;
	for (size_t i = 0; i < t->num_subjects; i++)
		list_evidence(&t->subjects[i]);
	for (size_t i = 0; i < t->num_listed; i++)
		publish_subject(&t->subjects[i]);
	t->state.events = um_uncore_counts(t);
	t->state.verdict = verdict_on_machine(t);
	t->state.lacks = what_lacks(t);
}
