/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a look found, for callers. */
#include <errno.h>

#include "throttle/throttle.h"

const char *uncoremsr_verdict_word(enum uncoremsr_verdict verdict)
{
	static const char *const words[] = {
		[UNCOREMSR_VERDICT_OK] = "ok",
		[UNCOREMSR_VERDICT_UNKNOWN] = "unknown",
		[UNCOREMSR_VERDICT_WAS_THROTTLED] = "was-throttled",
		[UNCOREMSR_VERDICT_THROTTLED] = "throttled",
	};

	return (unsigned)verdict < ARRAY_SIZE(words) ? words[verdict] : "unknown";
}

uint64_t uncoremsr_throttle_time_ns(const struct uncoremsr_throttle *t)
{
	return t->time_ns;
}

uint64_t uncoremsr_throttle_interval_ns(const struct uncoremsr_throttle *t)
{
	return t->interval_ns;
}

size_t uncoremsr_throttle_num_subjects(const struct uncoremsr_throttle *t)
{
	return t->num_subjects;
}

const struct uncoremsr_throttle_subject *
uncoremsr_throttle_subject(const struct uncoremsr_throttle *t, size_t index)
{
	return index < t->num_subjects ? &t->subjects[index] : NULL;
}

int uncoremsr_subject_package(const struct uncoremsr_throttle_subject *s)
{
	return s->package;
}

int uncoremsr_subject_core(const struct uncoremsr_throttle_subject *s)
{
	return s->core;
}

int uncoremsr_subject_cpu(const struct uncoremsr_throttle_subject *s)
{
	return (int)s->cpu;
}

enum uncoremsr_verdict uncoremsr_subject_verdict(const struct uncoremsr_throttle_subject *s)
{
	return s->verdict;
}

const char *uncoremsr_subject_sentence(const struct uncoremsr_throttle_subject *s)
{
	return s->sentence;
}

int uncoremsr_subject_below_limit(const struct uncoremsr_throttle_subject *s, int *degrees)
{
	if (s->below < 0)
		return -ENODATA;
	*degrees = s->below;
	return 0;
}

int uncoremsr_subject_temperature(const struct uncoremsr_throttle_subject *s, int *degrees)
{
	if (s->celsius < 0)
		return -ENODATA;
	*degrees = s->celsius;
	return 0;
}

int uncoremsr_subject_frequency(const struct uncoremsr_throttle_subject *s, uint64_t *hz)
{
	if (!s->hz)
		return -ENODATA;
	*hz = s->hz;
	return 0;
}

const char *uncoremsr_throttle_unknown(const struct uncoremsr_throttle_subject *s, size_t index)
{
	return index < s->num_unknown ? s->unknown[index] : NULL;
}

const struct uncoremsr_throttle_cause *
uncoremsr_throttle_cause(const struct uncoremsr_throttle_subject *s, size_t index)
{
	return index < s->num_causes ? &s->causes[index] : NULL;
}

const char *uncoremsr_cause_word(const struct uncoremsr_throttle_cause *c)
{
	return um_cause_name(c->cause);
}

int uncoremsr_cause_now(const struct uncoremsr_throttle_cause *c)
{
	return c->holds || c->happened;
}

int uncoremsr_cause_logged(const struct uncoremsr_throttle_cause *c)
{
	return c->logged;
}

int uncoremsr_cause_decides(const struct uncoremsr_throttle_cause *c)
{
	return c->decides;
}

int uncoremsr_cause_inherited(const struct uncoremsr_throttle_cause *c)
{
	return c->inherited;
}

const char *uncoremsr_cause_sentence(const struct uncoremsr_throttle_cause *c)
{
	return c->sentence;
}

int uncoremsr_cause_share(const struct uncoremsr_throttle_cause *c, double *share)
{
	if (c->share < 0)
		return -ENODATA;
	*share = c->share;
	return 0;
}

const struct um_evidence *um_find_evidence(const struct uncoremsr_throttle_cause *c, size_t index)
{
	for (size_t i = 0; i < c->of->num_evidence; i++)
		if (c->of->evidence[i].cause == c->cause && index-- == 0)
			return &c->of->evidence[i];
	return NULL;
}

const char *uncoremsr_cause_evidence(const struct uncoremsr_throttle_cause *c, size_t index,
				     uint64_t *value, const char **bits)
{
	const struct um_evidence *e = um_find_evidence(c, index);

	if (!e)
		return NULL;
	*value = e->value;
	*bits = e->bits;
	return e->what;
}

int64_t uncoremsr_cause_evidence_msr(const struct uncoremsr_throttle_cause *c, size_t index)
{
	const struct um_evidence *e = um_find_evidence(c, index);

	return e ? e->msr : -1;
}
