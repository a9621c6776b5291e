/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine's sysfs and procfs: one table of paths. Contents are made when they are read, as the
 * kernel does. In a path '#' stands for a CPU number, '@' for a package counted from 0, and '%' for
 * a core of that package as coretemp numbers its sensors; the latter two are reached through the
 * first CPU of the package or core.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/perf.h"
#include "uncoremsr/sim.h"

#define CPU_DIR "sys/devices/system/cpu/"
#define TOPOLOGY CPU_DIR "cpu#/topology/"
#define L3 CPU_DIR "cpu#/cache/index3/"
#define THROTTLE CPU_DIR "cpu#/thermal_throttle/"
#define HWMON "sys/class/hwmon/hwmon@/"

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
	{ L3 "id", um_sim_show_l3_id, NULL, um_sim_has_l3 },
	{ L3 "level", um_sim_show_three, NULL, um_sim_has_l3 },
	{ L3 "shared_cpu_list", um_sim_show_l3_cpus, NULL, um_sim_has_l3 },
	{ THROTTLE "core_throttle_count", um_sim_show_core_count, NULL, um_sim_has_core_count },
	{ THROTTLE "core_throttle_max_time_ms", um_sim_show_core_max, NULL,
	  um_sim_has_core_count },
	{ THROTTLE "core_throttle_total_time_ms", um_sim_show_core_total, NULL,
	  um_sim_has_core_count },
	{ THROTTLE "package_throttle_count", um_sim_show_package_count, NULL,
	  um_sim_has_package_count },
	{ THROTTLE "package_throttle_max_time_ms", um_sim_show_package_max, NULL,
	  um_sim_has_package_count },
	{ THROTTLE "package_throttle_total_time_ms", um_sim_show_package_total, NULL,
	  um_sim_has_package_count },
	{ HWMON "name", um_sim_show_sensor_name, NULL, um_sim_has_sensors },
	{ HWMON "temp1_label", um_sim_show_package_label, NULL, um_sim_has_package_sensor },
	{ HWMON "temp1_input", um_sim_show_package_input, NULL, um_sim_has_package_sensor },
	{ HWMON "temp1_max", um_sim_show_max, NULL, um_sim_has_package_limit },
	{ HWMON "temp1_crit", um_sim_show_crit, NULL, um_sim_has_package_limit },
	{ HWMON "temp1_crit_alarm", um_sim_show_package_alarm, NULL, um_sim_has_package_limit },
	{ HWMON "temp%_label", um_sim_show_core_label, NULL, um_sim_has_core_sensor },
	{ HWMON "temp%_input", um_sim_show_core_input, NULL, um_sim_has_core_sensor },
	{ HWMON "temp%_max", um_sim_show_max, NULL, um_sim_has_core_sensor },
	{ HWMON "temp%_crit", um_sim_show_crit, NULL, um_sim_has_core_sensor },
	{ HWMON "temp%_crit_alarm", um_sim_show_core_alarm, NULL, um_sim_has_core_sensor },
	{ "sys/devices/platform/AMDI0097:0@/prochot_status", um_sim_show_prochot_status, NULL,
	  um_sim_has_hsmp },
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
#define PLACEHOLDERS "#@%"

/* The number of a package or of a core's sensor when @cpu is the first one there; else -1. */
static long number_of(const struct uncoremsr_sim *sim, char placeholder, unsigned cpu)
{
	const struct um_sim_cpu *c = &sim->cpus[cpu];

	if (!c->present)
		return -1;
	if (placeholder == '#')
		return (long)cpu;
	for (unsigned i = 0; i < cpu; i++)
		if (sim->cpus[i].present && sim->cpus[i].package == c->package &&
		    (placeholder == '@' || sim->cpus[i].core == c->core))
			return -1;
	return placeholder == '@' ? (long)c->package : (long)c->core_id + 2;
}

/* The CPU that a placeholder's number leads to, *cpu being that of the one before it. */
static bool resolve(const struct uncoremsr_sim *sim, char placeholder, unsigned number,
		    unsigned *cpu)
{
	unsigned package = *cpu;

	if (placeholder == '#') {
		*cpu = number;
		return true;
	}
	for (*cpu = 0; *cpu < sim->num_cpus; ++*cpu)
		if (number_of(sim, placeholder, *cpu) == (long)number &&
		    (placeholder == '@' || sim->cpus[*cpu].package == sim->cpus[package].package))
			return true;
	return false;
}

/* A number as the kernel writes it: decimal, no leading zeros. */
static const char *read_number(const char *path, unsigned *number)
{
	const char *start = path;

	for (*number = 0; *path >= '0' && *path <= '9' && *number < UM_SIM_MAX_CPUS + 2; path++)
		*number = *number * 10 + (unsigned)(*path - '0');
	return path == start || (*start == '0' && path > start + 1) ? NULL : path;
}

/*
 * Compare @path with a pattern. NULL: no match. Else what is left of the pattern: "" when the path
 * is the file, the remaining components when it is a directory on the way there.
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
	if (strpbrk(f->path, PLACEHOLDERS) && (cpu >= sim->num_cpus || !sim->cpus[cpu].present))
		return false;
	return !f->exists || f->exists(sim, cpu);
}

/* Does any file of this row lie below a directory that matched without naming a CPU? */
static bool any_visible(const struct uncoremsr_sim *sim, const struct um_sim_file *f, unsigned cpu)
{
	if (cpu != NO_CPU || !strpbrk(f->path, PLACEHOLDERS))
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
		const char *rest = match(sim, files[i].path, path, cpu);

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
	if (!f && !um_sim_perf_file(sim, path, &t))
		return (long)t.len;
	if (!f)
		return err == -ENOENT ? um_sim_perf_file(sim, path, &t) : err;
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
		return err == -ENOENT && !um_sim_perf_file(sim, path, NULL) ? -EACCES : err;
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
	char (*name)[64];
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

/* The next path component of a row below the directory, for each number that it stands for. */
static int tell_row(struct uncoremsr_sim *sim, const struct um_sim_file *f, const char *rest,
		    unsigned dir, struct names *seen,
		    int (*fn)(void *user, const char *name, int is_dir), void *user)
{
	size_t len = strcspn(rest, "/"), before = strcspn(rest, PLACEHOLDERS);
	char name[32];
	int err = 0;

	if (before >= len) {
		snprintf(name, sizeof(name), "%.*s", (int)len, rest);
		return any_visible(sim, f, dir) ? tell(seen, name, rest[len] == '/', fn, user) : 0;
	}
	for (unsigned cpu = 0; cpu < sim->num_cpus && !err; cpu++) {
		long number = number_of(sim, rest[before], cpu);

		if (number < 0 || !visible(sim, f, cpu) ||
		    (dir != NO_CPU && sim->cpus[dir].package != sim->cpus[cpu].package))
			continue;
		snprintf(name, sizeof(name), "%.*s%ld%.*s", (int)before, rest, number,
			 (int)(len - before - 1), rest + before + 1);
		err = tell(seen, name, rest[len] == '/', fn, user);
	}
	return err;
}

/* For names that come from elsewhere. */
struct telling {
	struct names *seen;
	int (*fn)(void *user, const char *name, int is_dir);
	void *user;
};

static int tell_once(void *user, const char *name, int is_dir)
{
	struct telling *t = user;

	return tell(t->seen, name, is_dir, t->fn, t->user);
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
	err = err == -ENOENT ? um_sim_perf_file(sim, path, NULL) : err;
	if (err != -EISDIR)
		return err ? err : -ENOTDIR;
	err = 0;
	for (size_t i = 0; i < ARRAY_SIZE(files) && !err; i++) {
		const char *rest = match(sim, files[i].path, path, &cpu);

		if (rest)
			err = tell_row(sim, &files[i], rest, cpu, &seen, fn, user);
	}
	if (!err)
		err = um_sim_perf_list(sim, path, tell_once,
				       &(struct telling){ &seen, fn, user });
	free(seen.name);
	return err;
}
