/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One look for people: the machine in one line, then who is slowed down, worst first. */
#include <inttypes.h>
#include <stdio.h>

#include "throttle/throttle.h"

static void put_evidence(struct out *more, const struct uncoremsr_throttle_cause *c)
{
	const char *text, *bits;
	uint64_t value;
	size_t len;

	for (size_t k = 0; (text = uncoremsr_cause_evidence(c, k, &value, &bits)); k++) {
		out_fmt(more, throttle_register(text, &len) >= 0 ? "    %s = 0x%" PRIx64
								 : "    %s = %" PRIu64,
			text, value);
		if (bits && *bits)
			out_fmt(more, " [%s]", bits);
		out_char(more, '\n');
	}
}

/* Numbers and open questions, for --verbose. */
static void put_details(struct out *more, const struct uncoremsr_throttle_subject *s)
{
	const char *text;
	uint64_t hz;
	int degrees;

	if (uncoremsr_subject_temperature(s, &degrees) == 0)
		out_fmt(more, "    temperature: %d C\n", degrees);
	if (uncoremsr_subject_below_limit(s, &degrees) == 0)
		out_fmt(more, "    below the limit: %d C\n", degrees);
	if (uncoremsr_subject_frequency(s, &hz) == 0)
		out_fmt(more, "    frequency while not halted: %.0f MHz\n", (double)hz / 1e6);
	for (size_t i = 0; (text = uncoremsr_throttle_unknown(s, i)); i++)
		out_fmt(more, "    cannot tell: %s\n", text);
}

/* A line; who does it may be the same on several cores, and how hot each is comes behind. */
static void add_line(struct throttle_run *run, struct throttle_lines *lines,
		     const struct uncoremsr_throttle_subject *s, const char *sentence,
		     struct out *more)
{
	const char *phrase = throttle_phrase(s, sentence);
	size_t len = strcspn(phrase, ";");
	char key[640], tail[640], cpu[24] = "";

	/* With --verbose each core has its own line: a key that no other has. */
	if (run->cfg->common.verbose)
		snprintf(cpu, sizeof(cpu), "CPU %d: ", uncoremsr_subject_cpu(s));
	snprintf(key, sizeof(key), "%s%.*s", cpu, (int)len, phrase);
	/* "; 0 degrees C below its limit": behind the name of a core it is ": 0 degrees". */
	snprintf(tail, sizeof(tail), "%s%s", phrase[len] ? ":" : "", phrase + len + !!phrase[len]);
	out_char(more, '\0');
	throttle_line_add(lines, uncoremsr_subject_package(s), uncoremsr_subject_core(s), key,
			  *tail ? tail : NULL, more->error ? NULL : more->buf);
	more->len = 0;
}

/* A line for each cause; with --verbose also for normal life, and one when there is none. */
static void add_subject(struct throttle_run *run, struct throttle_lines *lines,
			const struct uncoremsr_throttle_subject *s)
{
	const struct uncoremsr_throttle_cause *c;
	bool verbose = run->cfg->common.verbose;
	struct out more;
	size_t num = 0;

	out_init(&more, -1);
	for (size_t i = 0; (c = uncoremsr_throttle_cause(s, i)); i++) {
		if (!uncoremsr_cause_decides(c) && !verbose)
			continue;
		put_evidence(&more, c);
		add_line(run, lines, s, uncoremsr_cause_sentence(c), &more);
		num++;
	}
	if (verbose)
		put_details(&more, s);
	if (verbose || !num)
		add_line(run, lines, s, num ? "details" : uncoremsr_subject_sentence(s), &more);
	out_free(&more);
}

static bool worth_a_line(const struct throttle_run *run, const struct uncoremsr_throttle_subject *s,
			 const struct throttle_summary *sum)
{
	enum uncoremsr_verdict verdict = uncoremsr_subject_verdict(s);
	const struct uncoremsr_throttle_cause *worst = uncoremsr_throttle_cause(s, 0);

	if (run->cfg->common.verbose)
		return true;
	/*
	 * A machine of which nothing is known has said so in its one line; so has one whose
	 * packages have no status of their own.
	 */
	if (verdict == UNCOREMSR_VERDICT_UNKNOWN)
		return sum->verdict != UNCOREMSR_VERDICT_UNKNOWN &&
		       (uncoremsr_subject_core(s) >= 0 || sum->unknown_cores);
	/* Without a cause of its own it is as its cores are, which have lines of theirs. */
	return verdict != UNCOREMSR_VERDICT_OK && worst && !uncoremsr_cause_inherited(worst);
}

void throttle_show_text(struct throttle_run *run)
{
	struct throttle_lines lines = { .num = 0 };
	struct throttle_summary sum;

	throttle_summarize(run, &sum);
	throttle_show_summary(run, NULL);
	for (int verdict = UNCOREMSR_VERDICT_THROTTLED; verdict >= UNCOREMSR_VERDICT_OK; verdict--) {
		for (size_t i = 0; i < uncoremsr_throttle_num_subjects(run->t); i++) {
			const struct uncoremsr_throttle_subject *s =
				uncoremsr_throttle_subject(run->t, i);

			if ((int)uncoremsr_subject_verdict(s) == verdict &&
			    worth_a_line(run, s, &sum))
				add_subject(run, &lines, s);
		}
	}
	throttle_lines_put(&lines, run->out, "  ");
}
