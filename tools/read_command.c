/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The command under measurement: forked early and held, so that counting starts before it does and
 * nothing is started when nothing can be counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "read.h"

static ssize_t read_retry(int fd, void *buf, size_t size)
{
	ssize_t n;

	do
		n = read(fd, buf, size);
	while (n < 0 && errno == EINTR);
	return n;
}

/* In the child: wait for the byte that lets it go. Never returns. */
static void child(char **argv, int go, int failed, const sigset_t *mask)
{
	char byte;
	int err;

	if (read_retry(go, &byte, 1) != 1)
		_exit(0);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int read_command_hold(struct read_command *c, char **argv, const struct read_wait *w)
{
	int go[2], failed[2], err;

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(failed, O_CLOEXEC) < 0) {
		err = errno;
		close(go[0]);
		close(go[1]);
		return -err;
	}
	c->pid = fork();
	err = errno;
	if (c->pid == 0) {
		close(go[1]);
		child(argv, go[0], failed[1], &w->old_mask);
	}
	c->go = go[1];
	c->failed = failed[0];
	close(go[0]);
	close(failed[1]);
	return c->pid < 0 ? -err : 0;
}

int read_command_go(struct read_command *c)
{
	int err = 0;

	if (write(c->go, "g", 1) != 1)
		return errno;
	/* Closed by a successful exec: then there is nothing to read. */
	if (read_retry(c->failed, &err, sizeof(err)) != sizeof(err))
		return 0;
	return err;
}

void read_command_reap(struct read_command *c, bool block)
{
	pid_t pid;

	if (c->done || c->pid <= 0)
		return;
	do
		pid = waitpid(c->pid, &c->status, block ? 0 : WNOHANG);
	while (pid < 0 && errno == EINTR);
	c->done = pid != 0;
}

void read_command_drop(struct read_command *c)
{
	if (c->pid <= 0)
		return;
	close(c->go);
	close(c->failed);
}

int read_command_exit(const struct read_command *c)
{
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}
