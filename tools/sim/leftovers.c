/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The next mount removes temporary directories of killed mounts. A mount locks its directory before it adds files. */
#include "sim/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* DEPTH: maximum depth of directories, more than a mount creates. FRESH_S: seconds, see is_new(). */
enum { DEPTH = 8, FRESH_S = 60 };

int leftovers_hold(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
}

static int open_dir(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

static void remove_contents(int fd, int depth)
{
	DIR *d = depth ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (!d) {
		close(fd);
		return;
	}
	while ((e = readdir(d))) {
		int sub;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !unlinkat(dirfd(d), e->d_name, 0))
			continue;
		sub = open_dir(dirfd(d), e->d_name);
		if (sub >= 0)
			remove_contents(sub, depth - 1);
		unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	closedir(d);
}

/* Open the directory again, because reading it moves the position of the descriptor. */
void leftovers_empty(int dir)
{
	remove_contents(open_dir(dir, "."), DEPTH);
}

/* Is the directory so new that its mount may not have locked it yet? */
static bool is_new(const struct stat *st)
{
	return st->st_mtime + FRESH_S > time(NULL);
}

void leftovers_remove(const char *tmp, const char *served)
{
	DIR *d = opendir(tmp);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct stat st, inner;
		int fd;

		if (strncmp(e->d_name, SIM_TEMPORARY, strlen(SIM_TEMPORARY)))
			continue;
		fd = open_dir(dirfd(d), e->d_name);
		if (fd < 0)
			continue;
		if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && leftovers_hold(fd) == 0) {
			bool ours = fstatat(fd, served, &inner, AT_SYMLINK_NOFOLLOW) == 0;

			if (ours)
				leftovers_empty(fd);
			if (ours || !is_new(&st)) /* a directory that is not ours is removed only if it is empty */
				unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
		}
		close(fd);
	}
	if (d)
		closedir(d);
}
