/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Control groups: wherever their hierarchies are mounted, and as /proc/PID/cgroup names them. perf
 * counts in the hierarchy of version 2, or in that of version 1 that has perf_event.
 */
#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"

#define CGROUPS "/sys/fs/cgroup"

/* Has the folder @root@rel the file of a group? */
static bool is_group(const char *root, const char *rel, char *dir, size_t size)
{
	char file[PATH_MAX];
	int n;

	rel += strspn(rel, "/");
	n = snprintf(dir, size, "%s%s%s", root, *rel ? "/" : "", rel);
	if (n >= (int)size)
		return false;
	n = snprintf(file, sizeof(file), "%s/cgroup.procs", dir);
	return n < (int)sizeof(file) && access(file, F_OK) == 0;
}

/* What of @path is behind @root; NULL: it is not below it. */
static const char *below(const char *path, const char *root)
{
	size_t len = strlen(root);

	return strncmp(path, root, len) == 0 && (path[len] == '/' || !path[len]) ? path + len : NULL;
}

static bool counts(const struct mntent *m)
{
	return !strcmp(m->mnt_type, "cgroup2") || hasmntopt(m, "perf_event");
}

/*
 * The group @rel of the hierarchy in which perf counts. @path is whole where it lies below the mount
 * of some hierarchy: the same group is looked for then.
 */
static bool find_mounted(const char *path, char *dir, size_t size)
{
	const char *rel = path;
	bool found = false;
	struct mntent *m;
	FILE *mounts = setmntent("/proc/self/mounts", "re");

	if (!mounts)
		return false;
	while ((m = getmntent(mounts)))
		if (!strncmp(m->mnt_type, "cgroup", 6) && below(path, m->mnt_dir))
			rel = below(path, m->mnt_dir);
	rewind(mounts);
	while (!found && (m = getmntent(mounts)))
		found = !strncmp(m->mnt_type, "cgroup", 6) && counts(m) &&
			is_group(m->mnt_dir, rel, dir, size);
	endmntent(mounts);
	return found;
}

/* "0::/user.slice" or "4:memory:/user.slice", a line of /proc/PID/cgroup: behind its second colon. */
static const char *behind_colons(const char *path)
{
	const char *second = strchr(path, ':');

	if (!second || strspn(path, "0123456789") != (size_t)(second - path))
		return path;
	second = strchr(second + 1, ':');
	return second ? second + 1 : path;
}

static int refuse(const char *dir, struct um_error *e)
{
	int err = access(dir, F_OK) == 0 ? 0 : errno;

	if (!err)
		um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "%s is not a control group: "
			"it has no cgroup.procs", dir);
	else
		um_fail(e, -err, UNCOREMSR_ERROR_USAGE, "cgroup %s: %s", dir, strerror(err));
	um_hint(e, "name a folder below " CGROUPS " that has a file cgroup.procs (cgroup2), or the "
		"group as /proc/PID/cgroup does; without a group everything is counted");
	return err ? -err : -ENOENT;
}

int um_cgroup_find(const char *path, char **dir, struct um_error *e)
{
	const char *behind = below(behind_colons(path), CGROUPS);
	char found[PATH_MAX];

	path = behind_colons(path);
	if (!find_mounted(path, found, sizeof(found)) &&
	    !is_group(CGROUPS, behind ? behind : path, found, sizeof(found)))
		return strlen(path) < sizeof(found) / 2 ? refuse(found, e)
		       : um_fail(e, -ENAMETOOLONG, UNCOREMSR_ERROR_USAGE, "cgroup: %s",
				 strerror(ENAMETOOLONG));
	*dir = strdup(found);
	return *dir ? 0 : um_fail(e, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}
