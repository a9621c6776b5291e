/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/series.h"

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

int log_flush(struct log_file *f, struct out *o)
{
	struct file_next next;
	int fd;

	if (!f->next.replaces)
		return out_flush(o);
	if (o->error || !o->len)
		return o->error;
	/* Resolve the path again: a symbolic link in it may have changed. */
	file_next_init(&next, f->path);
	fd = file_next_open(&next);
	if (fd < 0)
		return o->error = -fd;
	o->fd = fd;
	o->error = file_next_end(&next, fd, out_flush(o));
	o->fd = -1;
	return o->error;
}

int log_open(struct log_file *f, struct out *o)
{
	int fd;

	if (f->path && strcmp(f->path, "-") == 0)
		f->path = NULL;
	if (!f->path)
		return 0;
	snprintf(f->name, sizeof(f->name), "--output: %s", OUT_QUOTED(f->path));
	/* Create the file now, although it is written only later, to report failures before counting. */
	if (f->whole)
		file_next_init(&f->next, f->path);
	fd = f->next.replaces ? file_next_open(&f->next) : open_file(f);
	if (fd < 0)
		return tool_say(tool_file_status(fd), "%s: %s", f->name, strerror(-fd));
	o->name = f->name;
	if (f->next.replaces)
		file_next_end(&f->next, fd, ECANCELED);
	else
		o->fd = fd;
	return 0;
}

/* If a new file cannot be created (its directory is gone), go on with the old one. */
void log_renew(struct log_file *f, struct out *o)
{
	struct stat st;
	int fd;

	if (!f->path || f->next.replaces)
		return;
	if (stat(f->path, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->ino)
		return;
	fd = open_file(f);
	if (fd < 0)
		return;
	close(o->fd);
	o->fd = fd;
}

/* After a crash the last line may be incomplete: then a newline has to precede the next line. */
static bool ends_in_a_line(const char *path, off_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char last;
	bool complete = fd < 0 || pread(fd, &last, 1, size - 1) != 1 || last == '\n';

	if (fd >= 0)
		close(fd);
	return complete;
}

bool log_begins(struct log_file *f, struct out *o)
{
	bool first = !f->begun;
	struct stat st;

	log_renew(f, o);
	f->begun = true;
	if (!f->path || f->next.replaces || fstat(o->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return first;
	if (first && st.st_size && !f->append && ftruncate(o->fd, 0) == 0)
		return true;
	if (first && st.st_size && !ends_in_a_line(f->path, st.st_size))
		out_char(o, '\n');
	return !st.st_size;
}

/* ---- the format of an existing file ---- */

/* Returns the number of bytes; 0: the file is empty, missing or not a regular file. */
static size_t read_beginning(const struct log_file *f, char *buf, size_t size)
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

/* "text" if no other --format has written this line. */
static const char *format_of(const char *line)
{
	if (*line == '{')
		return "json";
	if (strncmp(line, "PUTVAL ", 7) == 0)
		return "collectd";
	/* The names of the first two columns, with any separator between them. */
	if (strncmp(line, "time", 4) == 0 && line[4] &&
	    (strncmp(line + 5, "interval", 8) == 0 || strncmp(line + 5, "timestamp", 9) == 0))
		return "csv";
	return "text";
}

static bool differs(const char *start, size_t len, const struct tool_common *common,
		    const struct record_column *columns, size_t num, const void *user)
{
	struct records w;
	struct out head;
	bool other;

	out_init(&head, -1);
	records_init(&w, common, &head, user);
	record_head(&w, columns, num);
	other = !head.error && (len < head.len || memcmp(start, head.buf, head.len) != 0);
	records_free(&w);
	out_free(&head);
	return other;
}

int log_check(const struct log_file *f, const struct tool_common *common, const struct record_column *columns,
	      size_t num, const void *user)
{
	const char *own = common->series ? common->series->name : common->writer->name, *found, *next;
	char start[16384];
	size_t len;

	if (!f->append || f->whole)
		return 0;
	len = read_beginning(f, start, sizeof(start) - 1);
	if (!len)
		return 0;
	start[len] = '\0';
	found = format_of(start);
	/* If the beginning of the file was removed, the first line is incomplete, so look at the second line, too. */
	next = strchr(start, '\n');
	if (strcmp(found, "text") == 0 && next)
		found = format_of(next + 1);
	if (strcmp(found, own) != 0)
		return tool_usage("%s: contains %s, not %s; name another file, or give --format=%s", f->name,
				  found, own, found);
	if (strcmp(own, "csv") == 0 && differs(start, len, common, columns, num, user))
		return tool_usage("%s: its columns are different; name another file", f->name);
	return 0;
}
