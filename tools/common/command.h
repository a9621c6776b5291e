/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command's process is forked early and waits, so that counting starts first, or the command never starts. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "common/options.h"
#include "common/wait.h"

struct command {
	pid_t pid;  /* process of the command; 0: none was forked */
	int socket; /* a byte starts the command, closing ends the child; the child sends the errno of a failed exec */
	int status; /* status from waitpid(), once @done is set */
	bool done;
	bool apart; /* run the command in its own process group, without standard input, with stderr as output */
	bool no_output; /* the command's output goes to our standard error, to keep our standard output clean */
	const char *name; /* first word of the command, for messages */
	struct rusage used; /* resources used by the command and by the children that it has waited for; valid once
			     * the command has ended */
};

/* Fork a child, which waits for command_go(), with the signal mask of @w. 0, or TOOL_PARTIAL after a message. */
int command_hold(struct command *c, char **argv, const struct tool_wait *w);
/* Let the command run. 0, or the errno of exec. */
int command_go(struct command *c);
/* As command_go(), with a message; it ends with @advice if there is no such command. 0, or exit status 126 or 127. */
int command_start(struct command *c, const char *advice);
/* Collect the command's exit status if it has ended. */
void command_reap(struct command *c);
/* If the child still waits for command_go(), make it exit. A command that runs is not touched. */
void command_drop(struct command *c);
/* Exit status as a shell reports it: that of the command, or 128 + signal number. */
int command_exit(const struct command *c);

/* Handle a wake-up before the deadline. Returns whether the run is over. */
bool command_ends_run(struct command *c, const struct tool_wait *w, enum wake wake);
/* Handle a signal that came after the last wait, if it ends the tool. */
void command_pending(struct command *c, struct tool_wait *w);
/* Wait until the command has ended, or a signal ends the tool. Without a command return at once. */
void command_await(struct command *c, struct tool_wait *w);
/* Wait for the command; print the signal that ended it, if any. Returns @status or, if that is 0, the command's. */
int command_finish(struct command *c, struct tool_wait *w, int status);

#endif
