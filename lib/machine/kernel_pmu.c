/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's PMUs, and its NMI watchdog, which holds a core counter (Linux Documentation/ABI/testing/
 * sysfs-bus-event_source-devices and admin-guide/sysctl/kernel.rst).
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "machine/machine.h"

#define DEVICES "sys/bus/event_source/devices"

struct pmu {
	char *name;
	unsigned type;
};

struct pmus {
	struct um_access *a;
	struct pmu *list;
	size_t num;
};

/* Read a number from a file. 0 if the file exists and holds one. */
static int read_number(struct um_access *a, const char *path, unsigned *v)
{
	char line[24], *end;
	unsigned long n;

	if (um_access_line(a, path, line, sizeof(line)) <= 0 || line[0] < '0' || line[0] > '9')
		return -ENODATA;
	n = strtoul(line, &end, 10);
	if (*end || n > UINT_MAX)
		return -ENODATA;
	*v = (unsigned)n;
	return 0;
}

/* A folder without a file "type" is skipped: such a PMU cannot be opened. */
static int add_pmu(void *user, const char *name)
{
	struct pmus *p = user;
	struct pmu found;
	char path[512];

	if (name[0] == '.')
		return 0;
	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	if (read_number(p->a, path, &found.type) < 0)
		return 0;
	found.name = strdup(name);
	if (found.name && !ARRAY_APPEND(p->list, p->num, found))
		return 0;
	free(found.name);
	return -ENOMEM;
}

static int by_type(const void *a, const void *b)
{
	const struct pmu *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int show(const struct pmus *p, size_t i,
		int (*fn)(void *user, const char *name, unsigned type, const char *cpus), void *user)
{
	static const char files[][8] = { "cpumask", "cpus" };
	char path[512], *text;
	int err = -ENOENT;
	struct um_cpuset cpus = { 0 };

	for (size_t f = 0; f < ARRAY_SIZE(files) && err == -ENOENT; f++) {
		snprintf(path, sizeof(path), DEVICES "/%s/%s", p->list[i].name, files[f]);
		err = um_cpuset_read(&cpus, p->a, path);
	}
	if (err == -ENOMEM)
		return err;
	if (err)
		return fn(user, p->list[i].name, p->list[i].type, err == -ENOENT ? NULL : "unknown");
	text = um_cpuset_format(&cpus);
	um_cpuset_free(&cpus);
	err = text ? fn(user, p->list[i].name, p->list[i].type, text) : -ENOMEM;
	free(text);
	return err;
}

int um_kernel_pmus(struct um_access *a,
		   int (*fn)(void *user, const char *name, unsigned type, const char *cpus),
		   void *user)
{
	struct pmus p = { .a = a };
	int err = a->ops->list(a, DEVICES, add_pmu, &p);

	if (p.num)
		qsort(p.list, p.num, sizeof(*p.list), by_type);
	for (size_t i = 0; i < p.num && !err; i++)
		err = show(&p, i, fn, user);
	for (size_t i = 0; i < p.num; i++)
		free(p.list[i].name);
	free(p.list);
	/*
	 * Record the lack of memory here: many callers only ask whether there is a PMU of some kind, and ignore errors.
	 */
	if (err == -ENOMEM)
		um_access_lacks_memory(a);
	return err;
}

int um_nmi_watchdog(struct um_access *a)
{
	unsigned v;

	return read_number(a, "proc/sys/kernel/nmi_watchdog", &v) < 0 ? -1 : v != 0;
}

int um_core_pmu_cap(struct um_access *a, const char *name)
{
	static const char pmus[][12] = { "cpu", "cpu_core" };
	char path[96];
	unsigned v;

	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/caps/%s", pmus[i], name);
		if (read_number(a, path, &v) >= 0 && v <= INT_MAX)
			return (int)v;
	}
	return -1;
}
