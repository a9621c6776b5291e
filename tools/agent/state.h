/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the agent remembers from run to run: files in one folder. */
#ifndef AGENT_STATE_H
#define AGENT_STATE_H

#define STATE_DIR "/var/lib/uncoremsr"

/*
 * A descriptor of the file @name in @dir, which is made if it is not there, for nobody else as long
 * as it is open. -1 after saying that @for_what goes without.
 */
int state_open(const char *dir, const char *name, const char *for_what);

#endif
