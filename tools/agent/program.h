/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The output process's own side. The process talks to the world outside and gets finished values, one interval after the
 * other. child.c starts it without rights; all that it knows about the machine is in the values. Each program is
 * program_main.c with one definition of agent_work(), from http.c, collectd.c or snmp.c. Only these programs are linked
 * with libraries for the network, and none is linked with libuncoremsr.
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
	AGENT_FIRST = 4,    /* the first of the other descriptors that the program gets */
	AGENT_MOST_DESCRIPTORS = 8,
	AGENT_LINE = 512,   /* bytes of a message, with the line end */
};

/* The first message to the program. Both sides are from one build, so the struct can change. */
struct agent_task {
	char version[16];
	bool other_user;    /* the program runs as another user than the agent */
	int fds[AGENT_MOST_DESCRIPTORS]; /* listening sockets, or the file that is kept from run to run */
	size_t num_fds;
	union {
		struct agent_collectd collectd;
		struct agent_snmp snmp;
	};
};

/* The program's work, until the agent has ended. Returns the exit status. */
int agent_work(const struct agent_task *task, int values);

/*
 * Receive the next values into *bytes, which the caller frees. 1; 0: there are none yet; -1: the agent has ended.
 */
int agent_receive(int values, char **bytes, size_t *size);

/* Milliseconds of a monotonic clock. */
int64_t agent_now_ms(void);
/* Values of this interval came at @came_ms, and none since: are the next ones overdue? */
bool agent_is_late(int64_t came_ms, uint64_t interval_ns);

/* Send a line to the agent, which prints it on its standard error with the name of the output in front. */
void agent_tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
