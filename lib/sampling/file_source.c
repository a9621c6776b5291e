/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/file_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sampling/bytes.h"

enum { BUFFER = 1 << 18 };

/* Read at offset @at, or at the current position of a pipe if @at is UINT64_MAX. */
static ssize_t read_fully(int fd, uint64_t at, void *to, size_t len)
{
	size_t done = 0;

	while (done < len) {
		char *p = (char *)to + done;
		ssize_t got;

		/* No file has bytes beyond offset INT64_MAX. */
		if (at != UINT64_MAX && at > INT64_MAX - len)
			break;
		got = at == UINT64_MAX ? read(fd, p, len - done) : pread(fd, p, len - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Copy @magic and the rest of the pipe into an anonymous file. */
static int put_aside(struct um_source *s, int pipe, const unsigned char *magic)
{
	ssize_t got = UM_SOURCE_MAGIC;
	off_t at = got;
	int err;

	s->fd = memfd_create("perf.data", MFD_CLOEXEC);
	if (s->fd < 0)
		return -errno;
	err = um_write_at(s->fd, magic, UM_SOURCE_MAGIC, 0);
	for (; !err && (got = read_fully(pipe, UINT64_MAX, s->window->bytes, BUFFER)) > 0; at += got)
		err = um_write_at(s->fd, s->window->bytes, (size_t)got, at);
	return err ? err : got < 0 ? (int)got : 0;
}

struct um_window *um_window_new(size_t room)
{
	struct um_window *w = malloc(sizeof(*w) + room);

	if (w)
		*w = (struct um_window){ .room = room };
	return w;
}

/* "PERFILE2" as a number; in a file of the other byte order its bytes are reversed. */
static bool is_magic(const unsigned char *magic)
{
	return !memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8) || !memcmp(magic, "PERFFILE", 8);
}

int um_source_open(struct um_source *s, int fd, unsigned char magic[UM_SOURCE_MAGIC])
{
	off_t begin = lseek(fd, 0, SEEK_CUR);
	ssize_t got;

	*s = (struct um_source){ .fd = -1, .window = um_window_new(BUFFER) };
	if (!s->window)
		return -ENOMEM;
	got = read_fully(fd, begin < 0 ? UINT64_MAX : 0, magic, UM_SOURCE_MAGIC);
	if (got < 0)
		return (int)got;
	if (got < UM_SOURCE_MAGIC || !is_magic(magic))
		return -EBADMSG;
	if (begin < 0)
		return put_aside(s, fd, magic);
	s->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return s->fd < 0 ? -errno : 0;
}

void um_source_close(struct um_source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->window);
	*s = (struct um_source){ .fd = -1 };
}

static bool is_inside(const struct um_window *w, uint64_t at, size_t len)
{
	return at >= w->at && at - w->at <= w->len && len <= w->len - (size_t)(at - w->at);
}

ssize_t um_source_read(const struct um_source *s, struct um_window *w, uint64_t at, void *to, size_t len)
{
	ssize_t got;

	if (len > w->room)
		return read_fully(s->fd, at, to, len);
	if (!is_inside(w, at, len)) {
		w->len = 0;
		got = at == UINT64_MAX ? 0 : read_fully(s->fd, at, w->bytes, w->room);
		if (got < 0)
			return got;
		w->at = at;
		w->len = (size_t)got;
		len = len < w->len ? len : w->len;
	}
	memcpy(to, w->bytes + (at - w->at), len);
	return (ssize_t)len;
}
