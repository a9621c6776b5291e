/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"

static int open_file(struct log_file *f)
{
	int fd = open(f->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	return fd;
}

/* Is the file replaced as a whole? Only a plain file; a terminal or pipe is written into. */
static bool is_replaced(const struct log_file *f)
{
	struct stat st;

	return f->path && f->whole && (stat(f->path, &st) < 0 || S_ISREG(st.st_mode));
}

/* Create the file that is to replace @f->path; *path gets its name. Returns a descriptor or a negative errno. */
static int open_next(const struct log_file *f, char path[PATH_MAX + 8])
{
	const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
	int fd;

	snprintf(path, PATH_MAX + 8, "%.*s.%s.tmp", (int)(name - f->path), f->path, name);
	/* Remove a leftover first; it could be a symbolic link to another file. */
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	return fd < 0 ? -errno : fd;
}

static int replace(const struct log_file *f, struct out *o)
{
	char path[PATH_MAX + 8];
	int fd = open_next(f, path), err;

	o->fd = fd < 0 ? -1 : fd;
	if (fd < 0)
		return o->error = -fd;
	err = out_flush(o);
	if (close(o->fd) < 0 && !err)
		err = errno;
	o->fd = -1;
	if (!err && rename(path, f->path) < 0)
		err = errno;
	if (err)
		unlink(path);
	return o->error = err;
}

int log_flush(const struct log_file *f, struct out *o)
{
	if (!is_replaced(f))
		return out_flush(o);
	return o->error || !o->len ? o->error : replace(f, o);
}

int log_open(const struct tool *tool, struct log_file *f, struct out *o)
{
	bool replaced;
	char next[PATH_MAX + 8];
	int fd;

	if (!f->path)
		return 0;
	snprintf(f->name, sizeof(f->name), "--output: %s", OUT_QUOTED(f->path));
	/*
	 * Try to create the file now, even if it is written only after the first interval: report failures before
	 * counting.
	 */
	replaced = is_replaced(f);
	fd = replaced ? open_next(f, next) : open_file(f);
	if (fd < 0)
		return tool_say(tool, tool_file_status(fd), "%s: %s", f->name, strerror(-fd));
	o->name = f->name;
	if (replaced) {
		close(fd);
		unlink(next);
	} else {
		o->fd = fd;
	}
	return 0;
}

/* If a new file cannot be created (its directory is gone), go on with the old one. */
void log_renew(struct log_file *f, struct out *o)
{
	struct stat st;
	int fd;

	if (!f->path || is_replaced(f))
		return;
	if (stat(f->path, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->ino)
		return;
	fd = open_file(f);
	if (fd < 0)
		return;
	close(o->fd);
	o->fd = fd;
}

/* Does the file end with a complete line? If not (a crash), the next line must not continue the incomplete one. */
static bool ends_in_a_line(const char *path, off_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char last = '\n';

	if (fd < 0)
		return true;
	if (pread(fd, &last, 1, size - 1) != 1)
		last = '\n';
	close(fd);
	return last == '\n';
}

bool log_begins(struct log_file *f, struct out *o)
{
	bool first = !f->begun;
	struct stat st;

	log_renew(f, o);
	f->begun = true;
	if (!f->path || is_replaced(f) || fstat(o->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return first;
	if (first && st.st_size && !f->append && ftruncate(o->fd, 0) == 0)
		return true;
	if (first && st.st_size && !ends_in_a_line(f->path, st.st_size))
		out_char(o, '\n');
	return !st.st_size;
}

size_t log_beginning(const struct log_file *f, char *buf, size_t size)
{
	int fd = f->path ? open(f->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, buf, size, 0);
	close(fd);
	return n > 0 ? (size_t)n : 0;
}
