/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process for the world outside: it gets finished values, one interval after the other, and nothing
 * goes back. It has no rights, no descriptor of a device, and a user of its own where the agent is
 * root. One that dies or hangs costs the sampler nothing, and is started again.
 */
#ifndef AGENT_CHILD_H
#define AGENT_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/wait.h"

struct agent_child {
	const char *name;       /* for messages: "HTTP" */
	/* What it does, with the descriptor that values come from; its exit status. */
	int (*work)(const struct agent_child *c, int values);
	const void *setting;    /* for it alone */
	int fds[8];             /* which it keeps */
	size_t num_fds;
	bool last;              /* when it ends by itself, nobody wants values any more: */
	bool over;              /* that has happened */
	pid_t pid;              /* 0: it is not running */
	int channel;            /* our end */
	unsigned refused;       /* intervals that it has not taken, one after the other */
	uint64_t refused_ns;    /* when the first of these was */
	uint64_t started_ns;
};

/* 0 or a negative errno. */
int agent_child_start(struct agent_child *c, const struct tool_wait *w);
/* Hand it what @bytes hold, and start it again if it is gone. Never waits. */
void agent_child_send(struct agent_child *c, const struct tool_wait *w, const char *bytes, size_t size);
/* Has it ended? Then it is told, and started again: now, or with the next values. */
void agent_child_reap(struct agent_child *c, const struct tool_wait *w);
void agent_child_stop(struct agent_child *c);

/*
 * In the child: the next values, in memory of its own (*bytes, freed by the caller). 1; 0: there are none
 * yet; -1: the agent is gone.
 */
int agent_child_receive(int values, char **bytes, size_t *size);

/* In the child: of a clock that only goes on. */
int64_t agent_child_now_ms(void);
/*
 * In the child: values of this interval that came at @came_ms, and none since: are they no longer those of now?
 * Three intervals may be missed, and five seconds more.
 */
bool agent_child_is_late(int64_t came_ms, uint64_t interval_ns);

#endif
