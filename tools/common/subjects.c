/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/subjects.h"

/*
 * Some questions are asked of packages and of cores. Where a package has no register or no event
 * for one of them, its cores have answered nevertheless.
 */
bool throttle_asked_of_cores(int question)
{
	return question == UNCOREMSR_CAUSE_PROCHOT_EXTERNAL ||
	       question == UNCOREMSR_CAUSE_POWER_LIMIT || question == UNCOREMSR_CAUSE_CORE_THERMAL ||
	       question == UNCOREMSR_CAUSE_UNCORE_EVENTS;
}

bool throttle_asks(const struct uncoremsr_subject *s, int question)
{
	for (size_t i = 0; throttle_question(s, i) >= 0; i++)
		if (throttle_question(s, i) == question)
			return true;
	return false;
}

bool throttle_cores_answer(const struct uncoremsr_throttle *t, size_t subject, int question)
{
	const struct uncoremsr_subject *s = uncoremsr_throttle_subject(t, subject);

	if (throttle_core(s) >= 0 || !throttle_asked_of_cores(question))
		return false;
	while ((s = uncoremsr_throttle_subject(t, ++subject)) && throttle_core(s) >= 0)
		if (throttle_asks(s, question) || throttle_verdict(s) == UNCOREMSR_VERDICT_UNKNOWN)
			return false;
	return true;
}
