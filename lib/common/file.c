/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Is the pipe unnamed, as in "<(zcat LIST)"? Then its creator has already started a writer. */
static bool is_anonymous_pipe(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PIPEFS_MAGIC;
}

/* Wait until somebody has written into the pipe, or has opened and closed it. */
static int wait_for_writer(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n = poll(&p, 1, UNCOREMSR_FILE_WAIT_MS);

	if (n < 0)
		return -errno;
	return n ? 0 : -ETIMEDOUT;
}

static int prepare_pipe(int fd)
{
	int err = is_anonymous_pipe(fd) ? 0 : wait_for_writer(fd);

	if (!err && fcntl(fd, F_SETFL, 0) < 0)
		err = -errno;
	return err;
}

/* Of all devices only /dev/null is accepted, as an empty file. */
static int prepare(int fd, uint64_t most, unsigned flags)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		return st.st_size > 0 && (uint64_t)st.st_size > most ? -EFBIG : 0;
	case S_IFIFO:
		return flags & UNCOREMSR_FILE_PLAIN ? -ENODEV : prepare_pipe(fd);
	case S_IFDIR:
		return -EISDIR;
	default:
		return S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3) ? 0 : -ENODEV;
	}
}

int uncoremsr_file_open(const char *path, uint64_t most, unsigned flags)
{
	int fd, err;

	if (!path)
		return -EINVAL;
	/* O_NONBLOCK, because opening a pipe, or reading some files of /proc, could block. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
			(flags & UNCOREMSR_FILE_NO_LINK ? O_NOFOLLOW : 0));
	if (fd < 0)
		return -errno;
	err = prepare(fd, most, flags);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int uncoremsr_file_read(int fd, uint64_t most, char **text, size_t *len)
{
	size_t room = 0, used = 0;
	char *all = NULL;
	ssize_t got = 1;
	int err = 0;

	if (!text || !len)
		return -EINVAL;
	while (got && used <= most && !err) {
		/* Leave one byte of the buffer free for the NUL. */
		if (used + 1 >= room) {
			char *grown = realloc(all, room = room ? 2 * room : 1 << 16);

			err = grown ? 0 : -ENOMEM;
			if (err)
				break;
			all = grown;
		}
		got = read(fd, all + used, room - used - 1);
		if (got > 0)
			used += (size_t)got;
		else if (got && errno != EINTR)
			err = -errno;
	}
	if (err)
		FREE_AND_NULL(all);
	*text = all;
	*len = err ? 0 : used > most ? (size_t)most : used;
	if (all)
		all[*len] = '\0';
	return err ? err : used > most;
}

const char *uncoremsr_file_error(int err)
{
	switch (err) {
	case -ETIMEDOUT:
		return "a pipe that nobody writes into";
	case -EFBIG:
		return "far too large";
	case -ENODEV:
	case -ENXIO:
		return "a device, a pipe or a socket, not a file";
	default:
		return strerror(-err);
	}
}

int um_file_fail(struct um_error *e, const char *what, const char *path, int err)
{
	if (err == -ENOMEM)
		return um_no_memory(e);
	um_fail(e, err, um_lacks_permission(err) ? UNCOREMSR_ERROR_ACCESS
		: um_lacks_descriptors(err) ? UNCOREMSR_ERROR_UNSUPPORTED : UNCOREMSR_ERROR_USAGE, "%s%s%s: %s",
		what, *what ? " " : "", UM_QUOTED(path), uncoremsr_file_error(err));
	um_hint_descriptors(e, err);
	return err;
}

int um_file_read(const char *what, const char *path, size_t most, unsigned flags, char **text, size_t *len,
		 struct um_error *e)
{
	int fd = uncoremsr_file_open(path, most, flags), err = fd;

	*text = NULL;
	if (fd >= 0) {
		err = uncoremsr_file_read(fd, most, text, len);
		close(fd);
	}
	if (err > 0) {
		FREE_AND_NULL(*text);
		err = -EFBIG;
	}
	return err ? um_file_fail(e, what, path, err) : 0;
}

bool um_is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}
