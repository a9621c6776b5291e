/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests of throttling as text: see steps.h. A story begins on its machine, before the first look. CORE is "-" for the
 * package itself. Besides the steps of a machine with a handle there are:
 *
 *   machine MACHINE                       watch another machine
 *   option counting|kernel-only 1         switch this option
 *   without CAUSE,CAUSE                   do not ask about these causes
 *   look [ERROR]                          look; with an ERROR: must fail with this error
 *   after SECONDS [ERROR]                 let time pass and look
 *   clear RESULT                          clear the log bits: the number of registers, or the name of the error
 *   hertz PACKAGE CORE NUMBER             effective frequency; "-": unknown
 *   verdict PACKAGE CORE WORD             the verdict on this package or core
 *   overall WORD                          the verdict on the whole machine
 *   lacks none|access|unsupported         why questions have no answer
 *   through PACKAGE CORE CPU              the CPU through which it was read
 *   causes [WORDS]                        words of all causes that hold or have happened anywhere
 *   cause PACKAGE CORE CAUSE [FLAGS]      it is reported; FLAGS as "now,!logged,decides,between,our-clear"
 *   no-cause PACKAGE CORE [CAUSE]         this cause is not reported; without CAUSE: no cause is
 *   share PACKAGE CORE CAUSE SHARE        between 98 and 102 percent of this share
 *   open PACKAGE CORE CAUSE REASON        the question has no answer for this reason, of enum uncoremsr_reason
 *   state PACKAGE CORE CAUSE STATE        answered, or open, not-visible, needs-counting or not-asked
 *   no-question PACKAGE CORE              all questions have an answer
 */
#ifndef THROTTLE_STEPS_H
#define THROTTLE_STEPS_H

#include <errno.h>
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

/* The cause with this word, which must exist. */
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
	int cpu = step_subject(s)->cpu;

	step_got(s, cpu == step_int(s, 2), (uint64_t)cpu);
}

static inline void step_hertz(const struct step *s)
{
	uint64_t hertz = step_subject(s)->frequency;

	step_got(s, hertz == (strcmp(s->word[2], "-") ? step_number(s, 2) : UINT64_MAX), hertz);
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

static inline void step_share(const struct step *s)
{
	double share = step_found(s)->share, want = atof(s->word[3]);

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
	{ "through", 3, 3, step_through }, { "hertz", 3, 3, step_hertz },
	{ "no-question", 2, 2, step_no_question }, { .name = NULL },
};
static const struct vocabulary throttle_steps = { .kinds = throttle_kinds, .base = &handle_steps };

static inline void play_throttle(const struct story *story)
{
	open_machine(story->machine);
	play_steps(&throttle_steps, story->name, story->steps);
}

#endif
