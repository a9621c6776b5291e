/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Patterns for names of every source: '*' is any text, '?' a character, [0-3] and [0,2] are numbers.
 * Case and separators are compared as um_name_letter() says.
 */
#ifndef UM_PATTERN_H
#define UM_PATTERN_H

#include "names/names.h"

/* One step of a pattern: a given character, any character, any text, or a number of a set. */
struct um_pattern_step {
	enum { UM_STEP_CHAR, UM_STEP_ONE, UM_STEP_ANY, UM_STEP_NUMBER } what;
	char c;
	uint64_t wanted, seen;  /* sets of numbers: those asked for, and those found in some name */
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
 * @text must exist as long as @p. @fold: for names that um_name_fold() has folded.
 */
int um_pattern_compile(struct um_pattern *p, const char *kind, const char *text, size_t len, bool fold,
		       struct um_error *e) UM_MUST_CHECK;
/* Match the whole name, the name without UNC_, or only the event: "cas*" matches "uncore_imc/cas_count_read/". */
bool um_pattern_matches(struct um_pattern *p, const char *name);
/* Does the pattern, which has to be folded, match the name of a row of the tables? */
bool um_pattern_matches_row(struct um_pattern *folded, const char *name);
/* Was each number in brackets part of a name that matched? Returns 0; -ENOENT with a message in @e if not. */
int um_pattern_check(const struct um_pattern *p, const char *uarch, struct um_error *e);

#endif
