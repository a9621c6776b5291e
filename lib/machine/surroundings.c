/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/handle.h"
#include "machine/sysfs.h"

/* Larger than the longest list that a kernel can write; see BUF_SIZE in sysfs.c. */
enum { LIST_SIZE = 65536 };

static int without(struct um_cpuset *set, const struct um_cpuset *all, const struct um_cpuset *those)
{
	int err = 0;

	*set = (struct um_cpuset){ NULL, 0 };
	for (size_t i = 0; i < all->num && !err; i++)
		if (!um_cpuset_has(those, all->cpus[i]))
			err = um_cpuset_add(set, all->cpus[i]);
	if (err)
		um_cpuset_free(set);
	return err;
}

static int read_allowed(struct um_cpuset *set, struct um_access *a)
{
	static const char key[] = "\nCpus_allowed_list:";
	char *text = malloc(LIST_SIZE), *at = NULL;
	int err = -EINVAL;

	if (!text)
		return -ENOMEM;
	if (um_access_line(a, "proc/self/status", text, LIST_SIZE) > 0)
		at = strstr(text, key);
	if (at) {
		at += strlen(key);
		at[strcspn(at, "\n")] = '\0';
		err = um_cpuset_parse(set, at, NULL);
	}
	free(text);
	return err == -EINVAL ? -ENODATA : err;
}

int um_cpus_offline(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online)
{
	struct um_cpuset present;
	/* Do not use the file "offline": it also lists CPUs that are not plugged in. */
	int err = um_cpuset_read(&present, a, UM_SYSFS_CPU "/present");

	if (err || !present.num)
		return err == -ENOMEM ? err : -ENODATA;
	err = without(set, &present, online);
	um_cpuset_free(&present);
	return err;
}

/* The online CPUs on which this process may not run (cpuset, CPU affinity). 0; -ENODATA if that is unknown; -ENOMEM. */
static int cpus_forbidden(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online)
{
	struct um_cpuset allowed;
	int err = read_allowed(&allowed, a);

	if (err)
		return err;
	err = without(set, online, &allowed);
	um_cpuset_free(&allowed);
	return err;
}

/*
 * likwid compares the owner of its lock file with the user and refuses other users (likwid src/includes/lock.h). It
 * uses /var/run, today a link to /run. Under another root (--machine=root:DIR) only /run is tried, because an absolute
 * link would lead out of that root. NULL: there is no such file.
 */
static const char *likwid_lock(struct um_access *a)
{
	static const char paths[][24] = { "/run/likwid.lock", "/var/run/likwid.lock" };
	char text[8];

	for (size_t i = 0; i < (a->live ? ARRAY_SIZE(paths) : 1); i++) {
		ssize_t n = a->ops->read_text(a, paths[i] + 1, text, sizeof(text));

		if (n >= 0 || n == -EACCES)
			return paths[i];
	}
	return NULL;
}

/* 1: the watchdog is on and holds a counter (Linux Documentation/admin-guide/sysctl/kernel.rst, nmi_watchdog). */
int um_nmi_watchdog(struct um_access *a)
{
	unsigned v;

	return um_access_number(a, "proc/sys/kernel/nmi_watchdog", UINT_MAX, &v) ? v != 0 : -1;
}

int um_pmu_cap(struct um_access *a, const char *pmu, const char *name)
{
	char path[96];
	unsigned v;

	snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/caps/%s", pmu, name);
	return um_access_number(a, path, INT_MAX, &v) ? (int)v : -1;
}

static int core_pmu_cap(struct um_access *a, const char *name)
{
	int v = um_pmu_cap(a, "cpu", name);

	return v >= 0 ? v : um_pmu_cap(a, "cpu_core", name);
}

/* Replace *text by the list of the CPUs that @read finds, and return it. NULL: unknown, or no memory. */
static const char *list_cpus(struct uncoremsr *um, char **text,
			     int (*read)(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online))
{
	struct um_cpuset set;
	int err = read(&set, um->m.access, &um->m.topo.online);

	FREE_AND_NULL(*text);
	if (!err) {
		*text = um_cpuset_format(&set);
		um_cpuset_free(&set);
		err = *text ? 0 : -ENOMEM;
	}
	if (err == -ENOMEM)
		um_no_memory(&um->error);
	return *text;
}

const struct uncoremsr_surroundings *uncoremsr_surroundings(struct uncoremsr *um, unsigned what)
{
	struct uncoremsr_surroundings *s = um ? &um->surroundings : NULL;
	struct um_access *a = um ? um->m.access : NULL;

	if (!a)
		return NULL;
	if (!s->size)
		*s = (struct uncoremsr_surroundings){
			.size = sizeof(*s), .container = -1, .nmi_watchdog = -1, .max_precise = -1, .branches = -1,
		};
	if (what & UNCOREMSR_LOOK_AT_CPUS) {
		s->offline_cpus = list_cpus(um, &um->offline_text, um_cpus_offline);
		s->forbidden_cpus = list_cpus(um, &um->forbidden_text, cpus_forbidden);
	}
	if (what & UNCOREMSR_LOOK_AT_NEIGHBOURS) {
		s->container = um_access_in_container(a);
		s->likwid_lock = likwid_lock(a);
	}
	if (what & UNCOREMSR_LOOK_AT_WATCHDOG)
		s->nmi_watchdog = um_nmi_watchdog(a);
	if (what & UNCOREMSR_LOOK_AT_SAMPLING) {
		s->max_precise = core_pmu_cap(a, "max_precise");
		s->branches = core_pmu_cap(a, "branches");
	}
	if (what & UNCOREMSR_LOOK_AT_FILTER) {
		s->writes = um_access_write_filter(a, um->writes, sizeof(um->writes)) ? um->writes : NULL;
		s->lockdown = um_access_lockdown(a, um->lockdown, sizeof(um->lockdown)) ? um->lockdown : NULL;
	}
	if (what & UNCOREMSR_LOOK_AT_DEVICE)
		s->device = um_access_node(a, um_first_cpu(um));
	return s;
}
