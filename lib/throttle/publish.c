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

/* Set the lists of a subject, and update the machine's verdict, which is the worst of all subjects. */
static void publish_subject(struct uncoremsr_throttle_state *state, struct um_subject *s)
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
	if (s->pub.verdict > state->verdict)
		state->verdict = s->pub.verdict;
	if (!state->lacks && (s->num_open || s->pub.verdict == UNCOREMSR_VERDICT_UNKNOWN))
		state->lacks = UNCOREMSR_ERROR_UNSUPPORTED;
	for (size_t i = 0; i < s->num_open; i++)
		if (s->questions[i].access)
			state->lacks = UNCOREMSR_ERROR_ACCESS;
}

const struct uncoremsr_subject *uncoremsr_throttle_subject(const struct uncoremsr_throttle *t, size_t index)
{
	return t && t->looked && index < t->num_listed ? &t->subjects[index].pub : NULL;
}

const struct uncoremsr_throttle_state *uncoremsr_throttle_state(const struct uncoremsr_throttle *t)
{
	return t ? &t->state : NULL;
}

void um_publish(struct uncoremsr_throttle *t)
{
	struct uncoremsr_throttle_state *state = &t->state;

	if (!t->looked)
		return;
	state->events = um_uncore_counts(t);
	state->verdict = t->num_listed ? UNCOREMSR_VERDICT_OK : UNCOREMSR_VERDICT_UNKNOWN;
	state->lacks = t->num_listed ? UNCOREMSR_ERROR_NONE : UNCOREMSR_ERROR_UNSUPPORTED;
	for (size_t i = 0; i < t->num_listed; i++)
		publish_subject(state, &t->subjects[i]);
}
