/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/subjects.h"

const struct uncoremsr_subject *throttle_package_of(const struct uncoremsr_throttle *t,
						    const struct uncoremsr_subject *s)
{
	const struct uncoremsr_subject *p;

	for (size_t i = 0; (p = uncoremsr_throttle_subject(t, i)); i++)
		if (throttle_core(p) < 0 && throttle_package(p) == throttle_package(s))
			return p;
	return NULL;
}

unsigned throttle_causes_in(const struct uncoremsr_subject *package,
			    enum uncoremsr_question_state state)
{
	unsigned causes = 0;
	uint64_t v;

	for (size_t i = 0; !uncoremsr_question_number(package, i, UNCOREMSR_QUESTION_STATE, &v); i++)
		if (v == state && !uncoremsr_question_number(package, i, UNCOREMSR_QUESTION_CAUSE, &v))
			causes |= 1u << v;
	return causes;
}
