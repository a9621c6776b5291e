/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The agent's side of an output process. The process talks to the world outside: it is a program of its own
 * (agent/program.h), and gets finished values, one interval after the other. It has no rights, no descriptor of a device,
 * no terminal, and its own user where the agent is root. All that comes back from it are lines for the agent's standard
 * error. If it dies or hangs, the agent is not held up and starts it again.
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
	const char *name;       /* for messages: "HTTP" */
	const char *output;     /* name of its program without the prefix: "http" for uncore-agent-http */
	int program;            /* the program file, opened once so that later starts run the same one */
	struct agent_task task;
	int fds[AGENT_MOST_DESCRIPTORS]; /* descriptors that it inherits */
	size_t num_fds;
	bool writes;            /* it writes to our standard output */
	bool over;              /* it has ended because nobody reads our standard output any more */
	pid_t pid;              /* 0: it is not running */
	int channel;            /* our end of the socket for values */
	int messages;           /* our end of the pipe for its messages */
	char line[AGENT_LINE];  /* the latest message, as far as it has arrived */
	size_t line_len;
	unsigned lines;         /* number of messages since the latest values */
	bool begun;             /* it has had enough time to start */
	unsigned refused;       /* number of intervals in a row that it has not accepted */
	uint64_t refused_ns;    /* when the first of these was */
	uint64_t started_ns;
};

/*
 * Open the program of an output ("http"). It lies in the folder of the agent's own program; PATH and the environment are
 * not used. -1: @why says why not.
 */
enum { AGENT_PROGRAM_WHY = 400 };
int agent_child_program(const char *output, char why[AGENT_PROGRAM_WHY]);

/* 0 or a negative errno. */
int agent_child_start(struct agent_child *c, const struct tool_wait *w);
/* Send it @bytes; start it again if it has ended. Never waits. */
void agent_child_send(struct agent_child *c, const struct tool_wait *w, const char *bytes, size_t size);
/* After SIGCHLD: pass on its messages. If it has ended, print that, and start it again, now or with the next values. */
void agent_child_look(struct agent_child *c, const struct tool_wait *w);
void agent_child_stop(struct agent_child *c);

#endif
