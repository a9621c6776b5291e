/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command under measurement: a process that is forked early, held, and let go. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/wait.h"

struct command {
	pid_t pid;  /* 0: none was forked */
	int go;     /* write end: closing it without a byte makes the child leave */
	int failed; /* read end: errno of a failed exec */
	int status; /* of waitpid(), once done */
	bool done;
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
