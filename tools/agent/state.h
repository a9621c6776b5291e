/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the agent remembers from run to run: files in one folder. */
#ifndef AGENT_STATE_H
#define AGENT_STATE_H

#define STATE_DIR "/var/lib/uncoremsr"

/*
 * Open the file @name in @dir, created if need be, and lock it against other processes. -1: the file
 * cannot be used, and a message was printed that @for_what works without it.
 */
int state_open(const char *dir, const char *name, const char *for_what);

#endif
