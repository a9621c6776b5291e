/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/subjects.h"

const struct uncoremsr_subject *throttle_package_of(const struct uncoremsr_throttle *t,
						    const struct uncoremsr_subject *s)
{
	const struct uncoremsr_subject *p;

	for (size_t i = 0; (p = uncoremsr_throttle_subject(t, i)); i++)
		if (p->core < 0 && p->package == s->package)
			return p;
	return NULL;
}

unsigned throttle_causes_in(const struct uncoremsr_subject *package,
			    enum uncoremsr_question_state state)
{
	const struct uncoremsr_question *q;
	unsigned causes = 0;

	for (size_t i = 0; (q = package->questions[i]); i++)
		causes |= q->state == state ? 1u << q->cause : 0;
	return causes;
}
