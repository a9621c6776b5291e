/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interface of the output programs. They talk to other programs, and read finished values from shared memory. outputs.c
 * starts them without rights; these values are all that they know about the machine. Each program is program_main.c
 * with one definition of agent_work(), from http.c, collectd.c or snmp.c. Only these programs are linked with libraries
 * for the network, and none is linked with libuncoremsr.
 */
#ifndef AGENT_PROGRAM_H
#define AGENT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/shared.h"

enum {
	AGENT_MESSAGES = 2, /* pipe: each write is a line for the agent's standard error */
	AGENT_VALUES = 3,   /* the shared memory; the program maps and closes it */
	AGENT_NEWS = 4,     /* socket: a byte comes with each interval; end of file: the agent has ended */
	AGENT_FIRST,        /* the first of the other descriptors that the program gets */
	AGENT_MOST_DESCRIPTORS = 8,
	AGENT_LINE = 512,   /* longest message in bytes */
};

/* Work until the agent ends. @news is AGENT_NEWS, and the other descriptors follow it. Returns the exit status. */
int agent_work(const struct shared *shared, int news);

/* Has an interval arrived since the last call? Ends the process if the agent has ended. */
bool agent_has_news(int news);

/* Milliseconds of a monotonic clock. */
int64_t agent_now_ms(void);

/* Send a line to the agent, which prints it on its standard error with the name of the output in front. */
void agent_tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
