/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finding, reading, writing and listing the machine's files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "sim/file_table.h"
#include "sim/trouble.h"

#define NO_CPU UINT32_MAX
#define PLACEHOLDERS "#@^!%"

/* The number of the package, node or core (by placeholder) whose first CPU is @cpu; -1: it is not the first. */
static long number_of(const struct uncoremsr_sim *sim, char placeholder, unsigned cpu)
{
	const struct um_sim_cpu *c = &sim->cpus[cpu];
	enum um_sim_scope scope = placeholder == '@' ? UM_SIM_PER_PACKAGE
				: placeholder == '%' ? UM_SIM_PER_CORE : UM_SIM_PER_NODE;

	if (!c->present)
		return -1;
	if (placeholder == '#')
		return (long)cpu;
	if (um_sim_first_of(sim, scope, cpu) < cpu)
		return -1;
	switch (placeholder) {
	case '@': return (long)c->package;
	case '^': return (long)c->copy[UM_SIM_PER_NODE];
	case '!': return 2 * ((long)sim->copies[UM_SIM_PER_NODE].num - (long)c->copy[UM_SIM_PER_NODE]) - 1;
	default: return (long)c->core_id + 2;
	}
}

/*
 * Find the first CPU of the package, node or core that a placeholder's number names. If an earlier placeholder of the
 * path has set *cpu, search only in that CPU's node.
 */
static bool resolve(const struct uncoremsr_sim *sim, char placeholder, unsigned number,
		    unsigned *cpu)
{
	unsigned before = *cpu;

	if (placeholder == '#') {
		*cpu = number;
		return true;
	}
	for (*cpu = 0; *cpu < sim->num_cpus; ++*cpu)
		if (number_of(sim, placeholder, *cpu) == (long)number &&
		    (before == NO_CPU || um_sim_shares(sim, UM_SIM_PER_NODE, *cpu, before)))
			return true;
	return false;
}

/* Read a number as the kernel writes it: decimal, no leading zeros. */
static const char *read_number(const char *path, unsigned *number)
{
	const char *end = path;

	return um_read_decimal(&end, 2 * UM_SIM_MAX_CPUS, number) && (*path != '0' || end == path + 1) ? end : NULL;
}

/*
 * Compare @path with a pattern. Returns the rest of the pattern: "" if @path is the file, the remaining components if
 * @path is a directory above the file; NULL: no match.
 */
static const char *match(const struct uncoremsr_sim *sim, const char *pattern, const char *path,
			 unsigned *cpu)
{
	unsigned number;

	*cpu = NO_CPU;
	if (!*path)
		return pattern;
	for (; *path; pattern++) {
		if (*pattern && strchr(PLACEHOLDERS, *pattern)) {
			path = read_number(path, &number);
			if (!path || !resolve(sim, *pattern, number, cpu))
				return NULL;
		} else if (*pattern != *path++) {
			return NULL;
		}
	}
	return *pattern == '/' ? pattern + 1 : *pattern ? NULL : pattern;
}

static bool visible(const struct uncoremsr_sim *sim, const struct um_sim_file *f, unsigned cpu)
{
	if (cpu != NO_CPU && (cpu >= sim->num_cpus || !sim->cpus[cpu].present))
		return false;
	return !f->exists || f->exists(sim, cpu);
}

/* Is the file @f visible for @cpu? If the path has no CPU number yet (NO_CPU): is it visible for any CPU? */
static bool any_visible(const struct uncoremsr_sim *sim, const struct um_sim_file *f, unsigned cpu)
{
	if (cpu != NO_CPU || !strpbrk(f->path, PLACEHOLDERS))
		return visible(sim, f, cpu);
	for (cpu = 0; cpu < sim->num_cpus; cpu++)
		if (visible(sim, f, cpu))
			return true;
	return false;
}

static const struct um_sim_file *const tables[] = {
	um_sim_cpu_files, um_sim_heat_files, um_sim_system_files,
};

#define FOR_EACH_FILE(f) \
	for (size_t table = 0; table < ARRAY_SIZE(tables); table++) \
		for (const struct um_sim_file *f = tables[table]; f->path; f++)

/* Find a file; NULL with *err -EISDIR or -ENOENT. */
static const struct um_sim_file *find_file(const struct uncoremsr_sim *sim, const char *path,
					   unsigned *cpu, int *err)
{
	*err = -ENOENT;
	FOR_EACH_FILE(f) {
		const char *rest = match(sim, f->path, path, cpu);

		if (!rest || (*rest && *err == -EISDIR) || !any_visible(sim, f, *cpu))
			continue;
		if (!*rest)
			return f;
		*err = -EISDIR;
	}
	return NULL;
}

/* A search for one of the files that are in no table. */
struct search {
	struct um_sim_visitor visitor;
	const char *path;
	struct um_sim_text *text;      /* gets the content; NULL: only check that it exists */
	int found;                     /* 0; -EISDIR; -ENOENT */
};

static int compare(struct um_sim_visitor *v, const char *path, const void *data, size_t len)
{
	struct search *s = (struct search *)v;
	const char *rest = um_sim_path_below(path, s->path);

	if (!rest)
		return 0;
	s->found = *rest ? -EISDIR : 0;
	if (!*rest && s->text)
		um_sim_put(s->text, data, len);
	return 1;
}

/* Write a file that is in no table into @t. 0; -EISDIR, -EACCES, -ENOENT or -ENOMEM. @t NULL: see struct search. */
static int other_file(const struct uncoremsr_sim *sim, const char *path, struct um_sim_text *t)
{
	struct search s = { { compare }, path, t, -ENOENT };
	int err = um_sim_kernel_visit(sim, &s.path, &s.visitor);

	if (!err) {
		s.path = path;
		err = um_sim_imc_visit(sim, &s.path, &s.visitor);
	}
	return err < 0 ? err : s.found;
}

long uncoremsr_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size)
{
	struct um_sim_text t = { .buf = buf, .size = size };
	const struct um_sim_file *f;
	unsigned cpu;
	int err, other;

	if (!sim || !path || (!buf && size))
		return -EINVAL;
	um_sim_tick(sim);
	f = find_file(sim, path, &cpu, &err);
	if (f) {
		f->show(sim, cpu, &t);
		return (long)t.len;
	}
	other = other_file(sim, path, &t);
	return !other ? (long)t.len : err == -ENOENT ? other : err;
}

int uncoremsr_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text, size_t size)
{
	const struct um_sim_file *f;
	char copy[64];
	unsigned cpu;
	int err, other;

	if (!sim || !path || !text)
		return -EINVAL;
	um_sim_tick(sim);
	f = find_file(sim, path, &cpu, &err);
	other = f || err != -ENOENT ? -ENOENT : other_file(sim, path, NULL);
	if (f ? !f->store : !other || other == -EACCES)
		return -EACCES;
	if (!f)
		return err;
	if (size && text[size - 1] == '\n')
		size--;
	if (!size || size >= sizeof(copy) || memchr(text, '\0', size))
		return -EINVAL;
	memcpy(copy, text, size);
	copy[size] = '\0';
	return f->store(sim, cpu, copy);
}

/* A directory being listed. A name that many files share is reported once. */
struct listing {
	struct um_sim_visitor visitor;
	const char *path;      /* the directory, for the visitor */
	int (*fn)(void *user, const char *name, int is_dir);
	void *user;
	char (*seen)[256];
	size_t num_seen;
	const char *complete;  /* a component such as "cpu#" whose names were all passed on; NULL: none yet */
};

static bool is_seen(const struct listing *l, const char *name)
{
	for (size_t i = l->num_seen; i-- > 0;)
		if (!strcmp(l->seen[i], name))
			return true;
	return false;
}

static int list_name(struct listing *l, const char *name, bool is_dir)
{
	if (is_seen(l, name))
		return 0;
	if (ARRAY_ROOM(l->seen, l->num_seen, 1))
		return -ENOMEM;
	snprintf(l->seen[l->num_seen++], sizeof(*l->seen), "%s", name);
	return l->fn(l->user, name, is_dir);
}

/* List the next path component of a file below the directory, with every number that its placeholder can have. */
static int list_file(struct uncoremsr_sim *sim, const struct um_sim_file *f, const char *rest,
		     unsigned dir, struct listing *l)
{
	size_t len = strcspn(rest, "/"), before = strcspn(rest, PLACEHOLDERS);
	char name[32];
	bool all = true;
	int err = 0;

	if (before >= len) {
		snprintf(name, sizeof(name), "%.*s", (int)len, rest);
		return !is_seen(l, name) && any_visible(sim, f, dir) ? list_name(l, name, rest[len] == '/') : 0;
	}
	if (l->complete && !strncmp(l->complete, rest, len + 1))
		return 0;
	for (unsigned cpu = 0; cpu < sim->num_cpus && !err; cpu++) {
		long number = number_of(sim, rest[before], cpu);

		if (number < 0 || (dir != NO_CPU && !um_sim_shares(sim, UM_SIM_PER_NODE, dir, cpu)))
			continue;
		snprintf(name, sizeof(name), "%.*s%ld%.*s", (int)before, rest, number,
			 (int)(len - before - 1), rest + before + 1);
		if (is_seen(l, name))
			continue;
		if (visible(sim, f, cpu))
			err = list_name(l, name, rest[len] == '/');
		else
			all = false;
	}
	if (all)
		l->complete = rest;
	return err;
}

static int list_visited(struct um_sim_visitor *v, const char *path, const void *data UM_SIM_UNUSED,
			size_t size UM_SIM_UNUSED)
{
	struct listing *l = (struct listing *)v;
	const char *rest = um_sim_path_below(path, l->path);
	size_t len = rest ? strcspn(rest, "/") : 0;
	char name[256];

	if (!len)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)len, rest);
	return list_name(l, name, rest[len] == '/');
}

int uncoremsr_sim_file_list(struct uncoremsr_sim *sim, const char *path,
			    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	struct listing l = { .visitor = { list_visited }, .path = path, .fn = fn, .user = user };
	unsigned cpu;
	int err;

	if (!sim || !path || !fn)
		return -EINVAL;
	um_sim_tick(sim);
	if (find_file(sim, path, &cpu, &err))
		return -ENOTDIR;
	err = err == -ENOENT ? other_file(sim, path, NULL) : err;
	if (err != -EISDIR)
		return err && err != -EACCES ? err : -ENOTDIR;
	err = 0;
	FOR_EACH_FILE(f) {
		const char *rest = err ? NULL : match(sim, f->path, path, &cpu);

		if (rest)
			err = list_file(sim, f, rest, cpu, &l);
	}
	if (!err)
		err = um_sim_kernel_visit(sim, &l.path, &l.visitor);
	l.path = path;
	if (!err)
		err = um_sim_imc_visit(sim, &l.path, &l.visitor);
	free(l.seen);
	return err;
}
