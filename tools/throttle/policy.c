/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies (limits set by software) as text and records. They are shown with the verdict, but do not change it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "throttle/throttle.h"

/* Policies of cores are shown for cores, all others for packages. */
static bool is_told(const struct uncoremsr_subject *s, const struct uncoremsr_policy *p)
{
	return (p->scope == UNCOREMSR_POLICY_OF_CORE) == (s->core >= 0);
}

static void say_policy(struct out *o, const struct uncoremsr_policy *p)
{
	double value = (double)p->value, of = (double)p->of;

	switch (p->kind) {
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
		out_fmt(o, "power%s%s at most %.4g W of %.4g W", p->name ? " of " : "",
			p->name ? p->name : "", value / 1e6, of / 1e6);
		break;
	}
}

static void say_file(struct out *o, const struct uncoremsr_policy *p)
{
	out_fmt(o, "%s = %" PRIu64, p->file, p->value);
}

void throttle_put_policies(struct throttle_run *run)
{
	struct throttle_lines lines = { .num = 0 };
	const struct uncoremsr_subject *s;
	const struct uncoremsr_policy *p;

	for (size_t n = 0; (s = uncoremsr_throttle_subject(run->t, n)); n++)
		for (size_t i = 0; (p = s->policies[i]); i++) {
			if (!is_told(s, p))
				continue;
			say_policy(&lines.text, p);
			say_file(&lines.rest, p);
			throttle_line_add(&lines, p->scope == UNCOREMSR_POLICY_OF_MACHINE ? -1 : s->package, s->core);
		}
	throttle_lines_put(&lines, run->out, "  limited by policy: ");
}

bool throttle_policies_changed(struct throttle_track *t, const struct uncoremsr_subject *s,
			       struct throttle_lines *lines)
{
	const struct uncoremsr_policy *p;
	const char *files;
	size_t num = 0;

	for (size_t i = 0; (p = s->policies[i]); i++) {
		if (!is_told(s, p))
			continue;
		out_str(&lines->text, num ? ", " : "limited by policy: ");
		say_policy(&lines->text, p);
		out_str(&lines->rest, num++ ? ", " : "");
		say_file(&lines->rest, p);
	}
	files = out_text(&lines->rest);
	if (strcmp(files, t->policies ? t->policies : "") == 0) {
		lines->text.len = lines->rest.len = 0;
		return false;
	}
	if (!num)
		out_str(&lines->text, "no longer limited by policy");
	free(t->policies);
	t->policies = strdup(files);
	if (!t->policies)
		out_lacks_memory();
	return true;
}

static const struct record_column columns[] = {
	{ "what", RECORD_STR, RECORD_AT(uncoremsr_policy, word) },
	{ "file", RECORD_STR, RECORD_AT(uncoremsr_policy, file) },
	{ "value", RECORD_COUNT, RECORD_AT(uncoremsr_policy, value), .all_ones = true },
	{ "of", RECORD_COUNT, RECORD_AT(uncoremsr_policy, of) },
	{ "cores", RECORD_INT, RECORD_AT(uncoremsr_policy, cores) },
};

void throttle_record_policies(struct records *w, const char *name, const struct uncoremsr_subject *s)
{
	if (w->format->nests) {
		record_objects(w, name, RECORD_COLUMNS(columns), s ? s->policies : NULL);
		return;
	}
	record_open_list(w, name);
	for (size_t i = 0; s && s->policies[i]; i++) {
		say_file(record_compose(w), s->policies[i]);
		record_composed_str(w, NULL);
	}
	record_close(w);
}
