/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of the causes and of the open questions of the whole machine, each once. */
#include <string.h>

#include "throttle/throttle.h"

void throttle_put_number(struct out *out, size_t n, const char *what)
{
	out_fmt(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

/* ---- causes ---- */

/* Does this cause make (part of) the verdict? What a package has from its cores is theirs. */
static bool supports(const struct uncoremsr_throttle_cause *c, enum uncoremsr_verdict verdict)
{
	return uncoremsr_cause_decides(c) && !uncoremsr_cause_inherited(c) &&
	       (verdict == UNCOREMSR_VERDICT_THROTTLED
					      ? uncoremsr_cause_now(c)
					      : uncoremsr_cause_logged(c));
}

static bool has_cause(const struct uncoremsr_throttle_subject *s, const char *word,
		      enum uncoremsr_verdict verdict)
{
	const struct uncoremsr_throttle_cause *c;

	for (size_t i = 0; (c = uncoremsr_throttle_cause(s, i)); i++)
		if (supports(c, verdict) && strcmp(uncoremsr_cause_word(c), word) == 0)
			return true;
	return false;
}

static size_t count_places(const struct throttle_run *run, const char *word,
			   enum uncoremsr_verdict verdict, bool cores)
{
	size_t num = 0;

	for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++) {
		const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, i);

		num += (uncoremsr_subject_core(s) >= 0) == cores && has_cause(s, word, verdict);
	}
	return num;
}

/* " (1 package, 6 cores)": where this cause is. */
static void put_places(struct throttle_run *run, const char *word, enum uncoremsr_verdict verdict)
{
	size_t packages = count_places(run, word, verdict, false);
	size_t cores = count_places(run, word, verdict, true);

	out_str(run->out, " (");
	if (packages)
		throttle_put_number(run->out, packages, "package");
	if (packages && cores)
		out_str(run->out, ", ");
	if (cores)
		throttle_put_number(run->out, cores, "core");
	out_char(run->out, ')');
}

/* Was @word among the causes before cause @cause of subject @subject? */
static bool named_before(const struct throttle_run *run, const char *word, size_t subject,
			 size_t cause, enum uncoremsr_verdict verdict)
{
	const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, subject);

	for (size_t i = 0; i < cause; i++) {
		const struct uncoremsr_throttle_cause *c = uncoremsr_throttle_cause(s, i);

		if (supports(c, verdict) && strcmp(uncoremsr_cause_word(c), word) == 0)
			return true;
	}
	for (size_t i = 0; i < subject; i++)
		if (has_cause(uncoremsr_throttle_subject(run->t, i), word, verdict))
			return true;
	return false;
}

void throttle_put_causes(struct throttle_run *run, enum uncoremsr_verdict verdict, bool places)
{
	const struct uncoremsr_throttle_cause *c;
	size_t num = 0;

	for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++) {
		const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, i);

		for (size_t k = 0; (c = uncoremsr_throttle_cause(s, k)); k++) {
			const char *word = uncoremsr_cause_word(c);

			if (!supports(c, verdict) || named_before(run, word, i, k, verdict))
				continue;
			if (num++)
				out_str(run->out, places ? ", " : " ");
			out_str(run->out, word);
			if (places)
				put_places(run, word, verdict);
		}
	}
}

/* ---- questions without an answer ---- */

/* "dimm-thermal: ...": the length of the name. */
static size_t question_length(const char *text)
{
	return strcspn(text, ":");
}

static bool has_question(const struct uncoremsr_throttle_subject *s, const char *text)
{
	size_t len = question_length(text);
	const char *other;

	for (size_t i = 0; (other = uncoremsr_throttle_unknown(s, i)); i++)
		if (question_length(other) == len && strncmp(other, text, len) == 0)
			return true;
	return false;
}

/*
 * Some questions are asked of packages and of cores. Where a package has no register or no event
 * for one of them, its cores have answered all the same.
 */
bool throttle_asked_of_cores(const char *text)
{
	static const char *const both[] = { "prochot-external", "power-limit", "core-thermal",
					    "uncore-events" };
	size_t len = question_length(text);

	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++)
		if (strlen(both[i]) == len && strncmp(text, both[i], len) == 0)
			return true;
	return false;
}

static bool cores_answer(const struct throttle_run *run, size_t subject, const char *text)
{
	const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, subject);

	if (uncoremsr_subject_core(s) >= 0 || !throttle_asked_of_cores(text))
		return false;
	while ((s = uncoremsr_throttle_subject(run->t, ++subject)) && uncoremsr_subject_core(s) >= 0)
		if (has_question(s, text) ||
		    uncoremsr_subject_verdict(s) == UNCOREMSR_VERDICT_UNKNOWN)
			return false;
	return true;
}

static bool asked_before(const struct throttle_run *run, const char *text, size_t subject,
			 size_t index)
{
	size_t len = question_length(text);
	const char *other;

	for (size_t i = 0; i <= subject; i++) {
		const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, i);

		for (size_t k = 0; (other = uncoremsr_throttle_unknown(s, k)); k++) {
			if (i == subject && k == index)
				return false;
			if (question_length(other) == len && strncmp(other, text, len) == 0 &&
			    !cores_answer(run, i, other))
				return true;
		}
	}
	return false;
}

bool throttle_put_questions(struct throttle_run *run, const char *before, const char *between)
{
	const char *text;
	size_t num = 0;

	for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++) {
		const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, i);

		for (size_t k = 0; (text = uncoremsr_throttle_unknown(s, k)); k++) {
			if (cores_answer(run, i, text) || asked_before(run, text, i, k))
				continue;
			out_str(run->out, num++ ? between : before);
			out_mem(run->out, text, question_length(text));
		}
	}
	return num > 0;
}
