/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The report at the end of a watch or COMMAND. */
#include <string.h>

#include "throttle/throttle.h"

static unsigned never_answered(const struct throttle_run *run)
{
	unsigned causes = 0;

	for (size_t i = 0; i < run->tracks.num; i++) {
		const struct throttle_track *t = run->tracks.items[i];

		for (size_t k = 0; k < THROTTLE_QUESTIONS; k++)
			if (t->questions[k].looks && t->questions[k].looks + 1 >= run->looks)
				causes |= 1u << k;
	}
	return causes;
}

static void put_gaps(struct throttle_run *run)
{
	unsigned never = never_answered(run);

	if (!run->known) {
		out_str(run->out, "nothing on this machine shows whether it is slowed down");
		return;
	}
	throttle_say_causes(run->out, "cannot tell ", never);
	if (!never)
		out_str(run->out, run->disturbed ? "another program changed counters"
						 : "no answer for part of the time");
	out_str(run->out, "; no slowdown was seen");
}

static void put_first_line(struct throttle_run *run)
{
	bool command = run->cfg->command;
	struct throttle_summary sum;

	if (command) {
		throttle_put_simulated(run);
	} else {
		out_timestamp(run->out, run->wall_ns, 3);
		out_char(run->out, ' ');
		throttle_say_host(run->out, run);
	}
	if (run->throttled)
		out_str(run->out, "throttled");
	else
		out_str(run->out, run->known && !run->open ? "ok" : "cannot-tell");
	out_fmt(run->out, command ? ": while COMMAND ran (%.3f s, " : ": in %.3f s, ",
		(double)throttle_elapsed(run) / 1e9);
	throttle_say_number(run->out, (size_t)run->looks - 1, "look");
	out_str(run->out, command ? "): " : ": ");
	if (run->throttled) {
		throttle_say_causes(run->out, "", run->causes);
		throttle_say_causes(run->out, "; cannot tell ", never_answered(run));
	} else if (run->open || !run->known) {
		put_gaps(run);
	} else {
		out_str(run->out, "not slowed down");
	}
	if (!run->cfg->periodic) { /* a periodic run has printed this part after its first check */
		throttle_summarize(run, &sum);
		throttle_put_unasked(run, &sum);
	}
	out_char(run->out, '\n');
}

static void say_spell(struct out *o, const struct throttle_run *run,
		      const struct throttle_track *t, const struct throttle_spell *sp)
{
	out_str(o, uncoremsr_cause_word(sp->cause));
	if (sp->measured) {
		out_fmt(o, " for %.3g %% of the time", 100 * throttle_spell_share(run, t, sp));
	} else {
		out_fmt(o, " at %zu of ", sp->looks);
		throttle_say_number(o, (size_t)run->looks - 1, "look");
	}
	out_fmt(o, sp->measured ? ": %s; for %.3f s" : ": %s; for about %.3f s", sp->who,
		(double)(sp->measured ? sp->total_ns : sp->held_ns) / 1e9);
}

static bool are_alike(const struct throttle_question *a, const struct throttle_question *b)
{
	return b->looks && a->blind_ns == b->blind_ns && !strcmp(throttle_why(a), throttle_why(b));
}

static void say_lost(struct throttle_lines *lines, const struct throttle_run *run, const struct throttle_track *t)
{
	unsigned done = 0;

	for (size_t i = 0; i < THROTTLE_QUESTIONS; i++) {
		const struct throttle_question *q = &t->questions[i];
		unsigned causes = 0;

		if (!q->looks || (done >> i & 1))
			continue;
		for (size_t k = i; k < THROTTLE_QUESTIONS; k++)
			if (are_alike(q, &t->questions[k]))
				causes |= 1u << k;
		done |= causes;
		throttle_say_causes(&lines->text, "", causes);
		out_fmt(&lines->text, " unknown for %.3g %% of the time",
			100 * (double)q->blind_ns / (double)throttle_elapsed(run));
		out_str(&lines->rest, throttle_why(q));
		throttle_line_add(lines, t->package, t->core);
	}
}

static void report_text(struct throttle_run *run)
{
	struct throttle_lines lines = { .num = 0 };

	put_first_line(run);
	throttle_put_policies(run);
	for (size_t i = 0; i < run->tracks.num; i++) {
		const struct throttle_track *t = run->tracks.items[i];

		for (size_t k = 0; k < t->num; k++) {
			const struct throttle_spell *sp = &t->spells[k];

			if (!sp->looks || !sp->counted || !sp->own)
				continue;
			say_spell(&lines.text, run, t, sp);
			throttle_line_add(&lines, t->package, t->core);
		}
		say_lost(&lines, run, t);
	}
	throttle_lines_put(&lines, run->out, "  ");
}

void throttle_report(struct throttle_run *run)
{
	if (records_for_people(&run->records)) {
		report_text(run);
	} else if (run->cfg->command && !run->cfg->periodic) {
		for (size_t i = 0; i < run->tracks.num; i++)
			throttle_record_track(run, run->tracks.items[i], NULL);
	}
}
