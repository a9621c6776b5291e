/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fill the public structs with the results of look(). */
#include "throttle/throttle.h"

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

/* ---- a package or core ---- */

static void publish_subject(struct um_subject *s)
{
	for (size_t i = 0; i < s->num_causes; i++)
		s->listed_causes[i] = &s->causes[i];
	s->listed_causes[s->num_causes] = NULL;
	for (size_t i = 0; i < s->num_policies; i++)
		s->listed_policies[i] = &s->policies[i];
	s->listed_policies[s->num_policies] = NULL;
	for (size_t i = 0; i < s->num_questions; i++)
		s->listed_questions[i] = &s->questions[i];
	s->listed_questions[s->num_questions] = NULL;
	s->pub.inherited = s->inherits && !s->answered;
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
		if (t->subjects[i].pub.verdict > worst)
			worst = t->subjects[i].pub.verdict;
	return worst;
}

static enum uncoremsr_error_class what_lacks(const struct uncoremsr_throttle *t)
{
	bool open = !t->num_listed;

	for (size_t i = 0; i < t->num_listed; i++) {
		const struct um_subject *s = &t->subjects[i];

		open |= s->num_open || s->pub.verdict == UNCOREMSR_VERDICT_UNKNOWN;
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
	for (size_t i = 0; i < t->num_listed; i++)
		publish_subject(&t->subjects[i]);
	t->state.events = um_uncore_counts(t);
	t->state.verdict = verdict_on_machine(t);
	t->state.lacks = what_lacks(t);
}
