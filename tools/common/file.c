/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/file.h"
#include "common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "uncoremsr/file.h"

int tool_file_status(int err)
{
	return err == -ENOMEM ? TOOL_PARTIAL : err == -EACCES || err == -EPERM || err == -EROFS ? TOOL_NO_ACCESS : TOOL_USAGE;
}

int tool_file_fail(const char *path, int err)
{
	return tool_say(tool_file_status(err), "%s: %s", path ? OUT_QUOTED(path) : "standard input",
			err == -ENOMEM ? "out of memory" : uncoremsr_file_error(err));
}

int tool_file_read(const char *path, uint64_t most, char **text, size_t *len, bool *more)
{
	int fd = path ? uncoremsr_file_open(path, more ? UNCOREMSR_FILE_ANY : most, 0) : STDIN_FILENO, err = fd;

	*text = NULL;
	if (fd >= 0)
		err = uncoremsr_file_read(fd, most, text, len);
	if (fd >= 0 && path)
		close(fd);
	if (more)
		*more = err > 0;
	if (err >= 0 && (more || !err))
		return 0;
	free(*text);
	*text = NULL;
	return tool_file_fail(path, err > 0 ? -EFBIG : err);
}

bool file_is_same(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Follow a link whose target does not exist, so that the target is created, as by "> link" in a shell. */
static void follow_link(char path[PATH_MAX])
{
	char target[PATH_MAX], whole[2 * PATH_MAX];
	enum { MOST_LINKS = 40 }; /* as in Linux */
	ssize_t len;

	for (int i = 0; i < MOST_LINKS && (len = readlink(path, target, sizeof(target) - 1)) > 0; i++) {
		const char *slash = strrchr(path, '/');

		target[len] = '\0';
		len = snprintf(whole, sizeof(whole), "%.*s%s", *target == '/' || !slash ? 0 : (int)(slash + 1 - path),
			       path, target);
		if (len >= PATH_MAX)
			return;
		memcpy(path, whole, (size_t)len + 1);
	}
}

void file_next_init(struct file_next *n, const char *path)
{
	bool found = realpath(path, n->path), missing = !found && errno == ENOENT;
	struct stat st, out;

	if (!found)
		snprintf(n->path, sizeof(n->path), "%s", path);
	/*
	 * Do not replace a link that can be opened although realpath() fails, such as /dev/stdout if it leads to a pipe
	 * or a deleted file. Do not replace the file to which our standard output leads, either.
	 */
	n->replaces = stat(path, &st) < 0 ? missing
		      : found && S_ISREG(st.st_mode) && (fstat(STDOUT_FILENO, &out) < 0 || st.st_dev != out.st_dev ||
							 st.st_ino != out.st_ino);
	if (n->replaces && missing)
		follow_link(n->path);
}

int file_next_open(struct file_next *n)
{
	const char *slash = strrchr(n->path, '/'), *name = slash ? slash + 1 : n->path;
	int fd;

	/* The name contains our process id, so that two processes can replace the same file at the same time. */
	snprintf(n->next, sizeof(n->next), "%.*s.%s.%d.tmp", (int)(name - n->path), n->path, name, (int)getpid());
	/* Remove a leftover first; it could be a symbolic link to another file. */
	if (n->replaces)
		unlink(n->next);
	fd = n->replaces ? open(n->next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)
			 : open(n->path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int file_next_end(const struct file_next *n, int fd, int err)
{
	if (close(fd) < 0 && !err)
		err = errno;
	if (n->replaces && !err && rename(n->next, n->path) < 0)
		err = errno;
	if (n->replaces && err)
		unlink(n->next);
	return err;
}
