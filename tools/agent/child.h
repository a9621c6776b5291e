/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The agent's side of an output process. The process is a program of its own (agent/program.h), because it talks to
 * other programs. It reads finished values in shared memory (agent/shared.h). It has no rights, no descriptor of a
 * device and no terminal; if the agent runs as root, the process runs as another user. It sends nothing back but lines
 * for the agent's standard error. If it dies or hangs, the agent goes on without waiting, and starts it again.
 */
#ifndef AGENT_CHILD_H
#define AGENT_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/program.h"
#include "common/wait.h"

struct agent_child {
	enum agent_output output;
	struct shared_writer *shared;
	const struct tool_wait *wait;
	int program;            /* the program file, opened once so that later starts run the same one */
	int fds[AGENT_MOST_DESCRIPTORS]; /* descriptors that the child inherits */
	size_t num_fds;
	bool writes;            /* the child writes to our standard output */
	bool over;              /* the child has ended because our standard output cannot be written any more */
	bool failed;            /* @over because of an error, not a missing reader; the reason was printed */
	pid_t pid;              /* 0: the child is not running */
	int news;               /* our end of the socket for news: the child reads a byte for each interval */
	int messages;           /* our end of the pipe for the child's messages */
	unsigned lines;         /* number of messages since the latest values */
	unsigned unseen;        /* number of intervals in a row at whose end a byte of an earlier interval was still
				 * unread by the child */
	uint64_t unseen_ns;     /* time of the first interval in @unseen */
	uint64_t started_ns;
};

/* Name of an output in messages ("HTTP"). */
const char *agent_child_name(enum agent_output output);
/*
 * Open the program of an output. It lies in the folder of the agent's own program; PATH and the environment are not
 * used. -1: @why says why not.
 */
enum { AGENT_PROGRAM_WHY = 400 };
int agent_child_program(enum agent_output output, char why[AGENT_PROGRAM_WHY]);

/* 0, or the exit status after a message. */
int agent_child_start(struct agent_child *c);
/* Tell the child that the next interval begins; start it again if it has ended. Never waits. */
void agent_child_wake(struct agent_child *c);
/* After SIGCHLD: print the child's messages. If it has ended, print that and start it again, now or later. */
void agent_child_look(struct agent_child *c);
void agent_child_stop(struct agent_child *c);

#endif
