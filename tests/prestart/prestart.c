/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prestart.h"

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

static void die(const char *what)
{
	fprintf(stderr, "prestart: %s: %s\n", what, strerror(errno));
	exit(3);
}

/* preload.so is in the same folder as the calling program. */
static void put_preload(void)
{
	static const char name[] = "preload.so";
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - sizeof(name));

	while (len > 0 && path[len - 1] != '/')
		len--;
	if (len <= 0)
		die("/proc/self/exe");
	memcpy(path + len, name, sizeof(name));
	setenv("LD_PRELOAD", path, 1);
}

static void be_server(const char *program, int control, int out, int err)
{
	char fds[64], *words[] = { (char *)(uintptr_t)program, NULL };

	if (SANITIZED) {
		execvp(program, prestart_serve(control, out, err));
		_exit(127);
	}
	snprintf(fds, sizeof(fds), "%d %d %d", control, out, err);
	setenv(PRESTART_VARIABLE, fds, 1);
	put_preload();
	execvp(program, words);
	die(program);
}

void prestart(struct prestart *p, const char *program, int out, int err)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		die("socketpair");
	fflush(NULL);
	p->server = fork();
	if (p->server < 0)
		die("fork");
	if (!p->server) {
		/* The descriptors have the flag close-on-exec; their duplicates do not. */
		be_server(program, dup(pair[1]), dup(out), dup(err));
	}
	close(pair[1]);
	p->control = pair[0];
}

static bool get(struct prestart *p, void *to, size_t size, int timeout)
{
	struct pollfd f = { .fd = p->control, .events = POLLIN };

	return poll(&f, 1, timeout) > 0 && read(p->control, to, size) == (ssize_t)size;
}

pid_t prestart_run(struct prestart *p, char *const *words)
{
	char bytes[1 << 16];
	uint32_t len = 0;
	pid_t pid;

	for (; *words; words++) {
		size_t size = strlen(*words) + 1;

		if (size > sizeof(bytes) - sizeof(len) - len)
			die("the words are too long");
		memcpy(bytes + sizeof(len) + len, *words, size);
		len += (uint32_t)size;
	}
	memcpy(bytes, &len, sizeof(len));
	if (send(p->control, bytes, sizeof(len) + len, MSG_NOSIGNAL) != (ssize_t)(sizeof(len) + len) ||
	    !get(p, &pid, sizeof(pid), -1))
		return -1;
	return pid;
}

void prestart_go(struct prestart *p)
{
	send(p->control, "", 1, MSG_NOSIGNAL);
}

bool prestart_end(struct prestart *p, int *status, int timeout)
{
	return get(p, status, sizeof(*status), timeout);
}

void prestart_stop(struct prestart *p)
{
	close(p->control);
	kill(p->server, SIGKILL);
	while (waitpid(p->server, NULL, 0) < 0 && errno == EINTR)
		;
}
