/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Are the DIMMs throttled? Yes, no or cannot tell, for each package. */
#include <stdio.h>

#include "throttle/throttle.h"

struct answer {
	struct throttle_record record;
	int package;
	const char *word;                /* "yes", "no", "cannot-tell" */
	const struct throttle_track *t;
	const struct throttle_spell *sp; /* the throttling, if the answer is yes */
	bool known;                      /* there is an answer, if only for a part of the time */
	struct out why;                  /* why there is no answer for all or a part of the time; may be empty */
};

/* Write why the latest check has no answer about this package. False: it has an answer. */
static bool say_why(struct out *o, const struct throttle_run *run,
		    const struct uncoremsr_subject *s)
{
	const struct uncoremsr_question *q;

	for (size_t i = 0; (q = s->questions[i]); i++)
		if (q->cause == UNCOREMSR_CAUSE_DIMM_THERMAL || (int)q->cause >= THROTTLE_CAUSES) {
			throttle_say_reason(o, run, q);
			return true;
		}
	return false;
}

static void find_answer(struct throttle_run *run, struct answer *a, const struct uncoremsr_subject *s)
{
	const struct throttle_track *t = throttle_get_track(run, a->package, -1, 0);
	const struct throttle_question *q = t ? &t->questions[UNCOREMSR_CAUSE_DIMM_THERMAL] : NULL;
	uint64_t ns = throttle_elapsed(run), blind = q ? q->blind_ns : 0;
	bool open = false;

	a->t = t;
	for (size_t k = 0; t && k < t->num; k++)
		if (t->spells[k].cause == UNCOREMSR_CAUSE_DIMM_THERMAL && t->spells[k].looks)
			a->sp = &t->spells[k];
	/* Say for how much of the time it is unknown whether the DIMMs were throttled. */
	if (blind && blind < ns)
		out_fmt(&a->why, "cannot tell for %.3g %% of the time: %s", 100 * (double)blind / (double)ns,
			throttle_why(q));
	else if (blind && !a->sp)
		out_str(&a->why, throttle_why(q));
	else if (!a->sp && !(open = say_why(&a->why, run, s)) && (!t || !ns))
		out_str(&a->why,
			"there was only one look; throttling of DIMMs shows only as a change between two looks");
	a->known = a->sp || !(blind || open || !t || !ns);
	a->word = a->sp ? "yes" : a->known ? "no" : "cannot-tell";
}

static void put_text(struct throttle_run *run, const struct answer *a)
{
	throttle_put_simulated(run);
	out_fmt(run->out, "package %d: %s", a->package, a->word);
	if (a->sp && a->sp->measured)
		out_fmt(run->out, ": for %.3g %% of the time",
			100 * throttle_spell_share(run, a->t, a->sp));
	if (a->sp && a->sp->cycles)
		out_fmt(run->out, ", %llu uncore cycles", (unsigned long long)a->sp->cycles);
	if (a->why.len)
		out_str(run->out, a->known ? "; " : ": ");
	out_mem(run->out, a->why.buf, a->why.len);
	out_char(run->out, '\n');
}

/* ---- records ---- */

/* Throttled cycles: 0 if they were counted and none occurred; no value if a register measures time instead. */
static enum record_state get_cycles(const void *row, struct record_value *v)
{
	const struct answer *a = row;

	v->count = a->sp ? a->sp->cycles : 0;
	return a->known && uncoremsr_throttle_state(a->record.run->t)->events
	       ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static enum record_state get_share(const void *row, struct record_value *v)
{
	const struct answer *a = row;

	v->real = a->sp ? throttle_spell_share(a->record.run, a->t, a->sp) : 0;
	v->digits = 6;
	return a->known && (!a->sp || a->sp->measured) ? RECORD_KNOWN : RECORD_UNKNOWN;
}

static enum record_state get_why(const void *row, struct record_value *v)
{
	const struct answer *a = row;

	if (!a->why.len)
		return RECORD_NONE;
	out_mem(v->scratch, a->why.buf, a->why.len);
	return record_composed(v);
}

static const struct record_column columns[] = {
	THROTTLE_RECORD_COLUMNS,
	{ "package", RECORD_INT, RECORD_AT(answer, package) },
	{ "dimm_throttled", RECORD_STR, RECORD_AT(answer, word) },
	{ .name = "share", .type = RECORD_REAL, .get = get_share },
	{ .name = "cycles", .type = RECORD_COUNT, .get = get_cycles },
	{ .name = "why", .type = RECORD_STR, .get = get_why },
	THROTTLE_HOST_COLUMN,
};
const struct throttle_columns throttle_dimm_columns = { RECORD_COLUMNS(columns) };

int throttle_dimm(struct throttle_run *run)
{
	const struct uncoremsr_subject *s;
	bool yes = false, unknown = false, text = records_for_people(&run->records);

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		struct answer a = { .record = throttle_record(run), .package = s->package };

		if (s->core >= 0)
			continue;
		out_init(&a.why, -1);
		find_answer(run, &a, s);
		yes |= a.sp != NULL;
		unknown |= !a.known;
		if (text)
			put_text(run, &a);
		else
			record_row(&run->records, RECORD_COLUMNS(columns), &a);
		out_free(&a.why);
	}
	if (yes)
		return TOOL_PARTIAL;
	return unknown ? TOOL_UNSUPPORTED : TOOL_DONE;
}
