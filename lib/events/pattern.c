/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Patterns for names: UNC_THERMAL_*, CORE_[0-3], CORE_[0,2]. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "events/names.h"

enum { MAX_NUMBER = 63, SHOWN = 100 };

/* One step of a pattern: a character, any text, or one of a set of numbers. */
struct step {
	enum { STEP_CHAR, STEP_ANY, STEP_NUMBER } what;
	char c;
	uint64_t wanted, seen;  /* sets of numbers: those asked for, and those found in some name */
	unsigned number;        /* the number in the current match */
};

struct pattern {
	struct step steps[UM_EVENT_FOLDED];
	size_t num;
	const char *text;       /* as typed, for messages */
	int text_len;
};

bool um_event_is_pattern(const char *text, size_t len)
{
	return memchr(text, '*', len) || memchr(text, '[', len);
}

static bool read_number(const char **at, unsigned *n)
{
	if (!isdigit((unsigned char)**at))
		return false;
	for (*n = 0; isdigit((unsigned char)**at); (*at)++) {
		*n = *n * 10 + (unsigned)(**at - '0');
		if (*n > MAX_NUMBER)
			return false;
	}
	return true;
}

/* Read numbers and ranges up to the closing bracket. */
static bool read_set(const char **at, uint64_t *set)
{
	unsigned first, last;

	for (*set = 0;; (*at)++) {
		if (!read_number(at, &first))
			return false;
		last = first;
		if (**at == '-') {
			(*at)++;
			if (!read_number(at, &last) || last < first)
				return false;
		}
		for (; first <= last; first++)
			*set |= UINT64_C(1) << first;
		if (**at != ',')
			return **at == ']';
	}
}

static int not_understood(const struct pattern *p, struct um_error *e, const char *what)
{
	um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%.*s': %s", p->text_len, p->text, what);
	um_hint(e, "in a pattern '*' is any text, and a bracket holds numbers up to %d, such as "
		"[0-3] or [0,2]", MAX_NUMBER);
	return -EINVAL;
}

static int compile(struct pattern *p, const char *name, struct um_error *e)
{
	for (const char *at = name; *at; at++) {
		struct step *s = &p->steps[p->num];

		*s = (struct step){ .what = STEP_CHAR, .c = *at };
		if (*at == '[') {
			s->what = STEP_NUMBER;
			at++;
			if (!read_set(&at, &s->wanted))
				return not_understood(p, e, "a bracket is not understood");
		} else if (*at == '*') {
			s->what = STEP_ANY;
			if (p->num && s[-1].what == STEP_ANY)
				continue; /* two adjacent '*' are the same as one */
		}
		p->num++;
	}
	return 0;
}

/* Match one step at @at, a position in @name. Not for STEP_ANY. */
static bool take(struct step *s, const char *name, const char **at)
{
	const char *from = *at;
	unsigned n;

	if (s->what == STEP_CHAR) {
		if (*from != s->c)
			return false;
		(*at)++;
		return true;
	}
	if (s->what == STEP_ANY || (from > name && isdigit((unsigned char)from[-1])) ||
	    !read_number(at, &n) || !(s->wanted >> n & 1)) {
		*at = from;
		return false;
	}
	s->number = n;
	return true;
}

/* Only the last '*' ever has to match more text, so no recursion is needed. */
static bool matches(struct pattern *p, const char *name)
{
	const char *at = name, *retry_at = NULL;
	size_t i = 0, retry = 0;

	while (*at) {
		if (i < p->num && p->steps[i].what == STEP_ANY) {
			retry = ++i;
			retry_at = at;
		} else if (i < p->num && take(&p->steps[i], name, &at)) {
			i++;
		} else if (retry_at) {
			i = retry;
			at = ++retry_at;
		} else {
			return false;
		}
	}
	while (i < p->num && p->steps[i].what == STEP_ANY)
		i++;
	return i == p->num;
}

static bool matches_row(struct pattern *p, const struct um_event_row *row)
{
	char name[UM_EVENT_FOLDED];

	um_name_fold_row(row, name);
	return matches(p, name);
}

static int count(const struct um_event_table *t, struct pattern *p)
{
	const struct um_event_row *row = NULL;
	int num = 0;

	while ((row = um_event_next(t, row))) {
		if (!matches_row(p, row))
			continue;
		num++;
		for (size_t i = 0; i < p->num; i++)
			if (p->steps[i].what == STEP_NUMBER)
				p->steps[i].seen |= UINT64_C(1) << p->steps[i].number;
	}
	return num;
}

/* Refuse numbers that do not exist: a user who asks for cores 0 to 5 would not notice getting only four. */
static int check_numbers(const struct um_event_table *t, const struct pattern *p,
			 struct um_error *e)
{
	for (size_t i = 0; i < p->num; i++) {
		uint64_t missing = p->steps[i].wanted & ~p->steps[i].seen;
		int n = 0;

		if (p->steps[i].what != STEP_NUMBER || !missing)
			continue;
		while (!(missing >> n & 1))
			n++;
		um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE,
			"event '%.*s': %s has no event of that name with number %d", p->text_len,
			p->text, t->uarch, n);
		um_hint(e, "leave out the numbers that do not exist");
		return -ENOENT;
	}
	return 0;
}

static int call_each(const struct um_event_table *t, struct pattern *p,
		     int (*fn)(void *user, const struct um_event_row *row), void *user)
{
	const struct um_event_row *row = NULL;

	while ((row = um_event_next(t, row))) {
		int err = matches_row(p, row) ? fn(user, row) : 0;

		if (err)
			return err;
	}
	return 0;
}

int um_event_expand(const struct um_event_table *t, const char *text, size_t len,
		    int (*fn)(void *user, const struct um_event_row *row), void *user,
		    struct um_error *e)
{
	char name[UM_EVENT_FOLDED];
	struct pattern p = { .num = 0, .text = text, .text_len = (int)(len > SHOWN ? SHOWN : len) };
	int err, num;

	if (!um_name_fold(text, len, name))
		return not_understood(&p, e, "too long for a pattern");
	err = compile(&p, name, e);
	num = err ? err : count(t, &p);
	if (num <= 0)
		return num;
	err = check_numbers(t, &p, e);
	if (!err && fn)
		err = call_each(t, &p, fn, user);
	return err ? err : num;
}
