/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare each check with the previous one, and write what has changed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "throttle/throttle.h"

struct throttle_track *throttle_get_track(struct throttle_run *run, int package, int core)
{
	const struct throttle_track like = { .package = package, .core = core };
	struct throttle_track *t = set_get(&run->tracks, &like, sizeof(like), SET_KEY(struct throttle_track, core));

	if (!t)
		out_lacks_memory();
	return t;
}

double throttle_spell_share(const struct throttle_run *run, const struct throttle_track *t,
			    const struct throttle_spell *sp)
{
	uint64_t ns = throttle_elapsed(run), blind = t->questions[sp->cause].blind_ns;
	double share = ns > blind ? (double)sp->total_ns / (double)(ns - blind) : 0;

	return share < 1 ? share : 1;
}

void throttle_tracks_free(struct throttle_run *run)
{
	for (size_t i = 0; i < run->tracks.num; i++) {
		struct throttle_track *t = run->tracks.items[i];

		for (size_t k = 0; k < THROTTLE_QUESTIONS; k++)
			free(t->questions[k].why);
		free(t->policies);
		free(t->spells);
	}
	set_free(&run->tracks);
}

struct change {
	struct throttle_run *run;
	struct throttle_lines lines;
	bool show, first;
	uint64_t now_ns, interval_ns;
	bool changed; /* something has changed about the current package or core */
};

static bool writes_lines(const struct change *ch)
{
	return ch->show && records_for_people(&ch->run->records);
}

static void add_line(struct change *ch, const struct throttle_track *t)
{
	ch->changed = true;
	if (writes_lines(ch))
		throttle_line_add(&ch->lines, t->package, t->core);
	ch->lines.text.len = ch->lines.rest.len = 0;
}

/* ---- causes ---- */

/* "about" marks a duration that was not measured: its error can be as large as the interval between two checks. */
static void end_spell(struct change *ch, const struct throttle_track *t, struct throttle_spell *sp, bool known)
{
	bool exact = sp->exact && sp->slow_ns;

	sp->now = false;
	ch->changed |= sp->inherited;
	if (!sp->announced)
		return;
	out_fmt(&ch->lines.text, exact ? "%s %s: it held for %.3f s in all"
				 : "%s %s: it lasted about %.3f s", uncoremsr_cause_word(sp->cause),
		known ? "ended" : "ended or is no longer known",
		(double)(exact ? sp->slow_ns : ch->now_ns - sp->begin_ns) / 1e9);
	add_line(ch, t);
}

static uint64_t count_cycles(const struct uncoremsr_cause *c)
{
	const struct uncoremsr_evidence *e;
	uint64_t sum = 0;

	for (size_t i = 0; (e = c->evidence[i]); i++)
		sum += e->kind == UNCOREMSR_EVIDENCE_EVENT ? e->value : 0;
	return sum;
}

static uint64_t slow_time(const struct change *ch, const struct uncoremsr_cause *c)
{
	return isnan(c->share) ? 0 : (uint64_t)(c->share * (double)ch->interval_ns);
}

static void add_time(const struct change *ch, struct throttle_spell *sp, const struct uncoremsr_cause *c)
{
	uint64_t ns = slow_time(ch, c);

	if (ch->first)
		return;
	if (isnan(c->share))
		sp->measured = sp->exact = false;
	sp->slow_ns += ns;
	sp->total_ns += ns;
	sp->held_ns += ch->interval_ns;
	sp->cycles += count_cycles(c);
	sp->looks++;
}

static void announce(struct change *ch, const struct throttle_track *t, const struct throttle_spell *sp,
		     const char *what, const struct uncoremsr_subject *s, const struct uncoremsr_cause *c)
{
	ch->changed = true;
	if (sp->inherited)
		return;
	out_fmt(&ch->lines.text, "%s %s: %s", uncoremsr_cause_word(sp->cause), what, sp->who);
	throttle_say_rest(&ch->lines.rest, ch->run->t, s, c);
	add_line(ch, t);
}

static struct throttle_spell *get_spell(struct throttle_track *t, enum uncoremsr_cause_kind cause, int die)
{
	for (size_t i = 0; i < t->num; i++)
		if (t->spells[i].cause == cause && t->spells[i].die == die)
			return &t->spells[i];
	if (!ARRAY_APPEND(t->spells, t->num, (struct throttle_spell){ .cause = cause, .die = die, .measured = true }))
		return &t->spells[t->num - 1];
	out_lacks_memory();
	return NULL;
}

static void follow_cause(struct change *ch, struct throttle_track *t, const struct uncoremsr_subject *s,
			 const struct uncoremsr_cause *c)
{
	struct throttle_spell *sp = get_spell(t, c->kind, c->die);
	bool now = throttle_is_now(c), logged = c->logged;
	bool inherited = c->inherited >= 0;
	bool matters = c->decides || ch->run->cfg->common.verbose;
	bool held, passed_on;

	if (!sp)
		return;
	sp->seen = true;
	held = sp->now || ch->first;
	/* Before, only cores had the cause, so only they got lines. Now the package has it, too, so add its line. */
	passed_on = sp->now && sp->inherited && !inherited && !sp->announced;
	sp->inherited = inherited;
	sp->own |= !inherited;
	if (now || !sp->looks) {
		throttle_say_who(&ch->lines.text, s, c);
		snprintf(sp->who, sizeof(sp->who), "%.*s", (int)ch->lines.text.len, ch->lines.text.buf);
		ch->lines.text.len = 0;
	}
	if (now && !sp->now) {
		sp->begin_ns = ch->now_ns - slow_time(ch, c);
		sp->slow_ns = 0;
		sp->exact = true;
	}
	if (now && (!sp->now || passed_on)) {
		sp->announced = matters && !sp->inherited;
		if (matters)
			announce(ch, t, sp, held ? "holds" : "began", s, c);
	} else if (!now && sp->now) {
		end_spell(ch, t, sp, true);
	} else if (!now && logged && !sp->logged && matters) {
		announce(ch, t, sp, "is logged", s, c);
	}
	sp->counted |= matters;
	sp->now = now;
	sp->logged = logged;
	if (now)
		add_time(ch, sp, c);
	if (sp->counted && sp->looks)
		ch->run->causes |= 1u << sp->cause;
}

static void end_spells(struct change *ch, struct throttle_track *t)
{
	for (size_t i = 0; i < t->num; i++) {
		struct throttle_spell *sp = &t->spells[i];
		bool known = t->present && !(t->open >> sp->cause & 1);

		if (sp->now && !sp->seen)
			end_spell(ch, t, sp, known);
		if (!sp->seen && known)
			sp->logged = false;
		sp->seen = false;
	}
}

/* ---- open questions ---- */

/* Keep the first reason, unless it says why there never was an answer, and now an answer is lost (@lost). */
static void note_reason(struct throttle_run *run, struct throttle_question *q,
			const struct uncoremsr_question *of, bool lost)
{
	struct out why;

	if (q->why && (q->lost || !lost))
		return;
	out_init(&why, -1);
	throttle_say_reason(&why, run, of);
	free(q->why);
	q->why = why.error ? NULL : strndup(why.buf, why.len);
	if (!q->why)
		out_lacks_memory();
	out_free(&why);
}

/* Note the open questions. Returns, as bits, the newly open questions that should be printed. */
static unsigned note_questions(struct change *ch, struct throttle_track *t, const struct uncoremsr_subject *s)
{
	struct throttle_run *run = ch->run;
	const struct uncoremsr_question *of;
	unsigned open = 0, lost = 0;

	for (size_t i = 0; (of = throttle_question(s, i)); i++) {
		struct throttle_question *q = &t->questions[of->cause];
		const unsigned bit = 1u << of->cause;
		const bool had_answer = of->since != UINT64_MAX;

		if (!ch->first) {
			run->disturbed |= of->reason == UNCOREMSR_REASON_EVENT_DISTURBED;
			note_reason(run, q, of, had_answer);
			q->lost |= had_answer;
		}
		if (open & bit)
			continue; /* a question can be open for several dies or events; count it once */
		open |= bit;
		q->looks += !ch->first;
		q->blind_ns += ch->first ? 0 : ch->interval_ns;
		/* At the first two checks, many questions have no answer yet, because no interval has ended. */
		if (had_answer || run->looks > 1)
			lost |= bit & ~t->open;
	}
	t->open = open;
	return lost;
}

static void add_causes(struct change *ch, const struct throttle_track *t, const char *what, unsigned causes)
{
	if (!causes)
		return;
	throttle_say_causes(&ch->lines.text, what, causes);
	add_line(ch, t);
}

/* Write why the questions @causes (bits) have no answer. Their names are left out if the line has them (@named). */
static void say_reasons(struct change *ch, const struct uncoremsr_subject *s, unsigned causes, unsigned named)
{
	const struct uncoremsr_question *q;
	unsigned alike;

	while ((q = throttle_next_reason(ch->run, s, &causes, &alike))) {
		if (alike != named) {
			throttle_say_causes(&ch->lines.rest, "", alike);
			out_str(&ch->lines.rest, ": ");
		}
		throttle_say_reason(&ch->lines.rest, ch->run, q);
		out_str(&ch->lines.rest, causes ? "; " : "");
	}
}

static void follow_answers(struct change *ch, struct throttle_track *t, const struct uncoremsr_subject *s)
{
	const bool unknown = s->verdict == UNCOREMSR_VERDICT_UNKNOWN, turned = unknown && !t->unknown;
	const unsigned before = t->open, lost = note_questions(ch, t, s);
	unsigned again = 0, now = 0;

	for (size_t i = 0; i < THROTTLE_QUESTIONS; i++) {
		if (!((before & ~t->open) >> i & 1))
			continue;
		*(t->questions[i].lost ? &again : &now) |= 1u << i;
		t->questions[i].lost = true;
	}
	t->unknown = unknown;
	add_causes(ch, t, "known again: ", again);
	add_causes(ch, t, "known now: ", now);
	if (turned) {
		say_reasons(ch, s, lost ? lost : t->open, t->open);
		add_causes(ch, t, "cannot-tell: ", t->open);
	} else {
		say_reasons(ch, s, lost, lost);
		add_causes(ch, t, "no longer known: ", lost);
	}
}

/* ---- packages and cores ---- */

static void follow_subject(struct change *ch, struct throttle_track *t, const struct uncoremsr_subject *s)
{
	enum uncoremsr_verdict verdict = s->verdict;
	const struct uncoremsr_cause *c;

	ch->changed = ch->first;
	t->seen = true;
	t->cpu = s->cpu;
	if (!t->present && !ch->first) {
		out_str(&ch->lines.text, "is online again");
		add_line(ch, t);
	}
	t->present = true;
	follow_answers(ch, t, s);
	for (size_t i = 0; (c = s->causes[i]); i++)
		follow_cause(ch, t, s, c);
	end_spells(ch, t);
	if (throttle_policies_changed(t, s, &ch->lines))
		add_line(ch, t);
	/* Ignore throttling at the first check before a COMMAND, because COMMAND starts later. */
	if (verdict == UNCOREMSR_VERDICT_THROTTLED && !(ch->first && ch->run->cfg->command))
		ch->run->throttled = true;
	ch->run->was_throttled |= verdict == UNCOREMSR_VERDICT_WAS_THROTTLED;
	ch->run->known |= verdict != UNCOREMSR_VERDICT_UNKNOWN || s->could_show > 0;
	if (ch->changed && ch->show && !writes_lines(ch))
		throttle_record_subject(ch->run, s);
}

static void follow_gone(struct change *ch, struct throttle_track *t)
{
	static const char gone[] = "gone: no CPU of it is online";

	t->present = false;
	end_spells(ch, t);
	out_fmt(&ch->lines.text, "is %s", gone);
	add_line(ch, t);
	if (ch->show && !writes_lines(ch))
		throttle_record_track(ch->run, t, gone);
}

static void write_lines(struct change *ch)
{
	struct out stamp;

	out_init(&stamp, -1);
	out_timestamp(&stamp, ch->run->wall_ns, 3);
	out_char(&stamp, ' ');
	throttle_say_host(&stamp, ch->run);
	throttle_lines_put(&ch->lines, ch->run->out, out_text(&stamp));
	out_free(&stamp);
}

static void follow_all(struct change *ch)
{
	struct throttle_run *run = ch->run;
	const struct uncoremsr_subject *s;
	enum uncoremsr_error_class lacks = uncoremsr_throttle_state(run->t)->lacks;

	/* Ignore the first check: many questions need an interval, and all others are still open at later checks. */
	if (!ch->first && lacks != UNCOREMSR_ERROR_NONE) {
		run->open = true;
		run->denied |= lacks == UNCOREMSR_ERROR_ACCESS;
	}

	for (size_t i = 0; i < run->tracks.num; i++)
		((struct throttle_track *)run->tracks.items[i])->seen = false;
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		struct throttle_track *t = throttle_get_track(run, s->package, s->core);

		if (t)
			follow_subject(ch, t, s);
	}
	for (size_t i = 0; i < run->tracks.num; i++) {
		struct throttle_track *t = run->tracks.items[i];

		if (t->present && !t->seen)
			follow_gone(ch, t);
	}
}

void throttle_follow(struct throttle_run *run)
{
	struct change ch = {
		.run = run, .show = run->cfg->periodic && !run->series.format && !run->cfg->dimm, .first = !run->looks,
		.now_ns = uncoremsr_throttle_state(run->t)->time,
		.interval_ns = uncoremsr_throttle_state(run->t)->interval,
	};

	if (ch.first && writes_lines(&ch)) {
		out_timestamp(run->out, run->wall_ns, 3);
		out_char(run->out, ' ');
		throttle_show_summary(run, NULL);
	}
	follow_all(&ch);
	write_lines(&ch);
	run->looks++;
}
