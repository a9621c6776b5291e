/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/snapshot.h"

int64_t agent_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool agent_is_late(int64_t came_ms, uint64_t interval_ns)
{
	uint64_t most_ms = (interval_ns + snapshot_most_late_ns(interval_ns)) / 1000000;

	return agent_now_ms() - came_ms > (int64_t)most_ms;
}

void agent_tell(const char *fmt, ...)
{
	char line[AGENT_LINE];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (len < 0)
		return;
	len = len < (int)sizeof(line) - 2 ? len : (int)sizeof(line) - 2;
	for (int i = 0; i < len; i++)
		line[i] = line[i] == '\n' ? ' ' : line[i];
	line[len] = '\n';
	/* A pipe accepts a short line completely or not at all. If it is full, drop the line. */
	(void)!write(AGENT_MESSAGES, line, (size_t)len + 1);
}

static int read_all(int fd, char **bytes, size_t *size)
{
	struct stat st;
	size_t got = 0;

	if (fstat(fd, &st) < 0 || st.st_size < 0 || (size_t)st.st_size > SNAPSHOT_SIZE)
		return 0;
	*size = (size_t)st.st_size;
	*bytes = malloc(*size ? *size : 1);
	while (*bytes && got < *size) {
		ssize_t n = pread(fd, *bytes + got, *size - got, (off_t)got);

		if (n <= 0)
			break;
		got += (size_t)n;
	}
	if (*bytes && got == *size)
		return 1;
	free(*bytes);
	return 0;
}

int agent_receive(int values, char **bytes, size_t *size)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	char mark;
	struct iovec io = { &mark, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.room,
			    .msg_controllen = sizeof(control.room) };
	ssize_t n = recvmsg(values, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	int fd, got;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0)
		return -1;
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(fd)))
		return 0;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	got = read_all(fd, bytes, size);
	close(fd);
	return got;
}
