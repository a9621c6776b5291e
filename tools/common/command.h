/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command under measurement: a process that is forked early, held, and let go. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "common/options.h"
#include "common/wait.h"

struct command {
	pid_t pid;  /* 0: none was forked */
	int go;     /* write end: closing it without a byte makes the child leave */
	int failed; /* read end: errno of a failed exec */
	int status; /* of waitpid(), once done */
	bool done;
	bool apart; /* in a process group of its own, without standard input, and with ours for errors as output */
	bool no_output; /* our standard output is not for it: it writes to ours for errors */
	const char *name; /* for messages; may be NULL */
	struct rusage used; /* once done: of it and of those of its children that it has waited for */
};

/* Fork a child that waits. @w gives the signal mask it gets back. 0 or negative errno. */
int command_hold(struct command *c, char **argv, const struct tool_wait *w);
/* Let it run. 0, or the errno of exec. */
int command_go(struct command *c);
/* Collect it if it has ended. */
void command_reap(struct command *c);
/* A child that was never let go leaves; one that runs is not touched. */
void command_drop(struct command *c);
/* As the shell tells it: its exit status, 128 + signal number. */
int command_exit(const struct command *c);
/* Was it ended by a signal? One line on standard error then. */
void command_tell_signal(const struct command *c, const struct tool *tool, const char *name);

/*
 * A signal to the tool is meant for COMMAND as well: it is handed on. A terminal's SIGINT reaches
 * COMMAND by itself.
 */
void command_hand_on(const struct command *c, const siginfo_t *info);
/*
 * What a wake-up before its time means, with or without a command: whether the run is over.
 * *die_of becomes the signal to end by.
 */
bool command_ends_run(struct command *c, const struct tool_wait *w, enum wake wake, int *die_of);

#endif
