/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests of throttling as text: see steps.h. A story begins on its machine, before "look". CORE is "-" for the
 * package itself. Besides the steps of a machine with a handle there are:
 *
 *   machine MACHINE                       watch another machine
 *   option counting|kernel-only 1         switch this option
 *   without CAUSE,CAUSE                   do not ask about these causes
 *   look [ERROR]                          call uncoremsr_throttle_look(); with an ERROR: must fail with this error
 *   after SECONDS [ERROR]                 let time pass, then as "look"
 *   clear RESULT                          clear the log bits: the number of registers, or the name of the error
 *   trace [MSR]                           from now on count accesses of this register, or of all
 *   traced READS WRITES                   number of accesses since then
 *   unwatch                               free the watcher
 *   hertz PACKAGE CORE LEAST [MOST]       effective frequency; "-": unknown
 *   celsius PACKAGE CORE DEGREES          "-": unknown
 *   below PACKAGE CORE DEGREES            degrees below the limit
 *   verdict PACKAGE CORE WORD             the verdict on this package or core
 *   overall WORD                          the verdict on the whole machine
 *   lacks none|access|unsupported         why questions have no answer
 *   through PACKAGE CORE CPU              the CPU through which this subject was read
 *   subjects NUMBER                       number of packages and cores
 *   causes [WORDS]                        words of all causes that hold, or held since the previous reading, anywhere
 *   cause PACKAGE CORE CAUSE [FLAGS]      is reported; FLAGS as "now,!logged,decides,between,our-clear,log-cleared"
 *   no-cause PACKAGE CORE [CAUSE]         this cause is not reported; without CAUSE: no cause is
 *   causes-of PACKAGE CORE WORDS          its causes, logged ones included, in this order
 *   cores PACKAGE NUMBER                  number of its cores
 *   inherited PACKAGE CORE CAUSE NUMBER   number of cores from which a package has the cause; "-": its own
 *   share PACKAGE CORE CAUSE SHARE        between 98 and 102 percent of this share; "-": unknown
 *   evidence PACKAGE CORE CAUSE INDEX TEXT    as evidence_text() has it; "none": there are only INDEX pieces
 *   open PACKAGE CORE CAUSE REASON        the question has no answer for this reason, of enum uncoremsr_reason
 *   since PACKAGE CORE CAUSE SECONDS      the last answer was this long ago; "-": there never was one
 *   state PACKAGE CORE CAUSE STATE        answered, or open, not-visible, needs-counting or not-asked
 *   question PACKAGE CORE TEXT            the first question, as question_text() has it, contains the text
 *   no-question PACKAGE CORE              all questions have an answer
 */
#ifndef THROTTLE_STEPS_H
#define THROTTLE_STEPS_H

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "steps.h"
#include "throttle_machine.h"

static inline int step_core(const struct step *s)
{
	return !strcmp(s->word[1], "-") ? -1 : step_int(s, 1);
}

static inline const struct uncoremsr_subject *step_subject(const struct step *s)
{
	const struct uncoremsr_subject *found = subject(step_int(s, 0), step_core(s));

	step_holds(s, found, "no such package or core");
	return found;
}

static inline void step_machine(const struct step *s)
{
	open_machine(step_rest(s, 0));
}

static inline void step_option(const struct step *s)
{
	static const char *const words[] = { "counting", "kernel-only", NULL };
	static const enum uncoremsr_throttle_option options[] = {
		UNCOREMSR_THROTTLE_COUNTING, UNCOREMSR_THROTTLE_KERNEL_ONLY,
	};

	step_error(s, uncoremsr_throttle_set(t, options[step_choice(s, 0, words)], step_int(s, 1)), STEP_WORDS);
}

static inline int cause_of(const struct step *s, const char *word)
{
	int cause = 0;

	for (; strcmp(uncoremsr_cause_word((enum uncoremsr_cause_kind)cause), word); cause++)
		step_holds(s, cause < UNCOREMSR_CAUSE_ANY, "no such cause");
	return cause;
}

static inline void step_without(const struct step *s)
{
	char causes[128], *rest = causes, *word;
	int mask = 0;

	ck_assert_uint_lt(strlen(s->word[0]), sizeof(causes));
	strcpy(causes, s->word[0]);
	while ((word = strsep(&rest, ",")))
		mask |= 1 << cause_of(s, word);
	step_error(s, uncoremsr_throttle_set(t, UNCOREMSR_THROTTLE_WITHOUT, mask), STEP_WORDS);
}

static inline void step_look(const struct step *s)
{
	step_error(s, uncoremsr_throttle_look(t), 0);
}

static inline void step_after(const struct step *s)
{
	pass(step_number(s, 0));
	step_error(s, uncoremsr_throttle_look(t), 1);
}

static inline void step_clear(const struct step *s)
{
	int result = uncoremsr_throttle_clear(t, NULL, NULL);

	if (result < 0)
		step_error(s, result, 0);
	else
		step_got(s, (uint64_t)result == step_number(s, 0), (uint64_t)result);
}

static inline void step_verdict(const struct step *s)
{
	const char *got = verdict(step_int(s, 0), step_core(s));

	step_holds(s, !strcmp(got, s->word[2]), got);
}

static inline void step_overall(const struct step *s)
{
	const char *got = uncoremsr_verdict_word(uncoremsr_throttle_state(t)->verdict);

	step_holds(s, !strcmp(got, s->word[0]), got);
}

static inline void step_lacks(const struct step *s)
{
	step_class_is(s, uncoremsr_throttle_state(t)->lacks);
}

static inline void step_through(const struct step *s)
{
	step_is(s, 2, (uint64_t)step_subject(s)->cpu);
}

static struct {
	uint32_t msr; /* 0 means all registers */
	unsigned reads, writes;
} traced;

static inline void note_access(void *user, const char *line)
{
	const char *at = strstr(line, " 0x");

	(void)user;
	if (!traced.msr || (at && strtoul(at, NULL, 16) == traced.msr))
		*(strncmp(line, "wrmsr", 5) ? &traced.reads : &traced.writes) += 1;
}

static inline void trace_accesses(uint32_t msr)
{
	memset(&traced, 0, sizeof(traced));
	traced.msr = msr;
	uncoremsr_set_trace(um, UNCOREMSR_TRACE_COMMANDS, note_access, NULL);
}

static inline void step_trace(const struct step *s)
{
	trace_accesses(s->num ? (uint32_t)step_number(s, 0) : 0);
}

static inline void step_traced(const struct step *s)
{
	step_is(s, 0, traced.reads);
	step_is(s, 1, traced.writes);
}

static inline void step_unwatch(const struct step *s)
{
	(void)s;
	uncoremsr_throttle_free(t);
	t = NULL;
}

static inline bool is_dash(const struct step *s, unsigned word)
{
	return !strcmp(s->word[word], "-");
}

static inline void step_hertz(const struct step *s)
{
	uint64_t hertz = step_subject(s)->frequency, least = is_dash(s, 2) ? UINT64_MAX : step_number(s, 2);

	step_got(s, hertz >= least && hertz <= (s->num > 3 ? step_number(s, 3) : least), hertz);
}

static inline void step_celsius(const struct step *s)
{
	double celsius = step_subject(s)->temperature;

	step_holds(s, is_dash(s, 2) ? isnan(celsius) : celsius == step_int(s, 2), "another temperature");
}

static inline void step_below(const struct step *s)
{
	step_is(s, 2, (uint64_t)step_subject(s)->below_limit);
}

static inline void step_causes(const struct step *s)
{
	step_holds(s, !strcmp(causes_now(), step_rest(s, 0)), causes_now());
}

static inline bool has_flag(const struct step *s, const struct uncoremsr_cause *c, const char *flag)
{
	const struct { const char *name; bool set; } flags[] = {
		{ "now", is_now(c) }, { "logged", c->logged }, { "decides", c->decides },
		{ "between", c->phase == UNCOREMSR_PHASE_BETWEEN },
		{ "our-clear", c->since == UNCOREMSR_SINCE_OUR_CLEAR },
		{ "log-cleared", c->since == UNCOREMSR_SINCE_LOG_CLEARED },
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(flags) && strcmp(flags[i].name, flag))
		i++;
	step_holds(s, i < ARRAY_SIZE(flags), "no such flag");
	return flags[i].set;
}

static inline const struct uncoremsr_cause *step_found(const struct step *s)
{
	const struct uncoremsr_cause *c = find_cause(step_subject(s), s->word[2]);

	step_holds(s, c, "not reported");
	return c;
}

static inline void step_cause(const struct step *s)
{
	const struct uncoremsr_cause *c = step_found(s);
	char flags[64], *rest = flags, *flag;

	if (s->num < 4)
		return;
	ck_assert_uint_lt(strlen(s->word[3]), sizeof(flags));
	strcpy(flags, s->word[3]);
	while ((flag = strsep(&rest, ",")))
		step_holds(s, has_flag(s, c, flag + (*flag == '!')) == (*flag != '!'), flag);
}

static inline void step_no_cause(const struct step *s)
{
	const struct uncoremsr_subject *who = step_subject(s);

	if (s->num > 2)
		cause_of(s, s->word[2]);
	step_holds(s, s->num > 2 ? !find_cause(who, s->word[2]) : !who->causes[0], "reported");
}

static inline void step_causes_of(const struct step *s)
{
	const struct uncoremsr_subject *who = step_subject(s);
	char words[256] = "";

	for (size_t i = 0; who->causes[i]; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s", i ? " " : "",
			 uncoremsr_cause_word(who->causes[i]->kind));
	step_holds(s, !strcmp(words, step_rest(s, 2)), words);
}

static inline void step_cores(const struct step *s)
{
	step_is(s, 1, (uint64_t)subject(step_int(s, 0), -1)->cores);
}

static inline void step_subjects(const struct step *s)
{
	size_t num = 0;

	while (uncoremsr_throttle_subject(t, num))
		num++;
	step_is(s, 0, num);
}

static inline void step_inherited(const struct step *s)
{
	int from = step_found(s)->inherited;

	step_got(s, from == (is_dash(s, 3) ? -1 : step_int(s, 3)), (uint64_t)from);
}

/* Text of a piece of evidence: "NAME MSR=VALUE MASK BITS core N", or "FINDING AMOUNT of OF mask MASK". */
static inline const char *evidence_text(const struct uncoremsr_evidence *e)
{
	static char text[256];
	static const char *const findings[] = {
		[UNCOREMSR_FINDING_POWER_LIMITS] = "power-limits", [UNCOREMSR_FINDING_FREQUENCY] = "frequency",
		[UNCOREMSR_FINDING_CYCLES] = NULL,
	};

	if (e->kind == UNCOREMSR_EVIDENCE_REGISTER && e->finding == UNCOREMSR_FINDING_BITS)
		snprintf(text, sizeof(text), "%s 0x%" PRIx64 "=0x%" PRIx64 " 0x%" PRIx64 " %s core %d", e->name, e->msr,
			 e->value, e->mask, e->bits, e->core);
	else
		snprintf(text, sizeof(text), "%s %" PRIu64 " of %" PRIu64 " mask 0x%" PRIx64,
			 findings[e->finding] ? findings[e->finding] : "?", e->amount, e->of, e->mask);
	return text;
}

static inline void step_evidence(const struct step *s)
{
	const struct uncoremsr_cause *c = step_found(s);
	uint64_t index = step_number(s, 3), num = 0;
	const char *text;

	while (c->evidence[num])
		num++;
	step_got(s, index <= num, num);
	text = index < num ? evidence_text(c->evidence[index]) : "none";
	step_holds(s, !strcmp(text, step_rest(s, 4)), text);
}

static inline const char *question_text(const struct uncoremsr_question *q)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s 0x%" PRIx64 " %s: %s", q->err ? strerrorname_np(q->err) : "0", q->msr,
		 q->name ? q->name : "", q->error ? q->error : "");
	return text;
}

static inline void step_question(const struct step *s)
{
	const struct uncoremsr_question *q = step_subject(s)->questions[0];

	step_holds(s, q != NULL, "no question");
	step_holds(s, strstr(question_text(q), step_rest(s, 2)), question_text(q));
}

static inline void step_since(const struct step *s)
{
	const struct uncoremsr_question *q = find_question(step_subject(s), s->word[2], -1);

	cause_of(s, s->word[2]);
	step_holds(s, q != NULL, "it has an answer");
	step_got(s, is_dash(s, 3) ? q->since == UINT64_MAX
		 : q->since + step_number(s, 3) * SECOND == uncoremsr_now(um), q->since);
}

static inline void step_share(const struct step *s)
{
	double share = step_found(s)->share, want = atof(s->word[3]);

	if (is_dash(s, 3)) {
		ck_assert_msg(isnan(share), "%s: %s: %g", s->row, s->text, share);
		return;
	}
	ck_assert_msg(share >= 0.98 * want && share <= 1.02 * want, "%s: %s: %g", s->row, s->text, share);
}

static inline void step_open(const struct step *s)
{
#define REASON(name) { #name, UNCOREMSR_REASON_##name }
	static const struct { const char *name; enum uncoremsr_reason reason; } reasons[] = {
		REASON(NO_PACKAGE_STATUS), REASON(NO_POWER_REGISTERS), REASON(NO_EVENT), REASON(TPMI_ONLY),
		REASON(PROCHOT_IGNORED), REASON(AMD_CPPC), REASON(AMD_NO_BASE), REASON(NEEDS_COUNTING), REASON(GUEST),
		REASON(NO_CPUID), REASON(KERNEL_ONLY), REASON(NO_ACCESS), REASON(NO_HSMP), REASON(FILE_FAILED),
		REASON(READ_FAILED), REASON(ALL_ONES), REASON(ALL_ZEROS), REASON(STANDS_STILL), REASON(NO_COUNTERS),
		REASON(NOT_READ_BEFORE), REASON(SUSPENDED), REASON(EVENT_DISTURBED), REASON(EVENT_NOT_COUNTED),
		REASON(SENSOR_UNPLACED),
	};
#undef REASON
	size_t i = 0;

	while (i < ARRAY_SIZE(reasons) && strcmp(reasons[i].name, s->word[3]))
		i++;
	step_holds(s, i < ARRAY_SIZE(reasons), "no such reason");
	step_holds(s, is_open(step_subject(s), s->word[2], (int)reasons[i].reason), "has an answer or another reason");
}

static inline void step_state(const struct step *s)
{
	static const char *const words[] = {
		"answered", "open", "not-visible", "needs-counting", "not-asked", NULL
	};
	static const int states[] = {
		-1, UNCOREMSR_QUESTION_OPEN, UNCOREMSR_QUESTION_NOT_VISIBLE, UNCOREMSR_QUESTION_NEEDS_COUNTING,
		UNCOREMSR_QUESTION_NOT_ASKED,
	};
	int state = state_of(step_subject(s), s->word[2]);

	cause_of(s, s->word[2]);
	step_got(s, state == states[step_choice(s, 3, words)], (uint64_t)state);
}

static inline void step_no_question(const struct step *s)
{
	step_holds(s, !step_subject(s)->questions[0], "a question");
}

static const struct step_kind throttle_kinds[] = {
	{ "machine", 1, STEP_WORDS, step_machine }, { "option", 2, 2, step_option },
	{ "without", 1, 1, step_without },
	{ "look", 0, 1, step_look }, { "after", 1, 2, step_after }, { "clear", 1, 1, step_clear },
	{ "verdict", 3, 3, step_verdict }, { "overall", 1, 1, step_overall }, { "lacks", 1, 1, step_lacks },
	{ "causes", 0, STEP_WORDS, step_causes }, { "cause", 3, 4, step_cause }, { "no-cause", 2, 3, step_no_cause },
	{ "share", 4, 4, step_share }, { "open", 4, 4, step_open }, { "state", 4, 4, step_state },
	{ "through", 3, 3, step_through }, { "hertz", 3, 4, step_hertz }, { "celsius", 3, 3, step_celsius },
	{ "below", 3, 3, step_below }, { "trace", 0, 1, step_trace }, { "traced", 2, 2, step_traced },
	{ "unwatch", 0, 0, step_unwatch }, { "causes-of", 2, STEP_WORDS, step_causes_of },
	{ "cores", 2, 2, step_cores }, { "subjects", 1, 1, step_subjects }, { "inherited", 4, 4, step_inherited },
	{ "evidence", 5, STEP_WORDS, step_evidence }, { "question", 3, STEP_WORDS, step_question },
	{ "since", 4, 4, step_since },
	{ "no-question", 2, 2, step_no_question }, { .name = NULL },
};
static const struct vocabulary throttle_steps = { .kinds = throttle_kinds, .base = &handle_steps };

static inline void play_throttle(const struct story *story)
{
	open_machine(story->machine);
	play_steps(&throttle_steps, story->name, story->steps);
}

#endif
