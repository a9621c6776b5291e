/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Find a file among those that the machine has. */
#include "sim/search.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"

/* The part of @path below the directory @dir. "": both are equal. NULL: @path is not below @dir. */
static const char *below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (!len)
		return path;
	if (strncmp(path, dir, len))
		return NULL;
	return !path[len] ? path + len : path[len] == '/' && path[len + 1] ? path + len + 1 : NULL;
}

/* List the first component of @name. If several files share it, it is listed once. */
static void found_name(struct um_sim_search *s, const char *name, bool is_dir)
{
	size_t len = strcspn(name, "/");

	s->result = -EISDIR;
	for (size_t i = s->num_seen; i-- > 0;)
		if (um_is_exactly(name, len, s->seen[i]))
			return;
	if (!s->list)
		return;
	if (ARRAY_ROOM(s->seen, s->num_seen, 1)) {
		s->answer = -ENOMEM;
	} else {
		snprintf(s->seen[s->num_seen++], sizeof(*s->seen), "%.*s", (int)len, name);
		s->answer = s->list(s->user, s->seen[s->num_seen - 1], is_dir || name[len]);
	}
	s->done = s->answer;
}

/* Compare @from, the rest of the searched path, with a file's path. Returns the rest below it; NULL: they differ. */
static const char *compare(struct um_sim_search *s, const char *from, bool is_dir, const char *fmt, va_list ap)
{
	size_t constant = strcspn(fmt, "%"), len = strlen(from);
	const char *rest, *inside;
	char name[256];

	if (s->done || strncmp(fmt, from, constant < len ? constant : len))
		return NULL;
	vsnprintf(name, sizeof(name), fmt, ap);
	rest = below(from, name);
	inside = rest ? NULL : below(name, from);
	if (inside)
		found_name(s, inside, is_dir);
	return rest;
}

bool um_sim_enter(struct um_sim_search *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	s->rest = compare(s, s->path, true, fmt, ap);
	va_end(ap);
	if (s->rest && !*s->rest)
		s->result = -EISDIR;
	return s->rest;
}

bool um_sim_offer(struct um_sim_search *s, const char *fmt, ...)
{
	const char *rest;
	va_list ap;

	va_start(ap, fmt);
	rest = compare(s, s->rest, false, fmt, ap);
	va_end(ap);
	if (!rest || *rest)
		return false;
	s->result = 0;
	s->done = true;
	return true;
}

void um_sim_put(struct um_sim_search *s, const void *data, size_t len)
{
	size_t from = s->len < s->skip ? s->skip : s->len, to = s->len + len;

	if (to > s->skip && to - s->skip > s->size)
		to = s->skip + s->size;
	if (from < to)
		memcpy(s->buf + (from - s->skip), (const char *)data + (from - s->len), to - from);
	s->len += len;
}

static void print(struct um_sim_search *s, const char *fmt, va_list ap)
{
	char text[512];
	int n = vsnprintf(text, sizeof(text), fmt, ap);

	if (n > 0)
		um_sim_put(s, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

void um_sim_print(struct um_sim_search *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(s, fmt, ap);
	va_end(ap);
}

void um_sim_offer_line(struct um_sim_search *s, const char *name, const char *fmt, ...)
{
	va_list ap;

	if (!um_sim_offer(s, "%s", name))
		return;
	va_start(ap, fmt);
	print(s, fmt, ap);
	va_end(ap);
	um_sim_put(s, "\n", 1);
}

void um_sim_offer_cpus(struct um_sim_search *s, const char *name, um_sim_cpu_test *test, const void *of)
{
	const struct uncoremsr_sim *sim = s->sim;
	const char *comma = "";

	if (!um_sim_offer(s, "%s", name))
		return;
	for (unsigned cpu = 0; cpu < sim->num_cpus; cpu++) {
		unsigned last = cpu;

		if (!test(sim, cpu, of))
			continue;
		while (last + 1 < sim->num_cpus && test(sim, last + 1, of))
			last++;
		um_sim_print(s, "%s%u", comma, cpu);
		if (last > cpu)
			um_sim_print(s, "-%u", last);
		comma = ",";
		cpu = last;
	}
	um_sim_print(s, "\n");
}

struct sharing {
	enum um_sim_scope scope;
	unsigned cpu;
};

static bool is_sharing(const struct uncoremsr_sim *sim, unsigned cpu, const void *of)
{
	const struct sharing *with = of;

	return um_sim_online(sim, cpu) && um_sim_shares(sim, with->scope, cpu, with->cpu);
}

void um_sim_offer_sharing(struct um_sim_search *s, const char *name, enum um_sim_scope scope, unsigned cpu)
{
	um_sim_offer_cpus(s, name, is_sharing, &(struct sharing){ scope, cpu });
}
