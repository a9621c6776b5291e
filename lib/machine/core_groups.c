/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "machine/core_groups.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"

struct scan {
	struct um_core_groups *groups;
	const char *text;
	unsigned limit;
	struct um_error *error;
};

static int bad(const struct scan *s, const char *what, const char *at)
{
	UM_USAGE(s->error, "core group '%s': %s '%s'", s->text, what, at);
	return um_advise(s->error, -EINVAL, "write lists such as 0,1,2 or 0-10,20-18, or [4-15,32-63] for a group per "
		"core");
}

static int number(const struct scan *s, const char **at, unsigned *value)
{
	unsigned long v;
	char *end;

	if (!isdigit((unsigned char)**at))
		return bad(s, "not a number:", *at);
	errno = 0;
	v = strtoul(*at, &end, um_starts_with(*at, "0x") || um_starts_with(*at, "0X") ? 16 : 10);
	if (errno || v >= s->limit) {
		UM_USAGE(s->error, "core group '%s': there is no CPU %.*s", s->text, (int)(end - *at), *at);
		return um_advise(s->error, -EINVAL, "CPUs are 0 to %u", s->limit - 1);
	}
	*value = (unsigned)v;
	*at = end;
	return 0;
}

static int add_range(const struct scan *s, struct um_cpuset *set, unsigned from, unsigned to)
{
	unsigned low = from < to ? from : to, high = from < to ? to : from;

	for (unsigned cpu = low; cpu <= high; cpu++)
		if (um_cpuset_add(set, cpu))
			return um_no_memory(s->error);
	return 0;
}

/* Read a list up to the character @close, or to the end of the string. */
static int scan_list(const struct scan *s, const char *at, char close, struct um_cpuset *set)
{
	while (*at && *at != close) {
		unsigned from, to;
		int err;

		at += strspn(at, " \t");
		if (*at == ',') {
			at++;
			continue;
		}
		err = number(s, &at, &from);
		to = from;
		if (!err && *at == '-') {
			at++;
			err = number(s, &at, &to);
		}
		if (!err)
			err = add_range(s, set, from, to);
		if (err)
			return err;
		if (*at && *at != ',' && *at != close)
			return bad(s, "unexpected text", at);
	}
	if (*at != close)
		return bad(s, "no closing bracket in", s->text);
	return set->num ? 0 : bad(s, "no core in", s->text);
}

static int check_new(const struct scan *s, const struct um_cpuset *set)
{
	for (size_t i = 0; i < s->groups->num; i++)
		for (size_t k = 0; k < set->num; k++)
			if (um_cpuset_has(&s->groups->cpus[i], set->cpus[k])) {
				UM_USAGE(s->error, "core group '%s': CPU %u is in group '%s' already", s->text,
					set->cpus[k], s->groups->texts[i]);
				return um_advise(s->error, -EINVAL, "name each core once");
			}
	return 0;
}

/* On success the group owns @set; on failure @set still belongs to the caller. */
static int append(const struct scan *s, const char *text, struct um_cpuset *set)
{
	struct um_core_groups *g = s->groups;
	char *copy = strdup(text);

	if (!copy || ARRAY_ROOM(g->texts, g->num, 2) || ARRAY_ROOM(g->cpus, g->num, 1)) {
		free(copy);
		return um_no_memory(s->error);
	}
	g->cpus[g->num] = *set;
	g->texts[g->num++] = copy;
	g->texts[g->num] = NULL;
	*set = (struct um_cpuset){ 0 };
	return 0;
}

static void cut(struct um_core_groups *g, size_t num)
{
	while (g->num > num) {
		g->num--;
		free((char *)g->texts[g->num]);
		g->texts[g->num] = NULL;
		um_cpuset_free(&g->cpus[g->num]);
	}
}

int um_core_groups_add(struct um_core_groups *g, const char *text, unsigned limit, struct um_error *e)
{
	const char *from = text + strspn(text, " \t");
	bool each = *from == '[';
	struct scan s = { g, text, limit, e };
	struct um_cpuset set = { 0 };
	size_t before = g->num;
	int err = scan_list(&s, from + each, each ? ']' : '\0', &set) ?: check_new(&s, &set);

	if (!err && !each)
		err = append(&s, from, &set);
	/* Each CPU in brackets becomes a group of its own. */
	for (size_t i = 0; each && i < set.num && !err; i++) {
		char one[16];

		snprintf(one, sizeof(one), "%u", set.cpus[i]);
		err = um_core_groups_add(g, one, limit, e);
	}
	um_cpuset_free(&set);
	if (err)
		cut(g, before);
	return err;
}

void um_core_groups_free(struct um_core_groups *g)
{
	cut(g, 0);
	free(g->texts);
	free(g->cpus);
	*g = (struct um_core_groups){ 0 };
}
