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
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/output.h"
#include "common/privileges.h"

_Static_assert((int)AGENT_MOST_LISTENS <= (int)AGENT_MOST_DESCRIPTORS, "one program gets all sockets that listen");

enum {
	MOST_UNSEEN = 8,  /* kill an output that has been behind for this many intervals and for HANGS_S */
	HANGS_S = 20,     /* seconds; long enough for slow starts, disks and daemons */
	MOST_LINES = 50,  /* number of messages that are printed per interval; further ones may be lost */
	NOBODY = 65534,
};

/* Folder of the output programs, relative to that of the agent's program. */
#define PROGRAMS "../libexec/uncoremsr/"

static const struct {
	const char *name; /* for messages */
	const char *program;
	const char *state; /* file that is kept from run to run; NULL: none */
	const char *without; /* what happens without that file */
} outputs[AGENT_OUTPUTS] = {
	[AGENT_HTTP] = { "HTTP", "uncore-agent-http", NULL, NULL },
	[AGENT_COLLECTD] = { "collectd", "uncore-agent-collectd", "collectd-totals",
			     "so after each start collectd gets no totals for a while" },
	[AGENT_SNMP] = { "SNMP", "uncore-agent-snmp", "snmp-rows", "so rows get other numbers at each start" },
};

int outputs_program(enum agent_output output, char why[AGENT_PROGRAM_WHY])
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

/* The child does not inherit our standard streams: it could read keystrokes, or truncate a log file. */
static int place_all(const struct agent_outputs *o, const struct agent_child *c, int news, int messages)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), num = AGENT_FIRST;
	int from[AGENT_FIRST + AGENT_MOST_DESCRIPTORS + 1] = {
		nothing, c->writes ? STDOUT_FILENO : nothing, [AGENT_MESSAGES] = messages,
		[AGENT_VALUES] = o->shared.readable, [AGENT_NEWS] = news,
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

static void __attribute__((noreturn))
run(const struct agent_outputs *o, const struct agent_child *c, int news, int messages, pid_t parent)
{
	char name[32];
	char *const argv[] = { name, NULL };

	snprintf(name, sizeof(name), "%s", outputs[c->output].program);
	ignore_signals(o->wait);
	setsid(); /* a new session has no controlling terminal */
	if (place_all(o, c, news, messages) < 0)
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

/* The output may be compromised, so each message is printed as one line that begins with the output's name. */
static void pass_on(struct agent_child *c)
{
	char text[AGENT_LINE];
	ssize_t len;

	for (; c->lines < MOST_LINES && (len = read(c->messages, text, sizeof(text))) > 0; c->lines++) {
		len -= text[len - 1] == '\n';
		tool_say(0, "%s: %.*s", outputs[c->output].name, (int)len, text);
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

/* ---- processes, as the sampler sees them ---- */

/*
 * The intervals are announced through a socket pair, because nothing that the child does can block our send(). With an
 * eventfd, the child could clear O_NONBLOCK for both processes and fill the counter. With a pipe, our write() would
 * wait for a lock, which a reader holds even while its buffer is paged in. Our end is shut down for reading: otherwise
 * the child could send us descriptors, and closing them may take long.
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

static int start_child(struct agent_outputs *o, struct agent_child *c)
{
	const pid_t parent = getpid();
	int news[2] = { -1, -1 }, messages[2] = { -1, -1 }, err;

	o->shared.memory->outputs[c->output].num_fds = c->num_fds;
	c->pid = open_news(news) && open_messages(messages) ? fork() : -1;
	err = errno;
	if (c->pid == 0)
		run(o, c, news[1], messages[1], parent);
	close_open(news[1]);
	close_open(messages[1]);
	c->news = news[0];
	c->messages = messages[0];
	c->unseen = 0;
	c->started_ns = clock_now(CLOCK_MONOTONIC);
	if (c->pid > 0)
		return 0;
	release(c);
	return tool_say(TOOL_UNSUPPORTED, "%s: cannot start its process: %s", outputs[c->output].name,
			strerror(err));
}

static bool reap_child(struct agent_outputs *o, struct agent_child *c, bool *failed)
{
	int status;

	if (c->pid)
		pass_on(c);
	if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return true;
	pass_on(c);
	release(c);
	o->shared.memory->outputs[c->output].num_changes = o->shared.num_changes;
	if (c->writes && WIFEXITED(status) && WEXITSTATUS(status) <= TOOL_PARTIAL) {
		*failed |= WEXITSTATUS(status) == TOOL_PARTIAL;
		return false;
	}
	tool_say(0, "%s: its process %s %d; restarted", outputs[c->output].name,
		 WIFSIGNALED(status) ? "was killed by signal" : "ended with status",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	/* If the child ended within a second, wake_child() restarts it with the next interval. */
	if (clock_now(CLOCK_MONOTONIC) - c->started_ns > NS_PER_S)
		start_child(o, c);
	return true;
}

/* Tell the child that an interval was published. Never waits. */
static void wake_child(struct agent_outputs *o, struct agent_child *c)
{
	c->lines = 0;
	if (!c->pid)
		start_child(o, c);
	if (!c->pid)
		return;
	pass_on(c);
	if (has_looked(c))
		c->unseen = 0;
	else if (!c->unseen++)
		c->unseen_ns = clock_now(CLOCK_MONOTONIC);
	send(c->news, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (c->unseen >= MOST_UNSEEN && clock_now(CLOCK_MONOTONIC) - c->unseen_ns > HANGS_S * NS_PER_S)
		kill(c->pid, SIGKILL);
}

static void stop_child(struct agent_child *c)
{
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	pass_on(c);
	release(c);
}

/* The output programs of a killed agent hold files and sockets for a moment longer, so try again for 2 s. */
static bool try_again(unsigned *tries)
{
	if ((errno != EWOULDBLOCK && errno != EADDRINUSE) || ++*tries > 40)
		return false;
	nanosleep(&(struct timespec){ .tv_nsec = 50 * NS_PER_MS }, NULL);
	return true;
}

/* ---- files that are kept from run to run ---- */

static int lock(int fd)
{
	unsigned tries = 0;
	int err;

	do
		err = flock(fd, LOCK_EX | LOCK_NB);
	while (err < 0 && try_again(&tries));
	return err;
}

static int open_in(const char *dir, const char *name)
{
	int folder, fd;

	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return -1;
	folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -1;
	fd = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	close(folder);
	return fd;
}

/* If the state file cannot be used, the output works without it. */
static void add_state(struct agent_child *c, const struct agent_config *cfg)
{
	const char *name = outputs[c->output].state, *why;
	struct stat st;
	int fd;

	if (!name)
		return;
	fd = open_in(cfg->state, name);
	why = fd < 0 ? strerror(errno) : NULL;
	if (!why && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)))
		why = "not a regular file";
	else if (!why && lock(fd) < 0)
		why = errno == EWOULDBLOCK ? "another agent uses it" : strerror(errno);
	if (!why) {
		c->fds[c->num_fds++] = fd;
		return;
	}
	tool_say(0, "%s/%s: %s; %s", OUT_QUOTED(cfg->state), name, why, outputs[c->output].without);
	if (fd >= 0)
		close(fd);
}

/* ---- the outputs ---- */

static int add_listens(struct agent_outputs *o, struct agent_child *http, const struct agent_config *cfg)
{
	char why[ADDRESS_WHY];
	unsigned tries = 0;

	for (const struct agent_listen *l = cfg->listens; l < cfg->listens + cfg->num_listens; l++) {
		int fd;

		do
			fd = address_listen(&l->address, why);
		while (fd < 0 && try_again(&tries));
		if (fd < 0)
			return tool_say(TOOL_NO_ACCESS, "cannot listen on %s: %s", l->text, why);
		http->fds[http->num_fds++] = fd;
		o->listens[o->num_listens++] = l->address;
	}
	return 0;
}

static int add_output(struct agent_outputs *o, enum agent_output output, const struct agent_config *cfg)
{
	struct agent_child *c = &o->list[o->num];
	char why[AGENT_PROGRAM_WHY];

	*c = (struct agent_child){ .output = output, .program = outputs_program(output, why) };
	if (c->program < 0)
		return tool_say(TOOL_UNSUPPORTED, "%s: cannot open the executable of this output: %s",
				outputs[output].name, why);
	o->num++;
	c->writes = output == AGENT_COLLECTD && strcmp(cfg->collectd.where, "exec") == 0;
	add_state(c, cfg);
	return output == AGENT_HTTP ? add_listens(o, c, cfg) : 0;
}

int outputs_open(struct agent_outputs *o, const struct agent_config *cfg, const struct tool_wait *w)
{
	const bool wanted[AGENT_OUTPUTS] = {
		[AGENT_HTTP] = cfg->num_listens, [AGENT_COLLECTD] = *cfg->collectd.where,
		[AGENT_SNMP] = *cfg->snmp.address,
	};
	int err = shared_create(&o->shared), status = 0;
	struct shared *m = o->shared.memory;

	if (err)
		return tool_say(TOOL_UNSUPPORTED, "cannot share memory with the outputs: %s", strerror(-err));
	o->wait = w;
	m->collectd = cfg->collectd;
	m->collectd.run = wait_wall_clock(w) ^ (uint64_t)getpid();
	m->snmp = cfg->snmp;
	m->snmp.started_ns = wait_wall_clock(w);
	for (enum agent_output output = 0; output < AGENT_OUTPUTS && !status; output++)
		if (wanted[output])
			status = add_output(o, output, cfg);
	return status;
}

int outputs_start(struct agent_outputs *o)
{
	int status = 0;

	for (size_t i = 0; i < o->num && !status; i++)
		status = start_child(o, &o->list[i]);
	return status;
}

void outputs_publish(struct agent_outputs *o)
{
	int err = shared_publish(&o->shared);

	if (err)
		tool_say(0, "the values of an interval were not sent: %s", strerror(err));
	for (size_t k = 0; k < o->num && !err; k++)
		wake_child(o, &o->list[k]);
}

bool outputs_look(struct agent_outputs *o, bool *failed)
{
	bool go_on = true;

	for (size_t i = 0; i < o->num; i++)
		go_on &= reap_child(o, &o->list[i], failed);
	return go_on;
}

static bool listens_on(const struct agent_outputs *o, const struct address *address)
{
	for (size_t i = 0; i < o->num_listens; i++)
		if (address_same(&o->listens[i], address))
			return true;
	return false;
}

static void tell_other(const char *output, const char *running, const char *new)
{
	if (strcmp(running, new))
		tool_say(0, "%s: %s; takes effect after a restart", output, *new ? new : "left out");
}

void outputs_tell_other(const struct agent_outputs *o, const struct agent_config *new)
{
	for (size_t i = 0; i < new->num_listens; i++)
		if (!listens_on(o, &new->listens[i].address))
			tool_say(0, "%s: takes effect after a restart", new->listens[i].text);
	tell_other("collectd", o->shared.memory->collectd.where, new->collectd.where);
	tell_other("AgentX", o->shared.memory->snmp.address, new->snmp.address);
}

void outputs_close(struct agent_outputs *o)
{
	for (size_t i = 0; i < o->num; i++)
		stop_child(&o->list[i]);
	for (size_t i = 0; i < o->num_listens; i++)
		address_remove(&o->listens[i]);
	shared_free(&o->shared);
}
