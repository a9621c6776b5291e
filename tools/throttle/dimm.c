/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Are the DIMMs throttled? Yes, no or cannot tell, for each package. */
#include <stdio.h>
#include <string.h>

#include "throttle/throttle.h"

#define DIMM_CAUSE "dimm-thermal"

static const struct throttle_spell *find_spell(const struct throttle_track *t)
{
	for (size_t k = 0; t && k < t->num; k++)
		if (strcmp(t->spells[k].cause, DIMM_CAUSE) == 0)
			return &t->spells[k];
	return NULL;
}

/* Why the question has no answer on this package, or NULL. */
static const char *find_question(const struct uncoremsr_throttle_subject *s)
{
	static const char begin[] = "cannot tell: ";
	const char *text;

	for (size_t i = 0; (text = uncoremsr_throttle_unknown(s, i)); i++)
		if (strncmp(text, DIMM_CAUSE ":", strlen(DIMM_CAUSE ":")) == 0)
			return text + strlen(DIMM_CAUSE ": ");
	if (uncoremsr_subject_verdict(s) != UNCOREMSR_VERDICT_UNKNOWN)
		return NULL;
	text = strstr(uncoremsr_subject_sentence(s), begin);
	return text ? text + strlen(begin) : uncoremsr_subject_sentence(s);
}

/* Was there an answer for any part of the run? */
static bool answered(const struct throttle_run *run, const struct throttle_track *t)
{
	uint64_t ns = uncoremsr_throttle_time_ns(run->t) - run->start_ns;

	return t && !t->unknown && throttle_blind_ns(t, DIMM_CAUSE) < ns;
}

struct answer {
	int package;
	const char *word;                /* "yes", "no", "cannot-tell" */
	const struct throttle_track *t;
	const struct throttle_spell *sp; /* of a yes */
	const char *why;                 /* of what cannot be told */
	char partly[64];                 /* of what can be told of a part of the time; or "" */
};

static void put_text(struct throttle_run *run, const struct answer *a)
{
	throttle_put_simulated(run);
	out_fmt(run->out, "package %d: %s", a->package, a->word);
	if (a->why)
		out_fmt(run->out, ": %s", a->why);
	else if (a->sp && a->sp->measured)
		out_fmt(run->out, ": for %.3g %% of the time",
			100 * throttle_spell_share(run, a->t, a->sp));
	if (a->sp && a->sp->cycles)
		out_fmt(run->out, ", %llu uncore cycles", (unsigned long long)a->sp->cycles);
	out_fmt(run->out, "%s%s", *a->partly ? "; " : "", a->partly);
	out_char(run->out, '\n');
}

/* Decimal in quotes, as all counts are; null: another register than a counter told it. */
static void put_cycles(struct throttle_run *run, const struct answer *a)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", a->sp ? (unsigned long long)a->sp->cycles : 0);
	throttle_put_str(run, "cycles", a->sp && a->sp->cycles ? text : NULL);
}

static void put_record(struct throttle_run *run, const struct answer *a)
{
	bool known = !a->why;

	throttle_put_when(run);
	throttle_put_int(run, "package", a->package);
	throttle_put_str(run, "dimm_throttled", a->word);
	throttle_put_share(run, "share", known && (!a->sp || a->sp->measured),
			   a->sp ? throttle_spell_share(run, a->t, a->sp) : 0);
	put_cycles(run, a);
	throttle_put_str(run, "why", *a->partly ? a->partly : a->why);
	throttle_put_end(run);
}

/* What was not seen may have been otherwise. */
static void tell_blind(const struct throttle_run *run, struct answer *a)
{
	uint64_t ns = uncoremsr_throttle_time_ns(run->t) - run->start_ns;
	uint64_t blind = a->t ? throttle_blind_ns(a->t, DIMM_CAUSE) : 0;

	if (blind && blind < ns)
		snprintf(a->partly, sizeof(a->partly), "cannot tell for %.3g %% of the time",
			 100 * (double)blind / (double)ns);
}

static struct answer find_answer(const struct throttle_run *run,
				 const struct uncoremsr_throttle_subject *s)
{
	int package = uncoremsr_subject_package(s);
	const struct throttle_track *t = throttle_find_track(run, package, -1, 0);
	const struct throttle_spell *sp = find_spell(t);
	struct answer a = { .package = package, .word = "no", .t = t };

	tell_blind(run, &a);
	if (sp && sp->looks) {
		a.word = "yes";
		a.sp = sp;
		return a;
	}
	/* Where counters take turns, an answer for part of the time is one. */
	a.why = answered(run, t) ? NULL : find_question(s);
	if (a.why) {
		a.word = "cannot-tell";
		a.partly[0] = '\0';
	}
	return a;
}

int throttle_dimm(struct throttle_run *run)
{
	bool yes = false, no = false;

	if (run->cfg->common.format == TOOL_CSV)
		out_str(run->out, "time,timestamp,machine,package,dimm_throttled,share,cycles,why\n");
	for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++) {
		const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, i);
		struct answer a;

		if (uncoremsr_subject_core(s) >= 0)
			continue;
		a = find_answer(run, s);
		yes |= a.sp != NULL;
		no |= !a.sp && !a.why;
		if (throttle_is_text(run))
			put_text(run, &a);
		else
			put_record(run, &a);
	}
	if (yes)
		return TOOL_PARTIAL;
	return no ? TOOL_DONE : TOOL_UNSUPPORTED;
}
