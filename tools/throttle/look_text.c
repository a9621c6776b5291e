/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One look for people: the machine in one line, then what is slowed down, worst first. */
#include "throttle/throttle.h"

/* The lines, and the parts of the next one. */
struct page {
	struct throttle_run *run;
	struct throttle_lines lines;
	struct out text, rest, more;
};

static void add_line(struct page *page, const struct uncoremsr_subject *s)
{
	throttle_line_add(&page->lines, throttle_package(s), throttle_core(s), &page->text,
			  &page->rest, &page->more);
}

/* With --verbose each core has its own line: a text that no other has. */
static void begin_line(struct page *page, const struct uncoremsr_subject *s)
{
	if (page->run->cfg->common.verbose)
		out_fmt(&page->text, "CPU %d: ", throttle_cpu(s));
}

static void say(struct page *page, const struct uncoremsr_subject *s,
		const struct uncoremsr_cause *c)
{
	size_t obstacle;

	throttle_obstacle(s, &obstacle);
	begin_line(page, s);
	/* The same question of several cores is one line, though the reason names the device of each. */
	if (!c && throttle_verdict(s) == UNCOREMSR_VERDICT_UNKNOWN && throttle_question(s, obstacle) >= 0) {
		out_fmt(&page->text, "cannot tell: %s",
			throttle_question_word(throttle_question(s, obstacle)));
		throttle_say_reason(&page->rest, page->run, s, obstacle);
		return;
	}
	throttle_say_phrase(&page->text, page->run, s, c);
	throttle_say_rest(&page->rest, page->run->t, s, c);
}

/* Numbers and open questions, for --verbose. */
static void put_details(struct page *page, const struct uncoremsr_subject *s)
{
	int64_t celsius = throttle_subject_number(s, UNCOREMSR_SUBJECT_TEMPERATURE);
	int64_t below = throttle_subject_number(s, UNCOREMSR_SUBJECT_BELOW_LIMIT);
	int64_t hz = throttle_subject_number(s, UNCOREMSR_SUBJECT_FREQUENCY);

	if (celsius >= 0)
		out_fmt(&page->more, "    temperature: %d C\n", (int)celsius);
	if (below >= 0)
		out_fmt(&page->more, "    below the limit: %d C\n", (int)below);
	if (hz >= 0)
		out_fmt(&page->more, "    frequency while not halted: %.0f MHz\n", (double)hz / 1e6);
	for (size_t i = 0; throttle_question(s, i) >= 0; i++) {
		out_str(&page->more, "    cannot tell: ");
		throttle_say_question(&page->more, page->run, s, i);
		out_char(&page->more, '\n');
	}
}

/* A line for each cause; with --verbose also for normal operation, and one when there is none. */
static void add_subject(struct page *page, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_cause *c;
	bool verbose = page->run->cfg->common.verbose;
	size_t num = 0;

	for (size_t i = 0; (c = uncoremsr_subject_cause(s, i)); i++) {
		if (throttle_cause_number(c, UNCOREMSR_CAUSE_DECIDES) <= 0 && !verbose)
			continue;
		for (size_t k = 0; throttle_evidence_number(c, k, UNCOREMSR_EVIDENCE_KIND) >= 0; k++) {
			out_str(&page->more, "    ");
			throttle_say_evidence(&page->more, c, k, " = ");
			out_char(&page->more, '\n');
		}
		say(page, s, c);
		add_line(page, s);
		num++;
	}
	if (num && !verbose)
		return;
	if (verbose)
		put_details(page, s);
	if (num) {
		begin_line(page, s);
		out_str(&page->text, "details");
	} else {
		say(page, s, NULL);
	}
	add_line(page, s);
}

static bool worth_a_line(const struct throttle_run *run, const struct uncoremsr_subject *s,
			 const struct throttle_summary *sum)
{
	enum uncoremsr_verdict verdict = throttle_verdict(s);

	if (run->cfg->common.verbose)
		return true;
	/*
	 * A machine of which nothing is known has said so in its one line; so has one whose
	 * packages have no status of their own.
	 */
	if (verdict == UNCOREMSR_VERDICT_UNKNOWN)
		return sum->verdict != UNCOREMSR_VERDICT_UNKNOWN &&
		       (throttle_core(s) >= 0 || sum->unknown_cores);
	/* Without a cause of its own it is as its cores are, which have lines of theirs. */
	return verdict != UNCOREMSR_VERDICT_OK && throttle_worst(s);
}

void throttle_show_text(struct throttle_run *run)
{
	const struct uncoremsr_subject *s;
	struct page page = { .run = run };
	struct throttle_summary sum;

	out_init(&page.text, -1);
	out_init(&page.rest, -1);
	out_init(&page.more, -1);
	throttle_summarize(run, &sum);
	throttle_show_summary(run, NULL);
	throttle_put_policies(run, "  limited by policy: ");
	for (int verdict = UNCOREMSR_VERDICT_THROTTLED; verdict >= UNCOREMSR_VERDICT_OK; verdict--)
		for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
			if ((int)throttle_verdict(s) == verdict && worth_a_line(run, s, &sum))
				add_subject(&page, s);
	throttle_lines_put(&page.lines, run->out, "  ");
	out_free(&page.text);
	out_free(&page.rest);
	out_free(&page.more);
}
