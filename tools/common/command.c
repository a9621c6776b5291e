/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/output.h"
#include "common/privileges.h"

static ssize_t read_retry(int fd, void *buf, size_t size)
{
	ssize_t n;

	do
		n = read(fd, buf, size);
	while (n < 0 && errno == EINTR);
	return n;
}

static void set_apart(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	dup2(null, STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* The child waits for the byte that starts COMMAND, then executes COMMAND. Never returns. */
static void child(const struct command *c, char **argv, int parent, const sigset_t *mask)
{
	char byte;
	int err;

	if (read_retry(parent, &byte, 1) != 1)
		_exit(0);
	if (c->apart)
		set_apart();
	if (c->no_output)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	privileges_drop();
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	err = errno;
	if (write(parent, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int command_hold(struct command *c, char **argv, const struct tool_wait *w)
{
	int ends[2];

	c->name = argv[0];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return tool_say(TOOL_PARTIAL, "cannot create a process: %m");
	c->pid = fork();
	if (c->pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return tool_say(TOOL_PARTIAL, "cannot create a process: %m");
	}
	if (c->pid == 0) {
		close(ends[0]);
		child(c, argv, ends[1], &w->old_mask);
	}
	close(ends[1]);
	c->socket = ends[0];
	return 0;
}

int command_go(struct command *c)
{
	int err = 0;

	if (write(c->socket, "g", 1) != 1)
		return errno;
	/* If exec succeeds, the child's end is closed, and there is nothing to read. */
	return read_retry(c->socket, &err, sizeof(err)) == sizeof(err) ? err : 0;
}

int command_start(struct command *c, const char *advice)
{
	int err = command_go(c);

	return err ? tool_say(err == ENOENT ? 127 : 126, "%s: %s%s", OUT_QUOTED(c->name), strerror(err),
			      err == ENOENT ? advice : "") : 0;
}

void command_reap(struct command *c)
{
	pid_t pid;

	if (c->done || c->pid <= 0)
		return;
	do
		pid = wait4(c->pid, &c->status, WNOHANG, &c->used);
	while (pid < 0 && errno == EINTR);
	c->done = pid != 0;
}

void command_drop(struct command *c)
{
	if (c->pid > 0)
		close(c->socket);
}

int command_exit(const struct command *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}

/* SIGINT from the terminal is not forwarded, because COMMAND receives it itself. */
static void hand_on(const struct command *c, const siginfo_t *info)
{
	if (c->pid <= 0 || c->done)
		return;
	if (info->si_signo != SIGINT || info->si_code == SI_USER || info->si_code == SI_TKILL)
		kill(c->pid, info->si_signo);
}

bool command_ends_run(struct command *c, const struct tool_wait *w, enum wake wake)
{
	switch (wake) {
	case WAKE_CHILD:
		command_reap(c);
		return c->pid > 0 && c->done;
	case WAKE_DIE:
		hand_on(c, &w->info);
		return true;
	case WAKE_STOP:
		/* With a COMMAND, SIGINT does not end the run: the run goes on until COMMAND has ended. */
		hand_on(c, &w->info);
		return c->pid <= 0;
	default:
		return false;
	}
}

void command_pending(struct command *c, struct tool_wait *w)
{
	if (wait_signal(w, 0) == WAKE_DIE)
		hand_on(c, &w->info);
}

void command_await(struct command *c, struct tool_wait *w)
{
	while (c->pid > 0 && !c->done && !w->die_of) {
		command_reap(c);
		if (!c->done)
			command_ends_run(c, w, wait_signal(w, UINT64_MAX));
	}
}

int command_finish(struct command *c, struct tool_wait *w, int status)
{
	const char *word;

	if (c->pid <= 0)
		return status;
	command_await(c, w);
	if (c->done && WIFSIGNALED(c->status)) {
		word = sigabbrev_np(WTERMSIG(c->status));
		tool_say(0, "%s: ended by signal %d (%s%s)", c->name, WTERMSIG(c->status), word ? "SIG" : "",
			 word ? word : "real-time");
	}
	return status ? status : command_exit(c);
}
