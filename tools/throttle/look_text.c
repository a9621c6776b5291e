/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results of a check as text: first the machine in one line, then packages and cores, worst first. */
#include <math.h>

#include "throttle/throttle.h"

struct page {
	struct throttle_run *run;
	bool brief; /* the first line already has the only reason for open questions */
	struct throttle_lines lines;
};

static void add_line(struct page *page, const struct uncoremsr_subject *s)
{
	throttle_line_add(&page->lines, s->package, s->core);
}

/* With --verbose, begin the line with the CPU's number, so that it is not merged with the lines of other cores. */
static void begin_line(struct page *page, const struct uncoremsr_subject *s)
{
	if (page->run->cfg->common.verbose)
		out_fmt(&page->lines.text, "CPU %d: ", s->cpu);
}

static void say(struct page *page, const struct uncoremsr_subject *s, const struct uncoremsr_cause *c)
{
	begin_line(page, s);
	throttle_say_phrase(&page->lines.text, page->run, s, c);
	throttle_say_rest(&page->lines.rest, page->run->t, s, c);
}

/* Cores with the same open questions share a line, even if their reasons name different devices. */
static void add_questions(struct page *page, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_question *q;
	unsigned left = throttle_causes_in(s, UNCOREMSR_QUESTION_OPEN), causes;

	while ((q = throttle_next_reason(page->run, s, &left, &causes))) {
		begin_line(page, s);
		throttle_say_causes(&page->lines.text, "cannot tell ", causes);
		throttle_say_reason(&page->lines.rest, page->run, q);
		add_line(page, s);
	}
}

static void put_details(struct page *page, const struct uncoremsr_subject *s)
{
	static const char words[][16] = {
		[UNCOREMSR_QUESTION_NEEDS_COUNTING] = "not counted: ",
		[UNCOREMSR_QUESTION_NOT_VISIBLE] = "not visible: ",
		[UNCOREMSR_QUESTION_NOT_ASKED] = "", /* the reason says "left out by --without" */
	};
	const struct uncoremsr_question *q;

	if (!isnan(s->temperature))
		out_fmt(&page->lines.more, "    temperature: %.0f C\n", s->temperature);
	if (s->below_limit >= 0)
		out_fmt(&page->lines.more, "    below the limit: %d C\n", s->below_limit);
	if (s->frequency != UINT64_MAX)
		out_fmt(&page->lines.more, "    frequency while not halted: %.0f MHz\n", (double)s->frequency / 1e6);
	for (size_t i = 0; (q = s->questions[i]); i++) {
		if (q->state == UNCOREMSR_QUESTION_OPEN)
			continue;
		out_fmt(&page->lines.more, "    %s", words[q->state]);
		throttle_say_question(&page->lines.more, page->run, q);
		out_char(&page->lines.more, '\n');
	}
}

static void add_warnings(struct page *page, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_question *q;

	for (size_t i = 0; (q = s->questions[i]); i++) {
		if (q->reason != UNCOREMSR_REASON_PROCHOT_IGNORED)
			continue;
		begin_line(page, s);
		throttle_say_reason(&page->lines.text, page->run, q);
		add_line(page, s);
	}
}

static void put_evidence(struct page *page, const struct uncoremsr_cause *c)
{
	for (size_t i = 0; c->evidence[i]; i++) {
		out_str(&page->lines.more, "    ");
		throttle_say_evidence(&page->lines.more, c->evidence[i], " = ");
		out_char(&page->lines.more, '\n');
	}
}

/* Why the firmware limits the clock is unknown; the most useful open question of the package may be about that. */
static void put_obstacle(struct page *page, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_subject *package = throttle_find_subject(page->run->t, s->package, -1);
	const struct uncoremsr_question *q = package ? throttle_obstacle(package, NULL) : NULL;

	if (!q)
		return;
	out_str(&page->lines.next, "    cannot tell: ");
	throttle_say_question(&page->lines.next, page->run, q);
	out_char(&page->lines.next, '\n');
}

static void add_subject(struct page *page, const struct uncoremsr_subject *s)
{
	const struct uncoremsr_cause *c;
	bool verbose = page->run->cfg->common.verbose;
	size_t num = 0;

	for (size_t i = 0; (c = s->causes[i]); i++) {
		/* Skip causes that a package inherits from its cores, which have their own lines. */
		if (!verbose && (!c->decides || c->inherited >= 0))
			continue;
		if (c->decides)
			throttle_say_advice(&page->lines.next, page->run->t, c);
		if (c->decides && c->kind == UNCOREMSR_CAUSE_FIRMWARE)
			put_obstacle(page, s);
		put_evidence(page, c);
		say(page, s, c);
		add_line(page, s);
		num++;
	}
	if (verbose || !page->brief)
		add_questions(page, s);
	add_warnings(page, s);
	if (!verbose)
		return;
	put_details(page, s);
	if (num || throttle_question(s, 0)) {
		begin_line(page, s);
		out_str(&page->lines.text, "details");
	} else {
		say(page, s, NULL);
	}
	add_line(page, s);
}

static bool is_of_all(enum uncoremsr_reason reason)
{
	return reason == UNCOREMSR_REASON_NO_ACCESS || reason == UNCOREMSR_REASON_NO_HSMP ||
	       reason == UNCOREMSR_REASON_KERNEL_ONLY || reason == UNCOREMSR_REASON_NO_TABLE ||
	       reason == UNCOREMSR_REASON_NO_CPUID;
}

static bool is_brief(const struct throttle_run *run)
{
	const struct uncoremsr_subject *s;
	const struct uncoremsr_question *first = NULL, *q;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
		for (size_t k = 0; (q = throttle_question(s, k)); k++) {
			first = first ? first : q;
			if (q->reason != first->reason || !is_of_all(q->reason))
				return false;
		}
	return true;
}

void throttle_show_text(struct throttle_run *run)
{
	const struct uncoremsr_subject *s;
	struct page page = { .run = run, .brief = is_brief(run) };

	throttle_show_summary(run, NULL);
	throttle_put_policies(run);
	for (int verdict = UNCOREMSR_VERDICT_THROTTLED; verdict >= UNCOREMSR_VERDICT_OK; verdict--)
		for (size_t i = 0; (s = uncoremsr_throttle_subject(run->t, i)); i++)
			if ((int)s->verdict == verdict)
				add_subject(&page, s);
	throttle_lines_put(&page.lines, run->out, "  ");
}
