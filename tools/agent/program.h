/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program of an output, seen from inside: a process for the world outside, which gets finished values, one interval after
 * the other. It is started by child.c, without rights, and knows of the machine what is in the values. Each program is
 * program_main.c with one definition of agent_work(): http.c, collectd.c or snmp.c. Only these are linked with a library
 * that talks to others, and none is linked with ours.
 */
#ifndef AGENT_PROGRAM_H
#define AGENT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/collectd.h"
#include "agent/snmp.h"

enum {
	AGENT_MESSAGES = 2, /* lines for the agent's standard error */
	AGENT_VALUES = 3,   /* first the task, then the values of each interval */
	AGENT_FIRST = 4,    /* and from here on what else the program works with */
	AGENT_MOST_DESCRIPTORS = 8,
	AGENT_LINE = 512,   /* bytes of a message, with the line end */
};

/* The first message that it gets. Both sides are of one build. */
struct agent_task {
	char version[16];
	bool other_user;    /* it runs as another user than the agent */
	int fds[AGENT_MOST_DESCRIPTORS]; /* sockets that listen, or the file of what is kept from run to run */
	size_t num_fds;
	union {
		struct agent_collectd collectd;
		struct agent_snmp snmp;
	};
};

/* Its work until the agent is gone: the exit status. */
int agent_work(const struct agent_task *task, int values);

/*
 * The next values, in memory of its own (*bytes, freed by the caller). 1; 0: there are none yet; -1: the agent is gone.
 */
int agent_receive(int values, char **bytes, size_t *size);

/* Of a clock that only goes on. */
int64_t agent_now_ms(void);
/* Values of this interval came at @came_ms, and none since: are the next ones overdue? */
bool agent_is_late(int64_t came_ms, uint64_t interval_ns);

/* A line for the agent's standard error, which puts the name of the output before it. */
void agent_tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
