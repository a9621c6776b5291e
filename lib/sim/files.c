/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's sysfs and procfs: one table of paths, '#' standing for a CPU number. Contents are
 * made when they are read, as the kernel does.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files.h"

#define CPU_DIR "sys/devices/system/cpu/"
#define TOPOLOGY CPU_DIR "cpu#/topology/"

static const struct um_sim_file files[] = {
	{ CPU_DIR "online", um_sim_show_online, NULL, NULL },
	{ CPU_DIR "offline", um_sim_show_offline, NULL, NULL },
	{ CPU_DIR "present", um_sim_show_present, NULL, NULL },
	{ CPU_DIR "possible", um_sim_show_possible, NULL, NULL },
	{ CPU_DIR "kernel_max", um_sim_show_kernel_max, NULL, NULL },
	{ CPU_DIR "cpu#/online", um_sim_show_cpu_online, um_sim_store_cpu_online,
	  um_sim_has_switch },
	{ TOPOLOGY "physical_package_id", um_sim_show_package, NULL, um_sim_online },
	{ TOPOLOGY "die_id", um_sim_show_die, NULL, um_sim_online },
	{ TOPOLOGY "core_id", um_sim_show_core, NULL, um_sim_online },
	{ TOPOLOGY "package_cpus_list", um_sim_show_package_cpus, NULL, um_sim_online },
	{ TOPOLOGY "core_siblings_list", um_sim_show_package_cpus, NULL, um_sim_online },
	{ TOPOLOGY "die_cpus_list", um_sim_show_die_cpus, NULL, um_sim_online },
	{ TOPOLOGY "core_cpus_list", um_sim_show_core_cpus, NULL, um_sim_online },
	{ TOPOLOGY "thread_siblings_list", um_sim_show_core_cpus, NULL, um_sim_online },
	{ "sys/module/msr/parameters/allow_writes", um_sim_show_allow_writes, NULL,
	  um_sim_has_driver },
	{ "sys/kernel/security/lockdown", um_sim_show_lockdown, NULL, um_sim_has_lockdown },
	{ "proc/cpuinfo", um_sim_show_cpuinfo, NULL, NULL },
	{ "proc/devices", um_sim_show_devices, NULL, NULL },
	{ "sim/name", um_sim_show_name, NULL, NULL },
	{ "sim/title", um_sim_show_title, NULL, NULL },
	{ "sim/max_rate", um_sim_show_max_rate, NULL, NULL },
	{ "sim/clock", um_sim_show_clock, um_sim_store_clock, NULL },
};

void um_sim_print(struct um_sim_text *t, const char *fmt, ...)
{
	size_t room = t->len < t->size ? t->size - t->len : 0;
	char line[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(line))
		n = sizeof(line) - 1;
	if (room)
		memcpy(t->buf + t->len, line, (size_t)n < room ? (size_t)n : room);
	t->len += (size_t)n;
}

#define NO_CPU UINT32_MAX

/* A CPU number as the kernel writes it: decimal, no leading zeros. */
static const char *cpu_number(const char *path, unsigned *cpu)
{
	const char *start = path;

	for (*cpu = 0; *path >= '0' && *path <= '9' && *cpu < UM_SIM_MAX_CPUS; path++)
		*cpu = *cpu * 10 + (unsigned)(*path - '0');
	return path == start || (*start == '0' && path > start + 1) ? NULL : path;
}

/*
 * Compare @path with a pattern. NULL: no match. Else what is left of the pattern: "" when the path
 * is the file, the remaining components when it is a directory on the way there.
 */
static const char *match(const char *pattern, const char *path, unsigned *cpu)
{
	*cpu = NO_CPU;
	if (!*path)
		return pattern;
	for (; *path; pattern++) {
		if (*pattern == '#') {
			path = cpu_number(path, cpu);
			if (!path)
				return NULL;
		} else if (*pattern != *path++) {
			return NULL;
		}
	}
	return *pattern == '/' ? pattern + 1 : *pattern ? NULL : pattern;
}

static bool visible(const struct uncoremsr_sim *sim, const struct um_sim_file *f, unsigned cpu)
{
	if (strchr(f->path, '#') && (cpu >= sim->num_cpus || !sim->cpus[cpu].present))
		return false;
	return !f->exists || f->exists(sim, cpu);
}

/* Does any file of this row lie below a directory that matched without naming a CPU? */
static bool any_visible(const struct uncoremsr_sim *sim, const struct um_sim_file *f, unsigned cpu)
{
	if (cpu != NO_CPU || !strchr(f->path, '#'))
		return visible(sim, f, cpu);
	for (cpu = 0; cpu < sim->num_cpus; cpu++)
		if (visible(sim, f, cpu))
			return true;
	return false;
}

/* The file, or NULL with *err -EISDIR or -ENOENT. */
static const struct um_sim_file *find(const struct uncoremsr_sim *sim, const char *path,
				      unsigned *cpu, int *err)
{
	*err = -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *rest = match(files[i].path, path, cpu);

		if (!rest || !any_visible(sim, &files[i], *cpu))
			continue;
		if (!*rest)
			return &files[i];
		*err = -EISDIR;
	}
	return NULL;
}

long uncoremsr_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size)
{
	struct um_sim_text t = { .buf = buf, .size = size };
	const struct um_sim_file *f;
	unsigned cpu;
	int err;

	um_sim_tick(sim);
	f = find(sim, path, &cpu, &err);
	if (!f)
		return err;
	f->show(sim, cpu, &t);
	return (long)t.len;
}

int uncoremsr_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text,
			     size_t size)
{
	const struct um_sim_file *f;
	char copy[64];
	unsigned cpu;
	int err;

	um_sim_tick(sim);
	f = find(sim, path, &cpu, &err);
	if (!f)
		return err;
	if (!f->store)
		return -EACCES;
	if (size && text[size - 1] == '\n')
		size--;
	if (!size || size >= sizeof(copy) || memchr(text, '\0', size))
		return -EINVAL;
	memcpy(copy, text, size);
	copy[size] = '\0';
	return f->store(sim, cpu, copy);
}

/* Names already told, so that a directory many files share is told once. */
struct names {
	char (*name)[32];
	size_t num;
};

static int tell(struct names *seen, const char *name, int is_dir,
		int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	for (size_t i = seen->num; i-- > 0;)
		if (!strcmp(seen->name[i], name))
			return 0;
	if (!UM_SIM_APPEND(seen->name, seen->num))
		return -ENOMEM;
	snprintf(seen->name[seen->num - 1], sizeof(*seen->name), "%s", name);
	return fn(user, name, is_dir);
}

/* The next path component of a row below the directory, for each CPU that it stands for. */
static int tell_row(struct uncoremsr_sim *sim, const struct um_sim_file *f, const char *rest,
		    unsigned cpu, struct names *seen,
		    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	size_t len = strcspn(rest, "/");
	const char *hash = memchr(rest, '#', len);
	char name[32];
	int err = 0;

	if (!hash) {
		snprintf(name, sizeof(name), "%.*s", (int)len, rest);
		return any_visible(sim, f, cpu) ? tell(seen, name, rest[len] == '/', fn, user) : 0;
	}
	for (cpu = 0; cpu < sim->num_cpus && !err; cpu++) {
		if (!visible(sim, f, cpu))
			continue;
		snprintf(name, sizeof(name), "%.*s%u%.*s", (int)(hash - rest), rest, cpu,
			 (int)(rest + len - hash - 1), hash + 1);
		err = tell(seen, name, rest[len] == '/', fn, user);
	}
	return err;
}

int uncoremsr_sim_file_list(struct uncoremsr_sim *sim, const char *path,
			    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	struct names seen = { NULL, 0 };
	unsigned cpu;
	int err;

	um_sim_tick(sim);
	if (find(sim, path, &cpu, &err))
		return -ENOTDIR;
	if (err != -EISDIR)
		return err;
	err = 0;
	for (size_t i = 0; i < ARRAY_SIZE(files) && !err; i++) {
		const char *rest = match(files[i].path, path, &cpu);

		if (rest)
			err = tell_row(sim, &files[i], rest, cpu, &seen, fn, user);
	}
	free(seen.name);
	return err;
}
