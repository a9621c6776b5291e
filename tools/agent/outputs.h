/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The outputs of the agent: their processes, and the memory from which these read the values. */
#ifndef AGENT_OUTPUTS_H
#define AGENT_OUTPUTS_H

#include "agent/agent.h"
#include "agent/child.h"

struct agent_outputs {
	struct shared_writer shared;
	struct agent_child list[AGENT_OUTPUTS];
	size_t num;
	struct address listens[AGENT_MOST_LISTENS]; /* addresses that the agent listens on, from the start to the end */
	size_t num_listens;
};

/* Open the sockets and files of the outputs that the configuration names. 0, or the exit status after a message. */
int outputs_open(struct agent_outputs *o, const struct agent_config *cfg, const struct tool_wait *w);
/* Start the processes. Call it before any device is open, so that they inherit none. 0, or the exit status. */
int outputs_start(struct agent_outputs *o);
/* Publish what was written to @o->shared as the interval @i. The caller has set wall_ns, interval_ns and series of @i. */
void outputs_publish(struct agent_outputs *o, struct shared_interval *i);
/*
 * Call this after SIGCHLD. False: our standard output cannot be written any more, so the agent must end; *failed is set
 * if the reason is an error and not a missing reader.
 */
bool outputs_look(struct agent_outputs *o, bool *failed);
/* A reload does not change the outputs: print the outputs of the new configuration that need a restart. */
void outputs_tell_other(const struct agent_outputs *o, const struct agent_config *old, const struct agent_config *new);
/* Stop the processes, and remove socket files. */
void outputs_close(struct agent_outputs *o);

#endif
