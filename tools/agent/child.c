/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each output is a program of its own, not a forked copy of the sampler. So the sampler contains no network libraries, and
 * an attacker who takes over an output learns nothing about the sampler's memory, not even addresses of functions. The
 * program is not linked with our library, because the user that it runs as may not be able to read the library.
 */
#include "agent/child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "common/privileges.h"

enum {
	MOST_REFUSED = 8, /* an output hangs if it has refused this many intervals ... */
	HANGS_S = 10,     /* ... for this long; a slow disk or daemon is allowed */
	BEGINS_S = 10,
	MOST_LINES = 50,  /* message lines per interval; more are dropped */
	NOBODY = 65534,
};

/* Folder of the output programs, relative to that of the agent's program. */
#define PROGRAMS "../libexec/uncoremsr/"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* ---- its program ---- */

int agent_child_program(const char *output, char why[AGENT_PROGRAM_WHY])
{
	char path[256];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
	char *slash = len > 0 && len < (ssize_t)sizeof(path) ? memrchr(path, '/', (size_t)len) : NULL;
	size_t room = slash ? sizeof(path) - (size_t)(slash + 1 - path) : 0;
	int fd = -1;

	if (!slash || snprintf(slash + 1, room, PROGRAMS "uncore-agent-%s", output) >= (int)room) {
		snprintf(why, AGENT_PROGRAM_WHY, "cannot find the folder of this program's helpers");
		return -1;
	}
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		snprintf(why, AGENT_PROGRAM_WHY, "%s: %s", path, strerror(errno));
	return fd;
}

/* ---- in the child, before its program ---- */

static void close_from(unsigned first)
{
	if (syscall(SYS_close_range, first, ~0u, 0) == 0)
		return;
	/* Kernels before 5.9 have no close_range(2). */
	for (unsigned fd = first; fd < 65536; fd++)
		close((int)fd);
}

/* Make @from the descriptors 0, 1 and so on, and close all others. The last one is the program file (close-on-exec). */
static int place(const int *from, size_t num)
{
	int high[AGENT_FIRST + AGENT_MOST_DESCRIPTORS + 1];

	/* First copy all to high numbers, so that none is overwritten before it is moved. */
	for (size_t i = 0; i < num; i++) {
		high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, (int)num);
		if (high[i] < 0)
			return -1;
	}
	for (size_t i = 0; i < num; i++)
		if (dup3(high[i], (int)i, i + 1 < num ? 0 : O_CLOEXEC) < 0)
			return -1;
	close_from((unsigned)num);
	return 0;
}

/*
 * The child must not inherit our standard input, output and error: it could read the keys of a terminal, or empty
 * a log file.
 */
static int place_all(const struct agent_child *c, int values, int messages)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), num = AGENT_FIRST;
	int from[AGENT_FIRST + AGENT_MOST_DESCRIPTORS + 1] = {
		nothing, c->writes ? STDOUT_FILENO : nothing, [AGENT_MESSAGES] = messages, [AGENT_VALUES] = values,
	};

	for (size_t i = 0; i < c->num_fds; i++)
		from[num++] = c->fds[i];
	from[num++] = c->program;
	return nothing < 0 ? -1 : place(from, (size_t)num);
}

/* Keep the groups of the child's user: a daemon's socket may be accessible to one of them only. */
static int give_up_rights(void)
{
	const struct passwd *own = geteuid() == 0 ? getpwnam("uncoremsr") : NULL;
	uid_t uid = own ? own->pw_uid : NOBODY;
	gid_t gid = own ? own->pw_gid : NOBODY;

	if (geteuid() == 0 && ((own ? initgroups(own->pw_name, gid) : setgroups(0, NULL)) < 0 ||
			       setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0))
		return -1;
	if (privileges_none() < 0)
		return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* These signals are meant for the sampler. The child ends when its channel is closed. */
static void ignore_signals(const struct tool_wait *w)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	sigprocmask(SIG_SETMASK, &w->old_mask, NULL);
}

static void __attribute__((noreturn)) fail(const char *what)
{
	dprintf(AGENT_MESSAGES, "%s: %s\n", what, strerror(errno));
	_exit(TOOL_NO_ACCESS);
}

static void __attribute__((noreturn))
run(const struct agent_child *c, int values, int messages, pid_t parent, const struct tool_wait *w)
{
	char name[32];
	char *const argv[] = { name, NULL };

	snprintf(name, sizeof(name), "uncore-agent-%s", c->output);
	ignore_signals(w);
	setsid(); /* a new session has no controlling terminal */
	if (place_all(c, values, messages) < 0)
		_exit(TOOL_NO_ACCESS);
	if (give_up_rights() < 0)
		fail("cannot give up privileges");
	/* Set this after the change of user, which clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	fexecve(AGENT_FIRST + (int)c->num_fds, argv, environ);
	fail("cannot execute its program");
}

/* ---- what it says ---- */

/*
 * The output may be compromised: print its message as one line with its name in front, and limit the number of lines.
 */
static void say_line(struct agent_child *c)
{
	if (c->lines++ < MOST_LINES)
		tool_say(&agent_tool, 0, "%s: %.*s", c->name, (int)c->line_len, c->line);
	c->line_len = 0;
}

/* Read and print messages up to a limit. The rest stays in the pipe, whose size is limited. */
static void pass_on(struct agent_child *c)
{
	char *end;
	ssize_t n;

	while (c->lines < MOST_LINES &&
	       (n = read(c->messages, c->line + c->line_len, sizeof(c->line) - c->line_len)) > 0) {
		size_t len = c->line_len + (size_t)n;

		while ((end = memchr(c->line, '\n', len))) {
			size_t rest = len - (size_t)(end + 1 - c->line);

			c->line_len = (size_t)(end - c->line);
			say_line(c);
			memmove(c->line, end + 1, rest);
			len = rest;
		}
		c->line_len = len;
		if (len == sizeof(c->line))
			say_line(c);
	}
}

/* Open a pipe, non-blocking at both ends. New messages raise SIGCHLD, as the end of the child does (F_SETSIG). */
static int open_messages(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETSIG, SIGCHLD);
	fcntl(ends[0], F_SETFL, O_NONBLOCK | O_ASYNC);
	return 0;
}

/* ---- in the sampler ---- */

static int open_channel(struct agent_child *c, int ends[2])
{
	ssize_t sent;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	sent = send(ends[0], &c->task, sizeof(c->task), MSG_NOSIGNAL);
	return sent == (ssize_t)sizeof(c->task) ? 0 : -errno;
}

static void close_all(int *fds, size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

int agent_child_start(struct agent_child *c, const struct tool_wait *w)
{
	const pid_t parent = getpid();
	int ends[4] = { -1, -1, -1, -1 }, err;

	snprintf(c->task.version, sizeof(c->task.version), "%s", UM_VERSION);
	c->task.other_user = geteuid() == 0;
	c->task.num_fds = c->num_fds;
	for (size_t i = 0; i < c->num_fds; i++)
		c->task.fds[i] = AGENT_FIRST + (int)i;
	err = open_channel(c, ends);
	if (!err)
		err = open_messages(ends + 2);
	c->pid = err ? -1 : fork();
	if (c->pid == 0)
		run(c, ends[1], ends[3], parent, w);
	if (c->pid < 0) {
		err = err ? err : -errno;
		c->pid = 0;
		close_all(ends, 4);
		return err;
	}
	close(ends[1]);
	close(ends[3]);
	c->channel = ends[0];
	c->messages = ends[2];
	c->line_len = c->refused = 0;
	c->begun = false;
	c->started_ns = now_ns();
	return 0;
}

/* The child has ended: print its last messages and release its resources. */
static void forget(struct agent_child *c)
{
	pass_on(c);
	close(c->channel);
	close(c->messages);
	c->pid = 0;
}

static void start_again(struct agent_child *c, const struct tool_wait *w)
{
	int err = agent_child_start(c, w);

	if (err)
		tool_say(&agent_tool, 0, "%s: cannot restart its process: %s", c->name, strerror(-err));
}

void agent_child_look(struct agent_child *c, const struct tool_wait *w)
{
	int status;

	if (c->pid)
		pass_on(c);
	if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return;
	forget(c);
	if (c->writes && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		c->over = true;
		return;
	}
	if (WIFSIGNALED(status))
		tool_say(&agent_tool, 0, "%s: its process was killed by signal %d; restarted",
			 c->name, WTERMSIG(status));
	else
		tool_say(&agent_tool, 0, "%s: its process ended with status %d; restarted",
			 c->name, WEXITSTATUS(status));
	/* A child that lived for less than a second is started again only with the next values. */
	if (now_ns() - c->started_ns > NS_PER_S)
		start_again(c, w);
}

/* A sealed memory file with a copy of @bytes, which cannot be changed any more; -1 with errno. */
static int sealed(const char *bytes, size_t size)
{
	int fd = memfd_create("uncore-agent", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t done = 0;

	while (fd >= 0 && done < size) {
		ssize_t n = write(fd, bytes + done, size - done);

		if (n <= 0) {
			close(fd);
			return -1;
		}
		done += (size_t)n;
	}
	if (fd >= 0)
		fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
	return fd;
}

static bool hand_over(const struct agent_child *c, int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(fd)), .cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	char mark = 'v';
	struct iovec io = { &mark, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.room,
			    .msg_controllen = sizeof(control.room) };

	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	return sendmsg(c->channel, &m, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}

/*
 * While the child starts, values queue up so that none is lost. Later the queue is short, so that we notice if it
 * hangs.
 */
static void limit_waiting(struct agent_child *c)
{
	const int few = 1; /* the least that the kernel allows: some messages */

	if (!c->begun && now_ns() - c->started_ns > BEGINS_S * NS_PER_S)
		c->begun = !setsockopt(c->channel, SOL_SOCKET, SO_SNDBUF, &few, sizeof(few));
}

void agent_child_send(struct agent_child *c, const struct tool_wait *w, const char *bytes, size_t size)
{
	int fd;

	c->lines = 0;
	if (!c->pid)
		start_again(c, w);
	if (!c->pid)
		return;
	pass_on(c);
	limit_waiting(c);
	fd = sealed(bytes, size);
	if (fd < 0) {
		tool_say(&agent_tool, 0,
				"%s: cannot be sent the values of this interval: %s", c->name, strerror(errno));
		return;
	}
	if (hand_over(c, fd))
		c->refused = 0;
	else if (!c->refused++)
		c->refused_ns = now_ns();
	close(fd);
	/* A message follows when the killed child is reaped. */
	if (c->refused >= MOST_REFUSED && now_ns() - c->refused_ns > HANGS_S * NS_PER_S)
		kill(c->pid, SIGKILL);
}

void agent_child_stop(struct agent_child *c)
{
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	forget(c);
}
