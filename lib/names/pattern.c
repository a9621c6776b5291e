/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

enum { MAX_NUMBER = 63, SHOWN = 100 };

bool um_event_is_pattern(const char *text, size_t len)
{
	return memchr(text, '*', len) || memchr(text, '[', len) || memchr(text, '?', len);
}

/* Read numbers and ranges up to the closing bracket. [01] stands for the numbers 0 and 1. */
static bool read_set(const char **at, uint64_t *set)
{
	unsigned first, last;

	if (**at == '0' && isdigit((unsigned char)(*at)[1])) {
		for (*set = 0; isdigit((unsigned char)**at); (*at)++)
			*set |= UINT64_C(1) << (**at - '0');
		return **at == ']';
	}
	for (*set = 0;; (*at)++) {
		if (!um_read_range(at, MAX_NUMBER, &first, &last))
			return false;
		for (; first <= last; first++)
			*set |= UINT64_C(1) << first;
		if (**at != ',')
			return **at == ']';
	}
}

static int not_understood(const struct um_pattern *p, struct um_error *e, const char *what)
{
	UM_USAGE(e, "%s '%.*s': %s", p->kind, p->text_len, p->text, what);
	return um_advise(e, -EINVAL, "in a pattern '*' is any text, '?' a character, and a bracket holds numbers up "
			 "to %d, such as [0-3] or [0,2]", MAX_NUMBER);
}

int um_pattern_compile(struct um_pattern *p, const char *kind, const char *text, size_t len, bool fold,
		       struct um_error *e)
{
	char name[UM_EVENT_FOLDED];

	*p = (struct um_pattern){ .num = 0, .kind = kind, .text = text, .text_len = (int)(len > SHOWN ? SHOWN : len) };
	if (fold ? !um_name_fold(text, len, name) : len >= sizeof(name))
		return not_understood(p, e, "too long for a pattern");
	if (!fold)
		*(char *)mempcpy(name, text, len) = '\0';
	for (const char *at = name; *at; at++) {
		struct um_pattern_step *s = &p->steps[p->num];

		*s = (struct um_pattern_step){ .what = UM_STEP_CHAR, .c = um_name_letter(*at) };
		if (*at == '[') {
			at++;
			s->what = UM_STEP_NUMBER;
			if (!read_set(&at, &s->wanted))
				return not_understood(p, e, "malformed brackets");
		} else if (*at == '?') {
			s->what = UM_STEP_ONE;
		} else if (*at == '*') {
			s->what = UM_STEP_ANY;
			if (p->num && s[-1].what == UM_STEP_ANY)
				continue; /* adjacent '*' are like one */
		}
		p->num++;
	}
	return 0;
}

/* Match one step against position @at of @name. Not for UM_STEP_ANY. */
static bool take_step(struct um_pattern_step *s, const char *name, const char **at)
{
	const char *from = *at;
	unsigned n;

	if (s->what != UM_STEP_NUMBER) {
		if (s->what == UM_STEP_ANY || (s->what == UM_STEP_CHAR && um_name_letter(*from) != s->c))
			return false;
		(*at)++;
		return true;
	}
	if ((from > name && isdigit((unsigned char)from[-1])) || !um_read_decimal(at, MAX_NUMBER, &n) ||
	    !(s->wanted >> n & 1)) {
		*at = from;
		return false;
	}
	s->number = n;
	return true;
}

/* After a mismatch only the last '*' has to match more text, so no recursion is needed. */
static bool matches(struct um_pattern *p, const char *name, const char *end)
{
	const char *at = name, *retry_at = NULL;
	size_t i = 0, retry = 0;

	while (at < end) {
		if (i < p->num && p->steps[i].what == UM_STEP_ANY) {
			retry = ++i;
			retry_at = at;
		} else if (i < p->num && take_step(&p->steps[i], name, &at)) {
			i++;
		} else if (retry_at) {
			i = retry;
			at = ++retry_at;
		} else {
			return false;
		}
	}
	while (i < p->num && p->steps[i].what == UM_STEP_ANY)
		i++;
	return i == p->num;
}

/* Refuse numbers that do not exist: a user who asks for cores 0 to 5 would not notice getting only four. */
int um_pattern_check(const struct um_pattern *p, const char *uarch, struct um_error *e)
{
	uint64_t missing = 0;

	for (size_t i = 0; i < p->num && !missing; i++)
		missing = p->steps[i].wanted & ~p->steps[i].seen;
	if (!missing)
		return 0;
	um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "%s '%.*s': %s has no %s of that name with number %d", p->kind,
		p->text_len, p->text, uarch, p->kind, __builtin_ctzll(missing));
	return um_advise(e, -ENOENT, "leave out the numbers that do not exist");
}

bool um_pattern_matches(struct um_pattern *p, const char *name)
{
	const char *end = name + strlen(name), *slash = strchr(name, '/');

	if (!matches(p, name, end) && !(strncasecmp(name, "UNC_", 4) == 0 && matches(p, name + 4, end)) &&
	    !(slash && matches(p, slash + 1, slash + 1 + strcspn(slash + 1, "/"))))
		return false;
	for (size_t i = 0; i < p->num; i++)
		if (p->steps[i].what == UM_STEP_NUMBER)
			p->steps[i].seen |= UINT64_C(1) << p->steps[i].number;
	return true;
}

bool um_pattern_matches_row(struct um_pattern *folded, const char *name)
{
	char text[UM_EVENT_FOLDED];

	um_name_fold_row(name, text);
	return um_pattern_matches(folded, text);
}
