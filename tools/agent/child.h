/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process for the world outside, seen from the sampler: a program of its own (agent/program.h), which gets finished
 * values, one interval after the other. It has no rights, no descriptor of a device, no terminal, and a user of its own
 * where the agent is root. What it says is a line on the agent's standard error, and nothing else comes back. One that dies
 * or hangs costs the sampler nothing, and is started again.
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
	const char *output;     /* of its program: "http", which is uncore-agent-http; */
	int program;            /* open, so that it stays the one of the start */
	struct agent_task task;
	int fds[AGENT_MOST_DESCRIPTORS]; /* which it gets */
	size_t num_fds;
	bool writes;            /* on our standard output; */
	bool over;              /* and it has ended by itself: nobody reads that any more */
	pid_t pid;              /* 0: it is not running */
	int channel;            /* our end */
	int messages;           /* where its messages come from, */
	char line[AGENT_LINE];  /* the latest, as far as it has come */
	size_t line_len;
	unsigned lines;         /* said since the latest values */
	bool begun;             /* it has had time to begin */
	unsigned refused;       /* intervals that it has not taken, one after the other */
	uint64_t refused_ns;    /* when the first of these was */
	uint64_t started_ns;
};

/*
 * The program of an output ("http"), open, beside the agent's own: neither PATH nor the environment says where that is. Or -1
 * and why.
 */
enum { AGENT_PROGRAM_WHY = 400 };
int agent_child_program(const char *output, char why[AGENT_PROGRAM_WHY]);

/* 0 or a negative errno. */
int agent_child_start(struct agent_child *c, const struct tool_wait *w);
/* Hand it what @bytes hold, and start it again if it is gone. Never waits. */
void agent_child_send(struct agent_child *c, const struct tool_wait *w, const char *bytes, size_t size);
/* After SIGCHLD: pass on what it said. Has it ended? Then it is told, and started again: now, or with the next values. */
void agent_child_look(struct agent_child *c, const struct tool_wait *w);
void agent_child_stop(struct agent_child *c);

#endif
