/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each output is a separate program, not a forked copy of the sampler. So the sampler contains no network libraries,
 * and an attacker who takes over an output learns nothing about the sampler's memory, not even addresses of functions.
 * The program is not linked with our library, because the user that it runs as may not be able to read the library.
 */
#include "agent/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sockios.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/privileges.h"

enum {
	MOST_UNSEEN = 8,  /* kill an output that has been behind for this many intervals and for HANGS_S */
	HANGS_S = 20,     /* seconds; long enough for slow starts, disks and daemons */
	MOST_LINES = 50,  /* number of messages that are printed per interval; further ones may be lost */
	NOBODY = 65534,
};

/* Folder of the output programs, relative to that of the agent's program. */
#define PROGRAMS "../libexec/uncoremsr/"

static const struct { const char *name, *program; } outputs[AGENT_OUTPUTS] = {
	[AGENT_HTTP] = { "HTTP", "uncore-agent-http" },
	[AGENT_COLLECTD] = { "collectd", "uncore-agent-collectd" },
	[AGENT_SNMP] = { "SNMP", "uncore-agent-snmp" },
};

const char *agent_child_name(enum agent_output output)
{
	return outputs[output].name;
}

/* ---- the program of an output ---- */

int agent_child_program(enum agent_output output, char why[AGENT_PROGRAM_WHY])
{
	char path[256];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
	char *slash = len > 0 && len < (ssize_t)sizeof(path) ? memrchr(path, '/', (size_t)len) : NULL;
	size_t room = slash ? sizeof(path) - (size_t)(slash + 1 - path) : 0;
	int fd = -1;

	if (!slash || snprintf(slash + 1, room, PROGRAMS "%s", outputs[output].program) >= (int)room) {
		snprintf(why, AGENT_PROGRAM_WHY, "the path of uncore-agent (/proc/self/exe) is unknown or too long");
		return -1;
	}
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		snprintf(why, AGENT_PROGRAM_WHY, "%s: %s", path, strerror(errno));
	return fd;
}

/* ---- in the child, before it executes the program ---- */

/* Move descriptors @from to 0, 1 and so on, and close all others. The last one is the program file (close-on-exec). */
static int place(const int *from, size_t num)
{
	int high[AGENT_FIRST + AGENT_MOST_DESCRIPTORS + 1];

	/* First copy all of them to high numbers, so that none is overwritten before it is moved. */
	for (size_t i = 0; i < num; i++) {
		high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, (int)num);
		if (high[i] < 0)
			return -1;
	}
	for (size_t i = 0; i < num; i++)
		if (dup3(high[i], (int)i, i + 1 < num ? 0 : O_CLOEXEC) < 0)
			return -1;
	closefrom((int)num);
	return 0;
}

/*
 * Do not let the child inherit our standard input, output and error: it could read keystrokes from the terminal, or
 * truncate a log file.
 */
static int place_all(const struct agent_child *c, int news, int messages)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), num = AGENT_FIRST;
	int from[AGENT_FIRST + AGENT_MOST_DESCRIPTORS + 1] = {
		nothing, c->writes ? STDOUT_FILENO : nothing, [AGENT_MESSAGES] = messages,
		[AGENT_VALUES] = c->shared->readable, [AGENT_NEWS] = news,
	};

	for (size_t i = 0; i < c->num_fds; i++)
		from[num++] = c->fds[i];
	from[num++] = c->program;
	return nothing < 0 ? -1 : place(from, (size_t)num);
}

/* As root, change to the user uncoremsr with all its groups, or to nobody if that user does not exist. */
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

/* Ignore signals that are meant for the sampler. The child is killed when the sampler ends (PR_SET_PDEATHSIG). */
static void ignore_signals(const struct tool_wait *w)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigprocmask(SIG_SETMASK, &w->old_mask, NULL);
}

static void __attribute__((noreturn)) fail(const char *what)
{
	dprintf(AGENT_MESSAGES, "%s: %s\n", what, strerror(errno));
	_exit(TOOL_NO_ACCESS);
}

static void __attribute__((noreturn)) run(const struct agent_child *c, int news, int messages, pid_t parent)
{
	char name[32];
	char *const argv[] = { name, NULL };

	snprintf(name, sizeof(name), "%s", outputs[c->output].program);
	ignore_signals(c->wait);
	setsid(); /* a new session has no controlling terminal */
	if (place_all(c, news, messages) < 0)
		_exit(TOOL_NO_ACCESS);
	if (give_up_rights() < 0)
		fail("cannot drop privileges");
	/* Set the death signal after the change of user, because that change clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	fexecve(AGENT_FIRST + (int)c->num_fds, argv, environ);
	fail("cannot execute its program");
}

/* ---- messages of the child ---- */

/*
 * Print at most MOST_LINES messages per interval; the pipe, whose size is limited, keeps the rest. The output may be
 * compromised, so each message is printed as one line that begins with the output's name.
 */
static void pass_on(struct agent_child *c)
{
	char text[AGENT_LINE];
	ssize_t len;

	for (; c->lines < MOST_LINES && (len = read(c->messages, text, sizeof(text))) > 0; c->lines++) {
		len -= text[len - 1] == '\n';
		tool_say(0, "%s: %.*s", agent_child_name(c->output), (int)len, text);
	}
}

/*
 * Open a pipe that is non-blocking at both ends. In packet mode (O_DIRECT) each read returns one message, and each
 * message takes a page of the pipe. A new message raises SIGCHLD (F_SETSIG), like the end of the child.
 */
static bool open_messages(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK | O_DIRECT) < 0)
		return false;
	fcntl(ends[0], F_SETPIPE_SZ, MOST_LINES * sysconf(_SC_PAGESIZE));
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETSIG, SIGCHLD);
	fcntl(ends[0], F_SETFL, O_NONBLOCK | O_ASYNC);
	return true;
}

/* ---- in the sampler ---- */

/*
 * The intervals are announced through a socket pair, because nothing that the child does can block our send(). With an
 * eventfd, the child could clear O_NONBLOCK for both processes and fill the counter. With a pipe, our write() would
 * wait for a lock, which a reader holds even while its buffer is paged in. Our end is shut down for reading: otherwise the
 * child could send us descriptors, and closing them may take long.
 */
static bool open_news(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0)
		return false;
	shutdown(ends[0], SHUT_RD);
	return true;
}

static bool has_looked(const struct agent_child *c)
{
	int unread = 0;

	ioctl(c->news, SIOCOUTQ, &unread);
	return unread == 0;
}

static void close_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void release(struct agent_child *c)
{
	close_open(c->news);
	close_open(c->messages);
	c->pid = 0;
}

int agent_child_start(struct agent_child *c)
{
	const pid_t parent = getpid();
	int news[2] = { -1, -1 }, messages[2] = { -1, -1 }, err;

	c->shared->memory->outputs[c->output].num_fds = c->num_fds;
	c->pid = open_news(news) && open_messages(messages) ? fork() : -1;
	err = errno;
	if (c->pid == 0)
		run(c, news[1], messages[1], parent);
	close_open(news[1]);
	close_open(messages[1]);
	c->news = news[0];
	c->messages = messages[0];
	c->unseen = 0;
	c->started_ns = clock_now(CLOCK_MONOTONIC);
	if (c->pid > 0)
		return 0;
	release(c);
	return tool_say(TOOL_UNSUPPORTED, "%s: cannot start its process: %s", agent_child_name(c->output),
			strerror(err));
}

void agent_child_look(struct agent_child *c)
{
	int status;

	if (c->pid)
		pass_on(c);
	if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return;
	pass_on(c);
	release(c);
	c->shared->memory->outputs[c->output].num_changes = c->shared->num_changes;
	if (c->writes && WIFEXITED(status) && WEXITSTATUS(status) <= TOOL_PARTIAL) {
		c->over = true;
		c->failed = WEXITSTATUS(status) == TOOL_PARTIAL;
		return;
	}
	tool_say(0, "%s: its process %s %d; restarted", agent_child_name(c->output),
		 WIFSIGNALED(status) ? "was killed by signal" : "ended with status",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	/* If the child ended within a second, agent_child_wake() restarts it with the next interval. */
	if (clock_now(CLOCK_MONOTONIC) - c->started_ns > NS_PER_S)
		agent_child_start(c);
}

void agent_child_wake(struct agent_child *c)
{
	c->lines = 0;
	if (!c->pid)
		agent_child_start(c);
	if (!c->pid)
		return;
	pass_on(c);
	if (has_looked(c))
		c->unseen = 0;
	else if (!c->unseen++)
		c->unseen_ns = clock_now(CLOCK_MONOTONIC);
	send(c->news, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	/* agent_child_look() prints a message when it reaps the killed child. */
	if (c->unseen >= MOST_UNSEEN && clock_now(CLOCK_MONOTONIC) - c->unseen_ns > HANGS_S * NS_PER_S)
		kill(c->pid, SIGKILL);
}

void agent_child_stop(struct agent_child *c)
{
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	pass_on(c);
	release(c);
}
