/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find control groups wherever their hierarchies are mounted, also by the names in /proc/PID/cgroup. perf counts in
 * the hierarchy of version 2, or in the version 1 hierarchy that has perf_event.
 */
#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "session/session.h"

#define CGROUPS "/sys/fs/cgroup"

static bool has(const char *dir, const char *name)
{
	char file[PATH_MAX];
	int n = snprintf(file, sizeof(file), "%s/%s", dir, name);

	return n < (int)sizeof(file) && access(file, F_OK) == 0;
}

/*
 * Is @dir the machine's root group (which a container does not see)? In version 2 only the root has no cgroup.events;
 * in version 1 only the root has release_agent (Documentation/admin-guide/cgroup-v2.rst, v1).
 */
static bool is_root(const char *dir)
{
	bool version_1 = has(dir, "notify_on_release");

	return version_1 ? has(dir, "release_agent") : !has(dir, "cgroup.events");
}

static bool is_group(const char *root, const char *rel, char *dir, size_t size)
{
	rel += strspn(rel, "/");
	return snprintf(dir, size, "%s%s%s", root, *rel ? "/" : "", rel) < (int)size &&
	       has(dir, "cgroup.procs");
}

/* NULL: @path is neither @root nor below @root. */
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
 * Find the group @path in the hierarchy in which perf counts. If @path is a full path below the mount of another
 * hierarchy, find the group of the same name.
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

/* The name in a line of /proc/PID/cgroup, after the second colon: "0::/user.slice" or "4:memory:/user.slice". */
static const char *behind_colons(const char *path)
{
	const char *second = strchr(path, ':');

	if (!second || strspn(path, "0123456789") != (size_t)(second - path))
		return path;
	second = strchr(second + 1, ':');
	return second ? second + 1 : path;
}

static int say_how(struct um_error *e, int err)
{
	return um_advise(e, err, "name a folder below " CGROUPS " that has a file cgroup.procs (cgroup2), or the group "
		"as in /proc/PID/cgroup; without a group everything is counted");
}

static int refuse(const char *dir, struct um_error *e)
{
	return say_how(e, access(dir, F_OK) == 0
			  ? um_fail(e, -ENOENT, UNCOREMSR_ERROR_USAGE, "%s is not a control group: it has no "
				    "cgroup.procs", dir)
			  : um_file_fail(e, "cgroup", dir, -errno));
}

/*
 * Refuse the root group. Every task is always in it. Because no task ever enters it, the kernel keeps no valid time for
 * it.
 */
static int refuse_root(const char *dir, struct um_error *e)
{
	UM_USAGE(e, "cgroup %s: the root of all groups has every process in it, and the kernel keeps no correct times "
		 "for it", dir);
	return um_advise(e, -EINVAL, "without a group everything is counted");
}

int um_cgroup_find(const char *path, char **dir, struct um_error *e)
{
	const char *behind = below(behind_colons(path), CGROUPS);
	char found[PATH_MAX];

	path = behind_colons(path);
	if (!*path)
		return say_how(e, UM_USAGE(e, "cgroup '': no name"));
	if (!find_mounted(path, found, sizeof(found)) &&
	    !is_group(CGROUPS, behind ? behind : path, found, sizeof(found)))
		return strlen(path) < sizeof(found) / 2 ? refuse(found, e)
		       : um_fail(e, -ENAMETOOLONG, UNCOREMSR_ERROR_USAGE, "cgroup: %s", strerror(ENAMETOOLONG));
	if (is_root(found))
		return refuse_root(found, e);
	*dir = strdup(found);
	return *dir ? 0 : um_no_memory(e);
}
