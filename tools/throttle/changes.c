/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What changes from look to look: causes that begin, end or are logged, packages and cores that go
 * and come back with their CPUs.
 */
#include <stdio.h>

#include "throttle/throttle.h"

/* The look that is being compared. */
struct change {
	struct throttle_run *run;
	struct throttle_lines lines;
	struct out text, rest; /* of the next line */
	struct out lost;       /* questions of the package or core at hand */
	bool show, first;
	uint64_t now_ns, interval_ns;
	bool changed; /* the package or core at hand */
};

/* ---- lines ---- */

static bool writes_lines(const struct change *ch)
{
	return ch->show && records_for_people(&ch->run->records);
}

/* What was collected in text and rest becomes a line, where lines are written. */
static void add_line(struct change *ch, const struct throttle_track *t)
{
	ch->changed = true;
	if (writes_lines(ch))
		throttle_line_add(&ch->lines, t->package, t->core, &ch->text, &ch->rest, NULL);
	ch->text.len = ch->rest.len = 0;
}

static void add_text(struct change *ch, const struct throttle_track *t, const char *text)
{
	out_str(&ch->text, text);
	add_line(ch, t);
}

/* ---- causes ---- */

/*
 * @known: it was seen that it no longer holds; else that is unknown. A time that was not measured is
 * as exact as the interval.
 */
static void end_spell(struct change *ch, const struct throttle_track *t, struct throttle_spell *sp,
		      bool known)
{
	bool exact = sp->exact && sp->slow_ns;

	sp->now = false;
	ch->changed |= sp->inherited;
	if (!sp->announced)
		return;
	out_fmt(&ch->text, exact ? "%s %s: it held for %.3f s in all"
				 : "%s %s: it lasted about %.3f s", uncoremsr_cause_word(sp->cause),
		known ? "ended" : "ended or is no longer known",
		(double)(exact ? sp->slow_ns : ch->now_ns - sp->begin_ns) / 1e9);
	add_line(ch, t);
}

/* What events of the uncore have counted since the look before. */
static uint64_t count_cycles(const struct uncoremsr_cause *c)
{
	uint64_t kind, value = 0, sum = 0;

	for (size_t i = 0; !uncoremsr_evidence_number(c, i, UNCOREMSR_EVIDENCE_KIND, &kind); i++)
		if (kind == UNCOREMSR_EVIDENCE_EVENT &&
		    !uncoremsr_evidence_number(c, i, UNCOREMSR_EVIDENCE_VALUE, &value))
			sum += value;
	return sum;
}

/* How much of the interval it held, as far as that was measured. */
static uint64_t slow_time(const struct change *ch, const struct uncoremsr_cause *c)
{
	double share = 0;

	uncoremsr_cause_share(c, &share);
	return (uint64_t)(share * (double)ch->interval_ns);
}

static void add_time(const struct change *ch, struct throttle_spell *sp,
		     const struct uncoremsr_cause *c)
{
	uint64_t ns = slow_time(ch, c);
	double share;

	if (ch->first)
		return;
	if (uncoremsr_cause_share(c, &share) < 0)
		sp->measured = sp->exact = false;
	sp->slow_ns += ns;
	sp->total_ns += ns;
	sp->cycles += count_cycles(c);
	sp->looks++;
}

static void announce(struct change *ch, const struct throttle_track *t,
		     const struct throttle_spell *sp, const char *what,
		     const struct uncoremsr_subject *s,
		     const struct uncoremsr_cause *c)
{
	ch->changed = true;
	if (sp->inherited)
		return;
	out_fmt(&ch->text, "%s %s: %s", uncoremsr_cause_word(sp->cause), what, sp->who);
	throttle_say_rest(&ch->rest, ch->run->t, s, c);
	add_line(ch, t);
}

static void follow_cause(struct change *ch, struct throttle_track *t,
			 const struct uncoremsr_subject *s,
			 const struct uncoremsr_cause *c)
{
	struct throttle_spell *sp = throttle_get_spell(ch->run, t, throttle_kind(c));
	bool now = throttle_is_now(c), logged = throttle_cause_number(c, UNCOREMSR_CAUSE_LOGGED) > 0;
	bool inherited = throttle_cause_number(c, UNCOREMSR_CAUSE_INHERITED) >= 0;
	/* What only decides while it holds (a power limit) is followed from its begin to its end. */
	bool matters = throttle_cause_number(c, UNCOREMSR_CAUSE_DECIDES) > 0 ||
		       ch->run->cfg->common.verbose;

	if (!sp)
		return;
	sp->seen = true;
	if (sp->inherited && !inherited && !sp->announced)
		sp->now = false; /* it has means of its own now, which start here */
	sp->inherited = inherited;
	if (now || !sp->looks) {
		throttle_say_who(&ch->text, s, c);
		snprintf(sp->who, sizeof(sp->who), "%.*s", (int)ch->text.len, ch->text.buf);
		ch->text.len = 0;
	}
	if (now && !sp->now) {
		sp->begin_ns = ch->now_ns - slow_time(ch, c);
		sp->slow_ns = 0;
		sp->exact = true;
		sp->announced = matters && !sp->inherited;
		if (matters)
			announce(ch, t, sp, ch->first ? "holds" : "began", s, c);
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
}

static void end_spells(struct change *ch, struct throttle_track *t, bool known)
{
	for (size_t i = 0; i < t->num; i++) {
		struct throttle_spell *sp = &t->spells[i];

		if (sp->now && !sp->seen)
			end_spell(ch, t, sp, known && !throttle_is_open(t, sp->cause));
		if (!sp->seen && known)
			sp->logged = false;
		sp->seen = false;
	}
}

/* ---- packages and cores ---- */

/* What can no longer be told, or again. A verdict that turns says it of all questions at once. */
static void follow_answers(struct change *ch, struct throttle_track *t,
			   const struct uncoremsr_subject *s, bool unknown)
{
	bool turned = unknown != t->unknown;
	size_t obstacle;

	throttle_follow_questions(ch->run, t, s, ch->interval_ns, &ch->lost, &ch->text);
	t->unknown = unknown;
	if (turned)
		ch->text.len = 0;
	throttle_obstacle(s, &obstacle);
	/* A package without a status of its own is nothing new. */
	if (turned && unknown && !(ch->first && t->core < 0)) {
		if (ch->lost.len)
			out_mem(&ch->rest, ch->lost.buf, ch->lost.len);
		else
			throttle_say_question(&ch->rest, ch->run, s, obstacle);
		ch->lost.len = 0;
		out_str(&ch->text, "cannot-tell");
	} else if (turned && !unknown) {
		out_str(&ch->text, "is known again");
	}
	if (ch->text.len)
		add_line(ch, t);
	if (ch->lost.len) {
		out_str(&ch->text, "no longer known: ");
		out_mem(&ch->text, ch->lost.buf, ch->lost.len);
		add_line(ch, t);
	}
	ch->lost.len = 0;
}

static void follow_subject(struct change *ch, struct throttle_track *t,
			   const struct uncoremsr_subject *s)
{
	enum uncoremsr_verdict verdict = throttle_verdict(s);
	bool unknown = verdict == UNCOREMSR_VERDICT_UNKNOWN;
	const struct uncoremsr_cause *c;

	ch->changed = ch->first;
	t->seen = true;
	t->cpu = throttle_cpu(s);
	if (!t->present && !ch->first)
		add_text(ch, t, "is there again");
	t->present = true;
	follow_answers(ch, t, s, unknown);
	for (size_t i = 0; (c = uncoremsr_subject_cause(s, i)); i++)
		follow_cause(ch, t, s, c);
	end_spells(ch, t, !unknown);
	if (throttle_policies_changed(t, s, &ch->text, &ch->rest))
		add_line(ch, t);
	if (verdict == UNCOREMSR_VERDICT_THROTTLED && !(ch->first && ch->run->cfg->command))
		ch->run->throttled = true;
	ch->run->was_throttled |= verdict == UNCOREMSR_VERDICT_WAS_THROTTLED;
	ch->run->known |= !unknown;
	if (ch->changed && ch->show && !writes_lines(ch))
		throttle_record_subject(ch->run, s);
}

static void follow_gone(struct change *ch, struct throttle_track *t)
{
	static const char gone[] = "gone: no CPU of it is online";

	t->present = false;
	end_spells(ch, t, false);
	out_fmt(&ch->text, "is %s", gone);
	add_line(ch, t);
	if (ch->show && !writes_lines(ch))
		throttle_record_track(ch->run, t, gone);
}

/* ---- a look ---- */

/* The timestamp goes in front of every line of text. */
static void write_lines(struct change *ch)
{
	struct out stamp;

	if (!ch->lines.num)
		return;
	out_init(&stamp, -1);
	out_timestamp(&stamp, ch->run->wall_ns, 3);
	out_char(&stamp, ' ');
	throttle_say_host(&stamp, ch->run);
	out_char(&stamp, '\0');
	throttle_lines_put(&ch->lines, ch->run->out, stamp.error ? "" : stamp.buf);
	out_free(&stamp);
}

static void follow_all(struct change *ch)
{
	struct throttle_run *run = ch->run;
	const struct uncoremsr_subject *s;

	for (size_t i = 0; i < run->num_tracks; i++)
		run->tracks[i].seen = false;
	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++) {
		int package = throttle_package(s), core = throttle_core(s);
		struct throttle_track *t = throttle_find_track(run, package, core, i);

		if (!t)
			t = throttle_add_track(run, package, core);
		if (t)
			follow_subject(ch, t, s);
	}
	for (size_t i = 0; i < run->num_tracks; i++)
		if (run->tracks[i].present && !run->tracks[i].seen)
			follow_gone(ch, &run->tracks[i]);
}

void throttle_follow(struct throttle_run *run, bool show)
{
	struct change ch = {
		.run = run, .show = show, .first = !run->looks,
		.now_ns = throttle_number(run, UNCOREMSR_THROTTLE_TIME),
		.interval_ns = throttle_number(run, UNCOREMSR_THROTTLE_INTERVAL),
	};

	out_init(&ch.text, -1);
	out_init(&ch.rest, -1);
	out_init(&ch.lost, -1);
	if (ch.first && writes_lines(&ch)) {
		out_timestamp(run->out, run->wall_ns, 3);
		out_char(run->out, ' ');
		throttle_show_summary(run, NULL);
	} else if (ch.first && show) {
		throttle_records_head(run);
	}
	follow_all(&ch);
	write_lines(&ch);
	run->looks++;
	out_free(&ch.text);
	out_free(&ch.rest);
	out_free(&ch.lost);
}
