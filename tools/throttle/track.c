/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What changes from look to look: causes that begin, end or are logged, packages and cores that go
 * and come back with their CPUs. A look without a change allocates nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "throttle/throttle.h"

/* The look that is being compared. */
struct change {
	struct throttle_run *run;
	struct throttle_lines lines;
	bool show, first;
	uint64_t now_ns, interval_ns;
	bool changed; /* the package or core at hand */
};

/* ---- telling ---- */

static void tell(struct change *ch, const struct throttle_track *t, const char *tail,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static void tell(struct change *ch, const struct throttle_track *t, const char *tail,
		 const char *fmt, ...)
{
	char key[1024];
	va_list ap;

	ch->changed = true;
	if (!ch->show || !throttle_is_text(ch->run))
		return;
	va_start(ap, fmt);
	vsnprintf(key, sizeof(key), fmt, ap);
	va_end(ap);
	throttle_line_add(&ch->lines, t->package, t->core, key, tail, NULL);
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/* ---- causes ---- */

/*
 * @known: it was seen that it does not hold any more; else it cannot be told. A time that was not
 * measured is as good as the interval.
 */
static void end_spell(struct change *ch, const struct throttle_track *t, struct throttle_spell *sp,
		      bool known)
{
	const char *ended = known ? "ended" : "ended or cannot be told any more";

	sp->now = false;
	ch->changed |= sp->inherited;
	if (!sp->told)
		return;
	if (sp->exact && sp->slow_ns)
		tell(ch, t, NULL, "%s %s: it held for %.3f s in all", sp->cause, ended,
		     seconds(sp->slow_ns));
	else
		tell(ch, t, NULL, "%s %s: it lasted about %.3f s", sp->cause, ended,
		     seconds(ch->now_ns - sp->begin_ns));
}

/* What events of the uncore have counted since the look before. */
static uint64_t count_cycles(const struct uncoremsr_throttle_cause *c)
{
	const char *text, *bits;
	uint64_t value, sum = 0;

	for (size_t i = 0; (text = uncoremsr_cause_evidence(c, i, &value, &bits)); i++)
		if (strncmp(text, "UNC_", 4) == 0)
			sum += value;
	return sum;
}

/* How much of the interval it held, as far as that was measured. */
static uint64_t slow_time(const struct change *ch, const struct uncoremsr_throttle_cause *c)
{
	double share;

	if (uncoremsr_cause_share(c, &share) < 0)
		return 0;
	return (uint64_t)(share * (double)ch->interval_ns);
}

static void add_time(const struct change *ch, struct throttle_spell *sp,
		     const struct uncoremsr_throttle_cause *c)
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

/* @rest: what may differ from core to core, "; 3 degrees C below its limit". */
static void tell_cause(struct change *ch, const struct throttle_track *t,
		       const struct throttle_spell *sp, const char *what, const char *rest)
{
	char tail[512];

	ch->changed = true;
	if (sp->inherited)
		return;
	snprintf(tail, sizeof(tail), "%s%s", *rest ? ":" : "", rest + !!*rest);
	tell(ch, t, *tail ? tail : NULL, "%s %s%s", sp->cause, what, sp->who);
}

static void follow_cause(struct change *ch, struct throttle_track *t,
			 const struct uncoremsr_throttle_subject *s,
			 const struct uncoremsr_throttle_cause *c)
{
	struct throttle_spell *sp = throttle_get_spell(ch->run, t, uncoremsr_cause_word(c));
	bool now = uncoremsr_cause_now(c), logged = uncoremsr_cause_logged(c);
	/* What only decides while it holds (a power limit) is told from its begin to its end. */
	bool tells = uncoremsr_cause_decides(c) || ch->run->cfg->common.verbose;
	const char *who = throttle_who(throttle_phrase(s, uncoremsr_cause_sentence(c)));
	size_t len = strcspn(who, ";");

	if (!sp)
		return;
	sp->seen = true;
	if (sp->inherited && !uncoremsr_cause_inherited(c))
		sp->now = false; /* it has means of its own again, which begin to tell */
	sp->inherited = uncoremsr_cause_inherited(c);
	if (now || !sp->looks)
		snprintf(sp->who, sizeof(sp->who), "%.*s", (int)len, who);
	if (now && !sp->now) {
		sp->begin_ns = ch->now_ns - slow_time(ch, c);
		sp->slow_ns = 0;
		sp->exact = true;
		sp->told = tells && !sp->inherited;
		if (tells)
			tell_cause(ch, t, sp, ch->first ? "holds" : "began", who + len);
	} else if (!now && sp->now) {
		end_spell(ch, t, sp, true);
	} else if (!now && logged && !sp->logged && tells) {
		tell_cause(ch, t, sp, "is logged", who + len);
	}
	sp->counted |= tells;
	sp->now = now;
	sp->logged = logged;
	sp->last = ch->run->looks;
	if (now)
		add_time(ch, sp, c);
}

/* Its counter has no turn just now: it may hold or not. */
static bool waits(const struct change *ch, const struct throttle_track *t,
		  const struct throttle_spell *sp)
{
	return t->present && throttle_is_open(t, sp->cause) &&
	       ch->run->looks - sp->last < THROTTLE_LOOKS_OF_A_TURN;
}

static void end_spells(struct change *ch, struct throttle_track *t, bool known)
{
	for (size_t i = 0; i < t->num; i++) {
		struct throttle_spell *sp = &t->spells[i];

		if (sp->now && !sp->seen && !waits(ch, t, sp))
			end_spell(ch, t, sp, known && !throttle_is_open(t, sp->cause));
		if (!sp->seen && known)
			sp->logged = false;
		sp->seen = false;
	}
}

/* ---- packages and cores ---- */

static void follow_questions(struct change *ch, struct throttle_track *t,
			     const struct uncoremsr_throttle_subject *s)
{
	struct out text;

	out_init(&text, -1);
	if (throttle_follow_questions(ch->run, t, s, ch->interval_ns, &text)) {
		out_char(&text, '\0');
		tell(ch, t, NULL, "%s", text.error ? "" : text.buf);
	}
	out_free(&text);
}

static void follow_subject(struct change *ch, struct throttle_track *t,
			   const struct uncoremsr_throttle_subject *s)
{
	enum uncoremsr_verdict verdict = uncoremsr_subject_verdict(s);
	bool unknown = verdict == UNCOREMSR_VERDICT_UNKNOWN;
	const struct uncoremsr_throttle_cause *c;

	ch->changed = ch->first;
	t->seen = true;
	t->cpu = uncoremsr_subject_cpu(s);
	if (!t->present && !ch->first)
		tell(ch, t, NULL, "is there again");
	t->present = true;
	/* A package without a status of its own is nothing new. */
	if (unknown && !t->unknown && !(ch->first && t->core < 0))
		tell(ch, t, throttle_who(uncoremsr_subject_sentence(s)), "unknown");
	else if (!unknown && t->unknown)
		tell(ch, t, NULL, "can be told again");
	t->unknown = unknown;
	for (size_t i = 0; (c = uncoremsr_throttle_cause(s, i)); i++)
		follow_cause(ch, t, s, c);
	follow_questions(ch, t, s);
	end_spells(ch, t, !unknown);
	if (verdict == UNCOREMSR_VERDICT_THROTTLED && !(ch->first && ch->run->cfg->command))
		ch->run->throttled = true;
	ch->run->was_throttled |= verdict == UNCOREMSR_VERDICT_WAS_THROTTLED;
	ch->run->told |= !unknown;
	if (ch->changed && ch->show && !throttle_is_text(ch->run))
		throttle_record(ch->run, s);
}

static void follow_gone(struct change *ch, struct throttle_track *t)
{
	t->present = false;
	end_spells(ch, t, false);
	tell(ch, t, NULL, "is gone: no CPU of it is online");
	if (ch->show && !throttle_is_text(ch->run))
		throttle_record_track(ch->run, t, "gone: no CPU of it is online");
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
	out_mem(&stamp, " ", 2);
	throttle_lines_put(&ch->lines, ch->run->out, stamp.error ? "" : stamp.buf);
	out_free(&stamp);
}

static void put_first_line(struct throttle_run *run)
{
	out_timestamp(run->out, run->wall_ns, 3);
	out_char(run->out, ' ');
	throttle_show_summary(run, NULL);
}

static void follow_all(struct change *ch)
{
	struct throttle_run *run = ch->run;
	size_t num = uncoremsr_throttle_num_subjects(run->t);

	for (size_t i = 0; i < run->num_tracks; i++)
		run->tracks[i].seen = false;
	for (size_t i = 0; i < num; i++) {
		const struct uncoremsr_throttle_subject *s = uncoremsr_throttle_subject(run->t, i);
		int package = uncoremsr_subject_package(s), core = uncoremsr_subject_core(s);
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
		.now_ns = uncoremsr_throttle_time_ns(run->t),
		.interval_ns = uncoremsr_throttle_interval_ns(run->t),
	};

	if (ch.first && show && throttle_is_text(run))
		put_first_line(run);
	if (ch.first && show)
		throttle_records_head(run);
	follow_all(&ch);
	write_lines(&ch);
	run->looks++;
}
