/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a program many times but loads it only once: the program stops before main(), and forks for each run. No code of
 * the program has run by then, so runs do not affect each other. With sanitizers, which do not allow preloading, the
 * program is loaded for each run.
 */
#ifndef PRESTART_H
#define PRESTART_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct prestart {
	pid_t server;
	int control;
};

/* Load a program, given by name or path. Its runs write to @out and @err and have no input. Exits on failure. */
void prestart(struct prestart *p, const char *program, int out, int err);
/*
 * Prepare a run; prestart_go() starts it. @words ends with NULL. Words "NAME=VALUE" before the program's name are put
 * into the environment. Returns the PID of the run, or -1 if the program has ended and no run is possible.
 */
pid_t prestart_run(struct prestart *p, char *const *words);
void prestart_go(struct prestart *p);
/*
 * Wait for the end of the run, at most @timeout ms (-1: no limit), and kill processes that the run left behind. Returns
 * false if the run has not ended.
 */
bool prestart_end(struct prestart *p, int *status, int timeout);
void prestart_stop(struct prestart *p);

/* ---- functions in the program under test ---- */

/* Environment variable with the file descriptors "CONTROL OUTPUT ERRORS". */
#define PRESTART_VARIABLE "PRESTART_DESCRIPTORS"

/* Fork for each run. Returns only in the child, with the words of its command line. */
char **prestart_serve(int control, int out, int err);

#endif
