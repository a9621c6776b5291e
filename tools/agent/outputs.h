/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The outputs of the agent: their processes, and the memory from which these read the values. */
#ifndef AGENT_OUTPUTS_H
#define AGENT_OUTPUTS_H

#include "agent/agent.h"
#include "agent/program.h"
#include "common/wait.h"

/*
 * The agent's side of an output process (agent/program.h). The process has no rights, no descriptor of a device and no
 * terminal, and it runs as another user if the agent runs as root. All that it sends back is lines for the agent's
 * standard error. If it dies or hangs, the agent goes on without waiting, and starts it again.
 */
struct agent_child {
	enum agent_output output;
	int program;            /* the program file, opened once, so that later starts run the same program */
	int fds[AGENT_MOST_DESCRIPTORS]; /* descriptors that the child inherits */
	size_t num_fds;
	bool writes;            /* the child writes to our standard output */
	pid_t pid;              /* 0: the child is not running */
	int news;               /* our end of the socket from which the child reads a byte for each interval */
	int messages;           /* our end of the pipe for the child's messages */
	unsigned lines;         /* number of messages since the latest values */
	unsigned unseen;        /* for how many intervals in a row bytes in @news have been unread */
	uint64_t unseen_ns;     /* time at which @unseen became 1 */
	uint64_t started_ns;
};

struct agent_outputs {
	struct shared_writer shared;
	const struct tool_wait *wait;
	struct agent_child list[AGENT_OUTPUTS];
	size_t num;
	struct address listens[AGENT_MOST_LISTENS]; /* addresses that the agent listens on, from the start to the end */
	size_t num_listens;
};

/* Open the sockets and files of the outputs that the configuration names. 0, or the exit status after a message. */
int outputs_open(struct agent_outputs *o, const struct agent_config *cfg, const struct tool_wait *w);
/* Start the processes. Call it before any device is open, so that they inherit none. 0, or the exit status. */
int outputs_start(struct agent_outputs *o);
/* Publish the interval that was written to @o->shared. */
void outputs_publish(struct agent_outputs *o);
/* Call this after SIGCHLD. False: standard output cannot be written any more; *failed: because of an error. */
bool outputs_look(struct agent_outputs *o, bool *failed);
/* A reload does not change the outputs: print the outputs of the new configuration that need a restart. */
void outputs_tell_other(const struct agent_outputs *o, const struct agent_config *new);
/* Stop the processes, and remove socket files. */
void outputs_close(struct agent_outputs *o);

/* Open the program of an output, relative to the agent's own program, not by PATH. -1: the reason is in @why. */
enum { AGENT_PROGRAM_WHY = 400 };
int outputs_program(enum agent_output output, char why[AGENT_PROGRAM_WHY]);

#endif
