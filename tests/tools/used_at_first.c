/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For LD_PRELOAD: at first each file is locked and each address is in use, as for an agent that starts while processes
 * of a killed agent still run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int flock(int fd, int operation)
{
	static int calls;

	if (calls++ < 2) {
		errno = EWOULDBLOCK;
		return -1;
	}
	return (int)syscall(SYS_flock, fd, operation);
}

int bind(int fd, const struct sockaddr *address, socklen_t len)
{
	static int calls;

	if (calls++ < 2) {
		errno = EADDRINUSE;
		return -1;
	}
	return (int)syscall(SYS_bind, fd, address, len);
}
