/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a whole watch, or the time of a COMMAND, amounts to. */
#include "throttle/throttle.h"

/* The names of everything that held, each once. */
static void put_causes(struct throttle_run *run)
{
	unsigned named = 0;

	for (size_t i = 0; i < run->num_tracks; i++) {
		for (size_t k = 0; k < run->tracks[i].num; k++) {
			const struct throttle_spell *sp = &run->tracks[i].spells[k];

			if (!sp->looks || !sp->counted || (named >> sp->cause & 1))
				continue;
			out_fmt(run->out, "%s%s", named ? ", " : "", uncoremsr_cause_word(sp->cause));
			named |= 1u << sp->cause;
		}
	}
}

static void put_first_line(struct throttle_run *run)
{
	bool command = run->cfg->command;

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
		out_str(run->out, run->known && !run->lost ? "ok" : "cannot-tell");
	out_fmt(run->out, command ? ": while COMMAND ran (%.3f s, " : ": in %.3f s, ",
		(double)throttle_elapsed(run) / 1e9);
	throttle_say_number(run->out, (size_t)run->looks - 1, "look");
	out_str(run->out, command ? "): " : ": ");
	if (run->throttled)
		put_causes(run);
	else if (run->known && run->lost)
		out_fmt(run->out, "%s; not slowed down, as far as was seen", run->disturbed
			? "another program changed counters" : "part of the time was not seen");
	else
		out_str(run->out, run->known ? "not slowed down" : "nothing here shows it");
	throttle_put_never(run, "; cannot tell: ", ", ");
	out_char(run->out, '\n');
}

/* "CAUSE for 12.5 % of the time: ...", or at how many looks it was seen. */
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
	out_fmt(o, ": %s", sp->who);
}

/* What was not seen for part of the time, each question by itself. */
static void say_lost(struct throttle_lines *lines, struct out *o,
		     const struct throttle_run *run, const struct throttle_track *t)
{
	for (size_t i = 0; i < t->num_questions; i++) {
		const struct throttle_question *q = &t->questions[i];

		if (!q->lost)
			continue;
		out_fmt(o, "%s unknown for %.3g %% of the time: %s",
			throttle_question_word((int)q->cause),
			100 * (double)q->blind_ns / (double)throttle_elapsed(run), throttle_why(q));
		throttle_line_add(lines, t->package, t->core, o, NULL, NULL);
	}
}

static void report_text(struct throttle_run *run)
{
	struct throttle_lines lines = { .num = 0 };
	struct out text;

	out_init(&text, -1);
	put_first_line(run);
	throttle_put_policies(run, "  limited by policy: ");
	for (size_t i = 0; i < run->num_tracks; i++) {
		const struct throttle_track *t = &run->tracks[i];

		for (size_t k = 0; k < t->num; k++) {
			const struct throttle_spell *sp = &t->spells[k];

			if (!sp->looks || !sp->counted || sp->inherited)
				continue;
			say_spell(&text, run, t, sp);
			throttle_line_add(&lines, t->package, t->core, &text, NULL, NULL);
		}
		say_lost(&lines, &text, run, t);
	}
	throttle_lines_put(&lines, run->out, "  ");
	out_free(&text);
}

void throttle_report(struct throttle_run *run)
{
	if (records_for_people(&run->records)) {
		report_text(run);
	} else if (run->cfg->command && !run->cfg->periodic) {
		throttle_records_head(run);
		for (size_t i = 0; i < run->num_tracks; i++)
			throttle_record_track(run, &run->tracks[i], NULL);
	}
}
