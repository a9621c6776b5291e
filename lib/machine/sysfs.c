/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Format of the files: Linux Documentation/admin-guide/cputopology.rst. Some old kernels end these files in a NUL byte,
 * so every parser here takes text up to the first NUL.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "machine/sysfs.h"

/* The longest list a kernel can write: 4096 of 8192 CPUs, no two of them neighbours: 20 KiB. */
#define BUF_SIZE 65536

const struct um_cpu_file um_package_files[] = {
	{ "package_cpus_list", false }, { "core_siblings_list", false },
	{ "package_cpus", true }, { "core_siblings", true }, { NULL, false },
};

/* Linux 5.2 has added these files together with die_id. */
const struct um_cpu_file um_die_files[] = {
	{ "die_cpus_list", false }, { "die_cpus", true }, { NULL, false },
};

const struct um_cpu_file um_core_files[] = {
	{ "core_cpus_list", false }, { "thread_siblings_list", false },
	{ "core_cpus", true }, { "thread_siblings", true }, { NULL, false },
};

int um_sysfs_id(struct um_access *a, unsigned cpu, const char *name)
{
	char path[UM_CPU_PATH_SIZE], line[24];
	const char *digits = line;
	unsigned id;

	um_cpu_path(path, UM_SYSFS_CPU "/cpu", cpu, "/topology/", name);
	if (um_access_line(a, path, line, sizeof(line)) <= 0)
		return UM_NO_ID;
	digits += *line == '-';
	if (!um_read_decimal(&digits, INT_MAX, &id) || *digits)
		return UM_NO_ID;
	return *line == '-' ? -1 : (int)id;
}

int um_core_id(struct um_access *a, int cpu)
{
	int id = cpu < 0 ? -1 : um_sysfs_id(a, (unsigned)cpu, "core_id");

	return id < 0 ? -1 : id;
}

/* One word of a hex mask, its lowest bit being CPU @first. */
static int add_word(struct um_cpuset *set, const char *word, size_t len, unsigned first)
{
	uint64_t bits;

	if (len > 8 || !um_perf_hex(word, len, &bits))
		return -EINVAL;
	for (unsigned i = 0; bits; i++, bits >>= 1)
		if ((bits & 1) && um_cpuset_add(set, first + i) < 0)
			return -ENOMEM;
	return 0;
}

static int parse_mask(struct um_cpuset *set, const char *text)
{
	size_t end = strcspn(text, "\n");
	unsigned first = 0;
	int ret;

	set->cpus = NULL;
	set->num = 0;
	for (;; first += 32) {
		size_t start = end;

		while (start && text[start - 1] != ',')
			start--;
		ret = add_word(set, text + start, end - start, first);
		if (ret < 0)
			break;
		if (!start)
			return 0;
		end = start - 1;
	}
	um_cpuset_free(set);
	return ret;
}

static int read_set(struct um_cpuset *set, struct um_access *a, const char *path, bool hex)
{
	char *text = malloc(BUF_SIZE);
	ssize_t len;
	int err;

	*set = (struct um_cpuset){ .num = 0 };
	if (!text)
		return -ENOMEM;
	len = a->ops->read_text(a, path, text, BUF_SIZE);
	if (len < 0)
		err = (int)len;
	else if (len >= BUF_SIZE - 1)
		err = -EFBIG; /* cut off, so CPUs would be missing */
	else
		err = hex ? parse_mask(set, text) : um_cpuset_parse(set, text, NULL);
	free(text);
	return err;
}

int um_cpuset_read(struct um_cpuset *set, struct um_access *a, const char *path)
{
	return read_set(set, a, path, false);
}

static int read_cpus(struct um_sysfs *s, unsigned cpu, const struct um_cpu_file *file, struct um_cpuset *set)
{
	char path[UM_CPU_PATH_SIZE];

	return read_set(set, s->a, um_cpu_path(path, UM_SYSFS_CPU "/cpu", cpu, "/topology/", file->name), file->hex);
}

int um_sysfs_cpus(struct um_sysfs *s, unsigned cpu, const struct um_cpu_file *files, struct um_cpuset *set)
{
	for (const struct um_cpu_file *file = s->known ? s->known : files; file->name; file++) {
		int ret = read_cpus(s, cpu, file, set);

		if (ret == 0 && !s->known)
			s->known = file;
		if (ret == 0 || ret == -ENOMEM)
			return ret;
	}
	return -ENODATA;
}

static int stop_at_first(void *user, const char *name)
{
	(void)user;
	(void)name;
	return 1;
}

static bool has_topology(struct um_access *a, unsigned cpu)
{
	char path[UM_CPU_PATH_SIZE];

	um_cpu_path(path, UM_SYSFS_CPU "/cpu", cpu, "/topology", "");
	return a->ops->list(a, path, stop_at_first, NULL) >= 0;
}

/* Content of cpuN/online: '0' or '1'; '\0' if there is no such file, because the CPU is always online. */
static char online_file(struct um_access *a, unsigned cpu)
{
	char path[UM_CPU_PATH_SIZE], line[8];

	um_cpu_path(path, UM_SYSFS_CPU "/cpu", cpu, "/online", "");
	return um_access_line(a, path, line, sizeof(line)) > 0 && (*line == '0' || *line == '1') ? *line : '\0';
}

/* CPUs have folders like "cpu12"; "cpufreq" and "cpuidle" are ignored. */
static int add_cpu_dir(void *user, const char *name)
{
	const char *end = name + 3;
	unsigned cpu;

	if (strncmp(name, "cpu", 3) != 0 || !um_read_decimal(&end, UM_CPU_MAX, &cpu) || *end)
		return 0;
	return um_cpuset_add(user, cpu);
}

/* 0, possibly with an empty set; or -ENOMEM. */
static int list_folders(struct um_access *a, struct um_cpuset *folders)
{
	int err = a->ops->list(a, UM_SYSFS_CPU, add_cpu_dir, folders);

	return err == -ENOMEM ? err : 0;
}

/*
 * The CPUs that the kernel knows, from the file "present", which Linux has added together with "online". Only if that
 * file is missing or is not a list, use the folders cpuN: they may include CPUs that are not present.
 */
static int read_present(struct um_access *a, struct um_cpuset *present)
{
	int err = um_cpuset_read(present, a, UM_SYSFS_CPU "/present");

	if (err == -ENOMEM || present->num)
		return err;
	return list_folders(a, present);
}

/*
 * Is the CPU online? Called if one of the files "online" and "offline" is missing, or if they contradict each other
 * about the CPU.
 */
static bool is_online(struct um_access *a, const struct um_cpuset *listed, unsigned cpu)
{
	char says = online_file(a, cpu);

	if (says == '0')
		return false;
	return listed ? says == '1' || um_cpuset_has(listed, cpu) : has_topology(a, cpu);
}

/*
 * Find the online CPUs among @cpus. @listed: the CPUs in the file "online"; NULL: there is no such file (kernels before
 * 2.6.26). If a CPU is in exactly one of the files "online" and "offline", that decides; else read its cpuN/online.
 * These files may contradict each other in a container: lxcfs provides its own file "online", but no file "offline". If
 * lxcfs provides the whole folder, it lists only the container's CPUs, although the files of other CPUs can be read. So
 * a CPU that is not in "online" counts only if its folder is listed.
 */
static int choose_online(struct um_access *a, const struct um_cpuset *cpus, const struct um_cpuset *listed,
			 struct um_cpuset *online)
{
	struct um_cpuset offline = { NULL, 0 }, folders = { NULL, 0 };
	bool both = listed && !um_cpuset_read(&offline, a, UM_SYSFS_CPU "/offline");
	int err = 0;

	for (size_t i = 0; i < cpus->num && !err; i++) {
		unsigned cpu = cpus->cpus[i];
		bool on = listed && um_cpuset_has(listed, cpu);

		if (!both || on == um_cpuset_has(&offline, cpu)) {
			if (!on && !folders.num)
				err = list_folders(a, &folders);
			on = (on || um_cpuset_has(&folders, cpu)) && is_online(a, listed, cpu);
		}
		if (on && !err)
			err = um_cpuset_add(online, cpu);
	}
	um_cpuset_free(&offline);
	um_cpuset_free(&folders);
	if (err)
		um_cpuset_free(online);
	return err;
}

static int check_online(struct um_access *a, const struct um_cpuset *listed, struct um_cpuset *online)
{
	struct um_cpuset cpus = { NULL, 0 };
	int err = read_present(a, &cpus);

	if (!err && listed)
		err = um_cpuset_add_all(&cpus, listed);
	if (!err)
		err = choose_online(a, &cpus, listed, online);
	um_cpuset_free(&cpus);
	return err;
}

static bool is_same(const struct um_cpuset *a, const struct um_cpuset *b)
{
	return a->num == b->num && (!a->num || !memcmp(a->cpus, b->cpus, a->num * sizeof(*a->cpus)));
}

int um_sysfs_online(struct um_access *a, struct um_cpuset *online, bool check)
{
	struct um_cpuset listed;
	int ret = um_cpuset_read(&listed, a, UM_SYSFS_CPU "/online");

	*online = (struct um_cpuset){ .num = 0 };
	if (ret == -ENOENT)
		return check_online(a, NULL, online);
	if (ret || (!check && !a->odd_online)) {
		*online = listed;
		return ret;
	}
	ret = check_online(a, &listed, online);
	a->odd_online = !ret && !is_same(&listed, online);
	um_cpuset_free(&listed);
	return ret;
}
