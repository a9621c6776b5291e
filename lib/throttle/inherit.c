/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A package without a status of its own (Nehalem and Westmere have none) is what its cores are:
 * those that can be told. Their causes are its causes then, each with the cores. The events of a
 * Westmere uncore, where they are counted, name four cores only: what they tell comes on top.
 */
#include "throttle/throttle.h"

static void merge_cause(struct uncoremsr_throttle_subject *p,
			const struct uncoremsr_throttle_cause *of_core)
{
	struct uncoremsr_throttle_cause *c = um_blame(p, of_core->cause);
	const struct um_evidence *e = um_find_evidence(of_core, 0);

	if (um_find_evidence(c, 0) && !c->inherited)
		return; /* an event has told it */
	c->inherited = true;
	c->cores++;
	c->holds |= of_core->holds;
	c->happened |= of_core->happened;
	c->logged |= of_core->logged;
	c->log_bit |= of_core->log_bit;
	c->decides |= of_core->decides;
	if (of_core->share > c->share)
		c->share = of_core->share;
	/* One piece for each core: the core itself has all of it. */
	if (e)
		um_add_evidence(p, c->cause, e->what, e->msr, e->value, "core %d: %s",
				of_core->of->core, e->bits);
}

void um_judge_cores(struct uncoremsr_throttle_subject *p)
{
	enum uncoremsr_verdict worst = p->verdict;

	for (size_t i = 1; i <= p->num && p->inherits; i++) {
		enum uncoremsr_verdict v = p[i].verdict;

		if (v == UNCOREMSR_VERDICT_UNKNOWN)
			continue;
		if (v > worst || worst == UNCOREMSR_VERDICT_UNKNOWN)
			worst = v;
		for (size_t k = 0; k < p[i].num_causes; k++)
			merge_cause(p, &p[i].causes[k]);
	}
	if (p->inherits)
		um_sort_causes(p);
	p->verdict = worst;
}
