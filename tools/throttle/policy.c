/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies (limits set by software) as text and records. They are shown with the verdict, but do not change it. */
#include <inttypes.h>
#include <string.h>

#include "throttle/throttle.h"

static int64_t number(const struct uncoremsr_subject *s, size_t i, enum uncoremsr_policy_property property)
{
	uint64_t v;

	return uncoremsr_policy_number(s, i, property, &v) ? -1 : (int64_t)v;
}

static enum uncoremsr_policy_scope scope_of(const struct uncoremsr_subject *s, size_t i)
{
	return (enum uncoremsr_policy_scope)number(s, i, UNCOREMSR_POLICY_SCOPE);
}

/* Is the policy shown for this subject? Policies of cores are shown for the core, all others for the package. */
static bool is_told(const struct uncoremsr_subject *s, size_t i)
{
	return (scope_of(s, i) == UNCOREMSR_POLICY_OF_CORE) == (throttle_core(s) >= 0);
}

/* Write a policy without the name of its file. */
static void say_policy(struct out *o, const struct uncoremsr_subject *s, size_t i)
{
	const char *name = uncoremsr_policy_text(s, i, UNCOREMSR_POLICY_NAME);
	double value = (double)number(s, i, UNCOREMSR_POLICY_VALUE);
	double of = (double)number(s, i, UNCOREMSR_POLICY_OF);

	switch ((enum uncoremsr_policy_kind)number(s, i, UNCOREMSR_POLICY_KIND)) {
	case UNCOREMSR_POLICY_MAX_FREQUENCY:
		out_fmt(o, "clock at most %.0f MHz of %.0f MHz", value / 1e3, of / 1e3);
		break;
	case UNCOREMSR_POLICY_MAX_PERFORMANCE:
		out_fmt(o, "performance at most %.0f %%", value);
		break;
	case UNCOREMSR_POLICY_NO_TURBO:
		out_str(o, "turbo is off");
		break;
	case UNCOREMSR_POLICY_POWER_LIMIT:
		out_fmt(o, "power%s%s at most %.4g W of %.4g W", name ? " of " : "", name ? name : "",
			value / 1e6, of / 1e6);
		break;
	}
}

static void say_file(struct out *o, const struct uncoremsr_subject *s, size_t i)
{
	out_fmt(o, "%s = %" PRId64, uncoremsr_policy_text(s, i, UNCOREMSR_POLICY_FILE),
		number(s, i, UNCOREMSR_POLICY_VALUE));
}

/* ---- text ---- */

/* Write the policies of the machine once, although each package has them. */
static void put_machine(struct throttle_run *run, const char *prefix)
{
	const struct uncoremsr_subject *s = uncoremsr_throttle_subject(run->t, 0);

	for (size_t i = 0; number(s, i, UNCOREMSR_POLICY_KIND) >= 0; i++) {
		if (scope_of(s, i) != UNCOREMSR_POLICY_OF_MACHINE)
			continue;
		out_str(run->out, prefix);
		say_policy(run->out, s, i);
		out_str(run->out, "; ");
		say_file(run->out, s, i);
		out_char(run->out, '\n');
	}
}

void throttle_put_policies(struct throttle_run *run, const char *prefix)
{
	struct throttle_lines lines = { .num = 0 };
	const struct uncoremsr_subject *s;
	struct out text, rest;

	put_machine(run, prefix);
	out_init(&text, -1);
	out_init(&rest, -1);
	for (size_t n = 0; (s = uncoremsr_throttle_subject(run->t, n)); n++) {
		for (size_t i = 0; number(s, i, UNCOREMSR_POLICY_KIND) >= 0; i++) {
			if (!is_told(s, i) || scope_of(s, i) == UNCOREMSR_POLICY_OF_MACHINE)
				continue;
			say_policy(&text, s, i);
			say_file(&rest, s, i);
			throttle_line_add(&lines, throttle_package(s), throttle_core(s), &text, &rest, NULL,
					  NULL);
		}
	}
	throttle_lines_put(&lines, run->out, prefix);
	out_free(&text);
	out_free(&rest);
}

/* ---- a watch ---- */

/* Hash (FNV-1a) of the policies shown for a subject, to notice that they have changed. */
static uint64_t fingerprint(const struct uncoremsr_subject *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	bool any = false;

	for (size_t i = 0; number(s, i, UNCOREMSR_POLICY_KIND) >= 0; i++) {
		if (!is_told(s, i))
			continue;
		any = true;
		h = (h ^ (uint64_t)number(s, i, UNCOREMSR_POLICY_VALUE)) * UINT64_C(0x100000001b3);
		for (const char *p = uncoremsr_policy_text(s, i, UNCOREMSR_POLICY_FILE); *p; p++)
			h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	}
	return any ? h : 0;
}

bool throttle_policies_changed(struct throttle_track *t, const struct uncoremsr_subject *s,
			       struct out *text, struct out *rest)
{
	uint64_t now = fingerprint(s);
	size_t num = 0;

	if (now == t->policies)
		return false;
	t->policies = now;
	for (size_t i = 0; number(s, i, UNCOREMSR_POLICY_KIND) >= 0; i++) {
		if (!is_told(s, i))
			continue;
		out_str(text, num ? ", " : "limited by policy: ");
		say_policy(text, s, i);
		out_str(rest, num++ ? ", " : "");
		say_file(rest, s, i);
	}
	if (!num)
		out_str(text, "no longer limited by policy");
	return true;
}

/* ---- the machine in a line ---- */

size_t throttle_list_policies(const struct throttle_run *run, const char *words[THROTTLE_POLICIES])
{
	const struct uncoremsr_subject *s;
	unsigned listed = 0;
	size_t num = 0;

	for (size_t n = 0; (s = uncoremsr_throttle_subject(run->t, n)); n++)
		for (size_t i = 0; number(s, i, UNCOREMSR_POLICY_KIND) >= 0; i++)
			listed |= 1u << number(s, i, UNCOREMSR_POLICY_KIND);
	for (int kind = 0; kind < THROTTLE_POLICIES; kind++)
		if (listed >> kind & 1)
			words[num++] = uncoremsr_policy_word((enum uncoremsr_policy_kind)kind);
	return num;
}

/* ---- records ---- */

static void put_number(struct records *w, const char *name, int64_t value)
{
	if (value < 0)
		record_str(w, name, NULL);
	else
		record_count(w, name, (uint64_t)value);
}

static void put_object(struct records *w, const struct uncoremsr_subject *s, size_t i)
{
	struct record_value cores = { .number = number(s, i, UNCOREMSR_POLICY_CORES) };

	record_open(w, NULL);
	record_str(w, "what", uncoremsr_policy_word((enum uncoremsr_policy_kind)
						    number(s, i, UNCOREMSR_POLICY_KIND)));
	record_str(w, "file", uncoremsr_policy_text(s, i, UNCOREMSR_POLICY_FILE));
	put_number(w, "value", number(s, i, UNCOREMSR_POLICY_VALUE));
	put_number(w, "of", number(s, i, UNCOREMSR_POLICY_OF));
	record_value(w, "cores", RECORD_INT, cores.number < 0 ? NULL : &cores);
	record_close(w);
}

void throttle_record_policies(struct records *w, const char *name, const struct uncoremsr_subject *s,
			      bool flat)
{
	record_open_list(w, name);
	for (size_t i = 0; number(s, i, UNCOREMSR_POLICY_KIND) >= 0; i++) {
		if (!flat) {
			put_object(w, s, i);
			continue;
		}
		w->scratch.len = 0;
		say_file(&w->scratch, s, i);
		out_char(&w->scratch, '\0');
		record_str(w, NULL, w->scratch.error ? "" : w->scratch.buf);
	}
	record_close(w);
}
