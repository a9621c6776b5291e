/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-throttle --dimm: are the DIMMs of each package throttled? The answer is yes, no or cannot tell. */
#include <math.h>

#include "throttle/throttle.h"

struct answer {
	struct throttle_record record;
	int package;
	const char *word; /* "yes", "no", "cannot-tell" */
	bool yes, known;  /* @known: there is an answer for at least a part of the time */
	double share;     /* share of the time with throttling; NAN if not measured or unknown */
	uint64_t cycles;  /* throttled cycles; UINT64_MAX if not counted or unknown */
	struct out text;
	const char *why;  /* why there is no answer for all or part of the time (in @text); NULL: none */
};

/* False: the latest check has an answer for this package. */
static bool say_why(struct out *o, const struct throttle_run *run, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_question *q;

	for (size_t i = 0; (q = s->questions[i]); i++)
		if (q->cause == UNCOREMSR_CAUSE_DIMM_THERMAL || (int)q->cause >= THROTTLE_CAUSES) {
			throttle_say_reason(o, run, q);
			return true;
		}
	return false;
}

static void find_answer(const struct throttle_run *run, struct answer *a, const struct uncoremsr_subject *s,
			const struct throttle_track *t)
{
	const struct throttle_question *q = &t->questions[UNCOREMSR_CAUSE_DIMM_THERMAL];
	uint64_t ns = throttle_elapsed(run), blind = q->blind_ns;
	const struct throttle_spell *sp = NULL;
	bool open = false;

	for (size_t k = 0; k < t->num; k++)
		if (t->spells[k].cause == UNCOREMSR_CAUSE_DIMM_THERMAL && t->spells[k].looks)
			sp = &t->spells[k];
	if (blind && blind < ns)
		out_fmt(&a->text, "cannot tell for %.3g %% of the time: %s", 100 * (double)blind / (double)ns,
			throttle_why(q));
	else if (blind && !sp)
		out_str(&a->text, throttle_why(q));
	else if (!sp && !(open = say_why(&a->text, run, s)) && !ns)
		out_str(&a->text,
			"there was only one look; throttling of DIMMs shows only as a change between two looks");
	a->why = a->text.len ? out_text(&a->text) : NULL;
	a->yes = sp;
	a->known = sp || !(blind || open || !ns);
	a->word = sp ? "yes" : a->known ? "no" : "cannot-tell";
	a->share = !a->known || (sp && !sp->measured) ? NAN : sp ? throttle_spell_share(run, t, sp) : 0;
	a->cycles = !a->known || !uncoremsr_throttle_state(run->t)->events ? UINT64_MAX : sp ? sp->cycles : 0;
}

static void put_text(struct throttle_run *run, const struct answer *a)
{
	throttle_put_simulated(run);
	out_fmt(run->out, "package %d: %s", a->package, a->word);
	if (a->yes && !isnan(a->share))
		out_fmt(run->out, ": for %.3g %% of the time", 100 * a->share);
	if (a->yes && a->cycles && a->cycles != UINT64_MAX)
		out_fmt(run->out, ", %llu uncore cycles", (unsigned long long)a->cycles);
	if (a->why)
		out_fmt(run->out, "%s%s", a->known ? "; " : ": ", a->why);
	out_char(run->out, '\n');
}

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ "package", RECORD_INT, RECORD_AT(answer, package) },
	{ "dimm_throttled", RECORD_STR, RECORD_AT(answer, word) },
	{ "share", RECORD_REAL, RECORD_AT(answer, share), .decimals = 6 },
	{ "cycles", RECORD_COUNT, RECORD_AT(answer, cycles) },
	{ "why", RECORD_STR, RECORD_AT(answer, why) },
	THROTTLE_HOST_COLUMN,
};
const struct throttle_columns throttle_dimm_columns = { RECORD_COLUMNS(columns) };

int throttle_dimm(struct throttle_run *run)
{
	const struct uncoremsr_subject *s;
	const struct throttle_track *t;
	bool yes = false, unknown = false, text = records_for_people(&run->records);

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		struct answer a = { .record = throttle_record(run), .package = s->package };

		if (s->core >= 0 || !(t = throttle_get_track(run, s->package, -1)))
			continue;
		out_init(&a.text, -1);
		find_answer(run, &a, s, t);
		yes |= a.yes;
		unknown |= !a.known;
		if (text)
			put_text(run, &a);
		else
			record_row(&run->records, RECORD_COLUMNS(columns), &a);
		out_free(&a.text);
	}
	if (yes)
		return TOOL_PARTIAL;
	return unknown ? TOOL_UNSUPPORTED : TOOL_DONE;
}
