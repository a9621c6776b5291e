/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The verdict in words, for somebody who is called at 3 a.m. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "throttle/throttle.h"

/* Who does it, as the second half of a sentence. */
static const struct {
	const char *name, *who;
} causes[] = {
	[UM_CAUSE_CRITICAL] = { "critical-temperature",
		"it has reached the critical temperature, beyond which it may shut down" },
	[UM_CAUSE_PROCHOT] = { "prochot-external",
		"something outside the processor forces it (PROCHOT# or FORCEPR#: power supply, "
		"voltage regulator or management controller), not its own heat" },
	[UM_CAUSE_CORE_THERMAL] = { "core-thermal",
		"its own temperature sensor has tripped (cooling)" },
	[UM_CAUSE_PACKAGE_THERMAL] = { "package-thermal",
		"the package is too hot (cooling)" },
	[UM_CAUSE_VR_THERMAL] = { "vr-thermal", "the board's voltage regulator is too hot" },
	[UM_CAUSE_DIMM] = { "dimm-thermal", "its memory is held back (hot DIMMs or memory power)" },
	[UM_CAUSE_FIRMWARE] = { "firmware", "the firmware or the hardware holds the clock down" },
	[UM_CAUSE_CLOCK_MODULATION] = { "clock-modulation",
		"its clock is switched off part of the time (clock modulation, set by the "
		"operating system or the firmware)" },
	[UM_CAUSE_POWER] = { "power-limit", "a power limit holds it back" },
	[UM_CAUSE_CURRENT] = { "current-limit", "a current limit holds it back" },
	[UM_CAUSE_CROSS_DOMAIN] = { "cross-domain",
		"another part of the chip uses up the budget" },
	[UM_CAUSE_SMI] = { "smi",
		"the firmware interrupts all CPUs (system management interrupts)" },
	[UM_CAUSE_OTHER] = { "other",
		"the clock's ceiling is set below what the processor can do" },
};

const char *um_cause_name(enum um_cause cause)
{
	return causes[cause].name;
}

/* Append to a text that may already be full. */
static void UM_PRINTF(2, 3) append(char text[static UM_SENTENCE], const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, UM_SENTENCE - len, fmt, ap);
	va_end(ap);
}

static void append_name(char *text, const struct uncoremsr_throttle_subject *s)
{
	if (s->core >= 0)
		append(text, "package %d core %d (CPU %u)", s->package, s->core, s->cpu);
	else
		append(text, "package %d", s->package);
}

static void append_degrees(char *text, const struct uncoremsr_throttle_subject *s)
{
	if (s->below >= 0)
		append(text, "%d degrees C below its limit", s->below);
	if (s->celsius >= 0)
		append(text, s->below >= 0 ? " (%d C)" : "%d degrees C", s->celsius);
}

/* Since when: what is happening needs no date, a log is only good since it was last cleared. */
static void append_when(char *text, const struct uncoremsr_throttle *t,
			const struct uncoremsr_throttle_cause *c)
{
	if (c->holds)
		append(text, " now");
	else if (c->happened)
		append(text, " since the last look");
	else if (c->log_bit && t->cleared[0])
		append(text, " at some time since the log was cleared (by us, %s)", t->cleared);
	else if (c->log_bit)
		append(text, " at some time since the log was last cleared");
	else
		append(text, " at some time since the kernel began to count");
}

static void append_times(char *text, uint64_t n)
{
	if (n == 1)
		append(text, "; the kernel has counted it once");
	else
		append(text, "; the kernel has counted it %llu times", (unsigned long long)n);
}

static void cause_words(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_cause *c)
{
	const struct uncoremsr_throttle_subject *s = c->of;
	bool hot = c->cause == UM_CAUSE_CORE_THERMAL || c->cause == UM_CAUSE_PACKAGE_THERMAL ||
		   c->cause == UM_CAUSE_CRITICAL;

	c->sentence[0] = '\0';
	append_name(c->sentence, s);
	append(c->sentence, "%s %s", c->holds ? " is" : " was",
	       c->decides ? "slowed down" : "held up a little");
	append_when(c->sentence, t, c);
	append(c->sentence, "%s: %s", c->decides ? "" : ", as is normal", causes[c->cause].who);
	if (c->detail[0])
		append(c->sentence, ", %s", c->detail);
	if (c->inherited)
		append(c->sentence, ", on %zu of its %zu cores", c->cores, s->num);
	if (c->share >= 0)
		append(c->sentence, "; %.3g %% of the time since the last look", 100 * c->share);
	if (hot && s->below >= 0) {
		append(c->sentence, "; ");
		append_degrees(c->sentence, s);
	}
	if (c->count)
		append_times(c->sentence, c->count);
	if (c->count && c->total > c->count)
		append(c->sentence, " since then (%llu in all)", (unsigned long long)c->total);
}

static void fine_words(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	append(s->sentence, " is not slowed down%s",
	       s->num_unknown ? ", as far as can be told here" : "");
	if (s->below >= 0 || s->celsius >= 0) {
		append(s->sentence, "; ");
		append_degrees(s->sentence, s);
	}
	if (s->remembered) {
		append_times(s->sentence, s->remembered);
		append(s->sentence, " before the log was cleared (by us, %s)", t->cleared);
	}
}

static void inherited_words(struct uncoremsr_throttle_subject *p)
{
	size_t alike = 0;

	for (size_t i = 1; i <= p->num; i++)
		alike += p[i].verdict == p->verdict;
	if (p->verdict == UNCOREMSR_VERDICT_OK)
		append(p->sentence, " is not slowed down, as far as its cores tell: it has no "
		       "status of its own");
	else
		append(p->sentence, p->verdict == UNCOREMSR_VERDICT_THROTTLED
		       ? " is slowed down now: %zu of its %zu cores are"
		       : " was slowed down at some time: %zu of its %zu cores were", alike, p->num);
}

/* The causes stand in the order of how bad they are; those that decide come first. */
void um_subject_words(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	for (size_t i = 0; i < s->num_causes; i++)
		cause_words(t, &s->causes[i]);
	s->sentence[0] = '\0';
	if (s->verdict >= UNCOREMSR_VERDICT_WAS_THROTTLED && !s->causes[0].inherited) {
		append(s->sentence, "%s", s->causes[0].sentence);
		return;
	}
	append_name(s->sentence, s);
	if (s->verdict >= UNCOREMSR_VERDICT_WAS_THROTTLED ||
	    (s->inherits && !s->could_tell && s->verdict != UNCOREMSR_VERDICT_UNKNOWN))
		inherited_words(s);
	else if (s->verdict == UNCOREMSR_VERDICT_OK)
		fine_words(t, s);
	else
		append(s->sentence, ": cannot tell%s%s", s->num_unknown ? ": " : "",
		       s->num_unknown ? s->unknown[0] : "");
}
