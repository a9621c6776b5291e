/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/snapshot.h"
#include "common/privileges.h"

enum {
	MOST_REFUSED = 8, /* intervals, */
	HANGS_S = 10,     /* and so long: then it hangs. A slow disk or daemon is no reason */
	NOBODY = 65534,
	MOST_LATE = 3,    /* intervals without new values, */
	MOST_LATE_MS = 5000, /* and so long */
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* ---- in the child ---- */

static void close_range_of(unsigned first, unsigned last)
{
	if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
		return;
	/* Kernels before 5.9. */
	for (unsigned fd = first; fd <= last && fd < 65536; fd++)
		close((int)fd);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* All but the three standard ones and these. */
static void close_others(const struct agent_child *c, int values)
{
	int kept[sizeof(c->fds) / sizeof(c->fds[0]) + 1];
	unsigned from = 3;

	kept[0] = values;
	memcpy(kept + 1, c->fds, c->num_fds * sizeof(*kept));
	qsort(kept, c->num_fds + 1, sizeof(*kept), compare);
	for (size_t i = 0; i <= c->num_fds; i++) {
		close_range_of(from, (unsigned)kept[i] - 1);
		from = (unsigned)kept[i] + 1;
	}
	close_range_of(from, ~0u);
}

/* The groups of its user stay: a daemon's socket may be open to one of them. */
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

/* Signals are for the sampler; the child ends when its channel does. */
static void ignore_signals(const struct tool_wait *w)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	sigprocmask(SIG_SETMASK, &w->old_mask, NULL);
}

static void __attribute__((noreturn))
run(const struct agent_child *c, int values, pid_t parent, const struct tool_wait *w)
{
	ignore_signals(w);
	close_others(c, values);
	if (give_up_rights() < 0) {
		tool_say(&agent_tool, 0, "%s: cannot give up rights: %s", c->name, strerror(errno));
		_exit(TOOL_NO_ACCESS);
	}
	/* Behind the change of the user, which clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	_exit(c->work(c, values));
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

int agent_child_receive(int values, char **bytes, size_t *size)
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

int64_t agent_child_now_ms(void)
{
	return (int64_t)(now_ns() / 1000000);
}

bool agent_child_is_late(int64_t came_ms, uint64_t interval_ns)
{
	int64_t most_ms = (int64_t)(MOST_LATE * (interval_ns / 1000000)) + MOST_LATE_MS;

	return agent_child_now_ms() - came_ms > most_ms;
}

/* ---- in the sampler ---- */

int agent_child_start(struct agent_child *c, const struct tool_wait *w)
{
	const int few = 1; /* the least that the kernel allows: some messages */
	const pid_t parent = getpid();
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &few, sizeof(few));
	c->pid = fork();
	if (c->pid == 0)
		run(c, ends[1], parent, w);
	close(ends[1]);
	if (c->pid < 0) {
		c->pid = 0;
		close(ends[0]);
		return -errno;
	}
	c->channel = ends[0];
	c->refused = 0;
	c->started_ns = now_ns();
	return 0;
}

static void forget(struct agent_child *c)
{
	close(c->channel);
	c->pid = 0;
}

static void start_again(struct agent_child *c, const struct tool_wait *w)
{
	int err = agent_child_start(c, w);

	if (err)
		tool_say(&agent_tool, 0, "%s: cannot be started again: %s", c->name, strerror(-err));
}

void agent_child_reap(struct agent_child *c, const struct tool_wait *w)
{
	int status;

	if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return;
	forget(c);
	if (c->last && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		c->over = true;
		return;
	}
	if (WIFSIGNALED(status))
		tool_say(&agent_tool, 0, "%s: its process was ended by signal %d; started again",
			 c->name, WTERMSIG(status));
	else
		tool_say(&agent_tool, 0, "%s: its process ended with status %d; started again",
			 c->name, WEXITSTATUS(status));
	/* One that does not live for a second waits for the next values. */
	if (now_ns() - c->started_ns > NS_PER_S)
		start_again(c, w);
}

/* Memory that holds @bytes and cannot change any more; -1 with errno. */
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

void agent_child_send(struct agent_child *c, const struct tool_wait *w, const char *bytes, size_t size)
{
	int fd;

	if (!c->pid)
		start_again(c, w);
	if (!c->pid)
		return;
	fd = sealed(bytes, size);
	if (fd < 0) {
		tool_say(&agent_tool, 0, "%s: gets no values: %s", c->name, strerror(errno));
		return;
	}
	if (hand_over(c, fd))
		c->refused = 0;
	else if (!c->refused++)
		c->refused_ns = now_ns();
	close(fd);
	/* It is told when it is reaped. */
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
