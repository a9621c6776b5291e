/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Patterns for event names: '*' matches any text, '?' one character, [0-3] and [0,2] numbers. Case and separators are
 * folded by um_name_letter().
 */
#ifndef UM_PATTERN_H
#define UM_PATTERN_H

#include "names/names.h"

struct um_pattern_step {
	enum { UM_STEP_CHAR, UM_STEP_ONE, UM_STEP_ANY, UM_STEP_NUMBER } what;
	char c;
	uint64_t wanted, seen;  /* bit masks of the numbers in the pattern, and of those found */
	unsigned number;        /* the number in the current match */
};

struct um_pattern {
	struct um_pattern_step steps[UM_EVENT_FOLDED];
	size_t num;
	const char *kind, *text; /* for messages; @text is as typed */
	int text_len;
};

/*
 * Parse a pattern. 0; -EINVAL: malformed, with a message in @e. @kind: "event" or "metric", for messages. @kind and
 * @text must live as long as @p. @fold: fold the pattern as um_name_fold() folds names.
 */
int um_pattern_compile(struct um_pattern *p, const char *kind, const char *text, size_t len, bool fold,
		       struct um_error *e) UM_MUST_CHECK;
/* Match the whole name, the name without UNC_, or only the event in "PMU/EVENT/". */
bool um_pattern_matches(struct um_pattern *p, const char *name);
bool um_pattern_matches_row(struct um_pattern *folded, const char *name);
/* Fail if a number in brackets was in no matching name: -ENOENT with a message in @e; else 0. */
int um_pattern_check(const struct um_pattern *p, const char *uarch, struct um_error *e);

#endif
