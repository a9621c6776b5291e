/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Facts about the surroundings of a measurement: missing CPUs, and likwid, which uses the same counters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/sysfs.h"

/* As in sysfs.c: longer than the longest list that a kernel can write. */
enum { LIST_SIZE = 65536 };

/* The CPUs of @all that are not in @those; empty and -ENOMEM on failure. */
static int without(struct um_cpuset *set, const struct um_cpuset *all,
		   const struct um_cpuset *those)
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

/* The list of CPUs in a file: the whole of it, or what follows @key at the start of a line. */
static int read_list(struct um_cpuset *set, struct um_access *a, const char *path,
		     const char *key)
{
	char *text = malloc(LIST_SIZE), *at = text;
	int err = -ENODATA;

	if (!text)
		return -ENOMEM;
	if (um_access_line(a, path, text, LIST_SIZE) > 0) {
		if (key)
			at = strstr(text, key);
		if (at && key) {
			at += strlen(key);
			at[strcspn(at, "\n")] = '\0';
		}
		if (at)
			err = um_cpuset_parse(set, at, NULL);
	}
	free(text);
	return err == -EINVAL ? -ENODATA : err;
}

int um_cpus_offline(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online)
{
	struct um_cpuset present;
	/* Not from the file "offline", which also lists CPUs that are not plugged in. */
	int err = read_list(&present, a, UM_SYSFS_CPU "/present", NULL);

	if (err)
		return err;
	err = without(set, &present, online);
	um_cpuset_free(&present);
	return err;
}

int um_cpus_forbidden(struct um_cpuset *set, struct um_access *a, const struct um_cpuset *online)
{
	struct um_cpuset allowed;
	int err = read_list(&allowed, a, "proc/self/status", "\nCpus_allowed_list:");

	if (err)
		return err;
	err = without(set, online, &allowed);
	um_cpuset_free(&allowed);
	return err;
}

/*
 * likwid compares the owner of its lock file with the user and refuses other users (likwid
 * src/includes/lock.h). It uses /var/run, today a link to /run; under another root an absolute link would
 * lead out of it, so only /run is looked at there.
 */
const char *um_likwid_lock(struct um_access *a)
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
