/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a program many times and loads it once: it stops before main() and forks for each run. Nothing of the program
 * has run by then, so no run sees what another one did. With sanitizers, which cannot be preloaded, each run loads it.
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

/* A program by its name or path; its runs write to @out and @err, and read nothing. Exits where that fails. */
void prestart(struct prestart *p, const char *program, int out, int err);
/*
 * Prepares a run with these words, the first of which is the program's name, until NULL; "NAME=VALUE" before it is
 * put into its environment. Its pid, or -1 when the program has ended for good. It waits for prestart_go().
 */
pid_t prestart_run(struct prestart *p, char *const *words);
void prestart_go(struct prestart *p);
/* False: it runs for longer than @timeout ms (-1: for ever) and goes on. What it had left behind is killed. */
bool prestart_end(struct prestart *p, int *status, int timeout);
void prestart_stop(struct prestart *p);

/* ---- the side of the program ---- */

/* The environment variable with the descriptors: "CONTROL OUTPUT ERRORS". */
#define PRESTART_VARIABLE "PRESTART_DESCRIPTORS"

/* Forks for each run; returns in the run, with its words. */
char **prestart_serve(int control, int out, int err);

#endif
