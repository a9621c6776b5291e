/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "agent/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/output.h"

_Static_assert((int)AGENT_MOST_LISTENS <= (int)AGENT_MOST_DESCRIPTORS, "one program gets all sockets that listen");

/*
 * If an agent is killed, its output programs hold its files and sockets for a moment longer, so a new agent tries again
 * for 2 s. Returns false if errno has another reason, or if the 2 s are over.
 */
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
	static const struct { const char *name, *without; } files[AGENT_OUTPUTS] = {
		[AGENT_COLLECTD] = { "collectd-totals", "so after each start collectd gets no totals for a while" },
		[AGENT_SNMP] = { "snmp-rows", "so rows get other numbers at each start" },
	};
	const char *name = files[c->output].name, *why;
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
	tool_say(0, "%s/%s: %s; %s", OUT_QUOTED(cfg->state), name, why, files[c->output].without);
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

static int add_output(struct agent_outputs *o, enum agent_output output, const struct agent_config *cfg,
		      const struct tool_wait *w)
{
	struct agent_child *c = &o->list[o->num];
	char why[AGENT_PROGRAM_WHY];

	*c = (struct agent_child){ .output = output, .shared = &o->shared, .wait = w,
				   .program = agent_child_program(output, why) };
	if (c->program < 0)
		return tool_say(TOOL_UNSUPPORTED, "%s: cannot open the executable of this output: %s",
				agent_child_name(output), why);
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
	m->collectd = cfg->collectd;
	m->collectd.run = wait_wall_clock(w) ^ (uint64_t)getpid();
	m->snmp = cfg->snmp;
	m->snmp.started_ns = wait_wall_clock(w);
	for (enum agent_output output = 0; output < AGENT_OUTPUTS && !status; output++)
		if (wanted[output])
			status = add_output(o, output, cfg, w);
	return status;
}

int outputs_start(struct agent_outputs *o)
{
	int status = 0;

	for (size_t i = 0; i < o->num && !status; i++)
		status = agent_child_start(&o->list[i]);
	return status;
}

void outputs_publish(struct agent_outputs *o)
{
	int err = shared_publish(&o->shared);

	if (err)
		tool_say(0, "the values of an interval were not sent: %s", strerror(err));
	for (size_t k = 0; k < o->num && !err; k++)
		agent_child_wake(&o->list[k]);
}

bool outputs_look(struct agent_outputs *o, bool *failed)
{
	bool over = false;

	for (size_t i = 0; i < o->num; i++) {
		agent_child_look(&o->list[i]);
		over |= o->list[i].over;
		*failed |= o->list[i].failed;
	}
	return !over;
}

static bool listens_on(const struct agent_outputs *o, const struct address *address)
{
	for (size_t i = 0; i < o->num_listens; i++)
		if (address_same(&o->listens[i], address))
			return true;
	return false;
}

static void tell_other(const char *output, const char *old, const char *new)
{
	if (strcmp(old, new))
		tool_say(0, "%s: %s; takes effect after a restart", output, *new ? new : "left out");
}

void outputs_tell_other(const struct agent_outputs *o, const struct agent_config *old, const struct agent_config *new)
{
	for (size_t i = 0; i < new->num_listens; i++)
		if (!listens_on(o, &new->listens[i].address))
			tool_say(0, "%s: takes effect after a restart", new->listens[i].text);
	tell_other("collectd", old->collectd.where, new->collectd.where);
	tell_other("AgentX", old->snmp.address, new->snmp.address);
}

void outputs_close(struct agent_outputs *o)
{
	for (size_t i = 0; i < o->num; i++)
		agent_child_stop(&o->list[i]);
	for (size_t i = 0; i < o->num_listens; i++)
		address_remove(&o->listens[i]);
	shared_free(&o->shared);
}
