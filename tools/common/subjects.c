/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/subjects.h"

const struct uncoremsr_subject *throttle_find_subject(const struct uncoremsr_throttle *t, int package, int core)
{
	const struct uncoremsr_subject *s;
	size_t i = 0;

	while ((s = uncoremsr_throttle_subject(t, i)) && (s->package != package || s->core != core))
		i++;
	return s;
}

unsigned throttle_causes_in(const struct uncoremsr_subject *package,
			    enum uncoremsr_question_state state)
{
	const struct uncoremsr_question *q;
	unsigned causes = 0;

	for (size_t i = 0; package && (q = package->questions[i]); i++)
		causes |= q->state == state ? 1u << q->cause : 0;
	return causes;
}
