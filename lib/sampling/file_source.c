/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampling/file_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 };

/* Read at offset @at; if it is UINT64_MAX, read the next bytes (of a pipe). */
static ssize_t read_fully(int fd, uint64_t at, void *to, size_t len)
{
	size_t done = 0;

	while (done < len) {
		char *p = (char *)to + done;
		ssize_t got;

		/* An offset beyond the largest possible file: no bytes. */
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

static int write_fully(int fd, const unsigned char *from, size_t len)
{
	while (len) {
		ssize_t put = write(fd, from, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		from += put;
		len -= (size_t)put;
	}
	return 0;
}

/* Copy @magic, and what follows it in the pipe, into an anonymous file. */
static int put_aside(struct um_source *s, const unsigned char *magic)
{
	int pipe = s->fd, err;
	ssize_t got = UM_SOURCE_MAGIC;

	s->fd = memfd_create("perf.data", MFD_CLOEXEC);
	if (s->fd < 0)
		return -errno;
	s->own = true;
	err = write_fully(s->fd, magic, UM_SOURCE_MAGIC);
	while (!err && (got = read_fully(pipe, UINT64_MAX, s->buf, BUFFER)) > 0)
		err = write_fully(s->fd, s->buf, (size_t)got);
	return err ? err : got < 0 ? (int)got : 0;
}

int um_source_open(struct um_source *s, int fd, unsigned char magic[UM_SOURCE_MAGIC],
		   bool (*good)(const unsigned char *magic))
{
	off_t begin = lseek(fd, 0, SEEK_CUR);
	ssize_t got;

	*s = (struct um_source){ .fd = fd, .buf = malloc(BUFFER) };
	if (!s->buf)
		return -ENOMEM;
	got = read_fully(fd, begin < 0 ? UINT64_MAX : 0, magic, UM_SOURCE_MAGIC);
	if (got < 0)
		return (int)got;
	if (got < UM_SOURCE_MAGIC || !good(magic))
		return -EBADMSG;
	return begin < 0 ? put_aside(s, magic) : 0;
}

void um_source_close(struct um_source *s)
{
	if (s->own)
		close(s->fd);
	free(s->buf);
	*s = (struct um_source){ .fd = -1 };
}

static bool in_buffer(const struct um_source *s, uint64_t at, size_t len)
{
	return at >= s->buf_at && at - s->buf_at <= s->buf_len && len <= s->buf_len - (size_t)(at - s->buf_at);
}

ssize_t um_source_read(struct um_source *s, uint64_t at, void *to, size_t len)
{
	ssize_t got;

	if (len > BUFFER)
		return read_fully(s->fd, at, to, len);
	if (!in_buffer(s, at, len)) {
		s->buf_len = 0;
		got = at == UINT64_MAX ? 0 : read_fully(s->fd, at, s->buf, BUFFER);
		if (got < 0)
			return got;
		s->buf_at = at;
		s->buf_len = (size_t)got;
		len = len < s->buf_len ? len : s->buf_len;
	}
	memcpy(to, s->buf + (at - s->buf_at), len);
	return (ssize_t)len;
}
